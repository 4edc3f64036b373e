import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { percentile } from '../interleave.ts';
import { startLoadProcess } from '../load/load-process.ts';
import { type Condition, figuresOfComparison } from './alone-and-beside.ts';
import { createMerchants } from './merchants.ts';

const CLIENTS = 16;
/** Of the highest rate: more than half beside the measured confirms would measure how busy the machine is. */
const PERCENT = 50;
const WARM_UP_MS = 6 * SECOND_MS;
const BEST_RATE_MS = 8 * SECOND_MS;
const TURN_MS = 15 * SECOND_MS;
const HANG_MS = 30 * SECOND_MS;
/** The default, which other benchmarks switch off. */
const TARGET_MS = 500;
const TURNS = 2;
const RATIO_AT_MOST = 1.5;

/**
 * Times confirms at beta while `--percent` of the highest rate goes to alpha (default 50): in turns while alpha answers at once
 * (alone), and while it answers after 30 s (beside). `--turns` of `--seconds` each.
 */
export async function benchmarkProviderIsolation(bench: Bench): Promise<readonly Figure[]> {
  const { startEngine, report, signal, sizes, keep } = bench;
  const stack = await startEngine({ CONFIRM_TARGET_MS: String(TARGET_MS) });
  const { other, troubled } = await createMerchants(stack);
  await routeByCurrency(stack);
  const payments = await startLoadProcess('load/payments-load', { ...other, currency: 'EUR' }, signal);
  const clients = await startLoadProcess('load/overload-load', { ...troubled, waits: true }, signal);
  const arrivals = await startLoadProcess('load/overload-load', { ...troubled, waits: false }, signal);
  const durationMs = sizes.seconds === undefined ? TURN_MS : sizes.seconds * SECOND_MS;
  const samples: Record<Condition, number[]> = { alone: [], beside: [] };
  try {
    report('Measuring the highest rate …');
    await clients.run({ kind: 'clients', clients: CLIENTS, durationMs: WARM_UP_MS });
    await payments.run({ kind: 'clients', clients: 2, durationMs: WARM_UP_MS });
    const best = await clients.run({ kind: 'clients', clients: sizes.clients ?? CLIENTS, durationMs: BEST_RATE_MS });
    const bestRate = (best.done / best.elapsedMs) * SECOND_MS;
    const perSecond = (bestRate * (sizes.percent ?? PERCENT)) / 100;
    const rates: readonly Figure[] = [
      { what: 'highest rate', value: bestRate, unit: '/s' },
      { what: 'payments that go to the other provider', value: perSecond, unit: '/s' },
    ];
    keep(rates);
    const confirm = { kind: 'clients', clients: 1, durationMs } as const;
    const measure = async (condition: Condition): Promise<number> => {
      await setLatency(stack, condition === 'beside' ? HANG_MS : 0);
      const others = arrivals.run({ kind: 'arrivals', perSecond, durationMs });
      const { steps, failed } = await payments.run(confirm);
      await setLatency(stack, 0);
      await others;
      samples[condition].push(...(steps.confirm ?? []));
      if (samples[condition].length > 0)
        keep([{ what: `confirms ${condition}, p99`, value: percentile(samples[condition], 0.99), unit: 'ms' }]);
      return failed;
    };
    let failed = 0;
    for (let turn = 0; turn < (sizes.turns ?? TURNS); turn += 1) {
      // What still waits for the provider after a turn is not to be measured in the next one.
      if (turn > 0) await sleep(HANG_MS, undefined, { signal });
      failed += await measure('alone');
      report(`${perSecond.toFixed(0)} payments a second go to a provider that hangs …`);
      failed += await measure('beside');
    }
    return [
      ...rates,
      { what: 'confirms that failed', value: failed, unit: '', atMost: 0 },
      ...figuresOfComparison({ what: 'confirm at another provider', samples, atMost: RATIO_AT_MOST }),
    ];
  } finally {
    await Promise.all([payments.end(), clients.end(), arrivals.end()]);
  }
}

/** Payments in US dollars go to alpha alone, and those in euros to beta alone. */
async function routeByCurrency({ superuserUrl }: Stack): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(
      `UPDATE payment_route SET currencies = CASE provider WHEN 'alpha' THEN ARRAY['USD'] ELSE ARRAY['EUR'] END`,
    );
  } finally {
    await client.end();
  }
}

async function setLatency({ sandbox }: Stack, latencyMs: number): Promise<void> {
  const url = sandbox.simulators.find(({ name }) => name === 'alpha')?.url;
  const response = await fetch(`${url}/simulate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ latencyMs }),
  });
  if (!response.ok) throw new Error(`the simulator refused its faults with ${response.status}`);
}
