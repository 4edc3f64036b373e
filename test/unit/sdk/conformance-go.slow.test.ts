import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, describe, it } from 'mocha';
import { MINUTE_MS } from '../../../domain/time.ts';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';
import { testClient } from '../../support/client-conformance.ts';

const run = promisify(execFile);
const SOURCES = path.join(PROJECT_ROOT, 'sdk', 'go');
const HAS_GO = spawnSync('go', ['version']).status === 0;

if (HAS_GO) testGoClient();
else console.log('The Go client is not tested: there is no `go`.');

function testGoClient(): void {
  describe('of Go', function () {
    this.timeout(3 * MINUTE_MS);
    let folder: string | undefined;

    after(async () => {
      if (folder !== undefined) await rm(folder, { recursive: true });
    });

    testClient('Go', async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'go-client-'));
      const program = path.join(folder, 'conformance');
      await run('go', ['build', '-o', program, './internal/conformance'], { cwd: SOURCES });
      return { command: program, args: [] };
    });

    it('is formatted, and free of what `go vet` finds', async () => {
      const { stdout } = await run('gofmt', ['-l', '.'], { cwd: SOURCES });
      assert.equal(stdout, '');
      await run('go', ['vet', './...'], { cwd: SOURCES });
    });
  });
}
