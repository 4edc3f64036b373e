import type { JsonObject } from '../domain/json.ts';
import type { PaymentStep } from '../domain/payment-step.ts';
import { type PaymentStore, recordOutsideWorkflow } from '../prisma/stores/payment-store.ts';
import { stepIdentity, timeNow } from './record-step.ts';
import type { ManualResolutionActivities, ManualResolutionNote } from '../protocol/manual-resolution-activities.ts';
import type { RefundAtProvider } from '../protocol/refund-activities.ts';
import type { StrayChargeAtProvider } from '../protocol/stray-charge-activities.ts';

interface ManualResolutionDependencies {
  readonly payments: PaymentStore;
  /** Throws where there is no such refund. */
  readonly requireRefund: (refund: RefundAtProvider) => Promise<void>;
  /** Throws where there is no such stray charge. */
  readonly requireStrayCharge: (charge: StrayChargeAtProvider) => Promise<void>;
}

/** The activities, bound to their dependencies. */
export function createManualResolutionActivities({
  payments,
  requireRefund,
  requireStrayCharge,
}: ManualResolutionDependencies): ManualResolutionActivities {
  return {
    noteRefundResolution: async (request) => {
      await requireRefund(request);
      await note(payments, request, 'the refund', { refundId: request.refundId });
    },
    noteStrayChargeResolution: async (request) => {
      await requireStrayCharge(request);
      await note(payments, request, 'the stray charge', { attemptId: request.attemptId });
    },
  };
}

function note(
  payments: PaymentStore,
  { paymentIntentId, by, change, isConfirmed }: ManualResolutionNote,
  what: string,
  id: JsonObject,
): Promise<void> {
  const summary = isConfirmed
    ? `${by} confirms, and resolves ${what} by hand as ${change.outcome}: ${change.note}`
    : `${by} asks to resolve ${what} by hand as ${change.outcome}, and another person has to confirm: ${change.note}`;
  const action = isConfirmed ? 'payment_intent.resolved_by_hand' : 'payment_intent.resolution_requested';
  const step: PaymentStep = {
    timeline: [{ kind: 'request', summary, details: id }],
    audit: { action, by, change: { ...id, ...change } },
  };
  const { stepId } = stepIdentity('by hand');
  return recordOutsideWorkflow(payments, { paymentIntentId, step, stepId, at: timeNow() });
}
