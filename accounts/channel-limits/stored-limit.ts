import { presentLimit } from '../../contract/presenters/channel-limit.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { ChannelLimit } from '../../prisma/generated/client.ts';
import { type MerchantScope, ofMerchant } from '../row-scope.ts';
import {
  type ChannelLimitAmounts,
  type ChannelLimitKey,
  type ListChannelLimits,
} from '../../contract/schemas/channel-limit.ts';
import { type Audit, type AuditedResource, type Author, recordCreations } from '../audit.ts';
import { deleteRow, updateOptimistically } from '../writes.ts';
import { type CountedPage, slicePage } from '../lists.ts';

function describeLimit(row: ChannelLimit): AuditedResource {
  const state = presentLimit(row);
  return { id: state.id, merchantAccountId: null, state };
}

/** How the creations of limits are recorded. */
export function auditOfNewLimits(author: Author): Audit<ChannelLimit> {
  return { author, action: 'channel_limit.created', describe: describeLimit };
}

/** One page of the merchant's limits, newest first, and how many there are in all. */
export async function listLimits(
  database: Database,
  scope: MerchantScope,
  { paymentMethod, currency, ...page }: ListChannelLimits,
): Promise<CountedPage<ChannelLimit>> {
  const where = {
    ...ofMerchant(scope),
    ...(paymentMethod === undefined ? {} : { method: paymentMethod }),
    ...(currency === undefined ? {} : { currency }),
  };
  // At most one for each method and currency.
  const rows = await database.channelLimit.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { method: 'asc' }, { currency: 'asc' }],
  });
  return slicePage(rows, page, ({ method, currency: of }) => `${method}:${of}`);
}

/** Creates the limit or replaces it; a repeat changes nothing. @throws ApiError `STATE_CONFLICT` */
export async function putLimit(
  database: Database,
  scope: Author,
  { key, amounts }: { readonly key: ChannelLimitKey; readonly amounts: ChannelLimitAmounts },
): Promise<ChannelLimit> {
  const limit = rowOf(scope, key);
  const bounds = { minimumMinor: BigInt(amounts.minimumAmount), maximumMinor: BigInt(amounts.maximumAmount) };
  const data = [{ ...limit, ...bounds }];
  const inserted = await database.$transaction(async (transaction) => {
    const rows = await transaction.channelLimit.createManyAndReturn({ data, skipDuplicates: true });
    await recordCreations(transaction, auditOfNewLimits(scope), rows);
    return rows[0];
  });
  if (inserted !== undefined) return inserted;
  return await updateOptimistically(database, {
    audit: { author: scope, action: 'channel_limit.updated', describe: describeLimit },
    read: () => database.channelLimit.findFirst({ where: limit }),
    changesOf: ({ minimumMinor, maximumMinor }): Partial<typeof bounds> =>
      minimumMinor === bounds.minimumMinor && maximumMinor === bounds.maximumMinor ? {} : bounds,
    write: async ({ version }, data, { channelLimit }) => {
      const [changed] = await channelLimit.updateManyAndReturn({ where: { ...limit, version }, data });
      return changed;
    },
    // A PUT never responds with 404: another request has just deleted the limit.
    notFound: 'STATE_CONFLICT',
  });
}

/** Deletes the limit, so that any amount is allowed. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteLimit(database: Database, scope: Author, key: ChannelLimitKey): Promise<void> {
  const where = rowOf(scope, key);
  await deleteRow(database, {
    read: ({ channelLimit }) => channelLimit.findFirst({ where }),
    remove: ({ channelLimit }) => channelLimit.deleteMany({ where }),
    audit: { author: scope, action: 'channel_limit.deleted', describe: describeLimit },
  });
}

function rowOf(scope: MerchantScope, { paymentMethod: method, currency }: ChannelLimitKey) {
  return { ...ofMerchant(scope), method, currency };
}
