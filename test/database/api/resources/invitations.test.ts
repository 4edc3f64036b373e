import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { ApiError } from '../../../../domain/api-error.ts';
import type { Principal } from '../../../../domain/principal.ts';
import {
  INVITATION_MAILS_PER_ADDRESS,
  INVITATION_MAILS_PER_MERCHANT,
} from '../../../../accounts/invitations/mail-limits.ts';
import { createInvitation, deleteInvitation, resendInvitation } from '../../../../accounts/invitations/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import type { Mail } from '../../../../mail/mailer.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';

describe('invitations', function () {
  this.timeout(MINUTE_MS);
  const test = useTestDatabase();
  let mails: Mail[];
  let owner: Principal;

  beforeEach(async () => {
    mails = [];
    owner = await newOwner();
  });

  async function newOwner(): Promise<Principal> {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    return principalWith({ merchantId, merchantAccountId });
  }

  const dependencies = () => {
    const mailer = { post: (mail: Mail) => void mails.push(mail), close: () => Promise.resolve() };
    return { database: test.database, invitationSender: { mailer, dashboardUrl: 'https://dashboard.example' } };
  };
  const newEmail = () => `${newId('person')}@example.com`;
  const invite = (author: Principal, email: string) =>
    createInvitation(dependencies(), author, { id: newId('invitation'), fields: { email, role: 'finance' } });
  /** Each deletes what it wrote, so that a team never fills up. */
  const inviteAndDelete = async (author: Principal, email: string) => {
    const { id } = await invite(author, email);
    await deleteInvitation(test.database, author, id);
  };
  const isRefused = (what: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, 'RATE_LIMIT_EXCEEDED');
    assert.match(error.message, what);
    assert.ok((error.retryAfterSeconds ?? 0) > 60 * 60);
    return true;
  };

  it('are limited to a number of mails a day for a merchant, with a limit for each merchant', async () => {
    for (let sent = 0; sent < INVITATION_MAILS_PER_MERCHANT; sent += 1) await inviteAndDelete(owner, newEmail());
    await assert.rejects(invite(owner, newEmail()), isRefused(/at most 100 mails a day for the team of one merchant/));
    assert.equal(mails.length, INVITATION_MAILS_PER_MERCHANT);
    assert.equal(await test.database.invitation.count({ where: { merchantId: owner.merchantId } }), 0);
    await invite(await newOwner(), newEmail());
  });

  it('are limited to a number of mails a day to an address, whoever invites it, repeated ones included', async () => {
    const [email, other] = [newEmail(), await newOwner()];
    for (let sent = 0; sent < INVITATION_MAILS_PER_ADDRESS - 2; sent += 1) await inviteAndDelete(owner, email);
    const { id } = await invite(other, email);
    await resendInvitation(dependencies(), other, id);
    const expected = isRefused(/at most 10 mails a day to one e-mail address/);
    await assert.rejects(resendInvitation(dependencies(), other, id), expected);
    await assert.rejects(invite(owner, email), expected);
    assert.equal(mails.length, INVITATION_MAILS_PER_ADDRESS);
    await invite(owner, newEmail());
  });

  it('count only what is sent: one that conflicts uses nothing up', async () => {
    const email = newEmail();
    await invite(owner, email);
    for (let tried = 0; tried < 2 * INVITATION_MAILS_PER_ADDRESS; tried += 1) {
      await assert.rejects(
        invite(owner, email),
        (error) => error instanceof ApiError && error.code === 'STATE_CONFLICT',
      );
    }
    assert.equal(mails.length, 1);
    await invite(await newOwner(), email);
  });
});
