import type { ListedPayment, RecordedAttempt } from '../../domain/reconciliation.ts';

/** A payment in a provider's list: 19.99 USD, captured; `change` wins. */
export function listedPayment(change: Partial<ListedPayment> = {}): ListedPayment {
  const amountMinor = change.amountMinor ?? 1_999;
  return {
    attemptId: 'att_1',
    providerPaymentId: 'sim_1',
    status: 'captured',
    amountMinor,
    currency: 'USD',
    capturedMinor: (change.status ?? 'captured') === 'captured' ? amountMinor : 0,
    refunds: [],
    createdAt: '2026-11-23T10:00:00Z',
    updatedAt: '2026-11-23T10:00:00Z',
    ...change,
  };
}

/** An open attempt of 19.99 USD with automatic capture; `change` wins. */
export function recordedAttempt(change: Partial<RecordedAttempt> = {}): RecordedAttempt {
  return {
    attemptId: 'att_1',
    paymentIntentId: 'pi_1',
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    provider: 'alpha',
    providerPaymentId: 'sim_1',
    startedAt: '2026-11-23T10:00:00Z',
    amountMinor: 1_999,
    currency: 'USD',
    captureMethod: 'automatic',
    outcome: null,
    heldMinor: 0,
    voidedMinor: 0,
    capturedMinor: 0,
    reversedMinor: 0,
    strayCharge: null,
    refunds: [],
    changedAt: '2026-11-23T10:00:00Z',
    ...change,
  };
}
