import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import {
  type Claim,
  claimDuePayments,
  claimDueRefunds,
  claimDueStrayCharges,
  type ClaimOrder,
  type DueTable,
  clearDue,
  SHARE_PER_ACCOUNT,
} from '../../../../prisma/queries/due.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../../../support/payment-rows.ts';
import { opening, record } from '../../../support/payment-steps.ts';

const ago = (ms: number): Date => new Date(Date.now() - ms);

describe('due rows', function () {
  this.timeout(60_000);
  const test = useAccount();

  beforeEach(() => test.database.paymentIntent.deleteMany());

  const claimPayments = (limit = 10, order: ClaimOrder = 'oldest'): Promise<Claim[]> =>
    test.database.direct.rows(claimDuePayments(limit, order));
  const claim = async (limit?: number): Promise<string[]> => keysOf(await claimPayments(limit));
  const keysOf = (claims: readonly Claim[]): string[] => claims.map(({ dueKey }) => dueKey);
  const clear = (table: DueTable, claims: readonly Claim[]) => test.database.direct.execute(clearDue(table, claims));
  const dueInMs = async (id: string): Promise<number> => {
    const { nextDueAt } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    return (nextDueAt?.getTime() ?? Number.NaN) - Date.now();
  };
  const assertAbout = (actualMs: number, expectedMs: number): void =>
    assert.ok(Math.abs(actualMs - expectedMs) < 5 * SECOND_MS, `${actualMs} ms instead of ${expectedMs} ms`);

  it('are claimed once, and those that are not due not at all', async () => {
    const due = await test.insertIntent({ nextDueAt: ago(1) });
    await test.insertIntent({ nextDueAt: new Date(Date.now() + MINUTE_MS) });
    await test.insertIntent({ nextDueAt: null });
    assert.deepEqual(await claim(), [due]);
    assert.deepEqual(await claim(), []);
  });

  it('are claimed in batches, the longest overdue first', async () => {
    const ids: string[] = [];
    for (const minutes of [1, 3, 2]) {
      ids.push(await test.insertIntent({ nextDueAt: ago(minutes * MINUTE_MS) }));
    }
    const [latest = '', longest = '', middle = ''] = ids;
    assert.deepEqual((await claim(2)).sort(), [longest, middle].sort());
    assert.deepEqual(await claim(2), [latest]);
  });

  it('are claimed in turn for each account where one has very many, also by concurrent workers', async () => {
    for (let number = 0; number < 2 * SHARE_PER_ACCOUNT; number += 1)
      await test.insertIntent({ nextDueAt: ago(MINUTE_MS) });
    const other = await insertMerchantAccount(test.database);
    const ofOther = await insertPaymentIntent(test.database, other, { nextDueAt: ago(1) });
    assert.ok(!(await claim(5)).includes(ofOther));
    const portions = await Promise.all([claimPayments(4, 'by_account'), claimPayments(4, 'by_account')]);
    assert.ok(keysOf(portions.flat()).includes(ofOther));
    assert.equal(new Set(keysOf(portions.flat())).size, portions.flat().length);
    assert.equal((await claimPayments(100, 'by_account')).length, SHARE_PER_ACCOUNT);
  });

  it('are claimed in turn for each account where they are refunds or stray charges, too', async () => {
    const { database } = test;
    const other = await insertMerchantAccount(database);
    const owners = [test.account, test.account, test.account, other];
    const refunds: string[] = [];
    const attempts: string[] = [];
    for (const [index, merchantAccountId] of owners.entries()) {
      const nextDueAt = ago((owners.length - index) * MINUTE_MS);
      const paymentIntentId = await insertPaymentIntent(database, merchantAccountId);
      const attemptId = attemptIdOf(paymentIntentId, 1);
      const owner = { paymentIntentId, merchantAccountId, environment: 'sandbox' };
      refunds.push(await insertRefund(database, paymentIntentId, { nextDueAt }));
      await database.strayCharge.create({ data: { ...owner, attemptId, provider: 'alpha', nextDueAt } });
      attempts.push(attemptId);
    }
    const firstOfEach = (keys: readonly string[]) => [keys[0], keys.at(-1)].sort();
    const claimed = await test.database.direct.rows(claimDueRefunds(2, 'by_account'));
    assert.deepEqual(keysOf(claimed).sort(), firstOfEach(refunds));
    const charges = await test.database.direct.rows(claimDueStrayCharges(2, 'by_account'));
    assert.deepEqual(keysOf(charges).sort(), firstOfEach(attempts));
  });

  it('go to different workers that claim at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => test.insertIntent({ nextDueAt: ago(1) })));
    const portions = await Promise.all(Array.from({ length: 4 }, () => claim(10)));
    const rest = await claim(40);
    assert.deepEqual([...portions.flat(), ...rest].sort(), all.sort());
  });

  it('are skipped while another worker has locked them', async () => {
    const [held, free] = [
      await test.insertIntent({ nextDueAt: ago(2) }),
      await test.insertIntent({ nextDueAt: ago(1) }),
    ];
    await test.database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT id FROM payment_intent WHERE id = ${held} FOR UPDATE`;
      assert.deepEqual(await claim(), [free]);
    });
  });

  for (const [age, ageMs, pauseMs] of [
    ['a moment', 0, 20 * SECOND_MS],
    ['30 s', 30 * SECOND_MS, 20 * SECOND_MS],
    ['2 minutes', 2 * MINUTE_MS, MINUTE_MS],
    ['20 minutes', 20 * MINUTE_MS, 10 * MINUTE_MS],
    ['a week', 7 * 24 * 60 * MINUTE_MS, 15 * MINUTE_MS],
  ] as const) {
    it(`are looked at again ${pauseMs / SECOND_MS} s later where they have been as they are for ${age}`, async () => {
      const id = await test.insertIntent({ nextDueAt: ago(1), updatedAt: ago(ageMs) });
      assert.deepEqual(await claim(), [id]);
      assertAbout(await dueInMs(id), pauseMs);
    });
  }

  it('are looked at when a deadline of theirs is three minutes ago: an expiry, or the lapse of a hold', async () => {
    const week = { nextDueAt: ago(1), updatedAt: ago(7 * 24 * 60 * MINUTE_MS) };
    const soon = new Date(Date.now() + MINUTE_MS);
    const due = [
      await test.insertIntent({ ...week, status: 'requires_action', expiresAt: soon }),
      await test.insertIntent({ ...week, status: 'requires_capture', expiresAt: ago(MINUTE_MS), captureBefore: soon }),
    ];
    const late = { ...week, status: 'requires_capture', captureBefore: ago(4 * MINUTE_MS) };
    const overdue = await test.insertIntent(late);
    await claim();
    for (const id of due) assertAbout(await dueInMs(id), 4 * MINUTE_MS);
    assertAbout(await dueInMs(overdue), 15 * MINUTE_MS);
  });

  it('do not become due again once their checks have ended', async () => {
    const [finished, other] = [
      await test.insertIntent({ nextDueAt: ago(2) }),
      await test.insertIntent({ nextDueAt: ago(1) }),
    ];
    await clear('payment_intent', await claimPayments(1));
    assert.equal(await dueInMs(finished), Number.NaN);
    assert.deepEqual(await claim(), [other]);
  });

  it('stay due if they became due again during the check', async () => {
    const [finished, again] = [
      await test.insertIntent({ nextDueAt: ago(1) }),
      await test.insertIntent({ nextDueAt: ago(1) }),
    ];
    const claims = await claimPayments();
    await test.database.$executeRaw`UPDATE payment_intent SET next_due_at = now() WHERE id = ${again}`;
    await clear('payment_intent', claims);
    assert.equal(await dueInMs(finished), Number.NaN);
    assert.deepEqual(await claim(), [again]);
  });

  it('include a stray charge whose attempt was deleted, without the attempt', async () => {
    const paymentIntentId = await test.insertIntent();
    const attemptId = attemptIdOf(paymentIntentId, 9);
    const owner = { paymentIntentId, merchantAccountId: test.account, environment: 'sandbox' };
    await test.database.strayCharge.create({ data: { ...owner, attemptId, provider: 'alpha', nextDueAt: ago(1) } });
    const claims = await test.database.direct.rows(claimDueStrayCharges(10, 'oldest'));
    assert.deepEqual(
      claims.map(({ dueKey, attempt }) => [dueKey, attempt]),
      [[attemptId, null]],
    );
    await clear('stray_charge', claims);
  });

  it('may be refunds, and stray charges by their attempts', async () => {
    const paymentIntentId = await test.insertIntent();
    await record(test.database, paymentIntentId, opening(paymentIntentId));
    const refund = await insertRefund(test.database, paymentIntentId, { nextDueAt: ago(1) });
    const attemptId = attemptIdOf(paymentIntentId, 1);
    const owner = { paymentIntentId, merchantAccountId: test.account, environment: 'sandbox' };
    await test.database.strayCharge.create({ data: { ...owner, attemptId, provider: 'alpha', nextDueAt: ago(1) } });
    assert.deepEqual(keysOf(await test.database.direct.rows(claimDueRefunds(10, 'oldest'))), [refund]);
    const claims = await test.database.direct.rows(claimDueStrayCharges(10, 'oldest'));
    assert.deepEqual(keysOf(claims), [attemptId]);
    await clear('stray_charge', claims);
    const row = await test.database.strayCharge.findUniqueOrThrow({ where: { attemptId } });
    assert.equal(row.nextDueAt, null);
  });

  for (const [table, index] of [
    ['payment_intent', 'payment_intent_due_idx'],
    ['refund', 'refund_due_idx'],
    ['stray_charge', 'stray_charge_due_idx'],
  ] as const satisfies readonly (readonly [DueTable, string])[]) {
    it(`are found by an index: ${table}`, async () => {
      const [, plan] = await test.database.$transaction([
        test.database.$executeRaw`SET LOCAL enable_seqscan = off`,
        test.database.$queryRaw`
          EXPLAIN SELECT next_due_at FROM ${Prisma.raw(table)} WHERE next_due_at <= now()
          ORDER BY next_due_at LIMIT 10 FOR UPDATE SKIP LOCKED`,
      ]);
      assert.match(JSON.stringify(plan), new RegExp(index));
      assert.doesNotMatch(JSON.stringify(plan), /Sort/);
    });
  }
});
