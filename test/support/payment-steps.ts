import type { Amendment } from '../../activities/payment-activities.ts';
import { attemptIdOf, transactionIdOf } from '../../domain/ids.ts';
import type { PaymentChange } from '../../domain/payment-change.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { Database } from '../../prisma/client.ts';

/** When the first steps of a test are taken. */
export const AT = '2026-01-01T00:00:00.000Z';
/** The run that takes them. */
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
    providerPaymentId: 'sim_1',
    startedAt: AT,
    finishedAt: AT,
    ...overrides,
  };
}

/** The step of a payment that is approved at once. */
export function approval(paymentIntentId: string, overrides: Partial<PaymentChange> = {}): PaymentChange {
  const transactionId = transactionIdOf(paymentIntentId, 1);
  return {
    paymentIntentId,
    fromVersion: 0,
    at: AT,
    columns: {
      status: 'succeeded',
      paymentMethodId: 'pm_1',
      provider: 'alpha',
      nextAction: null,
      lastError: null,
      advisory: null,
      cancellationReason: null,
      amountCapturableMinor: 0,
      amountCapturedMinor: 1_000,
    },
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
    transactionCount: 1,
    timeline: [
      { kind: 'attempt', summary: 'Attempt 1: alpha said approved' },
      { kind: 'decision', summary: 'USD 10.00 captured at alpha', details: { captured: true } },
    ],
    events: [{ type: 'transaction.created', transactionId }, { type: 'payment_intent.succeeded' }],
    providerHealth: [{ provider: 'alpha', available: true }],
    eraseCvcOf: null,
    ...overrides,
  };
}

/** An amendment of a payment that nothing has happened to. */
export function amendmentOf(
  paymentIntentId: string,
  amendmentId: string,
  overrides: Partial<Amendment> = {},
): Amendment {
  const { columns } = approval(paymentIntentId);
  const untouched = {
    status: 'requires_payment_method',
    paymentMethodId: null,
    provider: null,
    amountCapturedMinor: 0,
  } as const;
  return {
    paymentIntentId,
    amendmentId,
    fromVersion: 0,
    at: AT,
    columns: { ...columns, ...untouched },
    attempts: [],
    transactionCount: 0,
    ...overrides,
  };
}

/** Everything that is recorded of a payment. */
export async function recordsOf(database: Database, paymentIntentId: string) {
  const where = { paymentIntentId };
  return {
    intent: await database.paymentIntent.findUniqueOrThrow({ where: { id: paymentIntentId } }),
    attempts: await database.paymentAttempt.findMany({ where, orderBy: { number: 'asc' } }),
    transactions: await database.transaction.findMany({ where }),
    timeline: await database.timelineEntry.findMany({ where, orderBy: [{ version: 'asc' }, { ordinal: 'asc' }] }),
    events: await database.event.findMany({ where, orderBy: { insertion: 'asc' } }),
  };
}
