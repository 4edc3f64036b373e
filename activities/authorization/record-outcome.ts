import { resolveOutcome } from '../../domain/payment-resolution.ts';
import { type PaymentRecord, summaryOf } from '../../domain/payment-step.ts';
import type { AuthorizationOutcome } from '../../domain/provider-outcome.ts';
import type { AuthorizePaymentRequest, AuthorizePaymentResult } from '../../protocol/payment-activities.ts';
import { countFailure, type ProviderCallDependencies, tryNumber } from '../provider-calls.ts';
import { isRecorded, requireOwn, stepIdentity, storedResult, timeNow, writeOver } from '../record-step.ts';
import { alreadyEnded, endOf, openAttempt, operationIdsOf } from './open-attempt.ts';

interface Answer {
  /** The payment when the attempt was opened. */
  readonly opened: PaymentRecord;
  readonly outcome: Exclude<AuthorizationOutcome, { kind: 'unrecognised' }>;
  readonly wasSlow: boolean;
}

/** Records the provider's answer; where another step was recorded since the attempt was opened, reads the payment again. */
export async function recordOutcome(
  { payments, now = timeNow }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
  { opened, outcome, wasSlow }: Answer,
): Promise<Pick<AuthorizePaymentResult, 'payment' | 'result' | 'decided'>> {
  const { paymentIntentId, attemptBudget, attempt } = request;
  const identity = stepIdentity('outcome');
  const tried = { ...attempt, tries: tryNumber() };
  for (let record = opened; ;) {
    const at = now();
    const { status } = record.columns;
    const { attempts } = record;
    const context = { paymentIntentId, status, attemptBudget, attempts, cancellation: null, now: at };
    const { step: resolved, result } = resolveOutcome(tried, outcome, context);
    const step = wasSlow ? { ...resolved, ...countFailure(attempt.provider) } : resolved;
    const payment = await writeOver(payments, record, { step, at }, identity);
    if (payment !== null) return { payment, result, decided: summaryOf(step) };
    const operationIds = operationIdsOf(attempt);
    const stored = await payments.read({ paymentIntentId, stepIds: [identity.stepId], operationIds });
    if (stored?.recordedSteps.length === 1) {
      return { payment: stored.record, result: storedResult(stored, attempt.operationId), decided: null };
    }
    const ended = stored === null ? undefined : endOf(stored.record, attempt);
    if (ended !== undefined && ended.outcome !== 'approved' && outcome.kind === 'approved') {
      await payments.noteStrayCharge({ attemptId: attempt.id, paymentIntentId });
    }
    ({ record } = requireOwn(stored, request, identity.runId));
    if (ended !== undefined) throw alreadyEnded(request);
    // The intention is lost if the database failed over to a standby that did not have it.
    if (!isRecorded(record, attempt)) ({ payment: record } = await openAttempt(payments, request, true));
  }
}
