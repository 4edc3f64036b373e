import type { Database } from '../prisma/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { planRoutes, type RoutePlan } from '../domain/plan-routes.ts';
import { loadRoutingFacts } from '../prisma/queries/routing-facts.ts';
import type { PlanRequest } from './payment-activities.ts';

/** Plans the routes of a payment, or the reason why it may not be attempted. Only reads. */
export async function planPayment(
  database: Database,
  registry: ProviderRegistry,
  request: PlanRequest,
): Promise<RoutePlan> {
  const facts = await loadRoutingFacts(database, { ...request, currency: request.terms.currency });
  return planRoutes(facts, request, registry);
}
