import fc from 'fast-check';
import { attemptIdOf } from '../../domain/ids.ts';
import type { Attempt } from '../../domain/payment.ts';
import { INITIAL_COLUMNS, type IntentColumns, type PaymentRecord } from '../../domain/payment-step.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';

export const NOW = '2026-01-01T00:00:00.000Z';
export const PAYMENT_INTENT_ID = `pi_${'0'.repeat(32)}`;

/** An open attempt of a payment of 19.99 EUR at alpha; `overrides` win. */
export function attemptOf(number: number, overrides: Partial<Attempt> = {}): Attempt {
  return {
    id: attemptIdOf(PAYMENT_INTENT_ID, number),
    number,
    routeId: 'rt_1',
    provider: 'alpha',
    paymentMethodId: 'pm_1',
    amountMinor: 1_999,
    currency: 'EUR',
    tries: 1,
    outcome: null,
    code: null,
    providerPaymentId: null,
    startedAt: NOW,
    finishedAt: null,
    operationId: 'confirm_1',
    ...overrides,
  };
}

/** A payment in a state, with its attempts; `columns` win. */
export function recordOf(
  status: PaymentStatus,
  attempts: readonly Attempt[] = [],
  columns: Partial<IntentColumns> = {},
): PaymentRecord {
  return {
    paymentIntentId: PAYMENT_INTENT_ID,
    version: 3,
    terms: { amountMinor: 1_999, currency: 'EUR', country: null, captureMethod: 'automatic' },
    columns: { ...INITIAL_COLUMNS, ...columns, status },
    attempts,
    statusSince: NOW,
    expiresAt: '2999-01-01T00:00:00.000Z',
  };
}

/** Arbitrary attempts, open or ended. */
export const anyAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    number: fc.integer({ min: 1, max: 5 }),
    tries: fc.integer({ min: 1, max: 4 }),
    outcome: fc.constantFrom(null, 'approved' as const, 'declined' as const, 'not_charged' as const),
    code: fc.constantFrom(null, 'CARD_DECLINED' as const),
  })
  .map(({ number, ...rest }) => attemptOf(number, rest));
