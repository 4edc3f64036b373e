import type { Database } from '../prisma/client.ts';
import { type CreatedResource, createdResource } from '../contract/schemas/created-by.ts';
import { liveAt } from '../prisma/conditions.ts';
import type { Principal } from '../domain/principal.ts';

/** The most resources of one kind that are listed, the newest. */
const MAXIMUM_OF_KIND = 500;

/** Whose resources are listed: those of a person, or those of one key. */
export type Maker = { readonly createdById: string } | { readonly createdByKeyId: string };

interface Found {
  readonly id: string;
  readonly name: string;
  readonly merchantAccountId: string | null;
  readonly environment: string;
  readonly createdAt: Date;
}

interface Kind {
  readonly type: CreatedResource['type'];
  /** The scope that shows such resources. */
  readonly scope: string;
  readonly find: (database: Database, merchantId: string, maker: Maker) => Promise<readonly Found[]>;
}

const NEWEST = { orderBy: { createdAt: 'desc' }, take: MAXIMUM_OF_KIND } as const;
const PLACED = { id: true, merchantAccountId: true, environment: true, createdAt: true } as const;

/** How what still stands of each kind is found. */
const KINDS: readonly Kind[] = [
  {
    type: 'api_key',
    scope: 'api-keys:read',
    find: ({ apiKey }, merchantId, maker) =>
      apiKey.findMany({
        where: { merchantId, ...maker, ...liveAt(new Date()) },
        select: { ...PLACED, name: true },
        ...NEWEST,
      }),
  },
  {
    type: 'webhook_endpoint',
    scope: 'webhook-endpoints:read',
    find: async ({ webhookEndpoint }, merchantId, maker) => {
      const where = { merchantAccount: { merchantId }, ...maker, status: 'enabled' };
      const rows = await webhookEndpoint.findMany({ where, select: { ...PLACED, url: true }, ...NEWEST });
      return rows.map(({ url, ...row }) => ({ ...row, name: url }));
    },
  },
  {
    type: 'provider_account',
    scope: 'provider-accounts:read',
    find: ({ providerAccount }, merchantId, maker) =>
      providerAccount.findMany({
        where: { merchantId, ...maker, status: 'active' },
        select: { ...PLACED, name: true },
        ...NEWEST,
      }),
  },
  {
    type: 'payment_route',
    scope: 'payment-routes:read',
    find: async ({ paymentRoute }, merchantId, maker) => {
      const where = { merchantId, ...maker, active: true };
      const select = { id: true, environment: true, createdAt: true, provider: true, method: true } as const;
      const rows = await paymentRoute.findMany({ where, select, ...NEWEST });
      return rows.map(({ provider, method, ...row }) => ({
        ...row,
        merchantAccountId: null,
        name: `${method} to ${provider}`,
      }));
    },
  },
  {
    type: 'payment_link',
    scope: 'payment-links:read',
    find: async ({ paymentLink }, merchantId, maker) => {
      const where = { merchantAccount: { merchantId }, ...maker, active: true };
      const select = { ...PLACED, description: true, amountMinor: true, currency: true } as const;
      const rows = await paymentLink.findMany({ where, select, ...NEWEST });
      return rows.map(({ description, amountMinor, currency, ...row }) => ({
        ...row,
        name: description ?? `${currency} ${amountMinor}`,
      }));
    },
  },
];

/**
 * What a person or a key has made that still stands, in both environments and for all accounts, newest first: at most 500 of each
 * kind, and only of kinds that the caller may read.
 */
export async function findCreatedResources(
  database: Database,
  { merchantId, merchantAccountId, scopes, keyLimits }: Principal,
  maker: Maker,
): Promise<readonly CreatedResource[]> {
  const shown = KINDS.filter(({ scope }) => scopes.includes(scope));
  const found = await Promise.all(
    shown.map(async ({ type, find }) =>
      (await find(database, merchantId, maker)).map((row) => ({ ...presentFound(row), type })),
    ),
  );
  return found
    .flat()
    .filter(({ merchantId: account }) => !keyLimits.accountBound || account === merchantAccountId)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
}

function presentFound({ id, name, merchantAccountId, environment, createdAt }: Found): Omit<CreatedResource, 'type'> {
  return {
    id,
    object: 'created_resource',
    name,
    merchantId: merchantAccountId,
    environment: environments.parse(environment),
    createdAt: createdAt.toISOString(),
  };
}

const { environment: environments } = createdResource.shape;
