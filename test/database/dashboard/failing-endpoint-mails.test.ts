import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { tellOfFailingEndpoints } from '../../../dashboard/server/failing-endpoint-mails.ts';
import type { Role } from '../../../domain/roles.ts';
import { newId } from '../../../domain/new-id.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import type { Mail } from '../../../mail/mailer.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount } from '../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../support/webhook-rows.ts';

describe('the mails about failing webhook endpoints', () => {
  const test = useTestDatabase();
  let account: string;
  let mails: Mail[];

  beforeEach(async () => {
    mails = [];
    account = await insertMerchantAccount(test.database);
    for (const role of ['owner', 'developer', 'support', 'finance'] as const) await insertMember(role);
    await insertMember('owner', { emailVerified: false });
  });

  async function insertMember(role: Role, { emailVerified = true } = {}): Promise<void> {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: account } });
    const id = newId('person');
    await test.database.person.create({ data: { id, name: role, email: `${role}-${id}@example.com`, emailVerified } });
    await test.database.membership.create({ data: { personId: id, merchantId, role } });
  }

  const ago = (ms: number) => new Date(Date.now() - ms);
  const tell = () =>
    tellOfFailingEndpoints({
      database: test.database,
      mailer: { post: (mail) => void mails.push(mail) },
      publicUrl: 'https://dashboard.example',
    });
  const failing = (failingSince: Date) => ({ failingSince, nextProbeAt: new Date(), lastFailure: 'status 500' });

  it('go to those who look after webhooks, after an hour, once for each time that it fails', async () => {
    const id = await insertWebhookEndpoint(test.database, account, failing(ago(59 * MINUTE_MS)));
    await tell();
    assert.equal(mails.length, 0);
    const fail = (failingSince: Date) =>
      test.database.webhookEndpoint.update({ where: { id }, data: { failingSince } });
    await fail(ago(61 * MINUTE_MS));
    await Promise.all([tell(), tell()]);
    await tell();
    assert.deepEqual(mails.map(({ to }) => to.split('-')[0]).sort(), ['developer', 'owner']);
    const { subject = '', text = '' } = mails[0] ?? {};
    assert.equal(subject, 'A webhook endpoint of Test merchant fails');
    assert.match(text, /status 500/);
    assert.match(text, new RegExp(`https://dashboard.example/sandbox/${account}/webhook-endpoints/${id}/show$`));
    await fail(ago(2 * HOUR_MS));
    await tell();
    assert.equal(mails.length, 4);
  });

  it('are about no endpoint that only failed now and then, or that is disabled', async () => {
    await insertWebhookEndpoint(test.database, account, { ...failing(ago(2 * HOUR_MS)), nextProbeAt: null });
    await insertWebhookEndpoint(test.database, account, { ...failing(ago(2 * HOUR_MS)), status: 'disabled' });
    await tell();
    assert.equal(mails.length, 0);
  });
});
