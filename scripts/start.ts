import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readStartConfig, type StackPorts, type StartConfig } from '../config/sandbox.ts';
import { SECOND_MS } from '../domain/time.ts';
import { workflowsUrlOf } from '../domain/workflows-url.ts';
import { type Sandbox, sandboxFileOf } from '../sandbox/stack/data-folder.ts';
import { demoUrlOf } from '../sandbox/stack/demo-process.ts';
import { codecServerUrlOf } from '../sandbox/stack/engine-processes.ts';
import { userMessageOf } from '../sandbox/stack/explain-error.ts';
import { findWorkerPort } from '../sandbox/stack/ports.ts';
import { startStack } from '../sandbox/stack/stack.ts';
import { SANDBOX_STAFF } from '../sandbox/stack/sandbox-data.ts';
import { listUrlOf, PAYMENTS_VIEW, writeSupportViews } from '../sandbox/stack/support-views.ts';
import { readArguments } from './command-arguments.ts';

const PARENT_CHECK_EVERY_MS = SECOND_MS;

const USAGE = 'Use: npm start [-- --fresh]\n\n  --fresh   begin with empty data';

/** `npm start`: everything at once, until it is asked to stop. */
async function main(): Promise<void> {
  const { fresh } = readArguments(
    USAGE,
    () => parseArgs({ options: { fresh: { type: 'boolean', default: false } } }).values,
  );
  const startedAt = Date.now();
  const config = readStartConfig();
  const stopRequest = new AbortController();
  onStopRequest(config, () => stopRequest.abort());
  const ports = { ...config.ports, worker: config.ports.worker ?? (await findWorkerPort()) };
  const stack = await startStack({
    ...config,
    ports,
    fresh,
    signal: stopRequest.signal,
    report: (line) => console.log(line),
  });
  const workflowsUrl = workflowsUrlOf(stack.sandbox.temporalUi, config.temporalNamespace);
  const views = await writeSupportViews(config.dataDir, workflowsUrl);
  console.log(summaryOf(stack.sandbox, { ...config, ports, workflowsUrl, views }, Date.now() - startedAt));
  await new Promise<void>((resolve) => {
    if (stopRequest.signal.aborted) resolve();
    stopRequest.signal.addEventListener('abort', () => resolve());
  });
  console.log('Stopping: finishing what is under way (a few seconds) …');
  await stack.stop();
  console.log('Stopped. The data is kept for the next start.');
}

/** Calls `stop` on a signal, and when the npm that started this process has ended. It may be called more than once. */
function onStopRequest({ underNpm }: StartConfig, stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (!underNpm) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_EVERY_MS).unref();
}

function summaryOf(
  sandbox: Sandbox,
  {
    dataDir,
    demoPort,
    codecServerPort,
    ports,
    workflowsUrl,
    views,
  }: Pick<StartConfig, 'dataDir' | 'demoPort' | 'codecServerPort'> & {
    readonly ports: StackPorts;
    readonly workflowsUrl: string;
    /** The path of the page with the views. */
    readonly views: string;
  },
  elapsedMs: number,
): string {
  const rows = [
    ['API', sandbox.baseUrl],
    ['Documentation', `${sandbox.baseUrl}/docs`],
    ['Demo shop', demoUrlOf(demoPort)],
    ...dashboardRows(sandbox),
    ['Temporal UI', listUrlOf(PAYMENTS_VIEW, workflowsUrl)],
    ['Views of it', pathToFileURL(views).href],
    ...(codecServerPort === null ? [] : [['Codec server', codecServerUrlOf(codecServerPort)]]),
    ['Temporal', sandbox.temporalAddress],
    ['PostgreSQL', withoutPassword(sandbox.databaseUrl)],
    ...sandbox.simulators.map(({ name, url }) => [`Simulator ${name}`, url]),
    ['Metrics', `${sandbox.baseUrl}/metrics, http://127.0.0.1:${ports.worker}/metrics`],
    ['Sandbox key', `${sandbox.apiKey} (with its secret salt in ${sandboxFileOf(dataDir)})`],
  ];
  return [
    '',
    `The payment engine runs (started in ${(elapsedMs / SECOND_MS).toFixed(1)} s). Ctrl-C stops it.`,
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(16)} ${value}`),
    '',
    'Make a first payment, in another terminal:',
    '',
    '  npm run pay',
    '',
  ].join('\n');
}

function dashboardRows({ dashboard }: Sandbox): string[][] {
  if (dashboard === undefined) return [];
  const { url, email, password, mailbox } = dashboard;
  return [
    ['Dashboard', `${url} (${email}, password ${password})`],
    ['Console', `${url}/console (${SANDBOX_STAFF.email}, same password; the second factor by the link above)`],
    ['Mailbox', mailbox],
  ];
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

// The reader of the output may end; the engine goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  await main();
} catch (error) {
  console.error(userMessageOf(error) ?? `The payment engine could not be started: ${String(error)}`);
  process.exitCode = 1;
}
process.exit();
