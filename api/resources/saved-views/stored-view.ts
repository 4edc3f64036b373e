import { type Database, transactionWithLock } from '../../../prisma/connection/client.ts';
import type { SavedView } from '../../../prisma/generated/client.ts';
import { lockMembership } from '../../../prisma/queries/lock.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { CreateSavedView, ListSavedViews } from '../../../contract/schemas/saved-view.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';

/** Of one person, in all accounts. */
const MAXIMUM_VIEWS = 50;

/** Views of the person in the account of the request. */
function ownViews({ personId, merchantAccountId, environment }: Principal) {
  // No API key has the scope, so there is always a person.
  return { personId: personId ?? '', merchantAccountId, environment };
}

/** One page of the person's views of an account, newest first, and how many there are in all. */
export async function listViews(
  { savedView }: Pick<Database, 'savedView'>,
  principal: Principal,
  { list, ...page }: ListSavedViews,
): Promise<CountedPage<SavedView>> {
  const where = { ...ownViews(principal), ...(list === undefined ? {} : { list }) };
  const { after, window } = await smallPage(page, (id) =>
    savedView.findFirst({ where: { id, ...ownViews(principal) }, select: PLACE }),
  );
  return countedPage(savedView.findMany({ where: { AND: [where, after] }, ...window }), savedView.count({ where }));
}

/**
 * Saves filters under a name; a view of that name is replaced.
 * @throws ApiError `STATE_CONFLICT` where the person has too many
 */
export async function saveView(
  database: Database,
  principal: Principal,
  { id, fields }: { readonly id: string; readonly fields: CreateSavedView },
): Promise<SavedView> {
  const owner = ownViews(principal);
  const { list, name, filter } = fields;
  return transactionWithLock(database, lockMembership(owner.personId), async (transaction) => {
    await transaction.savedView.deleteMany({ where: { ...owner, list, name } });
    if ((await transaction.savedView.count({ where: { personId: owner.personId } })) >= MAXIMUM_VIEWS) {
      throw new ApiError('STATE_CONFLICT', {
        message: `Expected at most ${MAXIMUM_VIEWS} saved views of a person. Delete one first.`,
      });
    }
    return transaction.savedView.create({ data: { id, ...owner, list, name, filter } });
  });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteView(
  { savedView }: Pick<Database, 'savedView'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const { count } = await savedView.deleteMany({ where: { id: requireId('savedView', id), ...ownViews(principal) } });
  if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
}
