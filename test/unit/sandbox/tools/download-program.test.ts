import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { downloadProgram } from '../../../../sandbox/tools/download-program.mjs';
import { TEMPORAL_CLI_ARCHIVES } from '../../../../sandbox/tools/temporal-cli.mjs';
import { TEST_SERVER_JARS } from '../../../../sandbox/tools/test-server-jars.ts';
import { TEST_SERVER_ARCHIVES, verifyFiles } from '../../../../sandbox/tools/temporal-test-server.ts';
import { listenLocally } from '../../../support/local-server.ts';

describe('downloads of programs', () => {
  let folder: string;
  let server: Server;
  let url: string;
  let archive: Buffer;

  before(async () => {
    const source = await mkdtemp(path.join(tmpdir(), 'payment-engine-archive-'));
    mkdirSync(path.join(source, 'inner'));
    writeFileSync(path.join(source, 'inner', 'program'), '#!/bin/sh\necho it runs\n');
    execFileSync('tar', ['-czf', 'archive.tar.gz', 'inner'], { cwd: source });
    archive = readFileSync(path.join(source, 'archive.tar.gz'));
    await rm(source, { recursive: true });
    server = createServer((request, response) => {
      response.statusCode = request.url === '/missing.tar.gz' ? 404 : 200;
      response.end(request.method === 'HEAD' ? undefined : archive);
    });
    url = await listenLocally(server);
  });
  after(() => server.close());
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-download-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const download = (name: string, sha256: string) =>
    downloadProgram(
      { url: `${url}/${name}`, sha256, program: 'inner/program' },
      path.join(folder, 'program'),
      process.env,
    );
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('keep a program whose archive has the pinned SHA-256', async () => {
    assert.deepEqual(await download('archive.tar.gz', digestOf(archive)), {});
    assert.equal(execFileSync(path.join(folder, 'program'), { encoding: 'utf8' }), 'it runs\n');
    assert.deepEqual(await readdir(folder), ['program']);
  });

  it('refuse an archive with another SHA-256, and keep nothing of it', async () => {
    const { failure } = await download('archive.tar.gz', '0'.repeat(64));
    const expected = `refused: ${url}/archive.tar.gz has the SHA-256 ${digestOf(archive)} and must have ${'0'.repeat(64)}. It was deleted`;
    assert.equal(failure, expected);
    assert.deepEqual(await readdir(folder), []);
  });

  it('keep nothing of a download that fails', async () => {
    const { failure } = await download('missing.tar.gz', digestOf(archive));
    assert.match(failure ?? '', /answers 404/);
    assert.deepEqual(await readdir(folder), []);
  });

  it('refuse a file of the test server that is changed, missing or unexpected', async () => {
    const digests = { 'a.jar': digestOf(Buffer.from('a')), 'b.jar': digestOf(Buffer.from('b')) };
    const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
    await write('a.jar', 'a');
    await assert.rejects(verifyFiles(folder, digests), /^Error: refused: b\.jar has the SHA-256 no such file and must/);
    await write('b.jar', 'b');
    await verifyFiles(folder, digests);
    await write('c.jar', 'c');
    await assert.rejects(verifyFiles(folder, digests), /refused: c\.jar has the SHA-256 .* must have no such file/);
    await rm(path.join(folder, 'c.jar'));
    await write('a.jar', 'changed');
    await assert.rejects(verifyFiles(folder, digests), /refused: a\.jar has the SHA-256/);
  });

  it('have a SHA-256 for each archive and each file', () => {
    const archives = [...Object.values(TEMPORAL_CLI_ARCHIVES), ...Object.values(TEST_SERVER_ARCHIVES)];
    const digests = [...archives.map((one) => one?.sha256 ?? ''), ...Object.values(TEST_SERVER_JARS)];
    assert.ok(archives.length >= 5);
    for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/);
    assert.equal(new Set(digests).size, digests.length);
  });
});
