import type { PaymentTerms } from '../domain/payment.ts';
import type { Database } from '../prisma/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { planRoutes } from '../routing/plan-routes.ts';
import { loadRoutingFacts } from '../routing/routing-facts.ts';
import type { PaymentPlan, PlanRequest } from './payment-activities.ts';

/**
 * Decides along which routes a payment goes, or why it may not be attempted. The terms of the intent's row hold: a worker
 * may have died with an amendment that it had written.
 */
export async function planPayment(
  database: Database,
  registry: ProviderRegistry,
  request: PlanRequest,
): Promise<PaymentPlan> {
  const facts = await loadRoutingFacts(database, { ...request, currency: request.terms.currency });
  const terms = facts.terms ?? request.terms;
  const amended = areEqual(terms, request.terms) ? {} : { terms };
  return { ...planRoutes(facts, { ...request, terms }, registry), ...amended };
}

function areEqual(a: PaymentTerms, b: PaymentTerms): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.country === b.country &&
    a.captureMethod === b.captureMethod
  );
}
