import type { Database } from '../../../prisma/client.ts';
import { type PaymentRoute, Prisma } from '../../../prisma/generated/client.ts';
import { insertAndRead, nextVersion, updateOptimistically } from '../writes.ts';
import { ApiError } from '../../middleware/errors.ts';
import { type MerchantScope, ofMerchant, storableId } from '../row-scope.ts';
import { type CreatePaymentRoute, unusableProvider, type UpdatePaymentRoute } from '../../schemas/payment-route.ts';
import { invalidField } from '../../middleware/validation.ts';
import { findRoute } from './stored-route.ts';

/** Routes of one merchant in one environment: every payment looks at all of them. */
export const MAXIMUM_ROUTES = 500;

/** Inserts the route, or finds the one that an interrupted execution of the request inserted. @throws ApiError `STATE_CONFLICT` */
export function insertRoute(
  database: Database,
  owner: MerchantScope,
  { id, fields }: { readonly id: string; readonly fields: CreatePaymentRoute },
): Promise<PaymentRoute> {
  const { merchantId, environment } = owner;
  const { currencies, countries, excludedCountries } = fields;
  const insertion = {
    lock: Prisma.sql`SELECT FROM merchant WHERE id = ${merchantId} FOR NO KEY UPDATE`,
    insert: Prisma.sql`
      INSERT INTO payment_route (id, merchant_id, environment, provider, method, currencies, countries,
        excluded_countries, priority, weight, active, updated_at)
      SELECT ${id}, ${merchantId}, ${environment}, ${fields.provider}, ${fields.paymentMethod},
        ${unique(currencies)}::text[], ${unique(countries)}::text[], ${unique(excludedCountries)}::text[],
        ${fields.priority}::int, ${fields.weight}::int, ${fields.active}::boolean, now()
      WHERE (SELECT count(*) FROM payment_route WHERE merchant_id = ${merchantId} AND environment = ${environment})
        < ${MAXIMUM_ROUTES}::int
      ON CONFLICT (id) DO NOTHING`,
    refusal: `A merchant has at most ${MAXIMUM_ROUTES} payment routes.`,
  };
  return insertAndRead(database, insertion, () => findRoute(database, owner, id));
}

export interface RouteChange {
  readonly id: string;
  readonly fields: UpdatePaymentRoute;
  /** Names of the providers that accept payments of the environment. */
  readonly providers: readonly string[];
}

/**
 * Changes what is named.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, or `VALIDATION_ERROR` when the route would be active though its
 * provider takes no payments of the environment (any more)
 */
export function updateRoute(
  database: Database,
  owner: MerchantScope,
  { id, fields, providers }: RouteChange,
): Promise<PaymentRoute> {
  const changes = changesOf(fields);
  return updateOptimistically({
    read: () => findRoute(database, owner, id),
    write: async (row) => {
      requireUsable({ ...row, ...changes }, providers);
      const where = { id: row.id, version: row.version, ...ofMerchant(owner) };
      const data = { ...changes, ...nextVersion() };
      const [changed] = await database.paymentRoute.updateManyAndReturn({ where, data });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}

/** Deletes a route; attempts that used it keep its id. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteRoute(database: Database, owner: MerchantScope, id: string): Promise<void> {
  const where = { id: storableId('paymentRoute', id), ...ofMerchant(owner) };
  const { count } = await database.paymentRoute.deleteMany({ where });
  if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
}

function changesOf({ paymentMethod, currencies, countries, excludedCountries, ...rest }: UpdatePaymentRoute) {
  const { provider, priority, weight, active } = rest;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(paymentMethod === undefined ? {} : { method: paymentMethod }),
    ...(currencies === undefined ? {} : { currencies: unique(currencies) }),
    ...(countries === undefined ? {} : { countries: unique(countries) }),
    ...(excludedCountries === undefined ? {} : { excludedCountries: unique(excludedCountries) }),
    ...(priority === undefined ? {} : { priority }),
    ...(weight === undefined ? {} : { weight }),
    ...(active === undefined ? {} : { active }),
  };
}

function requireUsable(
  { active, provider }: Pick<PaymentRoute, 'active' | 'provider'>,
  providers: readonly string[],
): void {
  if (active && !providers.includes(provider)) throw invalidField('provider', 'invalid', unusableProvider(providers));
}

function unique(codes: readonly string[]): string[] {
  return [...new Set(codes)];
}
