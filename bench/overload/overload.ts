import { SECOND_MS } from '../../domain/time.ts';
import { SANDBOX_ACCOUNTS } from '../../sandbox/stack/sandbox-data.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { percentile, type Samples } from '../interleave.ts';
import { createMerchantCalls } from '../load/merchant-calls.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import type { Turn, TurnResult } from '../load/messages.ts';
import { median } from '../measures/median.ts';
import { recoveredAfterMs } from './recovery.ts';

const OVERLOAD_FACTOR = 4;
const OVERLOAD_SECONDS = 20;
/** Enough to use the machine fully, and few enough that each is answered within the target. */
const CLIENTS = 16;
/** The default, which other benchmarks switch off. */
const TARGET_MS = 500;
const WARM_UP_MS = 8 * SECOND_MS;
const BEST_RATE_MS = 8 * SECOND_MS;
const BASELINE_MS = 6 * SECOND_MS;
const RECOVERY_MS = 15 * SECOND_MS;
const READS_PER_SECOND = 20;
/** How long the API waits for the outcome of a confirm by default. */
const IN_TIME_MS = 15 * SECOND_MS;

const IN_TIME_AT_LEAST = 0.8;
const READ_P99_AT_MOST_MS = 100;
const RECOVERED_AT_MOST_S = 10;

interface Measured {
  /** Payments in time, per second until the last answer. */
  readonly perSecond: number;
  readonly paid: Samples;
  readonly refused: Samples;
  readonly failed: number;
  readonly reads: Samples;
}

/**
 * Measures an overload: four times as many payments as the engine can make arrive at a fixed rate. Steady reads run beside them.
 * The highest rate is measured before and after it in the same run, also with reads.
 */
export async function benchmarkOverload({
  startEngine,
  report,
  signal,
  sizes,
  keep,
}: Bench): Promise<readonly Figure[]> {
  const { sandbox } = await startEngine({ CONFIRM_TARGET_MS: String(TARGET_MS) });
  const id = await createMerchantCalls(sandbox).create();
  const [{ id: merchantId }] = SANDBOX_ACCOUNTS;
  const { apiKey, secretSalt } = sandbox;
  const url = `${sandbox.baseUrl}/api/v1/payment-intents/${id}`;
  const clients = await startLoadProcess('load/overload-load', { ...sandbox, waits: true }, signal);
  const arrivals = await startLoadProcess('load/overload-load', { ...sandbox, waits: false }, signal);
  const credentials = { apiKey, secretSalt, merchantId };
  const reads = await startLoadProcess('reads/read-load', { url, credentials }, signal);
  try {
    report('Warming up …');
    await clients.run({ kind: 'clients', clients: CLIENTS, durationMs: WARM_UP_MS });
    const baseline = await clients.run({ kind: 'clients', clients: 1, durationMs: BASELINE_MS });
    keep(figuresOfBaseline(baseline));
    report(`Measuring the highest rate of ${CLIENTS} clients …`);
    const fullLoad = { kind: 'clients', clients: sizes.clients ?? CLIENTS, durationMs: BEST_RATE_MS } as const;
    const before = await measure(clients, reads, fullLoad);
    keep(figuresOfHighestRate(before));
    const perSecond = OVERLOAD_FACTOR * before.perSecond;
    const durationMs = (sizes.seconds ?? OVERLOAD_SECONDS) * SECOND_MS;
    report(`Sending ${perSecond.toFixed(0)} payments a second …`);
    const overload = await measure(arrivals, reads, { kind: 'arrivals', perSecond, durationMs });
    keep(figuresOfOverload(overload, before));
    report('Waiting until payments take as long as before …');
    const recovery = await clients.run({ kind: 'clients', clients: 1, durationMs: RECOVERY_MS });
    const recoveredMs = recoveredAfterMs(paidOf(recovery), median(paidOf(baseline)));
    const after = await measure(clients, reads, fullLoad);
    return figuresOf({ before, overload, after, baseline, recoveredMs });
  } finally {
    await Promise.all([clients.end(), arrivals.end(), reads.end()]);
  }
}

/** Runs a turn of payments, with steady reads. */
async function measure(payments: LoadProcess, reads: LoadProcess, turn: Turn): Promise<Measured> {
  const [result, read] = await Promise.all([
    payments.run(turn),
    reads.run({ kind: 'arrivals', perSecond: READS_PER_SECOND, durationMs: turn.durationMs }),
  ]);
  const paid = paidOf(result);
  const inTime = paid.filter((ms) => ms <= IN_TIME_MS).length;
  return {
    perSecond: (inTime / result.elapsedMs) * SECOND_MS,
    paid,
    refused: result.steps.refused ?? [],
    failed: result.failed + read.failed,
    reads: read.steps.read ?? [],
  };
}

function paidOf({ steps }: TurnResult): Samples {
  return steps.paid ?? [];
}

interface Phases {
  readonly before: Measured;
  readonly overload: Measured;
  readonly after: Measured;
  readonly baseline: TurnResult;
  /** Infinite where payments did not become as fast as before. */
  readonly recoveredMs: number;
}

function figuresOf({ before, overload, after, baseline, recoveredMs }: Phases): Figure[] {
  const best = (before.perSecond + after.perSecond) / 2;
  return [
    ...figuresOfBaseline(baseline),
    ...figuresOfHighestRate(before),
    ...figuresOfOverload(overload, before),
    { what: 'highest rate, after', value: after.perSecond, unit: '/s' },
    {
      what: 'overload: in time ÷ highest rate',
      value: overload.perSecond / best,
      unit: '×',
      atLeast: IN_TIME_AT_LEAST,
    },
    { what: 'as fast as before, after', value: recoveredMs / SECOND_MS, unit: 's', atMost: RECOVERED_AT_MOST_S },
  ];
}

function figuresOfBaseline(baseline: TurnResult): Figure[] {
  return [{ what: 'one client, p50', value: median(paidOf(baseline)), unit: 'ms' }];
}

function figuresOfHighestRate({ perSecond, paid, reads }: Measured): Figure[] {
  return [
    { what: 'highest rate, before', value: perSecond, unit: '/s' },
    { what: 'highest rate: payment, p50', value: percentile(paid, 0.5), unit: 'ms' },
    { what: 'highest rate: read, p99', value: percentile(reads, 0.99), unit: 'ms' },
  ];
}

function figuresOfOverload({ perSecond, paid, refused, failed, reads }: Measured, before: Measured): Figure[] {
  const arrived = paid.length + refused.length + failed;
  return [
    { what: 'overload: payments in time', value: perSecond, unit: '/s' },
    { what: 'overload: share that was refused', value: refused.length / arrived, unit: '' },
    { what: 'overload: failed', value: failed, unit: '', atMost: 0 },
    { what: 'overload: payment, p50', value: percentile(paid, 0.5), unit: 'ms' },
    { what: 'overload: payment, p99', value: percentile(paid, 0.99), unit: 'ms' },
    { what: 'overload: refusal, p50', value: percentile(refused, 0.5), unit: 'ms' },
    { what: 'overload: refusal, p99', value: percentile(refused, 0.99), unit: 'ms' },
    { what: 'overload: read, p50', value: percentile(reads, 0.5), unit: 'ms' },
    { what: 'overload: read, p99', value: percentile(reads, 0.99), unit: 'ms', atMost: READ_P99_AT_MOST_MS },
    {
      what: "read's p99 ÷ that at the highest rate",
      value: percentile(reads, 0.99) / percentile(before.reads, 0.99),
      unit: '×',
    },
  ];
}
