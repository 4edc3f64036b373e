import { attemptIdOf } from '../../domain/ids.ts';
import type { StoredOperation } from '../../domain/operation.ts';
import type { Attempt, AttemptOutcome } from '../../domain/payment.ts';
import { INITIAL_COLUMNS, type PaymentRecord } from '../../domain/payment-step.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { AUTHORIZATION_VALID_MS } from '../../domain/time-limits.ts';
import { DAY_MS } from '../../domain/time.ts';

const AMOUNT_MINOR = 1_999;
const TERMS = { amountMinor: AMOUNT_MINOR, currency: 'EUR', country: 'DE', captureMethod: 'manual' } as const;

/** A payment whose earlier run has ended; its last attempt went to alpha. */
export interface EarlierRun {
  readonly status: PaymentStatus;
  /** The outcome of the last attempt; null if it is open. */
  readonly outcome: AttemptOutcome | null;
  /** Set for an automatic capture; the default is manual. */
  readonly captureMethod?: 'automatic';
  /** How long the payment has been in its state; 0 by default. */
  readonly ageMs?: number;
  /** The operation that has no result yet. */
  readonly operation?: StoredOperation;
}

/** The rows of such a payment. */
export function recordOfEarlierRun(
  paymentIntentId: string,
  { status, outcome, captureMethod }: EarlierRun,
  statusSince: string,
): PaymentRecord {
  const heldUntil = (since: string) => new Date(Date.parse(since) + AUTHORIZATION_VALID_MS).toISOString();
  const attempt: Attempt = {
    id: attemptIdOf(paymentIntentId, 1),
    number: 1,
    routeId: 'rt_alpha',
    provider: 'alpha',
    paymentMethodId: 'pm_test',
    amountMinor: AMOUNT_MINOR,
    currency: TERMS.currency,
    tries: 1,
    outcome,
    code: null,
    providerPaymentId: outcome === 'approved' ? 'sim_1' : null,
    startedAt: statusSince,
    finishedAt: outcome === null ? null : statusSince,
    operationId: 'confirm_1',
  };
  return {
    paymentIntentId,
    version: 3,
    terms: { ...TERMS, ...(captureMethod === undefined ? {} : { captureMethod }) },
    columns: {
      ...INITIAL_COLUMNS,
      status,
      paymentMethodId: attempt.paymentMethodId,
      provider: attempt.provider,
      nextAction: status === 'requires_action' ? { type: 'approve_in_app', app: 'upi' } : null,
      amountCapturableMinor: status === 'requires_capture' ? AMOUNT_MINOR : 0,
      captureBefore: status === 'requires_capture' ? heldUntil(statusSince) : null,
    },
    attempts: [attempt],
    statusSince,
    expiresAt: new Date(Date.parse(statusSince) + DAY_MS).toISOString(),
  };
}
