import { activityInfo } from '@temporalio/activity';
import { applyAmendment } from './apply-amendment.ts';
import {
  authorizeAtOnce,
  authorizePayment,
  awaitPayment,
  capturePayment,
  closePayment,
  inquirePayment,
  type ProviderCallDependencies,
} from './call-provider.ts';
import { createCallSlots } from './call-slots.ts';
import type { PaymentActivities } from './payment-activities.ts';
import { planPayment } from './plan-payment.ts';
import { recordChange } from './record-change.ts';
import { recordRefund } from './record-refund.ts';
import type { RefundActivities } from './refund-activities.ts';
import { awaitRefund, inquireRefund, refundPayment } from './refund-at-provider.ts';

/** Everything that workflows have done for them. */
export type EngineActivities = PaymentActivities & RefundActivities;

/** The activities of a worker, bound to what they work with. */
export function createActivities(dependencies: ProviderCallDependencies): EngineActivities {
  const { database, registry } = dependencies;
  const slots = createCallSlots();
  return {
    planPayment: (request) => planPayment(database, registry, request),
    recordChange: (change) => recordChange(database, change, currentRunId()),
    applyAmendment: (amendment) => applyAmendment(database, amendment, currentRunId()),
    authorizePayment: (request) => authorizePayment(dependencies, request),
    authorizeAtOnce: (request) => authorizeAtOnce(dependencies, slots, request),
    inquirePayment: (attempt) => inquirePayment(registry, attempt),
    awaitPayment: (request) => awaitPayment(registry, request),
    capturePayment: (request) => capturePayment(registry, request),
    closePayment: (attempt) => closePayment(registry, attempt),
    refundPayment: (request) => refundPayment(registry, request),
    inquireRefund: (refund) => inquireRefund(registry, refund),
    awaitRefund: (refund) => awaitRefund(registry, refund),
    recordRefund: (conclusion) => recordRefund(database, conclusion),
  };
}

function currentRunId(): string {
  const { workflowExecution } = activityInfo();
  if (workflowExecution === undefined) throw new Error('steps are written for workflows only');
  return workflowExecution.runId;
}
