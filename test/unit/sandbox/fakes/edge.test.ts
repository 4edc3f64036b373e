import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { newId } from '../../../../domain/new-id.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { cashfreeRefundIdOf } from '../../../../providers/cashfree/references.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { startFakeAdyen } from '../../../../sandbox/fakes/adyen/fake-adyen.ts';
import { behaviourOfCard } from '../../../../sandbox/fakes/adyen/test-cards.ts';
import { ledgerOfAdyen, ledgerOfCashfree, ledgerOfStripe } from '../../../../sandbox/fakes/ledgers.ts';
import { startFakeCashfree } from '../../../../sandbox/fakes/cashfree/fake-cashfree.ts';
import { usualTreatment } from '../../../../sandbox/fakes/cashfree/usual-treatments.ts';
import { createFakeEdge, type FakeEdge } from '../../../../sandbox/fakes/edge.ts';
import type { FakeLedger, LedgerEntry } from '../../../../sandbox/fakes/fake-ledger.ts';
import { type FakeStripe, startFakeStripe } from '../../../../sandbox/fakes/stripe/fake-stripe.ts';
import { eventually } from '../../../support/eventually.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { type ScriptedServer, startScriptedServer } from '../../../support/simulator-harness.ts';
import { adapterTo as stripeAdapterTo, SECRET_KEY, WEBHOOK_SECRET } from '../../../support/stripe-harness.ts';
import { ADYEN_CREDENTIALS, adyenAdapterTo } from '../../providers/adyen/adyen-fixture.ts';
import { adapterTo as cashfreeAdapterTo, CLIENT_ID, CLIENT_SECRET } from '../../providers/cashfree/harness.ts';

const APPROVED = cardOf('4242424242424242');

