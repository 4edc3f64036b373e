import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import {
  type Claim,
  claimDue,
  type ClaimOptions,
  type DueTable,
  settleDue,
} from '../../../../worker/jobs/claim-due.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../../../support/payment-rows.ts';

const ago = (ms: number): Date => new Date(Date.now() - ms);

describe('due rows', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    account = await insertMerchantAccount(test.database);
  });
  after(() => test.close());
  beforeEach(() => test.database.paymentIntent.deleteMany());

  const claimsOf = (options: Partial<ClaimOptions> = {}): Promise<Claim[]> => {
    const defaults = { table: 'payment_intent', since: 'status_since', columns: Prisma.sql`NULL`, limit: 10 } as const;
    return claimDue<object>(test.database, { ...defaults, ...options });
  };
  const claim = async (options?: Partial<ClaimOptions>): Promise<string[]> =>
    (await claimsOf(options)).map(({ dueKey }) => dueKey);
  const dueInMs = async (id: string): Promise<number> => {
    const { nextDueAt } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    return (nextDueAt?.getTime() ?? Number.NaN) - Date.now();
  };
  const assertAbout = (actualMs: number, expectedMs: number): void =>
    assert.ok(Math.abs(actualMs - expectedMs) < 5 * SECOND_MS, `${actualMs} ms instead of ${expectedMs} ms`);

  it('are claimed once; others are not claimed', async () => {
    const due = await insertPaymentIntent(test.database, account, { nextDueAt: ago(1) });
    await insertPaymentIntent(test.database, account, { nextDueAt: new Date(Date.now() + MINUTE_MS) });
    await insertPaymentIntent(test.database, account, { nextDueAt: null });
    assert.deepEqual(await claim(), [due]);
    assert.deepEqual(await claim(), []);
  });

  it('are claimed in batches, the longest overdue first', async () => {
    const ids: string[] = [];
    for (const minutes of [1, 3, 2]) {
      ids.push(await insertPaymentIntent(test.database, account, { nextDueAt: ago(minutes * MINUTE_MS) }));
    }
    const [latest = '', longest = '', middle = ''] = ids;
    assert.deepEqual((await claim({ limit: 2 })).sort(), [longest, middle].sort());
    assert.deepEqual(await claim({ limit: 2 }), [latest]);
  });

  it('go to different workers that claim at the same time', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, () => insertPaymentIntent(test.database, account, { nextDueAt: ago(1) })),
    );
    const portions = await Promise.all(Array.from({ length: 4 }, () => claim({ limit: 10 })));
    const rest = await claim({ limit: 40 });
    assert.deepEqual([...portions.flat(), ...rest].sort(), all.sort());
  });

  it('are skipped while another worker has locked them', async () => {
    const [held, free] = [
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(2) }),
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(1) }),
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
    it(`become due again after ${pauseMs / SECOND_MS} s if they have not changed for ${age}`, async () => {
      const id = await insertPaymentIntent(test.database, account, { nextDueAt: ago(1), statusSince: ago(ageMs) });
      assert.deepEqual(await claim(), [id]);
      assertAbout(await dueInMs(id), pauseMs);
    });
  }

  it('do not become due again once their checks have ended', async () => {
    const [settled, other] = [
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(2) }),
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(1) }),
    ];
    await settleDue(test.database, 'payment_intent', await claimsOf({ limit: 1 }));
    assert.equal(await dueInMs(settled), Number.NaN);
    assert.deepEqual(await claim(), [other]);
  });

  it('stay due if they became due again during the check', async () => {
    const [settled, again] = [
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(1) }),
      await insertPaymentIntent(test.database, account, { nextDueAt: ago(1) }),
    ];
    const claims = await claimsOf();
    await test.database.$executeRaw`UPDATE payment_intent SET next_due_at = now() WHERE id = ${again}`;
    await settleDue(test.database, 'payment_intent', claims);
    assert.equal(await dueInMs(settled), Number.NaN);
    assert.deepEqual(await claim(), [again]);
  });

  it('may be refunds, and stray charges by the ids of their attempts', async () => {
    const intent = await insertPaymentIntent(test.database, account, { status: 'succeeded' });
    const refund = await insertRefund(test.database, intent, { nextDueAt: ago(1) });
    const charge = { paymentIntentId: intent, merchantAccountId: account, environment: 'sandbox', provider: 'alpha' };
    await test.database.strayCharge.create({ data: { ...charge, attemptId: 'att_1', nextDueAt: ago(1) } });
    assert.deepEqual(await claim({ table: 'refund', since: 'created_at' }), [refund]);
    const claims = await claimsOf({ table: 'stray_charge', since: 'created_at' });
    assert.deepEqual(
      claims.map(({ dueKey }) => dueKey),
      ['att_1'],
    );
    await settleDue(test.database, 'stray_charge', claims);
    const row = await test.database.strayCharge.findUniqueOrThrow({ where: { attemptId: 'att_1' } });
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
