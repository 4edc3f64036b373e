import { presentCardGroup } from '../../contract/presenters/card-group.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { CreateCardGroup, ListCardGroups, UpdateCardGroup } from '../../contract/schemas/card-group.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { CardGroup, Prisma } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import type { AuditedResource, Author } from '../audit.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../lists.ts';
import { type MerchantScope, ofMerchant, requireId } from '../row-scope.ts';
import { deleteRow, insertWithinLimit, readOrThrow, updateOptimistically } from '../writes.ts';

/** Groups of one merchant in one environment: every card that is sent is compared with all of them. */
export const MAXIMUM_CARD_GROUPS = 20;

function describeCardGroup(row: CardGroup): AuditedResource {
  return { id: row.id, merchantAccountId: null, state: presentCardGroup(row) };
}

function ownGroup(scope: MerchantScope, id: string) {
  return { id: requireId('cardGroup', id), ...ofMerchant(scope) };
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readCardGroup(database: Database, scope: MerchantScope, id: string): Promise<CardGroup> {
  return readOrThrow(() => database.cardGroup.findFirst({ where: ownGroup(scope, id) }), 'RESOURCE_NOT_FOUND');
}

/** One page of the merchant's groups, newest first, and how many there are in all. */
export async function listCardGroups(
  { cardGroup }: Database,
  scope: MerchantScope,
  request: ListCardGroups,
): Promise<CountedPage<CardGroup>> {
  const where = ofMerchant(scope);
  const { after, window } = await smallPage(request, (id) =>
    cardGroup.findFirst({ where: { id, ...where }, select: PLACE }),
  );
  return countedPage(cardGroup.findMany({ where: { AND: [where, after] }, ...window }), cardGroup.count({ where }));
}

/** Inserts the group, or finds the one that an interrupted execution of the request inserted. @throws ApiError `STATE_CONFLICT` */
export function insertCardGroup(
  database: Database,
  scope: Author,
  { id, fields: { name, prefixes } }: { readonly id: string; readonly fields: CreateCardGroup },
): Promise<CardGroup> {
  const create = { id, ...ofMerchant(scope), name, prefixes: unique(prefixes) };
  return insertWithinLimit(database, {
    lock: lockMerchant(scope.merchantId),
    insert: ({ cardGroup }) => cardGroup.upsert({ where: { id }, create, update: {} }),
    count: ({ cardGroup }) => cardGroup.count({ where: ofMerchant(scope) }),
    maximum: MAXIMUM_CARD_GROUPS,
    refusal: `A merchant has at most ${MAXIMUM_CARD_GROUPS} groups of cards. Delete one, or add the prefixes to one that exists.`,
    audit: { author: scope, action: 'card_group.created', describe: describeCardGroup },
  });
}

/** Changes what is named. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function updateCardGroup(
  database: Database,
  scope: Author,
  { id, fields: { name, prefixes } }: { readonly id: string; readonly fields: UpdateCardGroup },
): Promise<CardGroup> {
  const where = ownGroup(scope, id);
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(prefixes === undefined ? {} : { prefixes: unique(prefixes) }),
  };
  return updateOptimistically(database, {
    audit: { author: scope, action: 'card_group.updated', describe: describeCardGroup },
    read: ({ cardGroup }) => cardGroup.findFirst({ where }),
    changesOf: () => changes,
    write: async ({ version }, data, { cardGroup }) => {
      const [changed] = await cardGroup.updateManyAndReturn({ where: { ...where, version }, data });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}

/** Deletes a group. @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` while a route names it */
export async function deleteCardGroup(database: Database, scope: Author, id: string): Promise<void> {
  const where = ownGroup(scope, id);
  await deleteRow(database, {
    lock: lockMerchant(scope.merchantId),
    read: ({ cardGroup }) => cardGroup.findFirst({ where }),
    remove: async (transaction) => {
      await refuseWhileRouted(transaction, scope, id);
      return transaction.cardGroup.deleteMany({ where });
    },
    audit: { author: scope, action: 'card_group.deleted', describe: describeCardGroup },
  });
}

async function refuseWhileRouted(
  { paymentRoute }: Pick<Prisma.TransactionClient, 'paymentRoute'>,
  scope: MerchantScope,
  id: string,
): Promise<void> {
  const route = await paymentRoute.findFirst({
    where: { ...ofMerchant(scope), conditions: { path: ['cardGroups'], array_contains: [id] } },
    select: { id: true },
  });
  if (route === null) return;
  throw new ApiError('STATE_CONFLICT', {
    message: `The payment route ${route.id} names the group. Take the group out of it first, or delete the route.`,
  });
}

function unique(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes)];
}
