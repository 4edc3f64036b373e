import type { Role } from '../../domain/roles.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Person, Prisma } from '../../prisma/generated/client.ts';
import { ApiError } from '../../domain/api-error.ts';
import { withdrawInvitations } from './member-invitations.ts';
import { revokeMemberKeys } from './member-keys.ts';
import { describeMember, PERSON_COLUMNS, readMember } from './stored-member.ts';
import { type StoredMember } from '../../contract/presenters/team.ts';
import { changeTeam, mayChangeTeam, recordTeamChange, type TeamAuthor } from './team-change.ts';

/**
 * Changes the role of a member, and withdraws the member's open invitations if the new role may invite nobody.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for the last owner
 */
export function changeRole(
  database: Database,
  scope: TeamAuthor,
  { id, role }: { readonly id: string; readonly role: Role },
): Promise<StoredMember> {
  return changeTeam(database, scope, async (transaction) => {
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
    if (!mayChangeTeam(role)) await withdrawInvitations(transaction, scope, id);
    return after;
  });
}

/**
 * Removes a member, ends its sessions and withdraws its invitations.
 * @param revokeApiKeys whether the keys that the person made end too
 * @returns the person's address
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` for the last owner
 */
export async function removeMember(
  database: Database,
  scope: TeamAuthor,
  { id, revokeApiKeys }: { readonly id: string; readonly revokeApiKeys: boolean },
): Promise<Pick<Person, 'email'>> {
  return await changeTeam(database, scope, async (transaction) => {
    const before = await readMember(transaction, scope, id);
    if (!(await isLastOfEmptyMerchant(transaction, scope, id))) await requireAnotherOwner(transaction, before);
    await transaction.membership.deleteMany({ where: { personId: id, merchantId: scope.merchantId } });
    await transaction.personSession.deleteMany({ where: { personId: id } });
    await withdrawInvitations(transaction, scope, id);
    if (revokeApiKeys) await revokeMemberKeys(transaction, scope, { merchantId: scope.merchantId, personId: id });
    const audit = { author: scope, action: 'team_member.removed', describe: describeMember } as const;
    await recordTeamChange(transaction, audit, { before, after: null });
    return before.person;
  });
}

/** Who signed up by mistake may leave the merchant that was made, and then join another team. */
async function isLastOfEmptyMerchant(
  transaction: Prisma.TransactionClient,
  { merchantId, actor }: TeamAuthor,
  memberId: string,
): Promise<boolean> {
  if (actor.type !== 'person' || actor.id !== memberId) return false;
  if ((await transaction.membership.count({ where: { merchantId } })) > 1) return false;
  const where = { merchantAccount: { merchantId } };
  const [payment, key] = [
    await transaction.paymentIntent.findFirst({ where, select: { id: true } }),
    await transaction.apiKey.findFirst({ where: { ...where, revokedAt: null }, select: { id: true } }),
  ];
  return payment === null && key === null;
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