/** A fake behind its edge, with a receiver of its webhooks. */
async function startBehindEdge<Fake extends { readonly url: string; close(): Promise<void> }>(
  start: (edge: FakeEdge) => Promise<Fake>,
  ledgerOf: (fake: Fake) => FakeLedger,
) {
  const receiver: ScriptedServer = await startScriptedServer(() => ({ status: 200 }));
  const edge = createFakeEdge({ ledger: () => ledgerOf(fake), webhookUrl: () => receiver.url });
  const fake = await start(edge);
  const control = async (method: 'PUT' | 'POST', path: string, body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${fake.url}${path}`, { method, headers, body: JSON.stringify(body) })).status;
  };
  return {
    fake,
    receiver,
    control,
    async entries(): Promise<readonly LedgerEntry[]> {
      const response = await fetch(`${fake.url}/ledger?limit=100`);
      return ((await response.json()) as { readonly data: readonly LedgerEntry[] }).data;
    },
    close: () => Promise.all([fake.close(), receiver.close()]),
  };
}

describe("faults of a vendor's fake", () => {
  let stripe: Awaited<ReturnType<typeof startBehindEdge<FakeStripe>>>;
  let provider: PaymentProvider;

  before(async () => {
    stripe = await startBehindEdge(
      (edge) => startFakeStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, edge }),
      ledgerOfStripe,
    );
    provider = stripeAdapterTo(stripe.fake.url);
  });
  after(() => stripe.close());
  afterEach(() => stripe.control('PUT', '/simulate/faults', {}));

  const chargesOf = async (attemptId: string) =>
    (await stripe.entries()).find(({ idempotencyKey }) => idempotencyKey === attemptId)?.charges;

  it('answer errors, of which 429 comes before anything is done', async () => {
    const request = requestWith(APPROVED);
    await stripe.control('PUT', '/simulate/faults', { errorRate: 1, errorStatus: 429 });
    await assert.rejects(provider.authorize(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
    await stripe.control('PUT', '/simulate/faults', { errorRate: 1, errorStatus: 500 });
    await assert.rejects(provider.authorize(request, newSignal()), { code: 'TSP_ERROR' });
    await stripe.control('PUT', '/simulate/faults', {});
    assert.equal(await chargesOf(request.attemptId), undefined);
  });

  it('lose the reply after the work is done', async () => {
    const request = requestWith(APPROVED);
    let created = '';
    const storePaymentId = async (id: string): Promise<void> => {
      created = id;
      await stripe.control('PUT', '/simulate/faults', { dropReplyRate: 1 });
    };
    await assert.rejects(provider.authorize({ ...request, storePaymentId }, newSignal()), ProviderOutageError);
    await stripe.control('PUT', '/simulate/faults', {});
    assert.notEqual(created, '');
    assert.deepEqual(await chargesOf(request.attemptId), [
      { type: 'authorization', amount: request.amountMinor },
      { type: 'capture', amount: request.amountMinor },
    ]);
  });

  it('lose webhooks until they are asked for, and double others', async () => {
    const typesOf = (attemptId: string): readonly unknown[] =>
      stripe.receiver.received
        .map(({ body }) => body.toString('utf8'))
        .filter((body) => body.includes(attemptId))
        .map((body) => (JSON.parse(body) as { readonly type: unknown }).type);
    const [lost, doubled] = [requestWith(APPROVED), requestWith(APPROVED)];
    await stripe.control('PUT', '/simulate/faults', { webhookDropRate: 1 });
    await provider.authorize(lost, newSignal());
    await stripe.control('PUT', '/simulate/faults', { webhookDuplicateRate: 1 });
    await provider.authorize(doubled, newSignal());
    const types = ['payment_intent.created', 'payment_intent.succeeded'];
    await eventually(async () => assert.equal(typesOf(doubled.attemptId).length, 2 * types.length));
    assert.deepEqual(typesOf(lost.attemptId), []);
    await stripe.control('PUT', '/simulate/faults', {});
    await stripe.control('POST', '/simulate/lost-webhooks', {});
    await eventually(async () => assert.deepEqual(typesOf(lost.attemptId).toSorted(), types));
  });

  it('refuse settings that do not exist', async () => {
    assert.equal(await stripe.control('PUT', '/simulate/faults', { dropsReplies: 1 }), 400);
  });
});

describe("the ledger of a vendor's fake", () => {
  it('show at Stripe all payments of an attempt together, so that a second charge is seen', async () => {
    const stripe = await startBehindEdge(
      (edge) => startFakeStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, edge }),
      ledgerOfStripe,
    );
    const provider = stripeAdapterTo(stripe.fake.url);
    const request = requestWith(APPROVED);
    const paid = await provider.authorize(request, newSignal());
    assert.ok(paid.kind === 'approved');
    const { providerPaymentId } = paid;
    const refund = { ...request, refundId: newId('refund'), providerPaymentId, amountMinor: 234 };
    await provider.refund(refund, newSignal());
    stripe.fake.forgetKeys();
    await provider.authorize(request, newSignal());
    const capture = { type: 'capture', amount: request.amountMinor };
    const authorization = { type: 'authorization', amount: request.amountMinor };
    const { attemptId, paymentIntentId, refundId } = refund;
    assert.deepEqual(await stripe.entries(), [
      {
        idempotencyKey: attemptId,
        reference: attemptId,
        paymentIntentId,
        payment: { status: 'captured' },
        charges: [authorization, capture, authorization, capture],
        refunds: [{ idempotencyKey: refundId, refund: { reference: refundId, status: 'succeeded', amount: 234 } }],
      },
    ]);
    await stripe.close();
  });

  it('show at Adyen what was captured in part, what waits, and what was refunded', async () => {
    const adyen = await startBehindEdge(
      (edge) => startFakeAdyen({ ...ADYEN_CREDENTIALS, edge, behaviourOfCard }),
      ledgerOfAdyen,
    );
    const provider = adyenAdapterTo(adyen.fake.url);
    const [held, silent] = [requestWith(cardOf('4000000000003063'), 'manual'), requestWith(cardOf('4000000000000259'))];
    const paid = await provider.authorize(held, newSignal());
    assert.ok(paid.kind === 'approved');
    const { providerPaymentId } = paid;
    await provider.capture({ ...held, providerPaymentId, amountMinor: 1_000 }, newSignal());
    const refundId = newId('refund');
    await provider.refund({ ...held, refundId, providerPaymentId, amountMinor: 400 }, newSignal());
    await provider.authorize(silent, newSignal());
    const seen = async () =>
      (await adyen.entries()).map(({ payment, charges, refunds }) => [
        payment?.status,
        ...charges.map(({ type, amount }) => `${type} ${amount}`),
        ...refunds.map(({ idempotencyKey: id, refund }) => `${id === refundId} ${refund.status} ${refund.amount}`),
      ]);
    const captured = ['captured', 'authorization 1234', 'capture 1000'];
    assert.deepEqual(await seen(), [[...captured, 'true pending 400'], ['pending']]);
    await adyen.control('POST', '/simulate/settle', { refundReference: refundId, outcome: 'approved' });
    await adyen.control('POST', '/simulate/settle', { paymentIntentId: silent.paymentIntentId, outcome: 'declined' });
    assert.deepEqual(await seen(), [[...captured, 'true succeeded 400'], ['ended']]);
    await adyen.close();
  });

  it("show at Cashfree minor units and the engine's ids", async () => {
    const cashfree = await startBehindEdge(
      (edge) => startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, preauthorization: true, edge }),
      ledgerOfCashfree,
    );
    const provider = cashfreeAdapterTo(cashfree.fake.url, { preauthorization: true });
    const request = { ...requestWith(APPROVED, 'manual'), currency: 'INR' };
    const { attemptId, paymentIntentId } = request;
    await provider.authorize(request, newSignal());
    const seen = async () => {
      const [{ payment, charges, refunds } = assert.fail('no entry')] = await cashfree.entries();
      return [
        payment?.status,
        ...charges.map(({ type, amount }) => `${type} ${amount}`),
        ...refunds.map(({ idempotencyKey, refund }) => `${idempotencyKey} ${refund.status} ${refund.amount}`),
      ];
    };
    assert.deepEqual(await seen(), ['open']);
    await cashfree.control('POST', '/simulate/settle', { paymentIntentId, outcome: 'approved' });
    assert.deepEqual(await seen(), ['authorized', 'authorization 1234']);
    await provider.capture({ ...request, amountMinor: 1_001 }, newSignal());
    const refundIds = [newId('refund'), `stray_${attemptId.slice('att_'.length)}`];
    for (const refundId of refundIds) {
      assert.ok(cashfreeRefundIdOf(refundId).length <= 40);
      await provider.refund({ ...request, refundId, providerPaymentId: '1', amountMinor: 107 }, newSignal());
    }
    assert.deepEqual(await seen(), [
      'captured',
      'authorization 1234',
      'capture 1001',
      ...refundIds.map((refundId) => `${refundId} succeeded 107`),
    ]);
    const closed = { ...requestWith(APPROVED), currency: 'INR' };
    await provider.close(closed, newSignal());
    const entry = (await cashfree.entries()).find(({ idempotencyKey }) => idempotencyKey === closed.attemptId);
    assert.equal(entry?.payment, null);
    await cashfree.close();
  });

  it('show an order at Cashfree as pending whose termination waits for its customer, who can still pay', async () => {
    const cashfree = await startBehindEdge(
      (edge) => startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, edge, usualTreatment }),
      ledgerOfCashfree,
    );
    const provider = cashfreeAdapterTo(cashfree.fake.url);
    const attemptId = `att_${'0'.repeat(31)}2_1`;
    const request = { ...requestWith({ type: 'upi', vpa: null }), attemptId, currency: 'INR' };
    await provider.authorize(request, newSignal());
    assert.equal((await provider.close(request, newSignal())).kind, 'pending');
    const status = async () => (await cashfree.entries())[0]?.payment?.status;
    assert.equal(await status(), 'pending');
    await cashfree.control('POST', '/simulate/settle', { reference: attemptId, outcome: 'approved' });
    assert.equal(await status(), 'captured');
    assert.equal((await provider.close(request, newSignal())).kind, 'approved');
    await cashfree.close();
  });
});
