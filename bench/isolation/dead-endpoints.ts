import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import type { Bench, Figure } from '../benchmark.ts';
import { countPending, fillHeldDeliveries, makeEndpointsFail } from './fill-backlogs.ts';
import { startMerchantReceiver } from './merchant-receiver.ts';
import { createMerchants, post } from './merchants.ts';
import {
  createEndpoints,
  endpointAt,
  EVENTS,
  latencies,
  processorShare,
  timeWebhooks,
  WARM_UP_EVENTS,
  WEBHOOK_BOUNDS,
} from './webhooks.ts';

const ENDPOINTS = 1_000;
const DELIVERIES_OF_EACH = 1_000;
/** Time in which what was only written is noticed. */
const SETTLE_MS = 10 * SECOND_MS;

/**
 * Times webhooks of one merchant beside very many endpoints of another that have long been dead: `--clients` endpoints with `--rows`
 * deliveries each, whose next probes come within half an hour.
 */
export async function benchmarkDeadEndpoints(bench: Bench): Promise<readonly Figure[]> {
  const { startEngine, report, signal, keep, sizes } = bench;
  const stack = await startEngine();
  const client = new pg.Client({ connectionString: stack.superuserUrl });
  await client.connect();
  const [healthy, dead] = [await startMerchantReceiver(204), await startMerchantReceiver(500)];
  const figures: Figure[] = [];
  const note = (...some: readonly Figure[]): void => {
    figures.push(...some);
    keep(some);
  };
  try {
    const { other, troubled } = await createMerchants(stack);
    await post(other, '/api/v1/webhook-endpoints', endpointAt(healthy.url));
    await timeWebhooks(other, healthy, WARM_UP_EVENTS, signal);
    report('Timing webhooks of a healthy endpoint alone …');
    note(...latencies('webhook alone', await timeWebhooks(other, healthy, EVENTS, signal), {}));
    report('Writing dead endpoints and what waits for them …');
    const accounts = await createEndpoints(client, troubled, dead.url, sizes.clients ?? ENDPOINTS);
    await makeEndpointsFail(stack.superuserUrl, accounts);
    await fillHeldDeliveries(stack.superuserUrl, accounts, sizes.rows ?? DELIVERIES_OF_EACH);
    await sleep(SETTLE_MS, undefined, { signal });
    const total = await countPending(client, accounts);
    note({ what: 'deliveries that wait', value: total, unit: '' });
    report(`${total.toLocaleString('en')} deliveries wait. Timing webhooks of the healthy endpoint beside them …`);
    const beside = await timeWebhooks(other, healthy, EVENTS, signal);
    note(...latencies('webhook beside dead endpoints', beside, WEBHOOK_BOUNDS));
    const cores = await processorShare(stack, signal);
    note({ what: 'processor of the engine beside dead endpoints', value: cores, unit: ' cores' });
    return figures;
  } finally {
    for (const receiver of [healthy, dead]) receiver.close();
    await client.end();
  }
}
