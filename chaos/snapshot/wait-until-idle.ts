import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Client as ApiClient } from '../../sdk/server/index.ts';
import type { SettlementClient } from '../traffic/settlement-client.ts';
import type { SocketSubscriber } from '../traffic/socket-subscriber.ts';
import { readStrayCharges } from './read-rows.ts';

export interface WaitContext {
  readonly database: Database;
  readonly merchantAccountId: string;
  readonly api: Pick<ApiClient, 'events'>;
  readonly settlements: SettlementClient;
  readonly socket: SocketSubscriber;
}

/** Counts of what is still in progress; all zero when the system is idle. */
export interface Unfinished {
  readonly intents: number;
  readonly refunds: number;
  /** Stray charges that are not reversed yet. */
  readonly strayCharges: number;
  readonly events: number;
  readonly webhooks: number;
  readonly socketEvents: number;
}

const LOOK_EVERY_MS = SECOND_MS;
/** A delivery whose next attempt is further away than this is redelivered at once. */
const LONGEST_DELIVERY_PAUSE_MS = 3 * SECOND_MS;

/** Waits until nothing is in progress, or until the deadline. Settles pending payments and refunds at the simulators. */
export async function waitUntilIdle(
  system: WaitContext,
  deadlineMs: number,
  report: (unfinished: Unfinished) => void,
  signal: AbortSignal,
): Promise<Unfinished> {
  const redelivered = new Set<string>();
  for (;;) {
    signal.throwIfAborted();
    await system.settlements.settleAllPending();
    await redeliver(system, redelivered);
    const unfinished = await countUnfinished(system);
    if (Object.values(unfinished).every((count) => count === 0) || Date.now() > deadlineMs) return unfinished;
    report(unfinished);
    await sleep(LOOK_EVERY_MS);
  }
}

async function countUnfinished({ database, merchantAccountId, socket }: WaitContext): Promise<Unfinished> {
  const events = await database.event.count({ where: { merchantAccountId } });
  const planned = await database.webhookDelivery.count({ where: { round: 1 } });
  const open = await database.webhookDelivery.count({ where: { status: 'pending' } });
  return {
    intents: await database.paymentIntent.count({
      where: { status: { in: ['processing', 'requires_action', 'requires_payment_method'] } },
    }),
    refunds: await database.refund.count({ where: { status: 'pending' } }),
    strayCharges: (await readStrayCharges(database)).filter(({ status }) => status === 'pending').length,
    events: await database.event.count({ where: { position: null } }),
    webhooks: events - planned + open,
    socketEvents: events - socket.frames.length,
  };
}

/** The pauses of deliveries grow to hours, and those of probes to half an hour; a merchant may request a redelivery at once. */
async function redeliver({ database, api }: WaitContext, redelivered: Set<string>): Promise<void> {
  const waiting = await database.webhookDelivery.findMany({
    where: {
      status: 'pending',
      OR: [{ nextAttemptAt: { gt: new Date(Date.now() + LONGEST_DELIVERY_PAUSE_MS) } }, { isHeld: true }],
    },
    select: { id: true, eventId: true },
  });
  for (const { id, eventId } of waiting.filter((each) => !redelivered.has(each.id))) {
    await api.events.redeliver(eventId, {});
    redelivered.add(id);
  }
}
