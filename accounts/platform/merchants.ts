import { signInAddressOf } from '../../domain/email-address.ts';
import { isId } from '../../domain/ids.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Merchant, MerchantAccount, Prisma } from '../../prisma/generated/client.ts';
import type { ListPlatformMerchants, PlatformMerchantDetails } from '../../contract/schemas/platform.ts';
import { liveAt } from '../../prisma/fragments/conditions.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../lists.ts';
import { presentMerchantAccount } from '../../contract/presenters/merchant-account.ts';
import { requireId } from '../row-scope.ts';
import { readOrThrow } from '../writes.ts';

const MAXIMUM_SHOWN_ACCOUNTS = 100;
const COUNTED_PAYMENTS = 10_000;
/** Characters that Prisma Client passes on as patterns. */
const LIKE_SYNTAX = /[%_\\]/g;
const COUNTED_MS = 24 * HOUR_MS;

/** The merchant as lists show it. */
export function presentMerchant({ id, name, platformSuspendedAt, platformSuspensionReason, createdAt }: Merchant) {
  const since = platformSuspendedAt?.toISOString();
  return {
    id,
    object: 'platform_merchant' as const,
    name,
    suspension: since === undefined ? null : { reason: platformSuspensionReason ?? '', since },
    createdAt: createdAt.toISOString(),
  };
}

/** One page of all merchants, newest first, and how many there are. */
export async function listMerchants(
  database: Database,
  { q, status, ...page }: ListPlatformMerchants,
): Promise<CountedPage<Merchant>> {
  const where = {
    ...(q === undefined ? {} : searchedBy(q)),
    ...(status === undefined ? {} : { platformSuspendedAt: status === 'active' ? null : { not: null } }),
  };
  const { after, window } = await smallPage(page, (id) =>
    database.merchant.findUnique({ where: { id }, select: PLACE }),
  );
  return countedPage(
    database.merchant.findMany({ where: { AND: [where, after] }, ...window }),
    database.merchant.count({ where }),
  );
}

function searchedBy(q: string): Prisma.MerchantWhereInput {
  if (isId('merchant', q)) return { id: q };
  if (isId('merchantAccount', q)) return { accounts: { some: { id: q } } };
  if (q.includes('@')) return { memberships: { some: { person: { email: signInAddressOf(q) } } } };
  return { name: { contains: q.replaceAll(LIKE_SYNTAX, String.raw`\$&`), mode: 'insensitive' } };
}

/** A merchant with its accounts. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function readMerchant(database: Database, id: string): Promise<PlatformMerchantDetails> {
  const find = () =>
    database.merchant.findUnique({
      where: { id: requireId('merchant', id) },
      include: {
        accounts: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: MAXIMUM_SHOWN_ACCOUNTS },
        _count: { select: { memberships: true } },
      },
    });
  const merchant = await readOrThrow(find, 'RESOURCE_NOT_FOUND');
  const accounts: PlatformMerchantDetails['accounts'] = [];
  for (const account of merchant.accounts) accounts.push(await describeAccount(database, account));
  return { ...presentMerchant(merchant), people: merchant._count.memberships, accounts };
}

async function describeAccount(
  database: Database,
  row: MerchantAccount,
): Promise<PlatformMerchantDetails['accounts'][number]> {
  const { id, environment, name, status, suspendedBy } = presentMerchantAccount(row);
  const now = new Date();
  const recent = { merchantAccountId: id, environment, createdAt: { gte: new Date(now.getTime() - COUNTED_MS) } };
  const [apiKeys, payments] = await Promise.all([
    database.apiKey.count({ where: { merchantAccountId: id, ...liveAt(now) } }),
    database.paymentIntent.count({ where: recent, take: COUNTED_PAYMENTS }),
  ]);
  return { id, environment, name, status, suspendedBy, apiKeys, payments };
}
