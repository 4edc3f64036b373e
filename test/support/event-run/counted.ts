import assert from 'node:assert/strict';
import { SOCKET_EVENT_NAMES } from '../../../domain/events.ts';
import { ATTEMPTS_THAT_BLOCK } from '../../../domain/webhook.ts';
import type { Database } from '../../../prisma/client.ts';
import type { FollowedPayment } from './courses.ts';
import type { BookedWebhook } from './receiver-process.ts';

const SOCKET_TYPES = Object.keys(SOCKET_EVENT_NAMES);

/** An event as the database has it. */
interface KeptEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly paymentIntentId: string | null;
}

/** Every event of an account, in its order. */
export async function readEvents(database: Database, merchantAccountId: string): Promise<readonly KeptEvent[]> {
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
export function assertToldToPage({ id, page }: FollowedPayment, events: readonly KeptEvent[]): void {
  const expected = events.filter(({ paymentIntentId, type }) => paymentIntentId === id && SOCKET_TYPES.includes(type));
  const told = page.events.map((event) => `${event.sequence} ${event.id}`);
  assert.deepEqual(
    told,
    expected.map((event) => `${event.sequence} ${event.id}`),
    `what the page of ${id} was told`,
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
export function assertBroughtToReceiver(
  account: string,
  received: readonly BookedWebhook[],
  events: readonly KeptEvent[],
  mayOvertake: ReadonlySet<string | null>,
): void {
  const first = new Map<string, BookedWebhook>();
  for (const webhook of received) if (!first.has(webhook.id)) first.set(webhook.id, webhook);
  const told = [...first.values()];
  assert.deepEqual(
    told.filter(({ merchantId }) => merchantId !== account),
    [],
    `${account} was told of others`,
  );
  const inWords = ({ sequence, id, type }: Pick<KeptEvent, 'sequence' | 'id' | 'type'>) => `${sequence} ${id} ${type}`;
  assert.deepEqual(told.toSorted(bySequence).map(inWords), events.map(inWords), `what ${account} was told`);

  for (const paymentIntentId of new Set(events.map((event) => event.paymentIntentId))) {
    if (mayOvertake.has(paymentIntentId)) continue;
    const ofPayment = told.filter((webhook) => webhook.paymentIntentId === paymentIntentId);
    assert.deepEqual(ofPayment.map(inWords), ofPayment.toSorted(bySequence).map(inWords), 'the order of one payment');
  }
}

/** One delivery of each event to the account's endpoint, and no other; all of them have been delivered. */
export async function assertDeliveredOnRecord(
  database: Database,
  merchantAccountId: string,
  events: readonly KeptEvent[],
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
