import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context, RootHookObject } from 'mocha';
import { type Environment, readToolsConfig, VARIABLE_NAMES } from '../../config.ts';
import { findFreePorts } from '../../scripts/ports.ts';
import { type Stack, startStack } from '../../scripts/stack.ts';

const START_WITHIN_MS = 15 * 60_000;
const STOP_WITHIN_MS = 120_000;

/** Short waits and no limits in the way of many tests. */
const TEST_SETTINGS = {
  PROVIDER_TIMEOUT_MS: '1000',
  RATE_LIMIT_SANDBOX: '100000',
  RATE_LIMIT_UNAUTHENTICATED: '100000',
  ALLOW_SIMULATOR_IN_PRODUCTION: 'true',
  LOG_LEVEL: 'warn',
};

let running: { readonly stack: Stack; readonly dataDir: string } | undefined;

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

/** Starts an engine of its own: free ports, empty data, nothing of the caller's own configuration. */
export async function startTestStack(overrides: Readonly<Record<string, string>> = {}): Promise<{
  readonly stack: Stack;
  readonly dataDir: string;
}> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-'));
  // PostgreSQL runs as a user of its own where the tests run as root.
  await chmod(dataDir, 0o711);
  const [api = 0, postgres = 0, temporal = 0, temporalUi = 0, simulatorAlpha = 0, simulatorBeta = 0] =
    await findFreePorts(6);
  const stack = await startStack({
    dataDir,
    ports: { api, postgres, temporal, temporalUi, simulatorAlpha, simulatorBeta },
    tools: readToolsConfig(),
    environment: withoutSettings(process.env),
    overrides: { ...TEST_SETTINGS, ...overrides },
    report: (line) => console.log(`  ${line}`),
  });
  return { stack, dataDir };
}

/** What is left of an environment without the variables that configure the engine. */
function withoutSettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !VARIABLE_NAMES.includes(name)));
}

/** Root hooks of the end-to-end tests. */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    this.timeout(START_WITHIN_MS);
    running = await startTestStack();
  },
  async afterAll(this: Context) {
    this.timeout(STOP_WITHIN_MS);
    if (running === undefined) return;
    await running.stack.stop();
    await rm(running.dataDir, { recursive: true, force: true });
  },
};
