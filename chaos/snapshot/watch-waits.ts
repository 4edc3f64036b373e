import { setTimeout as sleep } from 'node:timers/promises';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import type { UnadvisedWait } from './snapshot.ts';

/** Looks, as long as the run lasts, for what waits for a provider without an advisory. */
export interface WaitWatcher {
  unadvised(): readonly UnadvisedWait[];
}

const LOOK_EVERY_MS = 5 * SECOND_MS;
/** Sweepers look at a row after half of its age; while all workers are away they do not look. */
const NOTICED_WITHIN_MS = WAITING_AFTER_MS / 2 + 4 * MINUTE_MS;

export function watchWaits(database: Database, signal: AbortSignal): WaitWatcher {
  const found = new Map<string, UnadvisedWait>();
  const look = async (): Promise<void> => {
    const since = new Date(Date.now() - WAITING_AFTER_MS - NOTICED_WITHIN_MS);
    for (const { key, paymentIntentId, what } of await readWaits(database, since)) {
      found.set(key, { paymentIntentId, what });
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      // The database may be away: what waits then is found later.
      await look().catch(() => undefined);
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
    }
  };
  watch().catch(() => undefined);
  return { unadvised: () => [...found.values()] };
}

interface Waiting {
  readonly key: string;
  readonly paymentIntentId: string;
  readonly what: string;
}

/** What has waited since before that time and has no advisory. */
function readWaits(database: Database, since: Date): Promise<Waiting[]> {
  return database.$queryRaw<Waiting[]>(Prisma.sql`
    SELECT o.id AS key, i.id AS "paymentIntentId", 'its ' || o.kind || ' waits without an advisory' AS what
    FROM payment_operation o JOIN payment_intent i ON i.id = o.payment_intent_id
    WHERE o.result IS NULL AND o.kind IN ('capture', 'cancel') AND o.created_at < ${since} AND i.advisory IS NULL
      AND i.status IN ('processing', 'requires_action', 'requires_capture')
    UNION ALL
    SELECT id, id, 'it waits to be closed after its expiry without an advisory' FROM payment_intent
    WHERE status = 'requires_action' AND expires_at < ${since} AND advisory IS NULL
    UNION ALL
    SELECT id, id, 'it is stuck without an advisory' FROM payment_intent
    WHERE status = 'processing' AND status_since < ${since} AND advisory IS NULL
    UNION ALL
    SELECT id, payment_intent_id, 'its refund ' || id || ' waits without an advisory' FROM refund
    WHERE status = 'pending' AND created_at < ${since} AND accepted_at IS NULL AND advisory IS NULL`);
}
