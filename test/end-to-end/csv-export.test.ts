import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { customerResource } from '../../contract/schemas/customer.ts';
import { refundResource } from '../../contract/schemas/refund.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { sendSigned } from '../../sandbox/signed-request.ts';
import { recordsOf } from '../support/csv.ts';
import { createMember } from '../support/dashboard.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { clientOf, resourceOf } from '../support/resources.ts';

const CSV = { Accept: 'text/csv' };
const columnsOf = z.looseObject({ code: z.string() });

describe('lists as CSV files', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let paid: Payment;
  let customerId: string;

  before(async () => {
    merchant = await createMerchant();
    const send = clientOf(merchant.credentials);
    const named = { name: '=HYPERLINK("https://example.com")', phone: '+49 30 901820' };
    ({ id: customerId } = resourceOf(await send('POST', '/customers', named), customerResource, 201));
    paid = await createPayment(
      {
        amount: 4_200,
        currency: 'EUR',
        reference: 'ORDER-1',
        metadata: { order: '1' },
        description: '@now',
        customerId,
      },
      merchant.credentials,
    );
    await paid.confirm(card('approved'));
    await paid.reach('succeeded');
    await createPayment({ amount: 100, currency: 'JPY', reference: 'ORDER-2' }, merchant.credentials);
    resourceOf(
      await send('POST', '/refunds', { paymentIntentId: paid.id, amount: 700, reference: 'CN-1' }),
      refundResource,
      201,
    );
  });

  const exported = async (path: string) => {
    const response = await sendSigned(merchant.credentials, { method: 'GET', path: `/api/v1${path}`, headers: CSV });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return recordsOf(text);
  };

  it('have the rows that the filters select, with amounts in minor units and times in UTC', async () => {
    const [payment, ...others] = await exported('/payment-intents?status=succeeded');
    assert.equal(others.length, 0);
    assert.deepEqual(
      [
        'id',
        'amount',
        'currency',
        'amountCaptured',
        'amountRefunded',
        'description',
        'cardLast4',
        'attemptCards',
        'metadata',
      ].map((name) => payment?.[name]),
      [paid.id, '4200', 'EUR', '4200', '700', "'@now", '4242', 'visa 4242', '{"order":"1"}'],
    );
    assert.match(payment?.createdAt ?? '', /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    assert.equal((await exported('/payment-intents')).length, 2);
    const ofOrder = await exported('/payment-intents?metadata%5Border%5D=1&currency=EUR');
    assert.deepEqual(
      ofOrder.map(({ reference }) => reference),
      ['ORDER-1'],
    );
    const refunds = await exported('/refunds');
    assert.deepEqual(
      refunds.map(({ amount, status, paymentIntentId }) => [amount, status, paymentIntentId]),
      [['700', 'succeeded', paid.id]],
    );
    const transactions = await exported(`/transactions?paymentIntentId=${paid.id}`);
    assert.deepEqual(transactions.map(({ type }) => type).toSorted(), ['capture', 'refund']);
    assert.equal(transactions.find(({ type }) => type === 'capture')?.amountRefundable, '3500');
    const [customer] = await exported('/customers');
    assert.deepEqual([customer?.id, customer?.phone], [customerId, "'+49 30 901820"]);
    assert.match(customer?.name ?? '', /^'=HYPERLINK/);
  });

  it('are for the account alone, and for people of the dashboard as for keys', async () => {
    const other = await createMerchant();
    const response = await sendSigned(other.credentials, {
      method: 'GET',
      path: '/api/v1/payment-intents',
      headers: CSV,
    });
    assert.deepEqual(recordsOf(await response.text()), []);
    const { browser } = await createMember(merchant.merchantId, 'read_only');
    const scope = { ...CSV, 'X-Merchant-ID': merchant.merchantAccountId, 'X-Environment': 'sandbox' };
    const file = await browser.get('/api/v1/refunds', scope);
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="refunds-sandbox-/);
    assert.equal(recordsOf(file.text).length, 1);
    const unauthenticated = await fetch(`${merchant.credentials.baseUrl}/api/v1/refunds`, { headers: CSV });
    assert.equal(unauthenticated.status, 401);
    assert.equal(
      columnsOf.parse(z.looseObject({ error: z.unknown() }).parse(await unauthenticated.json()).error).code,
      'UNAUTHORIZED',
    );
  });
});
