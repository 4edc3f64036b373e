import { sharePercentOf, type SharedWeights } from '../../domain/route-shares.ts';
import type { PaymentRoute } from '../../prisma/generated/client.ts';
import { type PaymentRouteResource, paymentRouteResource, type RouteContents } from '../schemas/payment-route.ts';
import { routeConditionsOf } from '../schemas/route-conditions.ts';
import { presentCreator } from './creator.ts';

const { environment: environments, paymentMethod: methods } = paymentRouteResource.shape;

/** What a route is, apart from who made it and when. */
export function contentsOfRoute(row: PaymentRoute): RouteContents {
  return {
    id: row.id,
    provider: row.provider,
    paymentMethod: methods.parse(row.method),
    currencies: row.currencies,
    countries: row.countries,
    excludedCountries: row.excludedCountries,
    ...routeConditionsOf(row.conditions),
    priority: row.priority,
    weight: row.weight,
    active: row.active,
  };
}

/** The route without its share, which depends on other routes: for the audit log. */
export function presentRouteAlone(row: PaymentRoute): Omit<PaymentRouteResource, 'sharePercent'> {
  return {
    ...contentsOfRoute(row),
    object: 'payment_route',
    environment: environments.parse(row.environment),
    createdBy: presentCreator(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The route as clients see it. */
export function presentRoute(row: PaymentRoute, weights: SharedWeights): PaymentRouteResource {
  const alone = presentRouteAlone(row);
  return { ...alone, sharePercent: sharePercentOf(alone, weights) };
}
