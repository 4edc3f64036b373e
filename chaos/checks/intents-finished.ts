import { SECOND_MS } from '../../domain/time.ts';
import type { IntentRow, Snapshot } from '../snapshot/snapshot.ts';
import type { Check, Problem } from './check.ts';
import { isTerminalState } from '../../domain/payment-state.ts';

/** How long after its expiry an intent may take to end. */
const EXPIRY_GRACE_MS = 30 * SECOND_MS;
/** Statuses in which an intent stays until its customer or its merchant does something. */
const WAITING_FOR_PEOPLE: readonly string[] = ['requires_payment_method', 'requires_action', 'requires_capture'];
/** An authorization outlasts the intent's expiry: it expires only after days. */
const WAITS_UNTIL_EXPIRY: readonly string[] = ['requires_payment_method', 'requires_action'];

/** Every acknowledged intent exists; each one has ended, or waits for its customer or its merchant. */
export const intentsFinished: Check = {
  name: 'intents have ended or wait for a customer or merchant',
  find: (snapshot) => [
    ...missingIntents(snapshot),
    ...snapshot.intents.flatMap((intent) => unfinished(intent, snapshot)),
    ...unfinishedRefunds(snapshot),
  ],
};

function missingIntents({ tries, intents }: Snapshot): Problem[] {
  const known = new Set(intents.map(({ id }) => id));
  const acknowledged = new Set(tries.flatMap(({ answer }) => answer?.intentId ?? []));
  return [...acknowledged]
    .filter((id) => !known.has(id))
    .map((id) => ({ intentId: id, what: 'was acknowledged to a client, but there is no such intent' }));
}

function unfinished({ id, status, expiresAtMs }: IntentRow, { workflows, atMs }: Snapshot): Problem[] {
  if (isTerminalState(status)) return [];
  if (!WAITING_FOR_PEOPLE.includes(status)) {
    const run = workflows.get(id)?.status ?? 'missing';
    const what = run === 'RUNNING' ? `is still ${status}` : `is ${status}, and its workflow is ${run}`;
    return [{ intentId: id, what }];
  }
  const overdueMs = atMs - expiresAtMs;
  if (!WAITS_UNTIL_EXPIRY.includes(status) || overdueMs <= EXPIRY_GRACE_MS) return [];
  return [{ intentId: id, what: `is ${status} ${Math.round(overdueMs / SECOND_MS)} s after its expiry` }];
}

function unfinishedRefunds({ refunds }: Snapshot): Problem[] {
  return refunds
    .filter(({ status }) => status === 'pending')
    .map(({ id, paymentIntentId }) => ({ intentId: paymentIntentId, what: `its refund ${id} is still pending` }));
}
