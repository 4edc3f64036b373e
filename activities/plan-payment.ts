import type { Database } from '../prisma/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { planRoutes, type RoutePlan } from '../domain/plan-routes.ts';
import { selectRoutingFacts } from '../prisma/queries/routing.ts';
import type { PlanRequest } from './payment-activities.ts';

/** Plans the routes of a payment, or the reason why it may not be attempted. Only reads. */
export async function planPayment(
  database: Database,
  registry: ProviderRegistry,
  request: PlanRequest,
): Promise<RoutePlan> {
  const { merchantAccountId, terms } = request;
  const facts = await database.direct.row(selectRoutingFacts({ ...request, currency: terms.currency }));
  if (facts === undefined) throw new Error(`no merchant account ${merchantAccountId}`);
  return planRoutes(facts, request, registry);
}
