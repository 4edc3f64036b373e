import assert from 'node:assert/strict';
import { recordStep } from '../../activities/record-step.ts';
import { attemptIdOf, transactionIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { Attempt } from '../../domain/payment.ts';
import { advance, type PaymentRecord, type PaymentStep } from '../../domain/payment-step.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore, type PaymentStore } from '../../prisma/stores/payment-store.ts';

/** The time of the first steps of a test. */
export const AT = '2026-01-01T00:00:00.000Z';
/** The run that records them. */
export const RUN = 'run_1';

/** An approved attempt; `overrides` win. */
export function attemptOf(paymentIntentId: string, overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: attemptIdOf(paymentIntentId, 1),
    number: 1,
    routeId: 'rt_1',
    provider: 'alpha',
    paymentMethodId: 'pm_1',
    amountMinor: 1_000,
    currency: 'USD',
    tries: 1,
    outcome: 'approved',
    code: null,
    advice: null,
    networkCode: null,
    savedUse: null,
    providerPaymentId: 'sim_1',
    startedAt: AT,
    finishedAt: AT,
    operationId: operationIdOf(paymentIntentId),
    ...overrides,
  };
}

/** An attempt that its provider has not answered yet. */
export function openAttemptOf(paymentIntentId: string, overrides: Partial<Attempt> = {}): Attempt {
  return attemptOf(paymentIntentId, { outcome: null, providerPaymentId: null, finishedAt: null, ...overrides });
}

/** Until when an attempt may begin and be repeated, of a test in which no deadline passes. */
export const IN_TIME = {
  beginBefore: '2999-01-01T00:00:00.000Z',
  retryBefore: '2999-01-01T00:00:00.000Z',
} as const;

/** The id of the confirm that a payment's first attempt is opened for. */
export function operationIdOf(paymentIntentId: string): string {
  return `confirm of ${paymentIntentId}`;
}

/** The step that opens a payment's first attempt and begins its confirm; `overrides` win. */
export function opening(paymentIntentId: string, overrides: Partial<PaymentStep> = {}): PaymentStep {
  return {
    from: 'requires_payment_method',
    to: 'processing',
    columns: { paymentMethodId: 'pm_1', provider: 'alpha' },
    attempts: [openAttemptOf(paymentIntentId)],
    timeline: [{ kind: 'attempt', summary: 'Attempt 1 goes to alpha' }],
    events: [{ type: 'payment_intent.processing' }],
    operation: { id: operationIdOf(paymentIntentId), kind: 'confirm', request: { method: 'card' }, result: null },
    ...overrides,
  };
}

/** The step with which an open attempt is approved, and its confirm answered; `overrides` win. */
export function approval(paymentIntentId: string, overrides: Partial<PaymentStep> = {}): PaymentStep {
  const transactionId = transactionIdOf(paymentIntentId, 1, 'capture');
  return {
    from: 'processing',
    to: 'succeeded',
    columns: { amountCapturedMinor: 1_000 },
    attempts: [attemptOf(paymentIntentId)],
    transactions: [
      {
        id: transactionId,
        attemptId: attemptIdOf(paymentIntentId, 1),
        type: 'capture',
        amountMinor: 1_000,
        currency: 'USD',
        provider: 'alpha',
        providerPaymentId: 'sim_1',
      },
    ],
    timeline: [
      { kind: 'attempt', summary: 'Attempt 1: alpha said approved' },
      { kind: 'decision', summary: 'USD 10.00 captured at alpha', details: { captured: true } },
    ],
    events: [{ type: 'transaction.created', transactionId }, { type: 'payment_intent.succeeded' }],
    providerHealth: [{ provider: 'alpha', available: true }],
    operation: {
      id: operationIdOf(paymentIntentId),
      kind: 'confirm',
      result: { status: 'succeeded', error: null },
    },
    ...overrides,
  };
}

/** The step that ends an open attempt without a charge: the payment waits for another payment method. */
export function uncharged(paymentIntentId: string): PaymentStep {
  return {
    from: 'processing',
    to: 'requires_payment_method',
    attempts: [attemptOf(paymentIntentId, { outcome: 'not_charged', providerPaymentId: null })],
    timeline: [{ kind: 'attempt', summary: 'Attempt 1: alpha charged nothing' }],
  };
}

/** A step that only adds a timeline entry. */
export function note(summary: string): PaymentStep {
  return { timeline: [{ kind: 'request', summary }] };
}

export interface StepOptions {
  readonly runId?: string;
  /** A new one where none is named. */
  readonly stepId?: string;
  readonly knownVersion?: number;
  readonly at?: string;
}

/** Records a step as an activity of a run does. */
export function record(
  database: Database,
  paymentIntentId: string,
  step: PaymentStep,
  { runId = RUN, stepId = newId('request'), knownVersion = 0, at = AT }: StepOptions = {},
): Promise<PaymentRecord> {
  const request = { paymentIntentId, knownVersion, step, at };
  return recordStep(createPaymentStore(database), request, { runId, stepId });
}

/** The second attempt of a payment, at beta; `overrides` win. */
export function secondAttemptOf(paymentIntentId: string, overrides: Partial<Attempt> = {}): Attempt {
  const id = attemptIdOf(paymentIntentId, 2);
  return openAttemptOf(paymentIntentId, { id, number: 2, provider: 'beta', ...overrides });
}

/** Records that the first attempt was declined, and the second one is opened. */
export async function recordRetry(store: PaymentStore, paymentIntentId: string, second: Attempt): Promise<void> {
  const stored = await store.read({ paymentIntentId });
  const before = stored?.record ?? assert.fail(`${paymentIntentId} is not stored`);
  const step: PaymentStep = {
    attempts: [attemptOf(paymentIntentId, { outcome: 'declined', code: 'CARD_DECLINED' }), second],
    timeline: [{ kind: 'attempt', summary: 'Attempt 2 goes to beta' }],
  };
  const opens = { provider: second.provider, opening: null, returnUrl: null };
  const write = { step, after: advance(before, step, AT), stepId: newId('request'), runId: RUN, at: AT, opens };
  assert.ok(await store.write(write));
}

/** Records the steps that make a new payment succeed. */
export async function recordPaid(database: Database, paymentIntentId: string): Promise<PaymentRecord> {
  await record(database, paymentIntentId, opening(paymentIntentId));
  return record(database, paymentIntentId, approval(paymentIntentId));
}

/** All recorded rows of a payment. */
export async function recordsOf(database: Database, paymentIntentId: string) {
  const where = { paymentIntentId };
  return {
    intent: await database.paymentIntent.findUniqueOrThrow({ where: { id: paymentIntentId } }),
    attempts: await database.paymentAttempt.findMany({ where, orderBy: { number: 'asc' } }),
    transactions: await database.transaction.findMany({ where }),
    timeline: await database.timelineEntry.findMany({ where, orderBy: [{ version: 'asc' }, { ordinal: 'asc' }] }),
    events: await database.event.findMany({ where, orderBy: { insertion: 'asc' } }),
    operations: await database.paymentOperation.findMany({ where, orderBy: { createdAt: 'asc' } }),
  };
}
