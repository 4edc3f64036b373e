import type { Database } from '../prisma/connection/client.ts';
import { type CreatedResource, createdResource } from '../contract/schemas/created-by.ts';
import { liveAt } from '../prisma/fragments/conditions.ts';
import type { Principal } from '../domain/principal.ts';

/** The most resources of one kind that are listed, the newest. */
const MAXIMUM_OF_KIND = 500;

/** Whose resources are listed: those of a person, or those of one key. */
export type Maker = { readonly createdById: string } | { readonly createdByKeyId: string };

/** Which resources of a merchant are looked for. */
interface Wanted {
  readonly environment?: string;
  readonly OR: (Maker | { readonly id: { readonly in: string[] } })[];
}

/** Whether only what is at work is looked for, or also what is disabled. */
type Extent = 'standing' | 'existing';

/** A resource that goes on working when its maker is gone. */
interface Found {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly merchantAccountId: string | null;
  readonly environment: string;
  readonly createdByKeyId: string | null;
  readonly createdAt: Date;
}

interface Kind {
  readonly type: CreatedResource['type'];
  /** The scope that shows such resources. */
  readonly scope: string;
  readonly find: (database: Database, merchantId: string, wanted: Wanted, extent: Extent) => Promise<readonly Found[]>;
}

const NEWEST = { orderBy: { createdAt: 'desc' }, take: MAXIMUM_OF_KIND } as const;
const COLUMNS = { id: true, environment: true, createdByKeyId: true, createdAt: true } as const;
const PLACED = { ...COLUMNS, merchantAccountId: true } as const;

const activity = (active: boolean): string => (active ? 'active' : 'inactive');
const ofActivity = (extent: Extent) => (extent === 'standing' ? { active: true } : {});
const withStatus = (status: string, extent: Extent) => (extent === 'standing' ? { status } : {});

/** How the resources of each kind are found that were not deleted; of API keys, those that are live. */
const KINDS: readonly Kind[] = [
  {
    type: 'api_key',
    scope: 'api-keys:read',
    find: async ({ apiKey }, merchantId, wanted) => {
      const where = { merchantId, AND: [wanted, liveAt(new Date())] };
      const rows = await apiKey.findMany({ where, select: { ...PLACED, name: true }, ...NEWEST });
      return rows.map((row) => ({ ...row, status: 'active' }));
    },
  },
  {
    type: 'webhook_endpoint',
    scope: 'webhook-endpoints:read',
    find: async ({ webhookEndpoint }, merchantId, wanted, extent) => {
      const where = { merchantAccount: { merchantId }, ...wanted, ...withStatus('enabled', extent) };
      const rows = await webhookEndpoint.findMany({ where, select: { ...PLACED, url: true, status: true }, ...NEWEST });
      return rows.map(({ url, ...row }) => ({ ...row, name: url }));
    },
  },
  {
    type: 'provider_account',
    scope: 'provider-accounts:read',
    find: ({ providerAccount }, merchantId, wanted, extent) =>
      providerAccount.findMany({
        where: { merchantId, ...wanted, ...withStatus('active', extent) },
        select: { ...PLACED, name: true, status: true },
        ...NEWEST,
      }),
  },
  {
    type: 'payment_route',
    scope: 'payment-routes:read',
    find: async ({ paymentRoute }, merchantId, wanted, extent) => {
      const where = { merchantId, ...wanted, ...ofActivity(extent) };
      const select = { ...COLUMNS, provider: true, method: true, active: true } as const;
      const rows = await paymentRoute.findMany({ where, select, ...NEWEST });
      return rows.map(({ provider, method, active, ...row }) => ({
        ...row,
        merchantAccountId: null,
        name: `${method} to ${provider}`,
        status: activity(active),
      }));
    },
  },
  {
    type: 'payment_link',
    scope: 'payment-links:read',
    find: async ({ paymentLink }, merchantId, wanted, extent) => {
      const where = { merchantAccount: { merchantId }, ...wanted, ...ofActivity(extent) };
      const select = { ...PLACED, description: true, amountMinor: true, currency: true, active: true } as const;
      const rows = await paymentLink.findMany({ where, select, ...NEWEST });
      return rows.map(({ description, amountMinor, currency, active, ...row }) => ({
        ...row,
        name: description ?? `${currency} ${amountMinor}`,
        status: activity(active),
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
    shown.map(async ({ type, find }) => {
      const rows = await find(database, merchantId, { OR: [maker] }, 'standing');
      return rows.map((row) => ({ ...presentFound(row), type }));
    }),
  );
  return found
    .flat()
    .filter(({ merchantId: account }) => !keyLimits.accountBound || account === merchantAccountId)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
}

/** A resource that a key has made or changed. */
export interface TouchedResource {
  readonly resource: CreatedResource['type'];
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly isMade: boolean;
}

/**
 * What a key has made or changed that was not deleted since, whether or not it is at work: at most 500 of each kind.
 * @param changed the ids of what the audit log says it has changed
 */
export async function findTouchedResources(
  database: Database,
  { merchantId, environment }: Pick<Principal, 'merchantId' | 'environment'>,
  { apiKeyId, changed }: { readonly apiKeyId: string; readonly changed: readonly string[] },
): Promise<readonly TouchedResource[]> {
  const wanted: Wanted = { environment, OR: [{ createdByKeyId: apiKeyId }, { id: { in: [...changed] } }] };
  const found = await Promise.all(
    KINDS.map(async ({ type, find }) =>
      (await find(database, merchantId, wanted, 'existing')).map(({ id, name, status, createdByKeyId }) => ({
        resource: type,
        id,
        name,
        status,
        isMade: createdByKeyId === apiKeyId,
      })),
    ),
  );
  return found.flat().filter(({ id }) => id !== apiKeyId);
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
