import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import pg from 'pg';
import { reserveRefund } from '../../../../api/resources/refunds/reserve.ts';
import { markDelivered } from '../../../../prisma/queries/provider-event.ts';
import { deleteOld, deletePayments } from '../../../../prisma/queries/purge.ts';
import { purge, type Retention } from '../../../../worker/jobs/purge.ts';
import { attemptIdOf, transactionIdOf } from '../../../../domain/ids.ts';
import { newId } from '../../../../domain/new-id.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/time.ts';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import { type AccountFixture, useAccount } from '../../../support/account-fixture.ts';
import { waitForBlockedStatement } from '../../../support/blocked-statement.ts';
import { insertEvent, insertPaymentAttempt, insertRefund } from '../../../support/payment-rows.ts';

const RETENTION: Retention = {
  eventsDays: 30,
  providerEventsDays: 20,
  paymentsDays: 2_555,
  auditEventsDays: 400,
  requestsDays: 7,
  savedCardsUnusedDays: 730,
};
const { signal } = new AbortController();
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

describe('purge', function () {
  this.timeout(60_000);
  const test = useAccount();

  beforeEach(async () => {
    await purgeEverything();
  });

  async function purgeEverything(): Promise<void> {
    await test.database.event.deleteMany();
    await test.database.providerEvent.deleteMany();
    await test.database.paymentMethod.deleteMany();
    await test.database.paymentMethodCvc.deleteMany();
    await test.database.cardDigest.deleteMany();
    await test.database.paymentOperation.deleteMany();
    await test.database.strayCharge.deleteMany();
    await test.database.paymentIntent.deleteMany();
  }

  const run = (batchSize?: number): Promise<number> => purge(test.database, RETENTION, signal, batchSize);

  it('deletes old events in batches and keeps young ones and those without a number', async () => {
    const intent = await test.insertIntent();
    const row = { merchantAccountId: test.account, paymentIntentId: intent };
    for (let count = 0; count < 7; count += 1) await insertEvent(test.database, { ...row, createdAt: daysAgo(31) });
    const young = await insertEvent(test.database, { ...row, createdAt: daysAgo(29) });
    await numberAndPlan();
    const unnumbered = await insertEvent(test.database, { ...row, createdAt: daysAgo(31) });
    assert.equal(await run(3), 7);
    const left = await test.database.event.findMany({ orderBy: { insertion: 'asc' } });
    assert.deepEqual(
      left.map(({ id }) => id),
      [young, unnumbered],
    );
  });

  async function numberAndPlan(): Promise<void> {
    await test.database.$executeRaw`UPDATE event SET position = insertion, sequence = insertion`;
    await test.database.$executeRaw`UPDATE webhook_cursor SET position = (SELECT max(position) FROM event)`;
    await test.database.$executeRaw`UPDATE statistics_cursor SET position = (SELECT max(position) FROM event)`;
  }

  it('keeps old events that the statistics do not have yet, and deletes statistics with the payments of their time', async () => {
    const { database } = test;
    const paymentIntentId = await test.insertIntent();
    await insertEvent(database, { merchantAccountId: test.account, paymentIntentId, createdAt: daysAgo(31) });
    await numberAndPlan();
    await database.statisticsCursor.updateMany({ data: { position: { decrement: 1n } } });
    const figures = { merchantAccountId: test.account, environment: 'sandbox', period: 'day', currency: 'USD' };
    const names = { kind: 'attempt', outcome: 'approved', provider: 'alpha', method: 'card', country: '', code: '' };
    const [old, young] = [daysAgo(2_556), daysAgo(2_554)];
    for (const startsAt of [old, young]) {
      await database.paymentStatistic.create({
        data: { ...figures, ...names, startsAt, count: 1n, amountMinor: 1_000n },
      });
    }
    await run();
    assert.equal(await database.event.count(), 1);
    assert.deepEqual(
      (await database.paymentStatistic.findMany()).map(({ startsAt }) => startsAt),
      [young],
    );
  });

  it('keeps old events that are not delivered yet, and deletes old deliveries with their attempts', async () => {
    const { database } = test;
    const paymentIntentId = await test.insertIntent();
    const row = { merchantAccountId: test.account, paymentIntentId, createdAt: daysAgo(31) };
    const [pending, delivered] = [await insertEvent(database, row), await insertEvent(database, row)];
    await numberAndPlan();
    for (const [eventId, status] of [
      [pending, 'pending'],
      [delivered, 'delivered'],
    ] as const) {
      const delivery = { environment: 'sandbox', eventType: 'refund.created', position: 1n, createdAt: daysAgo(31) };
      await database.webhookDelivery.create({
        data: {
          ...delivery,
          id: `whd_${status}`,
          eventId,
          status,
          webhookEndpointId: 'whe_1',
          merchantAccountId: test.account,
          attempts: { create: { number: 1, startedAt: daysAgo(31), durationMs: 5 } },
        },
      });
    }
    const unplanned = await insertEvent(database, row);
    await database.$executeRaw`UPDATE event SET position = insertion, sequence = insertion`;
    await run();
    assert.deepEqual(
      [
        (await database.event.findMany({ orderBy: { insertion: 'asc' } })).map(({ id }) => id),
        (await database.webhookDelivery.findMany()).map(({ eventId }) => eventId),
        (await database.webhookAttempt.findMany()).map(({ deliveryId }) => deliveryId),
      ],
      [[pending, unplanned], [pending], ['whd_pending']],
    );
  });

  it('deletes old provider events, payment updates, rate limits and stored responses', async () => {
    const { database } = test;
    for (const [name, days] of [
      ['old', 21],
      ['young', 19],
    ] as const) {
      await database.providerEvent.create({
        data: { provider: 'alpha', eventId: name, paymentIntentId: 'pi_x', event: {}, receivedAt: daysAgo(days) },
      });
      await database.paymentIntentUpdate.create({
        data: { id: name, paymentIntentId: 'pi_x', changes: {}, createdAt: daysAgo(days / 20) },
      });
      await database.rateLimit.create({
        data: { key: name, points: 1, expire: BigInt(Date.now() + (20 - days) * HOUR_MS) },
      });
      await database.idempotencyRecord.create({ data: idempotencyRecord(name, daysAgo(days / 19.5)) });
    }
    const stillWorking = { ...idempotencyRecord('locked', daysAgo(2)), lockedUntil: new Date(Date.now() + HOUR_MS) };
    await database.idempotencyRecord.create({ data: stillWorking });

    assert.equal(await run(), 4);
    assert.deepEqual(
      [
        (await database.providerEvent.findMany()).map(({ eventId }) => eventId),
        (await database.paymentIntentUpdate.findMany()).map(({ id }) => id),
        (await database.rateLimit.findMany()).map(({ key }) => key),
        (await database.idempotencyRecord.findMany()).map(({ key }) => key).sort(),
      ],
      [['young'], ['young'], ['young'], ['locked', 'young']],
    );
  });

  function idempotencyRecord(key: string, createdAt: Date) {
    return {
      merchantAccountId: test.account,
      environment: 'sandbox',
      key,
      fingerprint: 'f',
      resourceId: 'pi_x',
      createdAt,
    };
  }

  async function insertPaymentMethod(paymentIntentId: string, createdAt: Date): Promise<string> {
    const id = newId('paymentMethod');
    await test.database.paymentMethod.create({
      data: {
        id,
        merchantAccountId: test.account,
        environment: 'sandbox',
        paymentIntentId,
        type: 'card',
        masked: { type: 'card', brand: 'visa', last4: '4242' },
        keyId: 'key',
        ciphertext: Buffer.from('number'),
        createdAt,
      },
    });
    await test.database.paymentMethodCvc.create({
      data: { paymentMethodId: id, paymentIntentId, keyId: 'key', ciphertext: Buffer.from('cvc'), createdAt },
    });
    await test.database.cardDigest.create({
      data: { paymentMethodId: id, paymentIntentId, card: 'd1', bin: 'd2', createdAt },
    });
    return id;
  }

  const CARD_CASES = [
    { name: 'keeps the card of an open intent', intent: {}, age: 2, keeps: ['number', 'cvc'] },
    { name: 'erases the CVC of an ended intent', intent: { status: 'failed' }, age: 0.1, keeps: ['number'] },
    {
      name: 'erases the CVC of an overdue intent',
      intent: { status: 'processing', expiresAt: new Date(Date.now() - 2 * HOUR_MS) },
      age: 2,
      keeps: ['number'],
    },
    {
      name: 'erases the card a day after the intent ended',
      intent: { status: 'succeeded', updatedAt: daysAgo(1.1) },
      age: 2,
      keeps: [],
    },
    {
      name: 'keeps the card on the day the intent ended',
      intent: { status: 'succeeded', updatedAt: daysAgo(0.9) },
      age: 2,
      keeps: ['number'],
    },
  ] as const;
  for (const { name, intent, age, keeps } of CARD_CASES) {
    it(name, async () => {
      const id = await insertPaymentMethod(await test.insertIntent(intent), daysAgo(age));
      await run();
      const row = await test.database.paymentMethod.findUniqueOrThrow({ where: { id } });
      const codes = await test.database.paymentMethodCvc.count({ where: { paymentMethodId: id } });
      assert.deepEqual([...(row.ciphertext === null ? [] : ['number']), ...(codes === 0 ? [] : ['cvc'])], keeps);
      const digests = await test.database.cardDigest.count({ where: { paymentMethodId: id } });
      assert.equal(digests, codes, 'the digests of the card last no longer than the intent');
      assert.deepEqual(row.masked, { type: 'card', brand: 'visa', last4: '4242' });
    });
  }

  it('deletes a card that was stored for a payment which was never made, after a day', async () => {
    await insertPaymentMethod(newId('paymentIntent'), daysAgo(1.1));
    const young = await insertPaymentMethod(newId('paymentIntent'), daysAgo(0.9));
    await run();
    for (const rows of [
      (await test.database.paymentMethod.findMany()).map(({ id }) => id),
      (await test.database.paymentMethodCvc.findMany()).map(({ paymentMethodId }) => paymentMethodId),
      (await test.database.cardDigest.findMany()).map(({ paymentMethodId }) => paymentMethodId),
    ]) {
      assert.deepEqual(rows, [young]);
    }
  });

  it('deletes a payment with all its rows, years after it ended', async () => {
    const { database } = test;
    const old = await insertPayment('succeeded', 2_556);
    const younger = await insertPayment('succeeded', 2_554);
    const open = await insertPayment('processing', 2_556);
    await run(1);
    for (const rows of [
      (await database.paymentIntent.findMany()).map(({ id }) => id),
      (await database.paymentAttempt.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.transaction.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.timelineEntry.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.paymentMethod.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.event.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.providerEvent.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.paymentOperation.findMany()).map(({ paymentIntentId }) => paymentIntentId),
      (await database.strayCharge.findMany()).map(({ paymentIntentId }) => paymentIntentId),
    ]) {
      assert.deepEqual(rows.sort(), [younger, open].sort());
      assert.ok(!rows.includes(old));
    }
  });

  async function insertPayment(status: string, days: number): Promise<string> {
    const at = daysAgo(days);
    const id = await test.insertIntent({ status, createdAt: at, updatedAt: at });
    const money = { provider: 'alpha', amountMinor: 1_000n, currency: 'USD' };
    const attemptId = await insertPaymentAttempt(test.database, id, { startedAt: at });
    await test.database.transaction.create({
      data: {
        ...money,
        id: transactionIdOf(id, 1, 'capture'),
        paymentIntentId: id,
        attemptId,
        merchantAccountId: test.account,
        environment: 'sandbox',
        type: 'capture',
        providerPaymentId: 'sim_1',
        createdAt: at,
      },
    });
    await test.database.timelineEntry.create({
      data: { paymentIntentId: id, version: 0, ordinal: 0, kind: 'created', summary: 'Created', at },
    });
    await insertPaymentMethod(id, at);
    await insertEvent(test.database, { merchantAccountId: test.account, paymentIntentId: id });
    await test.database.providerEvent.create({
      data: { provider: 'alpha', eventId: id, paymentIntentId: id, event: {} },
    });
    await insertOperation(`confirm of ${id}`, { paymentIntentId: id });
    await insertStrayCharge(attemptId, { paymentIntentId: id, status: 'reversed' });
    return id;
  }

  const insertOperation = (id: string, row: Partial<Prisma.PaymentOperationUncheckedCreateInput>) =>
    test.database.paymentOperation.create({ data: { kind: 'confirm', paymentIntentId: 'pi_x', ...row, id } });

  const insertStrayCharge = async (attemptId: string, row: Partial<Prisma.StrayChargeUncheckedCreateInput>) =>
    test.database.strayCharge.create({
      data: {
        paymentIntentId: row.paymentIntentId ?? (await test.insertIntent()),
        merchantAccountId: test.account,
        environment: 'sandbox',
        provider: 'alpha',
        ...row,
        attemptId,
      },
    });

  it('deletes the results with which customers came back after a day, but none of an open payment', async () => {
    const { customerReturn } = test.database;
    const [open, ended] = [
      await test.insertIntent({ status: 'processing' }),
      await test.insertIntent({ status: 'succeeded' }),
    ];
    for (const [attempt, paymentIntentId, days] of [
      ['old, open', open, 2],
      ['old, ended', ended, 2],
      ['young, ended', ended, 0],
    ] as const) {
      const row = { paymentIntentId, status: 'sent', createdAt: daysAgo(days) };
      await customerReturn.create({ data: { attemptId: attempt, ...row } });
    }
    await run();
    const left = await customerReturn.findMany({ orderBy: { attemptId: 'asc' } });
    assert.deepEqual(
      left.map(({ attemptId }) => attemptId),
      ['old, open', 'young, ended'],
    );
  });

  it('deletes no report of a provider about an open payment, because inquiries and captures read it', async () => {
    const { providerEvent } = test.database;
    const [held, ended] = [
      await test.insertIntent({ status: 'requires_capture' }),
      await test.insertIntent({ status: 'succeeded' }),
    ];
    for (const [eventId, paymentIntentId] of [
      ['of a hold', held],
      ['of an ended payment', ended],
    ] as const) {
      await providerEvent.create({
        data: { provider: 'alpha', eventId, paymentIntentId, event: {}, receivedAt: daysAgo(21) },
      });
    }
    await run();
    const left = await providerEvent.findMany();
    assert.deepEqual(
      left.map(({ eventId }) => eventId),
      ['of a hold'],
    );
  });

  it('deletes operations 30 days after they began, but none that an open payment still has to answer', async () => {
    const [open, ended] = [
      await test.insertIntent({ status: 'requires_capture' }),
      await test.insertIntent({ status: 'canceled' }),
    ];
    const result = { status: 'succeeded', error: null };
    const old = { createdAt: daysAgo(31) };
    await insertOperation('young', { createdAt: daysAgo(29), paymentIntentId: ended, result });
    await insertOperation('old, of an ended payment', { ...old, paymentIntentId: ended });
    await insertOperation('old, answered', { ...old, paymentIntentId: open, result });
    await insertOperation('old, of a payment that is gone', old);
    await insertOperation('old, unanswered', { ...old, paymentIntentId: open });
    assert.equal(await run(2), 3);
    const left = await test.database.paymentOperation.findMany();
    assert.deepEqual(left.map(({ id }) => id).sort(), ['old, unanswered', 'young']);
  });

  it('deletes old reconciliation runs, but keeps the last completed one of each provider', async () => {
    const { reconciliationRun } = test.database;
    const completed = { provider: 'alpha', isContinuous: true, status: 'completed' };
    for (const [id, days, row] of [
      ['completed', 33, {}],
      ['completed last', 32, {}],
      ['of another time', 31, { isContinuous: false }],
      ['failed', 31, { status: 'failed' }],
      ['failed of late', 29, { status: 'failed' }],
      ['of another provider', 40, { provider: 'beta' }],
    ] as const) {
      const window = { startedAt: daysAgo(days), windowFrom: daysAgo(days + 1), windowTo: daysAgo(days) };
      await reconciliationRun.create({ data: { ...completed, ...window, ...row, id } });
    }
    assert.equal(await run(2), 3);
    const left = await reconciliationRun.findMany({ orderBy: { startedAt: 'asc' } });
    assert.deepEqual(
      left.map(({ id }) => id),
      ['of another provider', 'completed last', 'failed of late'],
    );
  });

  it('deletes stray charges that have ended as late as payments', async () => {
    const keepDays = RETENTION.paymentsDays;
    for (const [id, status, days] of [
      ['reversed long ago', 'reversed', keepDays + 1],
      ['unfounded long ago', 'unfounded', keepDays + 1],
      ['to be returned by hand', 'failed', keepDays + 1],
      ['to be reversed for long', 'pending', keepDays + 1],
      ['reversed of late', 'reversed', keepDays - 1],
    ] as const) {
      await insertStrayCharge(id, { status, createdAt: daysAgo(keepDays + 10), updatedAt: daysAgo(days) });
    }
    assert.equal(await run(), 2);
    const left = await test.database.strayCharge.findMany();
    assert.deepEqual(left.map(({ attemptId }) => attemptId).sort(), [
      'reversed of late',
      'to be returned by hand',
      'to be reversed for long',
    ]);
  });

  it('keeps an old payment while a stray charge of it is not reversed', async () => {
    const old = { status: 'canceled', updatedAt: daysAgo(RETENTION.paymentsDays + 1) };
    const id = await test.insertIntent(old);
    await insertStrayCharge('att_1', { paymentIntentId: id });
    await run();
    assert.equal(await test.database.paymentIntent.count({ where: { id } }), 1);
    await test.database.strayCharge.updateMany({ data: { status: 'reversed' } });
    await run();
    assert.equal(await test.database.paymentIntent.count({ where: { id } }), 0);
    assert.equal(await test.database.strayCharge.count(), 0);
  });

  for (const [rows, index] of [
    ['operations', 'payment_operation_created_at_idx'],
    ['stray_charges', 'stray_charge_updated_at_idx'],
  ] as const) {
    it(`finds by an index what is old: ${rows}`, async () => {
      const [, plan] = await test.database.$transaction([
        test.database.$executeRaw`SET LOCAL enable_seqscan = off`,
        test.database.$queryRaw`EXPLAIN ${deleteOld({ rows, keepDays: 30 }, 500)}`,
      ]);
      assert.match(JSON.stringify(plan), new RegExp(index));
    });
  }

  it('deletes nonces once no request with them can be accepted', async () => {
    const minute = 1 / 1_440;
    for (const [nonce, createdAt] of [
      ['old', daysAgo(61 * minute)],
      ['young', daysAgo(59 * minute)],
    ] as const) {
      await test.database.requestNonce.create({ data: { apiKeyId: 'key_1', nonce, createdAt } });
    }
    assert.equal(await run(), 1);
    assert.deepEqual(
      (await test.database.requestNonce.findMany()).map(({ nonce }) => nonce),
      ['young'],
    );
  });

  it('deletes API keys 90 days after nobody could use them any more', async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
    for (const [id, revokedAt, expiresAt] of [
      ['revoked long ago', daysAgo(91), null],
      ['expired long ago', null, daysAgo(91)],
      ['expired long ago, revoked since', daysAgo(1), daysAgo(91)],
      ['just revoked', daysAgo(89), daysAgo(-1)],
      ['just expired', null, daysAgo(89)],
      ['to expire', null, daysAgo(-1)],
      ['for ever', null, null],
    ] as const) {
      const owner = { merchantId, merchantAccountId: test.account, environment: 'sandbox' };
      const hashes = { prefix: 'svc', keyHash: id, saltHash: 'salt' };
      await test.database.apiKey.create({ data: { ...owner, ...hashes, id, name: 'Key', revokedAt, expiresAt } });
    }
    assert.equal(await run(2), 3);
    const left = await test.database.apiKey.findMany({ where: { merchantAccountId: test.account } });
    assert.deepEqual(left.map(({ id }) => id).sort(), ['for ever', 'just expired', 'just revoked', 'to expire']);
  });

  for (const [how, noteCharge] of [
    ['its workflow', (id: string) => test.store.noteStrayCharge(chargeOf(id))],
    ['the sweeper', (id: string) => test.database.direct.rows(markDelivered({ provider: 'alpha', eventId: id }))],
  ] as const) {
    it(`keeps an old payment of which ${how} records a stray charge while it looks for old payments`, async () => {
      const id = await test.insertIntent({ status: 'canceled', updatedAt: daysAgo(RETENTION.paymentsDays + 1) });
      const { attemptId } = chargeOf(id);
      await insertPaymentAttempt(test.database, id, { outcome: 'not_charged' });
      const event = { attemptId, outcome: { kind: 'approved', captured: true } };
      await test.database.providerEvent.create({
        data: { provider: 'alpha', eventId: id, paymentIntentId: id, event },
      });
      const statement = deletePayments({ keepDays: RETENTION.paymentsDays, limit: 10 });
      await pausedAtFirstRow(test, statement, () => noteCharge(id));
      assert.equal(await test.database.strayCharge.count({ where: { attemptId, status: 'pending' } }), 1);
    });
  }

  const chargeOf = (paymentIntentId: string) => ({ paymentIntentId, attemptId: attemptIdOf(paymentIntentId, 1) });

  it('deletes the other rows where those of one kind cannot be deleted', async () => {
    const { database } = test;
    await database.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused'; END $$`;
    await database.$executeRaw`CREATE TRIGGER refuse BEFORE DELETE ON request_nonce EXECUTE FUNCTION refuse()`;
    const old = await test.insertIntent({ status: 'succeeded', updatedAt: daysAgo(RETENTION.paymentsDays + 1) });
    try {
      await assert.rejects(run(), (error: Error) => /refused/.test(String(error.cause)));
      assert.equal(await database.paymentIntent.count({ where: { id: old } }), 0);
    } finally {
      await database.$executeRaw`DROP FUNCTION refuse CASCADE`;
    }
  });

  it('keeps an old payment while a refund of it is pending', async () => {
    const old = { status: 'succeeded', updatedAt: daysAgo(RETENTION.paymentsDays + 1) };
    const kept = await test.insertIntent(old);
    const gone = await test.insertIntent(old);
    await insertRefund(test.database, kept);
    await insertRefund(test.database, gone, { status: 'failed' });
    await run();
    const left = await test.database.paymentIntent.findMany({ where: { id: { in: [kept, gone] } } });
    assert.deepEqual(
      left.map(({ id }) => id),
      [kept],
    );
    assert.equal(await test.database.refund.count({ where: { paymentIntentId: gone } }), 0);
  });

  it('keeps an old payment of which a refund is reserved while it looks for old payments', async () => {
    const updatedAt = daysAgo(RETENTION.paymentsDays + 1);
    const id = await test.insertIntent({ status: 'succeeded', amountCapturedMinor: 1_000n, updatedAt });
    const atProvider = { provider: 'alpha', providerPaymentId: 'sim_1' };
    const capture = { transactionId: 'txn_1', paymentIntentId: id, attemptId: 'att_1', ...atProvider };
    const account = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const refund = { id: newId('refund'), account, capture, amountMinor: null };
    const statement = deletePayments({ keepDays: RETENTION.paymentsDays, limit: 10 });
    await pausedAtFirstRow(test, statement, () =>
      reserveRefund(test.database, { ...refund, reason: null, reference: null, metadata: {}, author: null }),
    );
    assert.equal(await test.database.refund.count({ where: { id: refund.id } }), 1);
  });
});

const LOCK = 4_711;

/** Runs a statement that stops at the first row that it looks at, after its snapshot was taken, until `work` is done. */
async function pausedAtFirstRow(
  { url, database }: AccountFixture,
  statement: Prisma.Sql,
  work: () => Promise<unknown>,
): Promise<void> {
  const [holder, client] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  await Promise.all([holder.connect(), client.connect()]);
  try {
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    // It hides PostgreSQL's function of that name, which the purge computes ages with.
    await client.query(`CREATE SCHEMA paused;
      CREATE FUNCTION paused.make_interval(secs float8) RETURNS interval LANGUAGE plpgsql VOLATILE AS $$ BEGIN
        PERFORM pg_advisory_lock(${LOCK}), pg_advisory_unlock(${LOCK});
        RETURN secs * interval '1 second';
      END $$;
      SET search_path = paused, pg_catalog, public`);
    const running = client.query(statement.text, statement.values);
    await waitForBlockedStatement(database);
    await work();
    await holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    await running;
  } finally {
    await Promise.all([holder.end(), client.end()]);
    await database.$executeRaw`DROP SCHEMA IF EXISTS paused CASCADE`;
  }
}
