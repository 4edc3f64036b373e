import type { ClientAnswer, ClientTry } from '../../chaos/snapshot/client-try.ts';
import type { LedgerEntry } from '../../chaos/snapshot/ledger.ts';
import type { AttemptRow, EventRow, IntentRow, RefundRow, Snapshot } from '../../chaos/snapshot/snapshot.ts';

/** A small consistent snapshot: one payment that succeeded, with two events. */

export const INTENT = 'pi_1';
export const ATTEMPT = 'att_1_1';
export const REFUND = 're_1';
export const AMOUNT = 1_999;

/** When the client of the snapshot has sent its confirm, and when the payment would expire. */
export const CONFIRMED_AT_MS = Date.parse('2026-01-01T00:00:01.000Z');
export const EXPIRES_AT_MS = CONFIRMED_AT_MS + 60_000;

export function attemptRow(changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    id: ATTEMPT,
    routeId: 'rt_1',
    provider: 'alpha',
    outcome: 'approved',
    code: null,
    startedAtMs: CONFIRMED_AT_MS + 500,
    operationId: 'op_1',
    ...changes,
  };
}

export function intentRow(changes: Partial<IntentRow> = {}): IntentRow {
  return {
    id: INTENT,
    status: 'succeeded',
    provider: 'alpha',
    amount: AMOUNT,
    amountCapturable: 0,
    amountCaptured: AMOUNT,
    amountRefunded: 0,
    amountRefunding: 0,
    captureMethod: 'automatic',
    cancellationReason: null,
    expiresAtMs: EXPIRES_AT_MS,
    attempts: [attemptRow()],
    transactions: [{ attemptId: ATTEMPT, type: 'capture', amount: AMOUNT, refundId: null }],
    timeline: [{ version: 0, at: '2026-01-01T00:00:00.000Z', kind: 'created', summary: 'Created' }],
    ...changes,
  };
}

/** An intent for which nothing was ever charged. */
export function unpaidIntentRow(status: string, changes: Partial<IntentRow> = {}): IntentRow {
  return intentRow({ status, amountCaptured: 0, transactions: [], ...changes });
}

export function ledgerEntry(changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    provider: 'alpha',
    idempotencyKey: ATTEMPT,
    reference: ATTEMPT,
    paymentIntentId: INTENT,
    status: 'captured',
    charges: [{ type: 'capture', amount: AMOUNT }],
    refunds: [],
    ...changes,
  };
}

export function refundRow(changes: Partial<RefundRow> = {}): RefundRow {
  return { id: REFUND, paymentIntentId: INTENT, status: 'succeeded', amount: 500, provider: 'alpha', ...changes };
}

function eventRow(sequence: number, type: string): EventRow {
  return { id: `evt_${sequence}`, type, sequence, paymentIntentId: INTENT };
}

export function clientAnswer(status: number, changes: Partial<ClientAnswer> = {}): ClientAnswer {
  return {
    status,
    code: null,
    isInFlight: false,
    intentId: null,
    intentStatus: null,
    refundId: null,
    refundStatus: null,
    ...changes,
  };
}

export function clientTry(answer: ClientAnswer | null, changes: Partial<ClientTry> = {}): ClientTry {
  return {
    client: 'client 1',
    operation: 'confirm',
    intentId: INTENT,
    idempotencyKey: 'key-1',
    confirms: true,
    sentAt: '2026-01-01T00:00:01.000Z',
    tookMs: 12,
    answer,
    ...changes,
  };
}

const EVENTS = [eventRow(1, 'payment_intent.created'), eventRow(2, 'payment_intent.succeeded')];
const BROUGHT = EVENTS.map(({ id, type, paymentIntentId }, index) => ({
  id,
  type,
  sequence: index + 1,
  merchantId: 'mer_1',
  paymentIntentId,
}));

export function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    atMs: 1_000_000,
    tries: [clientTry(clientAnswer(200, { intentId: INTENT, intentStatus: 'succeeded' }))],
    operatorActions: [],
    intents: [intentRow()],
    refunds: [],
    strayCharges: [],
    ledger: [ledgerEntry()],
    workflows: new Map([[INTENT, { status: 'COMPLETED', paymentStatus: 'succeeded', paymentProvider: 'alpha' }]]),
    scheduledAttempts: new Set([ATTEMPT]),
    events: EVENTS,
    webhooks: BROUGHT,
    rejectedWebhooks: [],
    unorderedIntents: new Set(),
    socketEvents: BROUGHT,
    unexpectedFrames: [],
    inactivePeriods: [],
    unadvisedWaits: [],
    failedExits: [],
    secrets: { leaks: [], emptyPlaces: [] },
    memoryPeaks: new Map([['api-1', 200 * 1024 * 1024]]),
    ...changes,
  };
}
