import { z } from 'zod';
import type { Database } from '../../../prisma/client.ts';
import { keyUsesByAddress, keyUsesByOperation } from '../../../prisma/queries/key-use.ts';
import type { Principal } from '../../../domain/principal.ts';
import { type ApiKeyReport, apiKeyReport } from '../../../contract/schemas/security.ts';
import { presenterOf } from '../audit-events/present.ts';
import { NO_SECRETS } from '../../../accounts/api-keys/stored-key.ts';
import { liveAt } from '../../../prisma/conditions.ts';
import { ofMerchant, requireId } from '../../../accounts/row-scope.ts';
import { readOrThrow } from '../../../accounts/writes.ts';
import { NEWEST_FIRST, presentKeyUse } from './overview.ts';

const MAXIMUM_USES = 200;
const MAXIMUM_CHANGES = 100;
/** Changes in which it is looked for what still stands. */
const MAXIMUM_SEARCHED = 2_000;

type Scope = Pick<Principal, 'merchantId' | 'environment'>;

/** What became of a key of the merchant: its uses, what it changed, and what it made or changed that still stands. */
export async function readKeyReport(database: Database, scope: Scope, id: string): Promise<ApiKeyReport> {
  const { merchantId, environment } = scope;
  const apiKeyId = requireId('apiKey', id);
  const key = await readOrThrow(
    () => database.apiKey.findFirst({ where: { id: apiKeyId, merchantId, environment }, omit: NO_SECRETS }),
    'RESOURCE_NOT_FOUND',
  );
  const where = { merchantId, environment, actorId: apiKeyId };
  const [places, operations, changes, changeCount, remaining] = await Promise.all([
    database.direct.rows(keyUsesByAddress(apiKeyId, MAXIMUM_USES)),
    database.direct.rows(keyUsesByOperation(apiKeyId, MAXIMUM_USES)),
    database.auditEvent.findMany({ where, orderBy: NEWEST_FIRST, take: MAXIMUM_CHANGES }),
    database.auditEvent.count({ where }),
    findRemaining(database, ofMerchant(scope), apiKeyId),
  ]);
  const presentChange = await presenterOf(database, scope, changes);
  return apiKeyReport.parse({
    object: 'api_key_report',
    apiKey: presentKeyUse(key),
    places: places.map(withTimes),
    operations: operations.map(withTimes),
    changes: changes.map(presentChange),
    changeCount,
    remaining,
  });
}

function withTimes<Use extends { readonly firstAt: Date; readonly lastAt: Date }>({ firstAt, lastAt, ...use }: Use) {
  return { ...use, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() };
}

/** A resource that still exists, whether or not it is in use. */
interface Found {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

type FindAll = (database: Database, ids: string[], scope: Scope) => Promise<Found[]>;

/** How the resources are found that a key can have made or changed, by the first part of the audited action. */
const FIND: Readonly<Record<string, FindAll>> = {
  api_key: async (database, ids, scope) => {
    const where = { id: { in: ids }, ...scope, ...liveAt(new Date()) };
    const rows = await database.apiKey.findMany({ where, select: { id: true, name: true } });
    return rows.map((row) => ({ ...row, status: 'active' }));
  },
  webhook_endpoint: async (database, ids, { merchantId, environment }) => {
    const where = { id: { in: ids }, environment, merchantAccount: { merchantId } };
    const rows = await database.webhookEndpoint.findMany({ where, select: { id: true, url: true, status: true } });
    return rows.map(({ url, ...row }) => ({ ...row, name: url }));
  },
  provider_account: (database, ids, scope) =>
    database.providerAccount.findMany({
      where: { id: { in: ids }, ...scope },
      select: { id: true, name: true, status: true },
    }),
  payment_route: async (database, ids, scope) => {
    const where = { id: { in: ids }, ...scope };
    const rows = await database.paymentRoute.findMany({
      where,
      select: { id: true, provider: true, method: true, active: true },
    });
    return rows.map(({ id, provider, method, active }) => ({
      id,
      name: `${method} to ${provider}`,
      status: active ? 'active' : 'inactive',
    }));
  },
  payment_link: async (database, ids, { merchantId, environment }) => {
    const where = { id: { in: ids }, environment, merchantAccount: { merchantId } };
    const rows = await database.paymentLink.findMany({ where, select: { id: true, description: true, active: true } });
    return rows.map(({ id, description, active }) => ({
      id,
      name: description ?? '',
      status: active ? 'active' : 'inactive',
    }));
  },
  merchant_account: (database, ids, scope) =>
    database.merchantAccount.findMany({
      where: { id: { in: ids }, ...scope },
      select: { id: true, name: true, status: true },
    }),
};

const rotated = z.object({ replacedBy: z.string() });

/** What a key made, rotated or changed, and was not deleted since. */
async function findRemaining(database: Database, scope: Scope, apiKeyId: string) {
  const changes = await database.auditEvent.findMany({
    where: { ...scope, actorId: apiKeyId },
    select: { action: true, resourceId: true, after: true },
    orderBy: NEWEST_FIRST,
    take: MAXIMUM_SEARCHED,
  });
  const touched = changes.flatMap(({ action, resourceId, after }) => {
    const [resource = '', verb] = action.split('.');
    const replacement = resource === 'api_key' ? rotated.safeParse(after).data?.replacedBy : undefined;
    return [
      { resource, id: resourceId, isMade: verb === 'created' },
      ...(replacement === undefined ? [] : [{ resource, id: replacement, isMade: true }]),
    ];
  });
  const found = await Promise.all(
    Object.entries(FIND).map(async ([resource, find]) => {
      const ofResource = touched.filter((each) => each.resource === resource && each.id !== apiKeyId);
      const rows = await find(database, [...new Set(ofResource.map(({ id }) => id))], scope);
      const isMade = (id: string) => ofResource.some((each) => each.id === id && each.isMade);
      return rows.map((row) => ({ resource, ...row, isMade: isMade(row.id) }));
    }),
  );
  return found.flat();
}
