import { attemptIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { Attempt, AttemptOutcome } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import type { PaymentIntentInput } from '../../workflows/messages.ts';

const AMOUNT_MINOR = 1_999;
const TERMS = { amountMinor: AMOUNT_MINOR, currency: 'EUR', country: 'DE', captureMethod: 'manual' } as const;

/** What a workflow is started with that takes a payment over, whose first attempt went to alpha. */
export function resumed(status: PaymentStatus, outcome: AttemptOutcome | null): Partial<PaymentIntentInput> {
  const paymentIntentId = newId('paymentIntent');
  const statusSince = new Date().toISOString();
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
  };
  const columns = {
    status,
    paymentMethodId: attempt.paymentMethodId,
    provider: attempt.provider,
    nextAction: status === 'requires_action' ? ({ type: 'approve_in_app', app: 'upi' } as const) : null,
    lastError: null,
    advisory: null,
    cancellationReason: null,
    amountCapturableMinor: status === 'requires_capture' ? AMOUNT_MINOR : 0,
    amountCapturedMinor: 0,
  };
  const transactionCount = status === 'requires_capture' ? 1 : 0;
  return {
    paymentIntentId,
    terms: TERMS,
    restartedAfter: 'terminated',
    resumeFrom: {
      paymentIntentId,
      version: 3,
      terms: TERMS,
      columns,
      attempts: [attempt],
      transactionCount,
      statusSince,
    },
  };
}
