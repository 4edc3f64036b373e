import type { Prisma } from '../../prisma/generated/client.ts';
import { describeInvitation } from '../invitations/stored-invitation.ts';
import { recordTeamChange, type TeamAuthor } from './team-change.ts';

/**
 * Withdraws the invitations of a person who may invite nobody any more, in the transaction that makes it so: otherwise the person
 * could come back by one that was sent to another address.
 */
export async function withdrawInvitations(
  transaction: Prisma.TransactionClient,
  author: TeamAuthor,
  personId: string,
): Promise<void> {
  const { merchantId } = author;
  const audit = { author, action: 'invitation.deleted', describe: describeInvitation } as const;
  for (const before of await transaction.invitation.findMany({ where: { merchantId, invitedById: personId } })) {
    // Somebody may have accepted it meanwhile.
    const { count } = await transaction.invitation.deleteMany({ where: { id: before.id, merchantId } });
    if (count > 0) await recordTeamChange(transaction, audit, { before, after: null });
  }
}
