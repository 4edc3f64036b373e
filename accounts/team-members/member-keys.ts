import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { liveAt } from '../../prisma/fragments/conditions.ts';
import { describeKey, NO_SECRETS, type StoredKey } from '../api-keys/stored-key.ts';
import { presentKey } from '../../contract/presenters/api-key.ts';
import { recordChange } from '../audit.ts';
import { countedPage, type CountedPage, type PageRequest, PLACE, smallPage } from '../lists.ts';
import { nextVersion } from '../writes.ts';
import type { TeamAuthor } from './team-change.ts';

/** A member of a merchant's team. */
interface Member {
  readonly merchantId: string;
  readonly personId: string;
}

/** Live keys that a member has made, in both environments and for all accounts: the person may still know their secrets. */
function liveKeysOf({ merchantId, personId: createdById }: Member) {
  return { merchantId, createdById, ...liveAt(new Date()) };
}

/** One page of a member's live keys, newest first, and how many there are in all. */
export async function listMemberKeys(
  { apiKey }: Pick<Database, 'apiKey'>,
  member: Member,
  page: PageRequest,
): Promise<CountedPage<StoredKey>> {
  const where = liveKeysOf(member);
  const { merchantId, personId: createdById } = member;
  const { after, window } = await smallPage(page, (id) =>
    apiKey.findFirst({ where: { id, merchantId, createdById }, select: PLACE }),
  );
  const rows = apiKey.findMany({ where: { AND: [where, after] }, omit: NO_SECRETS, ...window });
  return countedPage(rows, apiKey.count({ where }));
}

/** Revokes a member's live keys, and records it in the environment of each, in the transaction that removes the member. */
export async function revokeMemberKeys(
  transaction: Prisma.TransactionClient,
  { merchantId, actor }: TeamAuthor,
  member: Member,
): Promise<void> {
  const where = liveKeysOf(member);
  const before = await transaction.apiKey.findMany({ where, omit: NO_SECRETS });
  const data = { revokedAt: new Date(), ...nextVersion() };
  const revoked = await transaction.apiKey.updateManyAndReturn({ where, data, omit: NO_SECRETS });
  for (const after of revoked) {
    const { environment } = presentKey(after);
    const audit = {
      author: { merchantId, actor, environment },
      action: 'api_key.revoked',
      describe: describeKey,
    } as const;
    await recordChange(transaction, audit, { before: before.find(({ id }) => id === after.id) ?? null, after });
  }
}
