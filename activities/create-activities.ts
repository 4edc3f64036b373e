import { applyAmendment } from './apply-amendment.ts';
import {
  authorizePayment,
  awaitPayment,
  closePayment,
  inquirePayment,
  type ProviderCallDependencies,
} from './call-provider.ts';
import type { PaymentActivities } from './payment-activities.ts';
import { planPayment } from './plan-payment.ts';
import { recordChange } from './record-change.ts';

/** The activities of a worker, bound to what they work with. */
export function createActivities(dependencies: ProviderCallDependencies): PaymentActivities {
  const { database, registry } = dependencies;
  return {
    planPayment: (request) => planPayment(database, registry, request),
    recordChange: (change) => recordChange(database, change),
    applyAmendment: (amendment) => applyAmendment(database, amendment),
    authorizePayment: (request) => authorizePayment(dependencies, request),
    inquirePayment: (attempt) => inquirePayment(registry, attempt),
    awaitPayment: (attempt) => awaitPayment(registry, attempt),
    closePayment: (attempt) => closePayment(registry, attempt),
  };
}
