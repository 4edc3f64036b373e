import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Settings } from '../../config/read-variables.ts';
import { readTemporaryStackConfig } from '../../config/sandbox.ts';
import { readSandbox, type Sandbox } from '../../sandbox/stack/data-folder.ts';
import { findFreePortVariables } from '../../sandbox/stack/ports.ts';
import { sendSigned } from '../../sandbox/signed-request.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { median } from '../measures/median.ts';
import { npmStart } from './npm-start.ts';

const ROUNDS = 3;
const PATH = '/api/v1/payment-intents';
const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' };

interface Start {
  readonly tableMs: number;
  readonly paidMs: number;
}

/** Times `npm start` in a built folder: until the table, and until the first payment succeeds. */
export async function benchmarkStart({ report, signal, sizes, keep }: Bench): Promise<readonly Figure[]> {
  const [empty, kept]: [Start[], Start[]] = [[], []];
  for (let round = 1; round <= (sizes.turns ?? ROUNDS); round += 1) {
    report(`Start ${round}, with empty data and then with what that left …`);
    const dataDir = await mkdtemp(path.join(tmpdir(), 'payment-engine-'));
    try {
      const environment = await environmentIn(dataDir);
      empty.push(await startAndPay(environment, dataDir, signal));
      kept.push(await startAndPay(environment, dataDir, signal));
      keep(allFiguresOf(empty, kept));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return allFiguresOf(empty, kept);
}

function allFiguresOf(empty: readonly Start[], kept: readonly Start[]): Figure[] {
  return [...figuresOf('empty data', empty), ...figuresOf('data kept', kept)];
}

async function environmentIn(dataDir: string): Promise<Settings> {
  return { ...readTemporaryStackConfig().settings, ...(await findFreePortVariables()), DATA_DIR: dataDir };
}

async function startAndPay(environment: Settings, dataDir: string, signal: AbortSignal): Promise<Start> {
  const engine = await npmStart(environment, signal);
  try {
    await pay(await readSandbox(dataDir));
    return { tableMs: engine.tableMs, paidMs: performance.now() - engine.startedAtMs };
  } finally {
    await engine.stop();
  }
}

/** One request that creates and confirms. @throws Error when it does not succeed */
async function pay(sandbox: Sandbox): Promise<void> {
  const answer = await sendSigned(sandbox, {
    method: 'POST',
    path: PATH,
    body: { amount: 1999, currency: 'USD', confirm: true, paymentMethod: { type: 'card', card: CARD } },
    headers: { 'X-Idempotency-Key': randomUUID() },
  });
  const text = await answer.text();
  if (!text.includes('"status":"succeeded"')) throw new Error(`the first payment was answered with ${text}`);
}

function figuresOf(data: string, starts: readonly Start[]): Figure[] {
  return [
    { what: `npm start to its table, ${data}`, value: median(starts.map(({ tableMs }) => tableMs)), unit: 'ms' },
    { what: `npm start to the first payment, ${data}`, value: median(starts.map(({ paidMs }) => paidMs)), unit: 'ms' },
  ];
}
