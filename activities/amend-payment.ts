import { ApplicationFailure } from '@temporalio/activity';
import { AMENDMENT_GONE, type PaymentRecord } from '../domain/payment-step.ts';
import type { PaymentStore } from '../prisma/queries/payment.ts';
import type { AmendPaymentRequest } from './payment-activities.ts';
import { outOfDate, requireOwn, type StepIdentity } from './record-step.ts';

/**
 * Applies a waiting amendment to its intent and drops it, in one statement that a repeat leaves as it is.
 * @throws ApplicationFailure of the type `AMENDMENT_GONE` when it was purged before it was applied, and those of a step
 */
export async function amendPayment(
  store: PaymentStore,
  { paymentIntentId, knownVersion, amendmentId, at }: AmendPaymentRequest,
  { runId }: StepIdentity,
): Promise<PaymentRecord> {
  // The amendment's own id, so that it is recognised too where another run has applied it.
  const stepId = amendmentId;
  for (let lastVersion = -1; ;) {
    const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
    const { record, recordedSteps } = requireOwn(stored, { paymentIntentId, knownVersion }, runId);
    if (recordedSteps.length > 0) return record;
    if (record.columns.status !== 'requires_payment_method') throw outOfDate(paymentIntentId, 'it is under way');
    const { version: fromVersion } = record;
    if (fromVersion === lastVersion) throw gone(amendmentId);
    const terms = await store.amend({ paymentIntentId, amendmentId, fromVersion, at, stepId, runId });
    if (terms !== null) return { ...record, version: fromVersion + 1, terms };
    lastVersion = fromVersion;
  }
}

function gone(amendmentId: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`amendment ${amendmentId} is not there any more`, AMENDMENT_GONE);
}
