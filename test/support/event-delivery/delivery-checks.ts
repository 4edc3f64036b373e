import assert from 'node:assert/strict';
import { SOCKET_EVENT_NAMES } from '../../../domain/events.ts';
import { ATTEMPTS_THAT_BLOCK } from '../../../domain/webhook.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { ObservedPayment } from './payment-flows.ts';
import type { ReceivedWebhook } from './receiver-process.ts';

const SOCKET_TYPES = Object.keys(SOCKET_EVENT_NAMES);

/** An event as stored in the database. */
interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly paymentIntentId: string | null;
}

/** Every event of an account, in its order. */
export async function readEvents(database: Database, merchantAccountId: string): Promise<readonly StoredEvent[]> {
  const rows = await database.event.findMany({
    where: { merchantAccountId },
    select: { id: true, type: true, sequence: true, paymentIntentId: true },
    orderBy: { sequence: 'asc' },
  });
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

/**
 * The page has passed on every event of its payment that is for sockets, once and in order, and the gateway has sent each of
 * them once, however often the page had to come back.
 */
export function assertDeliveredToPage({ id, page }: ObservedPayment, events: readonly StoredEvent[]): void {
  const expected = events.filter(({ paymentIntentId, type }) => paymentIntentId === id && SOCKET_TYPES.includes(type));
  const delivered = page.events.map((event) => `${event.sequence} ${event.id}`);
  assert.deepEqual(
    delivered,
    expected.map((event) => `${event.sequence} ${event.id}`),
    `what the page of ${id} was delivered`,
  );
  assert.deepEqual(
    page.sent,
    expected.map((event) => event.id),
    `what the gateway has sent to the page of ${id}`,
  );
}

/**
 * A webhook receiver has every event of its account and no other's, each as the database has it, and those of one payment
 * first came in their order.
 * @param mayOvertake payments one of whose events has failed so often that later ones no longer wait for it
 */
export function assertDeliveredToReceiver(
  account: string,
  received: readonly ReceivedWebhook[],
  events: readonly StoredEvent[],
  mayOvertake: ReadonlySet<string | null>,
): void {
  const first = new Map<string, ReceivedWebhook>();
  for (const webhook of received) if (!first.has(webhook.id)) first.set(webhook.id, webhook);
  const delivered = [...first.values()];
  assert.deepEqual(
    delivered.filter(({ merchantId }) => merchantId !== account),
    [],
    `${account} was delivered of others`,
  );
  const describe = ({ sequence, id, type }: Pick<StoredEvent, 'sequence' | 'id' | 'type'>) =>
    `${sequence} ${id} ${type}`;
  assert.deepEqual(delivered.toSorted(bySequence).map(describe), events.map(describe), `what ${account} was delivered`);

  for (const paymentIntentId of new Set(events.map((event) => event.paymentIntentId))) {
    if (mayOvertake.has(paymentIntentId)) continue;
    const ofPayment = delivered.filter((webhook) => webhook.paymentIntentId === paymentIntentId);
    assert.deepEqual(ofPayment.map(describe), ofPayment.toSorted(bySequence).map(describe), 'the order of one payment');
  }
}

/** One delivery of each event to the account's endpoint, and no other; all of them have been delivered. */
export async function assertDeliveredOnRecord(
  database: Database,
  merchantAccountId: string,
  events: readonly StoredEvent[],
): Promise<void> {
  const deliveries = await database.webhookDelivery.findMany({ where: { merchantAccountId, round: 1 } });
  assert.deepEqual(deliveries.map(({ eventId }) => eventId).sort(), events.map(({ id }) => id).sort());
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  assert.deepEqual(open, [], 'deliveries that were not made');
}

/** Payments one of whose events has failed as often as keeps later ones waiting, so that they may overtake it. */
export async function readOvertaken(database: Database): Promise<ReadonlySet<string | null>> {
  const rows = await database.webhookDelivery.findMany({
    where: { attemptCount: { gt: ATTEMPTS_THAT_BLOCK } },
    select: { paymentIntentId: true },
  });
  return new Set(rows.map(({ paymentIntentId }) => paymentIntentId));
}

function bySequence(left: { readonly sequence: number }, right: { readonly sequence: number }): number {
  return left.sequence - right.sequence;
}
