import type { AuditAction } from '../../../domain/audit.ts';
import { ENVIRONMENTS } from '../../../domain/payment.ts';
import type { Role } from '../../../domain/roles.ts';
import { type Database, transactionWithLock } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { lockMerchant } from '../../../prisma/queries/lock.ts';
import { ApiError } from '../../middleware/errors.ts';
import { type AuditedResource, type Author, recordChange, type RecordedChange } from '../audit.ts';
import { revokeMemberKeys } from './member-keys.ts';
import { describeMember, PERSON_COLUMNS, readMember, type StoredMember } from './stored-member.ts';

/** Who changes what belongs to the whole merchant. */
export type TeamAuthor = Omit<Author, 'environment'>;

/** Writes a change of the team into the audit log of both environments, in the transaction that makes it. */
export async function recordTeamChange<Row>(
  transaction: Prisma.TransactionClient,
  audit: {
    readonly author: TeamAuthor;
    readonly action: AuditAction;
    readonly describe: (row: Row) => AuditedResource;
  },
  change: RecordedChange<Row>,
): Promise<void> {
  const { merchantId, actor } = audit.author;
  for (const environment of ENVIRONMENTS) {
    await recordChange(transaction, { ...audit, author: { merchantId, actor, environment } }, change);
  }
}

/** Changes the role of a member. @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for the last owner */
export function changeRole(
  database: Database,
  scope: TeamAuthor,
  { id, role }: { readonly id: string; readonly role: Role },
): Promise<StoredMember> {
  return transactionWithLock(database, lockMerchant(scope.merchantId), async (transaction) => {
    const before = await readMember(transaction, scope, id);
    if (before.role === role) return before;
    await requireAnotherOwner(transaction, before);
    const after = await transaction.membership.update({
      where: { personId: id, merchantId: scope.merchantId },
      data: { role, version: { increment: 1 }, updatedAt: new Date() },
      include: { person: PERSON_COLUMNS },
    });
    const audit = { author: scope, action: 'team_member.updated', describe: describeMember } as const;
    await recordTeamChange(transaction, audit, { before, after });
    return after;
  });
}

/**
 * Removes a member and ends its sessions.
 * @param revokeApiKeys whether the keys that the person made end too
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for the last owner
 */
export async function removeMember(
  database: Database,
  scope: TeamAuthor,
  { id, revokeApiKeys }: { readonly id: string; readonly revokeApiKeys: boolean },
): Promise<void> {
  await transactionWithLock(database, lockMerchant(scope.merchantId), async (transaction) => {
    const before = await readMember(transaction, scope, id);
    await requireAnotherOwner(transaction, before);
    await transaction.membership.deleteMany({ where: { personId: id, merchantId: scope.merchantId } });
    await transaction.personSession.deleteMany({ where: { personId: id } });
    if (revokeApiKeys) await revokeMemberKeys(transaction, scope, { merchantId: scope.merchantId, personId: id });
    const audit = { author: scope, action: 'team_member.removed', describe: describeMember } as const;
    await recordTeamChange(transaction, audit, { before, after: null });
  });
}

/** Changes of a team wait for each other, so that two owners cannot remove each other at the same time. */
async function requireAnotherOwner(transaction: Prisma.TransactionClient, member: StoredMember): Promise<void> {
  if (member.role !== 'owner') return;
  const { merchantId } = member;
  if ((await transaction.membership.count({ where: { merchantId, role: 'owner' } })) > 1) return;
  throw new ApiError('STATE_CONFLICT', {
    message: 'Expected another owner in the team, which keeps at least one. Make another member an owner first.',
  });
}
