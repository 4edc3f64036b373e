import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { processStartedAt } from '../../../../sandbox/stack/process-start.mjs';
import { DIST_DIR } from '../../../../sandbox/stack/project.ts';
import { eventually } from '../../../support/eventually.ts';

const RUNS = {
  outputOf: 'outputOf(process.execPath, args, options)',
  runLong: 'runLong({ command: process.execPath, args, ...options }, () => undefined)',
};

describe('a program that fetches or builds a tool', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-programs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [name, run] of Object.entries(RUNS)) {
    it(`ends when the process that started it is stopped: ${name}`, async () => {
      const pidFile = path.join(folder, 'pid');
      const program = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, [
        '--input-type=module',
        '--eval',
        `import { ${name} } from ${JSON.stringify(path.join(DIST_DIR, 'sandbox/tools/installed-programs.mjs'))};
        process.once('SIGTERM', () => process.exit(1));
        const args = ['--eval', ${JSON.stringify(program)}];
        const options = { env: process.env, cwd: ${JSON.stringify(folder)}, withinMs: 60_000 };
        await ${run};`,
      ]);
      const ended = once(parent, 'exit');
      const pid = await eventually(async () => {
        const written = Number(await readFile(pidFile, 'utf8'));
        assert.ok(written > 0);
        return written;
      });
      parent.kill();
      await ended;
      await eventually(async () => assert.equal(processStartedAt(pid), null));
    });
  }
});
