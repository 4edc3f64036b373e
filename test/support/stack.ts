import type { Context, RootHookObject } from 'mocha';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { startTemporaryStack, type TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { timeStart } from './test-times.ts';

const START_WITHIN_MS = 15 * 60_000;
const STOP_WITHIN_MS = 120_000;

/** Short waits, no limits in the way of many tests, and no reconciliation that begins by itself at a time of the day. */
const TEST_SETTINGS = {
  PROVIDER_TIMEOUT_MS: '1000',
  RATE_LIMIT_SANDBOX: '100000',
  RATE_LIMIT_UNAUTHENTICATED: '100000',
  CONFIRM_TARGET_MS: '0',
  RATE_LIMIT_SOCKETS: '100000',
  DECLINES_PER_CARD: '0',
  DECLINES_PER_ADDRESS: '0',
  DECLINES_PER_BIN: '0',
  DECLINES_PER_ACCOUNT: '0',
  ALLOW_SIMULATOR_IN_PRODUCTION: 'true',
  RECONCILE_EVERY_HOURS: '0',
  LOG_LEVEL: 'warn',
};

let running: TemporaryStack | undefined;

/** The engine that all end-to-end tests of a run share. */
export function getStack(): Stack {
  if (running === undefined) throw new Error('the stack runs only under the hooks of test/support/stack.ts');
  return running.stack;
}

/** Its data folder. */
export function getDataDir(): string {
  getStack();
  return running?.dataDir ?? '';
}

/** Where its worker serves health and metrics. */
export function getWorkerUrl(): string {
  getStack();
  return `http://127.0.0.1:${running?.workerPort}`;
}

/** Starts an engine of its own: free ports, empty data, nothing of the caller's own configuration. */
export function startTestStack(
  overrides: Readonly<Record<string, string>> = {},
  withDashboard = false,
): Promise<TemporaryStack> {
  return timeStart(withDashboard ? 'engine with dashboard' : 'engine', () =>
    startTemporaryStack({
      withDashboard,
      overrides: { ...TEST_SETTINGS, ...overrides },
      report: (line) => console.log(`  ${line}`),
    }),
  );
}

/** Starts the engine that `getStack` returns. */
export async function startSharedStack(
  overrides: Readonly<Record<string, string>> = {},
  withDashboard = false,
): Promise<TemporaryStack> {
  return (running = await startTestStack(overrides, withDashboard));
}

/** Root hooks of the end-to-end tests. */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    this.timeout(START_WITHIN_MS);
    await startSharedStack({}, true);
  },
  async afterAll(this: Context) {
    this.timeout(STOP_WITHIN_MS);
    await running?.end();
  },
};
