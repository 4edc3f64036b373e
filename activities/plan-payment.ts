import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../prisma/connection/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { planRoutes, type RoutePlan } from '../domain/plan-routes.ts';
import { selectRoutingFacts } from '../prisma/queries/routing.ts';
import type { PlanRequest } from '../protocol/payment-activities.ts';

/**
 * Plans the routes of a payment, or the reason why it may not be attempted. Only reads.
 * @throws ApplicationFailure if the payment belongs to another merchant account. Anybody who reaches Temporal can start a workflow
 *   with a made-up input: that run fails, and a takeover goes on with the payment's own account.
 */
export async function planPayment(
  database: Database,
  registry: ProviderRegistry,
  request: PlanRequest,
): Promise<RoutePlan> {
  const { paymentIntentId, merchantAccountId, terms } = request;
  const facts = await database.direct.row(
    selectRoutingFacts({ ...request, currency: terms.currency, country: terms.country }),
  );
  if (facts === undefined) {
    const message = `${paymentIntentId} is not a payment of ${merchantAccountId}`;
    throw ApplicationFailure.nonRetryable(message, 'MERCHANT_ACCOUNT_DIFFERS');
  }
  return planRoutes(facts, request, registry);
}
