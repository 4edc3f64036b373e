import { ApplicationFailure } from '@temporalio/activity';
import { PAYMENT_UPDATE_GONE, type PaymentRecord } from '../domain/payment-step.ts';
import type { PaymentStore } from '../prisma/stores/payment-store.ts';
import type { UpdatePaymentRequest } from '../protocol/payment-activities.ts';
import { staleRun, requireOwn, type StepIdentity } from './record-step.ts';

/**
 * Applies a stored update to its payment intent and deletes the stored row, in one statement. A repeat changes nothing.
 * @throws ApplicationFailure `PAYMENT_UPDATE_GONE` when the update was purged before it was applied, and those of `recordStep`
 */
export async function updatePayment(
  store: PaymentStore,
  { paymentIntentId, knownVersion, paymentUpdateId, at }: UpdatePaymentRequest,
  { runId }: StepIdentity,
): Promise<PaymentRecord> {
  // The id of the update itself, so that a run also recognises an update that another run has applied.
  const stepId = paymentUpdateId;
  for (let lastVersion = -1; ;) {
    const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
    const { record, recordedSteps } = requireOwn(stored, { paymentIntentId, knownVersion }, runId);
    if (recordedSteps.length > 0) return record;
    if (record.columns.status !== 'requires_payment_method') throw staleRun(paymentIntentId, 'it is under way');
    const { version: fromVersion } = record;
    if (fromVersion === lastVersion) throw updateGone(paymentUpdateId);
    const terms = await store.applyUpdate({
      paymentIntentId,
      paymentUpdateId,
      fromVersion,
      at,
      stepId,
      runId,
    });
    if (terms !== null) return { ...record, version: fromVersion + 1, terms };
    lastVersion = fromVersion;
  }
}

function updateGone(paymentUpdateId: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`the update ${paymentUpdateId} does not exist any more`, PAYMENT_UPDATE_GONE);
}
