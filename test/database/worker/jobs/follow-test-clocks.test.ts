import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import { followTestClocks } from '../../../../worker/jobs/follow-test-clocks.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../support/payment-rows.ts';

const { signal } = new AbortController();
const SECONDS = 90;
const PASS_MS = 50;

describe('the follower of test clocks', function () {
  this.timeout(MINUTE_MS);
  const test = useAccount();

  beforeEach(async () => {
    await test.database.testClock.deleteMany();
    await test.database.paymentIntent.deleteMany();
  });

  const clockOf = (merchantAccountId: string) =>
    test.database.testClock.findUniqueOrThrow({
      where: { merchantAccountId_environment: { merchantAccountId, environment: 'sandbox' } },
    });

  async function advance(merchantAccountId = test.account): Promise<void> {
    const now = new Date();
    const owner = { merchantAccountId, environment: 'sandbox' };
    const times = { lastAdvanceId: 'one', advancedAt: now, nextPassAt: now };
    await test.database.testClock.create({ data: { ...owner, ...times, advancedSeconds: SECONDS } });
  }

  /** Makes one pass. @returns the payments that were asked to follow, in their order */
  async function pass(follow: (id: string) => Promise<void>): Promise<string[]> {
    const asked: string[] = [];
    const followTestClock = (id: string): Promise<void> => {
      asked.push(id);
      return follow(id);
    };
    await followTestClocks({ database: test.database, workflows: { followTestClock } }, signal);
    return asked.sort();
  }

  async function follow(id: string): Promise<void> {
    await test.database.paymentIntent.update({ where: { id }, data: { testClockSeconds: SECONDS } });
  }

  it('asks the open payments of the account that are behind, page by page, and then no more', async () => {
    const behind = await Promise.all(Array.from({ length: 201 }, () => test.insertIntent()));
    await test.insertIntent({ status: 'succeeded' });
    await test.insertIntent({ testClockSeconds: SECONDS });
    const other = await insertMerchantAccount(test.database);
    await insertPaymentIntent(test.database, other);
    await advance();

    assert.deepEqual(await pass(follow), behind.sort());
    assert.equal((await clockOf(test.account)).nextPassAt, null);
    assert.deepEqual(await pass(follow), []);
  });

  for (const [reason, answer] of [
    ['a payment has not followed', () => Promise.resolve()],
    ['Temporal does not answer', () => Promise.reject(new TemporalUnavailableError(new Error('no connection')))],
  ] as const) {
    it(`makes another pass later if ${reason}`, async () => {
      const id = await test.insertIntent();
      await advance();
      const begunMs = Date.now();
      await pass(answer).catch((error: unknown) => assert.ok(error instanceof TemporalUnavailableError));
      const { nextPassAt } = await clockOf(test.account);
      assert.ok(nextPassAt !== null && nextPassAt.getTime() > begunMs);
      await test.database.testClock.updateMany({ data: { nextPassAt: new Date(begunMs) } });
      assert.deepEqual(await pass(follow), [id]);
      assert.equal((await clockOf(test.account)).nextPassAt, null);
    });
  }

  it('lets other clocks have their pass before it goes on with very many payments', async () => {
    await Promise.all(Array.from({ length: 20 }, () => test.insertIntent()));
    const other = await insertMerchantAccount(test.database);
    const ofOther = await insertPaymentIntent(test.database, other);
    await advance();
    const asked: string[] = [];
    const followTestClock = async (id: string): Promise<void> => {
      asked.push(id);
      await follow(id);
      await sleep(2 * PASS_MS);
    };
    const makePass = () =>
      followTestClocks({ database: test.database, workflows: { followTestClock } }, signal, PASS_MS);
    await makePass();
    assert.equal(asked.length, 10);
    await advance(other);
    await test.database.testClock.update({
      where: { merchantAccountId_environment: { merchantAccountId: other, environment: 'sandbox' } },
      data: { nextPassAt: new Date(0) },
    });
    await makePass();
    assert.equal(asked.at(-1), ofOther);
    await makePass();
    assert.equal(asked.length, 21);
  });

  it('makes another pass if the clock was advanced during one', async () => {
    const id = await test.insertIntent();
    await advance();
    await pass(async () => {
      await follow(id);
      await test.database.testClock.updateMany({ data: { advancedSeconds: 2 * SECONDS, nextPassAt: new Date() } });
    });
    assert.deepEqual(await pass(() => Promise.resolve()), [id]);
  });
});
