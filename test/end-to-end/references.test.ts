import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { customerResource } from '../../contract/schemas/customer.ts';
import { refundResource } from '../../contract/schemas/refund.ts';
import { transactionResource } from '../../contract/schemas/transaction.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { type Client as ServerClient, createClient } from '../../sdk/server/index.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { failureOf, type Intent, intentOf, intentPageOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { endpointWithSecret } from '../support/responses-with-secrets.ts';
import { readLedger } from '../support/ledger.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment } from '../support/payments.ts';
import { type Client, clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const ORDER = 'ORDER-1042/a `1`';
const CREDIT_NOTE = 'CN-7';

describe('references and metadata', function () {
  this.timeout(3 * MINUTE_MS);
  let merchant: TestMerchant;
  let send: Client;
  let client: ServerClient;
  let receiver: WebhookReceiver;
  let paid: Payment;
  let refundId: string;
  let customerId: string;
  let waiting: Payment;

  before('pay an order, refund a part of it, and leave another order open', async () => {
    merchant = await createMerchant();
    const { credentials } = merchant;
    send = clientOf(credentials);
    client = createClient(credentials);
    receiver = await startReceiver();
    resourceOf(await send('POST', '/webhook-endpoints', { url: receiver.url }), endpointWithSecret, 201);
    ({ id: customerId } = resourceOf(
      await send('POST', '/customers', { reference: 'K-55', metadata: { tier: 'gold' } }),
      customerResource,
      201,
    ));
    const metadata = { order: '1042', channel: 'web' };
    paid = await createPayment({ amount: 4_200, reference: ORDER, metadata, customerId }, credentials);
    await paid.confirm(card('insufficientFunds'));
    await paid.confirm(card('approved'));
    await paid.reach('succeeded');
    const refund = { paymentIntentId: paid.id, amount: 700, reference: CREDIT_NOTE, metadata: { reason: 'scratched' } };
    ({ id: refundId } = resourceOf(await send('POST', '/refunds', refund), refundResource, 201));
    waiting = await createPayment(
      { amount: 4_300, reference: 'ORDER-1043', metadata: { channel: 'web' } },
      credentials,
    );
  });
  after(() => receiver.close());

  const listed = async (query: string): Promise<string[]> => {
    const { data, pagination } = intentPageOf(await send('GET', `/payment-intents?${query}`));
    assert.equal(pagination.total, data.length);
    return data.map(({ id }) => id);
  };
  const encoded = encodeURIComponent(ORDER);
  const found = (query: string): Promise<string[]> =>
    withTemporal((temporal) =>
      findWorkflows(temporal, `MerchantAccount = "${merchant.merchantAccountId}" AND ${query}`),
    );
  const detailsOf = (workflowId: string): Promise<string> =>
    withTemporal((temporal) => readCurrentDetails(temporal.workflow.getHandle(workflowId)));

  it('are in the payment, the refund, the customer and their lists', async () => {
    assert.equal((await paid.read()).reference, ORDER);
    assert.deepEqual(await listed(`reference=${encoded}`), [paid.id]);
    const refunds = resourcePageOf(await send('GET', `/refunds?reference=${CREDIT_NOTE}`), refundResource).data;
    assert.deepEqual(
      refunds.map(({ id, reference }) => [id, reference]),
      [[refundId, CREDIT_NOTE]],
    );
    for (const query of ['reference=K-55', 'metadata[tier]=gold']) {
      const customers = resourcePageOf(await send('GET', `/customers?${query}`), customerResource).data;
      assert.deepEqual(
        customers.map(({ id, reference }) => [id, reference]),
        [[customerId, 'K-55']],
      );
    }
    const others = resourcePageOf(await send('GET', '/refunds?reference=CN-8'), refundResource).data;
    assert.deepEqual(others, []);
  });

  it('are in events and webhooks', async () => {
    for (const [resourceId, type, expected] of [
      [paid.id, 'payment_intent.succeeded', ORDER],
      [refundId, 'refund.succeeded', CREDIT_NOTE],
    ] as const) {
      const { event } = await receiver.find(
        ({ event: { type: sent, data } }) => sent === type && data.id === resourceId,
      );
      assert.equal('reference' in event.data ? event.data.reference : undefined, expected);
    }
  });

  it("are in the provider's statement", async () => {
    const entries = await readLedger('alpha', paid.id);
    assert.deepEqual(
      entries.map(({ payment }) => payment?.merchantReference),
      [ORDER, ORDER],
    );
    assert.deepEqual(
      entries.flatMap(({ refunds }) => refunds.map(({ refund }) => refund?.merchantReference)),
      [CREDIT_NOTE],
    );
  });

  it('find workflows in the Temporal UI, and are shown there', async () => {
    await eventually(async () => {
      assert.deepEqual(await found(`PaymentReference = "${ORDER}"`), [paid.id]);
      assert.deepEqual(await found(`PaymentReference = "${CREDIT_NOTE}"`), [refundId]);
    });
    assert.match(await detailsOf(paid.id), /^- Reference: `ORDER-1042\/a '1'`\.$/m);
    assert.match(await detailsOf(refundId), /^- Reference: `CN-7`\.$/m);
  });

  it('change with an update, in the lists and in the Temporal UI', async () => {
    const change = async (reference: string | null): Promise<void> => {
      const changed = intentOf(await send('PATCH', `/payment-intents/${waiting.id}`, { reference }));
      assert.equal(changed.reference, reference);
    };
    await change('ORDER-1044');
    assert.deepEqual(await listed('reference=ORDER-1043'), []);
    assert.deepEqual(await listed('reference=ORDER-1044'), [waiting.id]);
    await eventually(async () => {
      assert.deepEqual(await found('PaymentReference = "ORDER-1044"'), [waiting.id]);
      assert.deepEqual(await found('PaymentReference = "ORDER-1043"'), []);
    });
    await change(null);
    assert.deepEqual(await listed('reference=ORDER-1044'), []);
    await eventually(async () => assert.deepEqual(await found('PaymentReference = "ORDER-1044"'), []));
    const metadata = { channel: 'app' };
    assert.deepEqual(intentOf(await send('PATCH', `/payment-intents/${waiting.id}`, { metadata })).metadata, metadata);
    assert.deepEqual(await listed('metadata[channel]=web'), [paid.id]);
    assert.deepEqual(await listed('metadata[channel]=app'), [waiting.id]);
  });

  it('find payments by metadata, last four digits and amount', async () => {
    const declined = card('insufficientFunds').card.number.slice(-4);
    const approved = card('approved').card.number.slice(-4);
    for (const [query, expected] of [
      ['metadata[order]=1042', [paid.id]],
      ['metadata%5Border%5D=1042&metadata%5Bchannel%5D=web', [paid.id]],
      ['metadata[order]=1042&metadata[channel]=app', []],
      [`last4=${approved}`, [paid.id]],
      [`last4=${declined}`, [paid.id]],
      [`last4=${declined}&errorCode=INSUFFICIENT_FUNDS&reference=${encoded}`, [paid.id]],
      [`last4=${declined}&errorCode=CARD_DECLINED`, []],
      ['last4=0000', []],
      ['amountMin=4200&amountMax=4200', [paid.id]],
      ['amountMin=4201', [waiting.id]],
      [`reference=${encoded}&last4=${approved}&amountMax=4199`, []],
    ] satisfies [string, string[]][]) {
      assert.deepEqual(await listed(query), expected, query);
    }
    const shown = (attempts: Intent['attempts']) =>
      attempts.map(({ paymentMethod }) => (paymentMethod?.type === 'card' ? paymentMethod.last4 : null));
    const read: Intent = await paid.read();
    assert.deepEqual(shown(read.attempts), [declined, approved]);
    const ids: string[] = [];
    for await (const { id } of client.paymentIntents.iterate({ metadata: { order: '1042' }, amountMin: 1 }))
      ids.push(id);
    assert.deepEqual(ids, [paid.id]);
  });

  it('find a payment by any id that has to do with it', async () => {
    const { attempts }: Intent = await paid.read();
    const transactions = resourcePageOf(
      await send('GET', `/transactions?paymentIntentId=${paid.id}`),
      transactionResource,
    ).data;
    assert.equal(transactions.length, 2);
    const entries = await readLedger('alpha', paid.id);
    const ids = [
      paid.id,
      refundId,
      customerId,
      ...attempts.map(({ id }) => id),
      ...transactions.flatMap(({ id, providerReference }) => [id, providerReference]),
      ...entries.map(({ payment }) => payment?.id ?? ''),
    ];
    for (const id of ids) assert.deepEqual(await listed(`id=${id}`), [paid.id], id);
    assert.deepEqual(await listed('id=sim_unknown'), []);
    const { credentials } = await createMerchant();
    const foreign = clientOf(credentials);
    for (const id of ids) {
      assert.deepEqual(intentPageOf(await foreign('GET', `/payment-intents?id=${id}`)).data, [], id);
    }
  });

  it('are refused where nobody could find them again, or where they are a card number', async () => {
    for (const [reference, problem] of [
      ['', 'too_short'],
      ['x'.repeat(101), 'too_long'],
      [' ORDER', 'invalid'],
      ['ORDER\n1', 'invalid'],
      ['4242 4242 4242 4242', 'invalid'],
      [7, 'type'],
    ] as const) {
      const body = { amount: 1_999, currency: 'USD', reference };
      assert.deepEqual(problemsOf(await send('POST', '/payment-intents', body)), [`reference:${problem}`]);
      assert.deepEqual(problemsOf(await send('POST', '/customers', { reference })), [`reference:${problem}`]);
      assert.deepEqual(problemsOf(await send('POST', '/refunds', { paymentIntentId: paid.id, reference })), [
        `reference:${problem}`,
      ]);
    }
  });

  it('have filters that say what is wrong with them', async () => {
    for (const [query, problem, message] of [
      ['last4=42', 'last4:invalid', 'Give the last four digits.'],
      ['amountMin=12.5', 'amountMin:type', null],
      ['amountMin=5&amountMax=4', 'amountMin:invalid', 'amountMin is larger than amountMax.'],
      ['metadata=web', 'metadata:type', null],
      ['metadata=web&metadata[channel]=web', 'metadata:type', null],
      ['metadata[channel]=web&metadata[channel]=app', 'metadata.channel:type', null],
      [Array.from({ length: 11 }, (_, index) => `metadata[k${index}]=v`).join('&'), 'metadata:too_long', null],
      ['metadata[order]=4242424242424242', 'metadata.order:invalid', null],
    ] as const) {
      const answer = await send('GET', `/payment-intents?${query}`);
      assert.deepEqual(problemsOf(answer), [problem], query);
      if (message !== null) assert.ok(JSON.stringify(failureOf(answer).details).includes(message), query);
    }
    assert.deepEqual(problemsOf(await send('GET', '/transactions?metadata[a]=b')), ['metadata[a]:unknown']);
  });

  it('may be left out', async () => {
    const payment = await createPayment({}, merchant.credentials);
    await payment.confirm(card('approved'));
    assert.equal((await payment.read()).reference, null);
    const [entry] = await readLedger('alpha', payment.id);
    assert.equal(entry?.payment?.merchantReference, null);
    assert.doesNotMatch(await detailsOf(payment.id), /Reference/);
  });
});
