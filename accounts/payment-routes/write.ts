import type { Database } from '../../prisma/connection/client.ts';
import type { PaymentRoute } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import type { ProviderRegistry } from '../../providers/provider-registry.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Author } from '../audit.ts';
import { deleteRow, insertWithinLimit, updateOptimistically } from '../writes.ts';
import { creatorOf } from '../created-by.ts';
import { ofMerchant, requireId } from '../row-scope.ts';
import {
  type CreatePaymentRoute,
  unusableProvider,
  type UpdatePaymentRoute,
} from '../../contract/schemas/payment-route.ts';
import { invalidField } from '../../contract/validation.ts';
import { routeConditionsOf } from '../../contract/schemas/route-conditions.ts';
import { changedConditions, requireConsistent, requireCardGroups } from './conditions.ts';
import { describeRoute, findRoute } from './stored-route.ts';

/** The dependencies of the operations on payment routes. */
export interface PaymentRouteDependencies {
  readonly database: Database;
  readonly registry: Pick<ProviderRegistry, 'offersFor' | 'offerOfAccount'>;
}

/** Routes of one merchant in one environment: every payment looks at all of them. */
export const MAXIMUM_ROUTES = 500;

/** The names of the providers that routes may lead to. */
interface UsableProviders {
  /** Providers whose routes the account's own payments can take. */
  readonly ofAccount: readonly string[];
  /** The same for any account of the merchant, since all of them share its routes. */
  readonly ofMerchant: readonly string[];
}

/** The configured providers that take payments of the environment, and the merchant's accounts at providers. */
export async function findProviders(
  { database, registry }: PaymentRouteDependencies,
  scope: Principal,
): Promise<UsableProviders> {
  const accounts = await database.providerAccount.findMany({
    where: ofMerchant(scope),
    select: { id: true, merchantAccountId: true },
    orderBy: { id: 'asc' },
  });
  const own = accounts.filter(({ merchantAccountId }) => merchantAccountId === scope.merchantAccountId);
  const configured = [...registry.offersFor(scope.environment).keys()];
  const withAccounts = (more: typeof accounts) => [...configured, ...more.map(({ id }) => id)];
  return { ofAccount: withAccounts(own), ofMerchant: withAccounts(accounts) };
}

/** Inserts the route, or finds the one that an interrupted execution of the request inserted. @throws ApiError `STATE_CONFLICT` */
export async function insertRoute(
  database: Database,
  scope: Author,
  { id, fields }: { readonly id: string; readonly fields: CreatePaymentRoute },
): Promise<PaymentRoute> {
  const { provider, paymentMethod, countries, excludedCountries, priority, weight, active } = fields;
  const currencies = unique(fields.currencies);
  const conditions = routeConditionsOf(fields);
  requireConsistent({ method: paymentMethod, currencies, conditions });
  await requireCardGroups(database, scope, conditions.cardGroups);
  const creator = await creatorOf(database, scope);
  return await insertWithinLimit(database, {
    lock: lockMerchant(scope.merchantId),
    insert: ({ paymentRoute }) =>
      paymentRoute.upsert({
        where: { id },
        create: {
          id,
          ...ofMerchant(scope),
          provider,
          method: paymentMethod,
          currencies,
          countries: unique(countries),
          excludedCountries: unique(excludedCountries),
          conditions,
          priority,
          weight,
          active,
          ...creator,
        },
        update: {},
      }),
    count: ({ paymentRoute }) => paymentRoute.count({ where: ofMerchant(scope) }),
    maximum: MAXIMUM_ROUTES,
    refusal: `A merchant has at most ${MAXIMUM_ROUTES} payment routes.`,
    audit: { author: scope, action: 'payment_route.created', describe: describeRoute },
  });
}

export interface RouteChange {
  readonly id: string;
  readonly fields: UpdatePaymentRoute;
  /** Names of the providers that routes of the merchant may lead to. */
  readonly providers: readonly string[];
}

/**
 * Changes what is named.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, or `VALIDATION_ERROR` when the route would be active although its
 * provider takes no payments of the environment
 */
export async function updateRoute(
  database: Database,
  scope: Author,
  { id, fields, providers }: RouteChange,
): Promise<PaymentRoute> {
  await requireCardGroups(database, scope, fields.cardGroups);
  return await updateOptimistically(database, {
    audit: { author: scope, action: 'payment_route.updated', describe: describeRoute },
    read: () => findRoute(database, scope, id),
    changesOf: (row) => {
      const changes = changesOf(fields, row);
      const changed = { ...row, ...changes };
      requireConsistent(changed);
      requireUsable(changed, providers);
      return changes;
    },
    write: async (row, data, { paymentRoute }) => {
      const where = { id: row.id, version: row.version, ...ofMerchant(scope) };
      const [changed] = await paymentRoute.updateManyAndReturn({ where, data });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}

/** Deletes a route; attempts that used it keep its id. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteRoute(database: Database, scope: Author, id: string): Promise<void> {
  const where = { id: requireId('paymentRoute', id), ...ofMerchant(scope) };
  await deleteRow(database, {
    read: ({ paymentRoute }) => paymentRoute.findFirst({ where }),
    remove: ({ paymentRoute }) => paymentRoute.deleteMany({ where }),
    audit: { author: scope, action: 'payment_route.deleted', describe: describeRoute },
  });
}

function changesOf(fields: UpdatePaymentRoute, row: PaymentRoute) {
  const { provider, paymentMethod, currencies, countries, excludedCountries, priority, weight, active } = fields;
  return {
    ...changedConditions(fields, row.conditions),
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
