import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { statisticsResource, type StatisticsResource } from '../../contract/schemas/statistics.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { failureOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf } from '../support/resources.ts';
import { queryStack } from '../support/stack-database.ts';

const answered = z.object({ data: statisticsResource });
const OF_ACCOUNT = 'JOIN payment_intent i ON i.id = r.payment_intent_id WHERE i.merchant_account_id = $1';
const timeOf = (agoMs: number): string => new Date(Date.now() - agoMs).toISOString();

describe('the statistics of a merchant account', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let other: TestMerchant;

  before('make payments, declines and refunds in two currencies', async () => {
    [merchant, other] = await Promise.all([createMerchant(), createMerchant()]);
    const { credentials } = merchant;
    const inGermany = await createPayment({ amount: 5_000, currency: 'EUR', country: 'DE' }, credentials);
    const inFrance = await createPayment({ amount: 700, currency: 'EUR', country: 'FR' }, credentials);
    const declined = await createPayment({ amount: 900, currency: 'EUR', country: 'FR' }, credentials);
    const failingOver = await createPayment({ amount: 1_100, currency: 'EUR', country: 'FR' }, credentials);
    await inGermany.confirm(card('approved'));
    await inFrance.confirm(card('approved'));
    await declined.confirm(card('insufficientFunds'));
    await failingOver.confirm(card('failover'));
    await failingOver.reach('succeeded');
    await clientOf(credentials)('POST', '/refunds', { paymentIntentId: inGermany.id, amount: 1_500 });
    const inDollars = await createPayment({ amount: 400, currency: 'USD', country: 'DE' }, credentials);
    await inDollars.confirm(card('approved'));
    await reach((euros) => euros.attempts === 5 && euros.refunds === 1, 'currency=EUR');
    await reach((dollars) => dollars.captures === 1, 'currency=USD');
  });

  async function read(query = '', from = merchant): Promise<StatisticsResource> {
    const { status, body } = await clientOf(from.credentials)('GET', `/statistics?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return answered.parse(body).data;
  }

  const reach = (isReached: (total: StatisticsResource['total']) => boolean, query: string) =>
    eventually(async () => {
      const { total } = await read(query);
      assert.ok(isReached(total), JSON.stringify(total));
    });

  it('are the same as a count over its rows', async () => {
    const { total, currency } = await read('currency=EUR');
    const [attempts = {}] = await queryStack(
      `SELECT count(*)::int AS attempts, (count(*) FILTER (WHERE outcome = 'approved'))::int AS approved,
         (count(*) FILTER (WHERE outcome = 'declined'))::int AS declined,
         (count(*) FILTER (WHERE outcome = 'failed'))::int AS failed,
         (count(*) FILTER (WHERE outcome = 'not_charged'))::int AS "notCharged"
       FROM payment_attempt r ${OF_ACCOUNT} AND r.currency = 'EUR'`,
      [merchant.merchantAccountId],
    );
    const [money = {}] = await queryStack(
      `SELECT (count(*) FILTER (WHERE type = 'capture'))::int AS captures,
         (sum(r.amount_minor) FILTER (WHERE type = 'capture'))::float8 AS "amountCaptured",
         (count(*) FILTER (WHERE type = 'refund'))::int AS refunds,
         (sum(r.amount_minor) FILTER (WHERE type = 'refund'))::float8 AS "amountRefunded"
       FROM transaction r ${OF_ACCOUNT} AND r.currency = 'EUR'`,
      [merchant.merchantAccountId],
    );
    assert.equal(currency, 'EUR');
    assert.deepEqual(total, {
      paymentsCreated: 4,
      paymentsSucceeded: 3,
      ...attempts,
      approvalRate: 3 / 5,
      ...money,
      refundsFailed: 0,
    });
    assert.deepEqual([total.amountCaptured, total.amountRefunded], [6_800, 1_500]);
  });

  it('are grouped by provider, payment method, country and code', async () => {
    const { byProvider, byPaymentMethod, byCountry, failuresByCode } = await read('currency=EUR');
    assert.deepEqual(
      byProvider.map(({ provider, attempts, approved }) => [provider, attempts, approved]),
      [
        ['alpha', 4, 2],
        ['beta', 1, 1],
      ],
    );
    assert.deepEqual(
      byPaymentMethod.map(({ paymentMethod, attempts, amountCaptured }) => [paymentMethod, attempts, amountCaptured]),
      [['card', 5, 6_800]],
    );
    assert.deepEqual(
      byCountry.map(({ country, attempts, approvalRate, amountRefunded }) => [
        country,
        attempts,
        approvalRate,
        amountRefunded,
      ]),
      [
        ['FR', 4, 2 / 4, 0],
        ['DE', 1, 1, 1_500],
      ],
    );
    assert.equal(
      failuresByCode.reduce((sum, { attempts }) => sum + attempts, 0),
      2,
    );
    assert.ok(failuresByCode.some(({ code, attempts }) => code === 'INSUFFICIENT_FUNDS' && attempts === 1));
  });

  it('have a point for each interval, whose sum is the total, whether by hour or by day', async () => {
    for (const [interval, days, most] of [
      ['hour', 2, 50],
      ['day', 30, 32],
    ] as const) {
      const { series, total, from, to } = await read(
        `currency=EUR&interval=${interval}&from=${timeOf(days * DAY_MS)}&to=${timeOf(0)}`,
      );
      assert.ok(series.length >= most - 2 && series.length <= most, `${series.length} points`);
      assert.equal(series[0]?.startsAt, from);
      assert.ok(Date.parse(to) > Date.parse(series.at(-1)?.startsAt ?? ''));
      for (const name of ['paymentsCreated', 'attempts', 'amountCaptured', 'amountRefunded'] as const) {
        assert.equal(
          series.reduce((sum, point) => sum + point[name], 0),
          total[name],
          `${interval}: ${name}`,
        );
      }
      assert.equal(total.attempts, 5);
    }
  });

  it('are in the currency of the newest payment intent unless another is named, and name all currencies', async () => {
    const { currency, currencies, total } = await read();
    assert.deepEqual([currency, currencies, total.captures], ['USD', ['EUR', 'USD'], 1]);
  });

  it('have nothing of another account, nor of another time', async () => {
    const foreign = await read('currency=EUR', other);
    const earlier = await read(`currency=EUR&from=${timeOf(9 * DAY_MS)}&to=${timeOf(8 * DAY_MS)}`);
    for (const { total, byProvider, byCountry, failuresByCode } of [foreign, earlier]) {
      assert.deepEqual([total.attempts, total.captures, total.approvalRate], [0, 0, null]);
      assert.deepEqual([byProvider, byCountry, failuresByCode], [[], [], []]);
    }
    assert.deepEqual(foreign.currencies, []);
    assert.equal((await read('', other)).currency, null);
  });

  for (const [query, field, text] of [
    [`from=${timeOf(40 * DAY_MS)}&interval=hour`, 'from', /at most 31 days .* interval=day/],
    [`from=${timeOf(400 * DAY_MS)}`, 'from', /at most 366 days/],
    [`from=${timeOf(0)}&to=${timeOf(DAY_MS)}`, 'from', /before `to`/],
    ['from=yesterday', 'from', /ISO 8601/],
    ['interval=week', 'interval', /hour/],
    ['currency=XXX', 'currency', /supported currency/],
  ] as const) {
    it(`are refused with advice for ${field} in ${query.replaceAll(/\d{4}-[^&]*Z/g, '…')}`, async () => {
      const answer = await clientOf(merchant.credentials)('GET', `/statistics?${query}`);
      assert.equal(answer.status, 422);
      assert.match(failureOf(answer).message, text);
    });
  }
});
