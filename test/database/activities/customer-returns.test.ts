import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCustomerReturns } from '../../../activities/customer-returns.ts';
import { createProviderReports } from '../../../activities/provider-reports.ts';
import { attemptIdOf } from '../../../domain/ids.ts';
import { insertCustomerReturn } from '../../../prisma/queries/customer-return.ts';
import { isReturnToken, sealReturnResult } from '../../../vault/customer-return.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertPaymentAttempt } from '../../support/payment-rows.ts';

const OLD_KEY = { id: 'old', bytes: Buffer.alloc(32, 1) };
const NEW_KEY = { id: 'new', bytes: Buffer.alloc(32, 2) };
const KEYRING = createKeyring([OLD_KEY]);
const PUBLIC_URL = 'https://pay.example';

describe('the results with which customers come back', function () {
  this.timeout(60_000);
  const test = useAccount();

  async function insertAttempt(status = 'requires_action', outcome: string | null = null): Promise<string> {
    const paymentIntentId = await test.insertIntent({ status });
    const finishedAt = outcome === null ? null : new Date();
    return insertPaymentAttempt(test.database, paymentIntentId, { outcome, finishedAt });
  }

  const returnOf = (attemptId: string) =>
    createCustomerReturns({ database: test.database, keyring: KEYRING, apiPublicUrl: PUBLIC_URL }).ofAttempt(attemptId);

  async function comeBack(attemptId: string, result: string): Promise<string | undefined> {
    const sealed = sealReturnResult(KEYRING, { attemptId, environment: 'sandbox' }, result);
    return (await test.database.direct.row(insertCustomerReturn(attemptId, sealed)))?.status;
  }

  it('are sent as they first came, as often as the call is repeated, and are not closed after that', async () => {
    const attemptId = await insertAttempt();
    const { begin, close } = returnOf(attemptId);
    assert.deepEqual(await begin(), { status: 'none' });
    assert.equal(await comeBack(attemptId, 'first'), 'returned');
    assert.equal(await comeBack(attemptId, 'second'), 'returned');
    for (let times = 0; times < 2; times += 1) assert.deepEqual(await begin(), { status: 'returned', result: 'first' });
    assert.equal(await close(), false);
    assert.deepEqual(await begin(), { status: 'returned', result: 'first' });
    assert.equal(await comeBack(attemptId, 'third'), 'sent');
  });

  it('are never sent after the attempt was closed, whether the customer comes back before it or after it', async () => {
    for (const isBack of [true, false]) {
      const attemptId = await insertAttempt();
      const { begin, close } = returnOf(attemptId);
      if (isBack) await comeBack(attemptId, 'before');
      for (let times = 0; times < 2; times += 1) assert.equal(await close(), true);
      assert.equal(await comeBack(attemptId, 'after'), 'closed');
      assert.deepEqual(await begin(), { status: 'closed' });
      const row = await test.database.customerReturn.findUniqueOrThrow({ where: { attemptId } });
      assert.deepEqual([row.resultKeyId, row.resultCiphertext], [null, null]);
    }
  });

  it('are either sent or closed where both are tried at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const attemptId = await insertAttempt();
      await comeBack(attemptId, 'result');
      const { begin, close } = returnOf(attemptId);
      const [begun, isClosed] = await Promise.all([begin(), close()]);
      assert.notEqual(begun.status === 'returned', isClosed, `${begun.status}, closed: ${isClosed}`);
    }
  });

  it('of an attempt that nobody knows to wait for its customer are not closed', async () => {
    const unanswered = await insertAttempt('processing');
    assert.equal(await returnOf(unanswered).close(), false);
    assert.equal(await returnOf(attemptIdOf('pi_0123456789abcdef0123456789abcdef', 1)).close(), false);
  });

  it('of an attempt that has ended are neither stored nor sent', async () => {
    const ended = await insertAttempt('canceled', 'canceled');
    assert.equal(await comeBack(ended, 'late'), undefined);
    const attemptId = await insertAttempt();
    await comeBack(attemptId, 'in time');
    const data = { outcome: 'not_charged', finishedAt: new Date() };
    await test.database.paymentAttempt.update({ where: { id: attemptId }, data });
    assert.deepEqual(await returnOf(attemptId).begin(), { status: 'none' });
    assert.equal(await returnOf(attemptId).close(), false);
  });

  it('are sent again after an approval only if they were sent before it', async () => {
    for (const isSent of [true, false]) {
      const attemptId = await insertAttempt();
      await comeBack(attemptId, 'result');
      const { begin, close } = returnOf(attemptId);
      if (isSent) await begin();
      const data = { outcome: 'approved', finishedAt: new Date() };
      await test.database.paymentAttempt.update({ where: { id: attemptId }, data });
      assert.deepEqual(await begin(), isSent ? { status: 'returned', result: 'result' } : { status: 'none' });
      assert.equal(await close(), false);
    }
  });

  it('are no reports of a provider', async () => {
    const attemptId = await insertAttempt();
    const paymentIntentId = attemptId.replace(/^att/, 'pi').replace(/_1$/, '');
    const outcome = { kind: 'pending', providerPaymentId: null, isReturned: true };
    const event = { provider: 'alpha', eventId: `return:${attemptId}`, attemptId, outcome };
    await test.database.providerEvent.create({
      data: { provider: 'alpha', eventId: event.eventId, paymentIntentId, event },
    });
    const attempt = { provider: 'alpha', attemptId, captureMethod: 'automatic' } as const;
    assert.equal(await createProviderReports(test.database).ofAttempt(attempt), null);
  });

  it('come to an address that stays the same, also with another root key before it, and that nobody can guess', async () => {
    const attemptId = await insertAttempt();
    const other = await insertAttempt();
    const { urlOf } = createCustomerReturns({ database: test.database, keyring: KEYRING, apiPublicUrl: PUBLIC_URL });
    const url = urlOf(attemptId) ?? '';
    assert.equal(urlOf(attemptId), url);
    const [, token = ''] = url.split(`${PUBLIC_URL}/returns/${attemptId}/`);
    assert.match(token, /^[\w-]{32}$/);
    assert.ok(isReturnToken(createKeyring([NEW_KEY, OLD_KEY]), attemptId, token));
    assert.ok(!isReturnToken(createKeyring([NEW_KEY]), attemptId, token));
    assert.ok(!isReturnToken(KEYRING, other, token));
    assert.ok(!isReturnToken(KEYRING, attemptId, ''));
    const without = createCustomerReturns({ database: test.database, keyring: KEYRING, apiPublicUrl: null });
    assert.equal(without.urlOf(attemptId), null);
  });
});
