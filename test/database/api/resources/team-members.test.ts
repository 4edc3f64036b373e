import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { deleteInvitation, insertInvitation } from '../../../../accounts/invitations/write.ts';
import type { TeamAuthor } from '../../../../accounts/team-members/team-change.ts';
import { changeRole, removeMember } from '../../../../accounts/team-members/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';

describe('a member of a team', () => {
  const test = useTestDatabase();
  let merchantId: string;
  let head: TeamAuthor;
  let leaving: TeamAuthor;

  beforeEach(async () => {
    const id = await insertMerchantAccount(test.database);
    ({ merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id } }));
    [head, leaving] = [await addOwner(), await addOwner()];
  });

  async function addOwner(): Promise<TeamAuthor> {
    const id = newId('person');
    await test.database.person.create({ data: { id, name: 'Owner', email: `${id}@example.com` } });
    await test.database.membership.create({ data: { personId: id, merchantId, role: 'owner' } });
    return { merchantId, actor: { type: 'person', id, address: '192.0.2.1' } };
  }
  const invite = (author: TeamAuthor) => {
    const id = newId('invitation');
    const fields = { email: `${id}@example.com`, role: 'owner' } as const;
    return insertInvitation(test.database, author, { id, fields });
  };
  const remove = (author: TeamAuthor, { actor: { id } }: TeamAuthor) =>
    removeMember(test.database, author, { id, revokeApiKeys: false });
  const demote = (author: TeamAuthor, { actor: { id } }: TeamAuthor) =>
    changeRole(test.database, author, { id, role: 'support' });

  it('loses the invitations that it has sent when it is removed, or may invite nobody any more', async () => {
    const kept = await invite(head);
    const demoted = await addOwner();
    const withdrawn = [await invite(leaving), await invite(demoted)].map(({ row }) => row.id);
    await remove(head, leaving);
    await demote(head, demoted);
    const left = await test.database.invitation.findMany({ where: { merchantId } });
    assert.deepEqual(
      left.map(({ id }) => id),
      [kept.row.id],
    );
    const where = { merchantId, action: 'invitation.deleted', environment: 'production' };
    const entries = await test.database.auditEvent.findMany({ where });
    assert.deepEqual(entries.map(({ resourceId }) => resourceId).sort(), withdrawn.sort());
  });

  it('changes nothing by requests that were under way when it lost its place', async () => {
    const third = await addOwner();
    const { row } = await invite(head);
    await remove(head, leaving);
    await demote(head, third);
    for (const author of [leaving, third]) {
      for (const change of [
        () => invite(author),
        () => deleteInvitation(test.database, author, row.id),
        () => remove(author, head),
        () => changeRole(test.database, author, { id: third.actor.id, role: 'owner' }),
      ]) {
        await assert.rejects(change(), { code: 'INSUFFICIENT_PERMISSIONS' });
      }
    }
  });
});
