import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'mocha';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { sequenceEvents } from '../../../worker/jobs/event-sequencer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { insertEvent, insertMerchantAccount, insertPaymentIntent } from '../../support/payment-rows.ts';
import { type RunningGateway, startGateway } from '../../support/running-gateway.ts';

describe('sockets of pages', function () {
  this.timeout(MINUTE_MS);
  let test: TestDatabase;
  let gateway: RunningGateway;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    gateway = await startGateway(test, {
      limits: { checkRevocationsEveryMs: 20 },
      isSafeForProduction: ({ headers }) => headers['x-forwarded-proto'] === 'https',
    });
  });
  after(async () => {
    await gateway.stop();
    await test.close();
  });
  beforeEach(async () => {
    account = await insertMerchantAccount(test.database);
  });

  async function insertIntent(fields: { status?: string; statusSince?: Date; environment?: string } = {}) {
    const clientSecret = `secret ${randomUUID()}`;
    const clientSecretHash = createHash('sha256').update(clientSecret).digest('hex');
    return { id: await insertPaymentIntent(test.database, account, { clientSecretHash, ...fields }), clientSecret };
  }

  const suspend = () => test.database.merchantAccount.update({ where: { id: account }, data: { status: 'suspended' } });

  it('are refused for a live payment over plain HTTP, and accepted over HTTPS', async () => {
    await test.database.merchantAccount.update({ where: { id: account }, data: { environment: 'production' } });
    const { clientSecret } = await insertIntent({ environment: 'production' });
    assert.equal(await (await gateway.watch(clientSecret)).closed, 4403);
    const secure = await gateway.connect({ headers: { 'X-Forwarded-Proto': 'https' } });
    secure.send({ type: 'subscribe', clientSecret });
    assert.equal((await secure.next())['type'], 'ready');
  });

  it('are refused for a suspended account', async () => {
    const { clientSecret } = await insertIntent();
    await suspend();
    assert.equal(await (await gateway.watch(clientSecret)).closed, 4403);
  });

  it('are closed when the account is suspended', async () => {
    const { clientSecret } = await insertIntent();
    const client = await gateway.watch(clientSecret);
    assert.equal((await client.next())['type'], 'ready');
    await suspend();
    assert.equal(await client.closed, 4403);
  });

  it('watch an ended payment for a day', async () => {
    const endedAt = (agoMs: number) => ({ status: 'succeeded', statusSince: new Date(Date.now() - agoMs) });
    const recent = await insertIntent(endedAt(DAY_MS - MINUTE_MS));
    assert.equal((await (await gateway.watch(recent.clientSecret)).next())['status'], 'succeeded');
    const old = await insertIntent(endedAt(DAY_MS));
    assert.equal(await (await gateway.watch(old.clientSecret)).closed, 4401);
  });

  it('are closed a day after the end that they were told of', async () => {
    const { id, clientSecret } = await insertIntent();
    const client = await gateway.watch(clientSecret);
    await client.next();
    await insertEvent(test.database, {
      merchantAccountId: account,
      paymentIntentId: id,
      type: 'payment_intent.succeeded',
      status: 'succeeded',
      createdAt: new Date(Date.now() - DAY_MS),
    });
    await sequenceEvents(test.database);
    assert.equal(await client.closed, 4403);
  });
});
