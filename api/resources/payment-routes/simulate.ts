import { newId } from '../../../domain/new-id.ts';
import { planRoutes, type RoutingFacts } from '../../../domain/plan-routes.ts';
import { selectRoutingFacts } from '../../../prisma/queries/routing.ts';
import { readCustomerCountry } from '../customers/payer.ts';
import type { Principal } from '../../../domain/principal.ts';
import {
  type PaymentRouteSimulation,
  paymentRouteSimulationResource,
  type SimulatePaymentRoutes,
} from '../../../contract/schemas/payment-route.ts';
import type { PaymentRouteDependencies } from '../../../accounts/payment-routes/write.ts';

const { refusal: refusals } = paymentRouteSimulationResource.shape;

/**
 * Plans a simulated payment as its workflow would at the first confirm.
 * @throws ApiError `CUSTOMER_NOT_FOUND`
 */
export async function simulateRoutes(
  { database, registry }: PaymentRouteDependencies,
  principal: Principal,
  body: SimulatePaymentRoutes,
): Promise<PaymentRouteSimulation> {
  const { amount, currency, paymentMethod: method, captureMethod } = body;
  const { merchantAccountId, environment } = principal;
  const { customerId } = body;
  const customerCountry = customerId == null ? null : await readCustomerCountry(database, principal, customerId);
  const country = body.country ?? customerCountry;

  const payment = { paymentIntentId: newId('paymentIntent'), environment, method };
  const subject = { ...payment, merchantAccountId, currency, country };
  const read = await database.direct.row(selectRoutingFacts(subject));
  if (read === undefined) throw new Error(`no merchant account ${merchantAccountId}`);
  const facts = { ...read, ...factsOf(body), savedCard: null };
  const terms = { amountMinor: amount, currency, country, captureMethod };
  const { routes, skippedRoutes, refusal } = planRoutes(
    facts,
    { ...payment, attemptsMade: 0, terms, offSession: body.offSession ?? false },
    registry,
  );
  return {
    object: 'payment_route_simulation',
    amount,
    currency,
    paymentMethod: method,
    captureMethod,
    country,
    routes: routes.map((choice) => ({ ...choice, ...orderTermsOf(choice.routeId, choice.provider, facts) })),
    passedOver: skippedRoutes.map((skipped) => ({ ...skipped })),
    refusal: refusals.parse(refusal),
  };
}

/** What is stored with a real payment. */
function factsOf({
  tokenProvider = null,
  deposited = null,
  cardBrand = null,
  cardGroups = [],
  metadata = {},
}: SimulatePaymentRoutes): Pick<RoutingFacts, 'tokenProvider' | 'deposited' | 'conditioned'> {
  return { tokenProvider, deposited, conditioned: { cardBrand, cardGroups, metadata } };
}

/** The fields that decide the place of a route in the order. */
function orderTermsOf(routeId: string, provider: string, { routes, circuitOpen }: RoutingFacts) {
  const route = routes.find(({ id }) => id === routeId);
  if (route === undefined) throw new Error(`${routeId} was chosen, but never read`);
  return { priority: route.priority, weight: route.weight, circuitOpen: circuitOpen.includes(provider) };
}
