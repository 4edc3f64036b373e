import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { COUNTED_ROWS } from '../../../../../accounts/lists.ts';
import { listIntents } from '../../../../../api/resources/payment-intents/stored-intent.ts';
import {
  type ListPaymentIntents,
  listPaymentIntentsQuery,
} from '../../../../../contract/schemas/payment-intent-requests.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { createPaymentStore } from '../../../../../prisma/stores/payment-store.ts';
import { useTestDatabase } from '../../../../support/database.ts';
import { fillPaymentIntents } from '../../../../support/filled-intents.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../../support/payment-rows.ts';
import { opening, record, recordRetry, secondAttemptOf } from '../../../../support/payment-steps.ts';
import { queryPlansOf } from '../../../../support/query-plans.ts';

const FEW = 45;
const MANY = COUNTED_ROWS + 4_000;

describe('lists of payment intents', function () {
  this.timeout(120_000);
  const test = useTestDatabase();
  let few: { merchantAccountId: string; environment: 'sandbox' };
  let many: typeof few;

  before(async () => {
    [few, many] = await Promise.all([fill(FEW), fill(MANY)]);
    // As many payments have other codes, so that the index is worth reading.
    await test.database.$executeRaw`
      INSERT INTO payment_error_code (id, code, merchant_account_id, created_at)
      SELECT id, 'CODE_' || n, merchant_account_id, created_at FROM payment_intent, generate_series(1, 5) AS n`;
    await test.database.$executeRaw`VACUUM ANALYZE payment_intent, metadata_pair, payment_error_code, payment_card`;
  });

  async function fill(count: number): Promise<typeof few> {
    const merchantAccountId = await insertMerchantAccount(test.database);
    await fillPaymentIntents(test.database, { merchantAccountId, count });
    return { merchantAccountId, environment: 'sandbox' };
  }

  const list = (owner: typeof few, query: Query = {}) => listIntents(test.database, owner, parse(query));

  it('find a payment by each card that was tried, and by its other filters beside', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const owner = { merchantAccountId, environment: 'sandbox' as const };
    const [paid, created, other] = await Promise.all(
      ['0002', '4242', '4242'].map((cardLast4, index) =>
        insertPaymentIntent(test.database, merchantAccountId, { cardLast4, reference: `ORDER-${index}` }),
      ),
    );
    const { paymentIntent } = test.database;
    const lastError = { code: 'CARD_DECLINED', message: 'Declined.', at: new Date().toISOString() };
    await paymentIntent.update({ where: { id: paid ?? '' }, data: { cardLast4: null, lastError } });
    await paymentIntent.update({ where: { id: paid ?? '' }, data: { cardLast4: '4242' } });
    const ids = async (query: Query) => (await list(owner, query)).rows.map(({ intent }) => intent.id).toSorted();
    assert.deepEqual(await ids({ last4: '0002' }), [paid]);
    assert.deepEqual(await ids({ last4: '4242' }), [paid, created, other].toSorted());
    assert.deepEqual(await ids({ last4: '4242', reference: 'ORDER-1' }), [created]);
    assert.deepEqual(await ids({ last4: '4242', errorCode: 'CARD_DECLINED' }), [paid]);
    assert.deepEqual(await ids({ last4: '0002', errorCode: 'INSUFFICIENT_FUNDS' }), []);
    assert.deepEqual(
      await list(few, { last4: '0002' }).then(({ rows }) => rows.some((row) => row.intent.id === paid)),
      false,
    );
  });

  it('find the payments of which a confirm has gone on after a decline', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const owner = { merchantAccountId, environment: 'sandbox' as const };
    const [again, elsewhere, once] = await Promise.all(
      ['ORDER-1', 'ORDER-2', 'ORDER-3'].map((reference) =>
        insertPaymentIntent(test.database, merchantAccountId, { reference }),
      ),
    );
    const store = createPaymentStore(test.database);
    for (const [id = '', changes] of [
      [again, { operationId: 'another confirm' }],
      [elsewhere, {}],
    ] as const) {
      await record(test.database, id, opening(id));
      await recordRetry(store, id, secondAttemptOf(id, changes));
    }
    const ids = async (query: Query) => (await list(owner, query)).rows.map(({ intent }) => intent.id).toSorted();
    assert.deepEqual(await ids({ retried: 'true' }), [elsewhere]);
    assert.deepEqual(await ids({ retried: 'false' }), [again, once].toSorted());
    assert.deepEqual(await ids({ retried: 'true', reference: 'ORDER-1' }), []);
  });

  it('return each row once, newest first, over their pages', async () => {
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list(few, { page, limit: '15' })));
    assert.deepEqual(
      pages.map(({ rows, total, totalIsEstimate }) => [rows.length, total, totalIsEstimate]),
      [...Array.from({ length: 3 }, () => [15, FEW, false]), [0, FEW, false]],
    );
    const times = pages.flatMap(({ rows }) => rows.map(({ intent }) => Date.parse(intent.created_at)));
    assert.equal(new Set(times).size, FEW);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  });

  it('have an exact total up to the counted maximum, with every filter', async () => {
    const succeeded = await list(many, { status: 'succeeded', limit: '100' });
    assert.equal(succeeded.totalIsEstimate, false);
    assert.equal(succeeded.total, MANY / 2);
    assert.equal(succeeded.rows.length, 100);
    assert.ok(succeeded.rows.every(({ intent }) => intent.status === 'succeeded'));
    const none = await list(many, { customerId: 'cus_of_nobody' });
    assert.deepEqual([none.rows.length, none.total], [0, 0]);
  });

  it('have an estimated total beyond that, never below the counted maximum', async () => {
    const { total, totalIsEstimate } = await list(many);
    assert.equal(totalIsEstimate, true);
    assert.ok(total > COUNTED_ROWS, `${total} is not below the bound`);
    assert.ok(total < 2 * MANY, `${total} is not far from ${MANY}`);
  });

  it('have an exact total on the last page', async () => {
    const last = await list(many, { limit: '100', page: String(MANY / 100) });
    assert.equal(last.rows.length, 100);
    assert.equal(last.totalIsEstimate, true);
    const partial = await list(many, { limit: '99', page: String(Math.ceil(MANY / 99)) });
    assert.deepEqual([partial.total, partial.totalIsEstimate], [MANY, false]);
  });

  it('do not report a larger total for a page beyond the last one', async () => {
    const beyond = await list(many, { limit: '100', page: '1000' });
    assert.equal(beyond.rows.length, 0);
    assert.ok(beyond.total < 2 * MANY, `${beyond.total} is not far from ${MANY}`);
  });

  it('go on after an element, although it and others leave the list meanwhile', async () => {
    const own = await fill(FEW);
    const query = { status: 'requires_capture', limit: '10' };
    await test.database.paymentIntent.updateMany({ where: own, data: { status: 'requires_capture' } });
    const found: string[] = [];
    for (let place: Query = {}; ;) {
      const { rows, total } = await list(own, { ...query, ...place });
      assert.equal(total, FEW - found.length);
      const ids = rows.map(({ intent }) => intent.id);
      found.push(...ids);
      await test.database.paymentIntent.updateMany({ where: { id: { in: ids } }, data: { status: 'succeeded' } });
      if (ids.length < 10) break;
      place = { startingAfter: ids.at(-1) ?? '' };
    }
    const all = await list(own, { limit: '100' });
    assert.deepEqual(
      found,
      all.rows.map(({ intent }) => intent.id),
    );
  });

  it('go on after no element of another account', async () => {
    const [other] = (await list(many, { limit: '1' })).rows;
    for (const startingAfter of [other?.intent.id ?? '', 'pi_1', 'evt_1']) {
      await assert.rejects(list(few, { startingAfter }), { code: 'RESOURCE_NOT_FOUND', details: { startingAfter } });
    }
  });

  it('include the moment of createdFrom, and neither that of createdAfter nor that of createdBefore', async () => {
    const all = (await list(few, { limit: '100' })).rows;
    const [moment = ''] = all.slice(10).map(({ intent }) => new Date(intent.created_at).toISOString());
    const totalOf = async (query: Query) => (await list(few, query)).total;
    assert.equal(await totalOf({ createdFrom: moment }), 11);
    assert.equal(await totalOf({ createdAfter: moment }), 10);
    assert.equal(await totalOf({ createdBefore: moment }), all.length - 11);
  });

  it('find payments by reference, metadata, last four digits and amount, and by several of them', async () => {
    for (const [query, isListed] of [
      [{ reference: 'ORDER-31' }, (n) => n === 31],
      [{ metadata: { order: '31' } }, (n) => n === 31],
      [{ metadata: { order: '31', channel: 'web' } }, () => false],
      [{ metadata: { channel: 'app', order: '31' } }, (n) => n === 31],
      [{ metadata: { channel: 'app' } }, (n) => n % 10 === 1],
      [{ last4: '4242' }, (n) => n % 10 === 0],
      [{ last4: '4242', currency: 'USD' }, () => false],
      [{ last4: '0031', amountMin: '1031', amountMax: '1031' }, (n) => n === 31],
      [{ errorCode: 'CARD_DECLINED' }, (n) => n % 6 === 3],
      [{ errorCode: 'CARD_DECLINED', currency: 'EUR' }, (n) => n % 6 === 3 && n % 5 === 0],
      [{ amountMin: '1010', amountMax: '1012' }, (n) => n >= 10 && n <= 12],
      [{ amountMin: '1040' }, (n) => n >= 40],
      [{ metadata: { channel: 'web' }, status: 'succeeded', amountMax: '1010' }, (n) => n <= 10 && n % 2 === 0],
      [{ reference: 'ORDER-31', createdAfter: '2026-01-01T00:00:31Z' }, () => false],
    ] satisfies [Query, (n: number) => boolean][]) {
      const { rows, total } = await list(few, { ...query, limit: '100' });
      const expected = Array.from({ length: FEW }, (_, index) => FEW - index).filter(isListed);
      const found = rows.map(({ intent }) => Number(intent.metadata.order));
      assert.deepEqual([found, total], [expected, expected.length], JSON.stringify(query));
    }
  });

  it('find a payment by the code of each attempt, once, whatever has become of the payment', async () => {
    const own = await fill(3);
    const [newest] = (await list(own, { limit: '1' })).rows;
    const paymentIntentId = newest?.intent.id ?? '';
    const attempt = { paymentIntentId, routeId: 'rt_1', provider: 'alpha', paymentMethodId: 'pm_1', currency: 'EUR' };
    for (const [number, code] of ['INSUFFICIENT_FUNDS', 'CARD_DECLINED', 'CARD_DECLINED', null].entries()) {
      const data = {
        ...attempt,
        id: newId('attempt'),
        number: number + 1,
        amountMinor: 1,
        tries: 1,
        startedAt: new Date(),
      };
      await test.database.paymentAttempt.create({ data });
      await test.database.paymentAttempt.update({ where: { id: data.id }, data: { outcome: 'declined', code } });
    }
    const lastError = { code: 'PAYMENT_EXPIRED', message: 'Expired.', at: new Date().toISOString() };
    await test.database.paymentIntent.update({
      where: { id: paymentIntentId },
      data: { status: 'expired', lastError },
    });
    for (const errorCode of ['INSUFFICIENT_FUNDS', 'PAYMENT_EXPIRED']) {
      const { rows, total } = await list(own, { errorCode, status: 'expired' });
      assert.deepEqual([rows.map(({ intent }) => intent.id), total], [[paymentIntentId], 1], errorCode);
    }
    const declined = await list(own, { errorCode: 'CARD_DECLINED' });
    assert.deepEqual([declined.rows.length, declined.total], [1, 1]);
    assert.equal((await list(own, { errorCode: 'FRAUD_DETECTED' })).total, 0);
    await test.database.paymentIntent.delete({ where: { id: paymentIntentId } });
    assert.equal((await list(own, { errorCode: 'CARD_DECLINED' })).total, 0);
  });

  it('find a payment by its current metadata only, and not after its deletion', async () => {
    const [newest] = (await list(few, { limit: '1' })).rows;
    const id = newest?.intent.id ?? '';
    const foundBy = async (metadata: Readonly<Record<string, string>>) =>
      (await list(few, { metadata })).rows.map(({ intent }) => intent.id);
    await test.database.paymentIntent.update({ where: { id }, data: { metadata: { order: 'new', note: 'kept' } } });
    assert.deepEqual(await foundBy({ order: String(FEW) }), []);
    assert.deepEqual(await foundBy({ order: 'new', note: 'kept' }), [id]);
    await test.database.paymentIntent.delete({ where: { id } });
    assert.equal(await test.database.metadataPair.count({ where: { id } }), 0);
  });

  const INDEX_OF: Readonly<Record<string, { query: Query; index: string }>> = {
    'no filter': { query: {}, index: 'payment_intent_merchant_account_id_created_at_id_idx' },
    status: { query: { status: 'failed' }, index: 'payment_intent_merchant_account_id_status_created_at_id_idx' },
    customer: {
      query: { customerId: 'cus_7' },
      index: 'payment_intent_customer_idx',
    },
    currency: { query: { currency: 'EUR' }, index: 'payment_intent_merchant_account_id_currency_created_at_id_idx' },
    'time of creation': {
      query: { createdAfter: '2026-01-01T00:00:00Z', createdBefore: '2026-01-01T01:00:00Z' },
      index: 'payment_intent_merchant_account_id_created_at_id_idx',
    },
    'an amount range': {
      query: { amountMin: '1500', amountMax: '1510' },
      index: 'payment_intent_merchant_account_id_amount_minor_created_at__idx',
    },
    reference: { query: { reference: 'ORDER-77' }, index: 'payment_intent_reference_idx' },
    'a rare pair of metadata': { query: { metadata: { order: '77' } }, index: 'metadata_pair_pkey' },
    'a frequent pair of metadata': { query: { metadata: { channel: 'web' } }, index: 'metadata_pair_pkey' },
    'the last four digits': {
      query: { last4: '4242' },
      index: 'payment_card_merchant_account_id_last4_created_at_id_idx',
    },
    'the code of a failure': {
      query: { errorCode: 'CARD_DECLINED' },
      index: 'payment_error_code_merchant_account_id_code_created_at_id_idx',
    },
  };
  const LISTS: readonly unknown[] = ['payment_intent', 'metadata_pair', 'payment_error_code', 'payment_card'];
  const BY_ID: readonly unknown[] = ['payment_intent_pkey', 'payment_intent_id_merchant_account_id_environment_key'];
  for (const [name, { query, index }] of Object.entries(INDEX_OF)) {
    for (const place of [{ page: '1' }, { page: '100' }, 'startingAfter'] as const) {
      it(`use their index with ${name}, and ${JSON.stringify(place)}`, async () => {
        const [middle] = (await list(many, { page: '30', limit: '100' })).rows;
        const from = place === 'startingAfter' ? { startingAfter: middle?.intent.id ?? '' } : place;
        const steps = await queryPlansOf(test.database, (database) =>
          listIntents(database, many, parse({ ...query, ...from })),
        );
        const scans = steps.filter((step) => LISTS.includes(step['Relation Name']));
        const kinds = new Set(
          scans.map((step) =>
            BY_ID.includes(step['Index Name']) ? 'Index Scan by id' : `${step['Node Type']} of ${step['Index Name']}`,
          ),
        );
        assert.deepEqual([...kinds].sort(), [`Index Only Scan of ${index}`, 'Index Scan by id'].sort());
      });
    }
  }
});

type Query = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

function parse(query: Query): ListPaymentIntents {
  return listPaymentIntentsQuery.parse(query);
}
