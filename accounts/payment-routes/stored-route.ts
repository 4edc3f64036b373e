import type { Database } from '../../prisma/connection/client.ts';
import type { PaymentRoute, Prisma } from '../../prisma/generated/client.ts';
import type { AuditedResource } from '../audit.ts';
import { presentRouteAlone } from '../../contract/presenters/payment-route.ts';
import { readOrThrow } from '../writes.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../lists.ts';
import { type MerchantScope, ofMerchant, requireId } from '../row-scope.ts';
import { type SharedWeights, sharingKeyOf } from '../../domain/route-shares.ts';
import type { ListPaymentRoutes } from '../../contract/schemas/payment-route.ts';

/** The route as the audit log shows it. */
export function describeRoute(row: PaymentRoute): AuditedResource {
  return { id: row.id, merchantAccountId: null, state: presentRouteAlone(row) };
}

/** One of the merchant's routes, or null. */
export function findRoute(database: Database, scope: MerchantScope, id: string): Promise<PaymentRoute | null> {
  return database.paymentRoute.findFirst({ where: { id: requireId('paymentRoute', id), ...ofMerchant(scope) } });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readRoute(database: Database, scope: MerchantScope, id: string): Promise<PaymentRoute> {
  return readOrThrow(() => findRoute(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** The sums of the weights of the merchant's active routes that share payments. */
export async function sharedWeights({ paymentRoute }: Database, scope: MerchantScope): Promise<SharedWeights> {
  const groups = await paymentRoute.groupBy({
    by: ['method', 'priority'],
    where: { ...ofMerchant(scope), active: true },
    _sum: { weight: true },
  });
  return new Map(
    groups.map(({ method, priority, _sum }) => [sharingKeyOf({ paymentMethod: method, priority }), _sum.weight ?? 0]),
  );
}

/** One page of the merchant's routes, newest first, and how many there are in all. */
export async function listRoutes(
  database: Database,
  scope: MerchantScope,
  { page, limit, startingAfter, ...filters }: ListPaymentRoutes,
): Promise<CountedPage<PaymentRoute>> {
  const where = { ...ofMerchant(scope), AND: filtersOf(filters) };
  const { after, window } = await smallPage({ page, limit, startingAfter }, (id) =>
    database.paymentRoute.findFirst({ where: { id, ...ofMerchant(scope) }, select: PLACE }),
  );
  return countedPage(
    database.paymentRoute.findMany({ where: { AND: [where, after] }, ...window }),
    database.paymentRoute.count({ where }),
  );
}

/** A route accepts the currencies and countries that it names, or all if it names none, but never a country that it excludes. */
function filtersOf({
  provider,
  paymentMethod,
  currency,
  country,
  active,
}: Omit<ListPaymentRoutes, 'page' | 'limit' | 'startingAfter'>): Prisma.PaymentRouteWhereInput[] {
  return [
    ...(provider === undefined ? [] : [{ provider }]),
    ...(paymentMethod === undefined ? [] : [{ method: paymentMethod }]),
    ...(active === undefined ? [] : [{ active }]),
    ...(currency === undefined ? [] : [{ OR: [{ currencies: { isEmpty: true } }, { currencies: { has: currency } }] }]),
    ...(country === undefined
      ? []
      : [
          {
            OR: [{ countries: { isEmpty: true } }, { countries: { has: country } }],
            NOT: { excludedCountries: { has: country } },
          },
        ]),
  ];
}
