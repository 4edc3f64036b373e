import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { provideSecrets } from '../../scripts/data-folder.ts';
import { findFreePorts } from '../../scripts/ports.ts';
import { DIST_DIR } from '../../scripts/project.ts';
import { inTime } from './eventually.ts';
import { getDataDir, getStack } from './stack.ts';

/** One more API process on the database and the Temporal server of the running engine. */
export interface ApiProcess {
  readonly baseUrl: string;
  /** Drains it; the exit code. */
  stop(): Promise<number | null>;
}

/** Starts one on a free port, with settings of its own. */
export async function startApi(settings: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const { sandbox } = getStack();
  const [{ vaultKeys }, [port]] = await Promise.all([provideSecrets(getDataDir()), findFreePorts(1)]);
  const child = spawn(process.execPath, [path.join(DIST_DIR, 'api', 'main.js')], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: sandbox.databaseUrl,
      DATABASE_POOL_SIZE: '3',
      TEMPORAL_ADDRESS: sandbox.temporalAddress,
      VAULT_KEYS: vaultKeys,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...settings,
    },
    // It drains by itself when this process is gone.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  assert.ok(stdout);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const early = ended.then((code) => {
    throw new Error(`the API process ended with ${code} before it was ready`);
  });
  early.catch(() => undefined);
  await inTime(Promise.race([once(stdout, 'data'), early]), 'the API process');
  stdout.resume();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
