import { routeConditionsOf } from '../schemas/route-conditions.ts';
import type { PaymentRoute } from '../../prisma/generated/client.ts';
import { type PaymentRouteResource, paymentRouteResource } from '../schemas/payment-route.ts';
import { presentCreator } from './creator.ts';

const { environment: environments, paymentMethod: methods } = paymentRouteResource.shape;

/** The route as clients see it. */
export function presentRoute(row: PaymentRoute): PaymentRouteResource {
  return {
    id: row.id,
    object: 'payment_route',
    environment: environments.parse(row.environment),
    provider: row.provider,
    paymentMethod: methods.parse(row.method),
    currencies: row.currencies,
    countries: row.countries,
    excludedCountries: row.excludedCountries,
    ...routeConditionsOf(row.conditions),
    priority: row.priority,
    weight: row.weight,
    active: row.active,
    createdBy: presentCreator(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
