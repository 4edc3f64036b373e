import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ListedPayment } from '../../../../domain/reconciliation.ts';
import { SECOND_MS } from '../../../../domain/time.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { type FakeStripe, startFakeStripe } from '../../../../sandbox/fakes/stripe/fake-stripe.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
import { withScriptedHttpServer } from '../../../support/scripted-http-server.ts';
import { adapterTo, startFake } from '../../../support/stripe-harness.ts';

describe("Stripe's list of payments", () => {
  let fake: FakeStripe;
  beforeEach(async () => {
    fake = await startFake();
  });
  afterEach(() => fake.close());

  async function pay(number: string, change: Partial<ReturnType<typeof requestWith>> = {}) {
    const request = { ...requestWith(cardOf(number)), ...change };
    const outcome = await adapterTo(fake.url).authorize(request, newSignal());
    assert.ok('providerPaymentId' in outcome);
    return { ...request, providerPaymentId: outcome.providerPaymentId };
  }

  const window = () => ({ from: new Date(Date.now() - 10 * SECOND_MS), to: new Date() });

  /** All pages. */
  async function list(of = window()): Promise<readonly ListedPayment[]> {
    const { listPayments } = adapterTo(fake.url);
    assert.ok(listPayments);
    const listed: ListedPayment[] = [];
    for (let cursor: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof listPayments>> = await listPayments({ window: of, cursor }, newSignal());
      listed.push(...page.payments);
      if (page.nextCursor === null) return listed;
      cursor = page.nextCursor;
    }
  }

  it('has charges, holds, declines and voids in our terms, and no id of ours for what is not ours', async () => {
    const provider = adapterTo(fake.url);
    const captured = await pay('4242424242424242');
    const yen = await pay('4242424242424242', { currency: 'JPY' });
    const held = await pay('4242424242424242', { captureMethod: 'manual' });
    const voided = await pay('4242424242424242', { captureMethod: 'manual' });
    await provider.close(voided, newSignal());
    const declined = await pay('4000000000000002');
    const part = await pay('4242424242424242', { captureMethod: 'manual' });
    await provider.capture({ ...part, amountMinor: 500 }, newSignal());
    fake.payments.createIntent({ amount: '700', currency: 'usd', metadata: { attempt_id: 'order 7' } });
    const byAttempt = new Map((await list()).map((payment) => [payment.attemptId, payment]));
    const shown = [captured, yen, held, voided, declined, part].map(({ attemptId }) => {
      const { status, capturedMinor, currency } = byAttempt.get(attemptId) ?? assert.fail();
      return [status, capturedMinor, currency];
    });
    const { amountMinor } = captured;
    assert.deepEqual(shown, [
      ['captured', amountMinor, 'USD'],
      ['captured', amountMinor, 'JPY'],
      ['held', 0, 'USD'],
      ['voided', 0, 'USD'],
      ['declined', 0, 'USD'],
      ['captured', 500, 'USD'],
    ]);
    assert.ok([captured, yen, held].every((each) => byAttempt.get(each.attemptId)?.amountMinor === amountMinor));
    assert.deepEqual([byAttempt.get(null)?.status, byAttempt.get(null)?.amountMinor], ['open', 700]);
  });

  it('has every payment once over all pages, and those alone that were created in the window', async () => {
    for (let count = 0; count < 205; count += 1) fake.payments.createIntent({ amount: '100', currency: 'usd' });
    const ids = (await list()).map(({ providerPaymentId }) => providerPaymentId);
    assert.deepEqual([ids.length, new Set(ids).size], [205, 205]);
    const before = { from: new Date(0), to: new Date(Date.now() - 60 * SECOND_MS) };
    assert.deepEqual(await list(before), []);
  });

  it('has all refunds of a payment, and finds one payment with them', async () => {
    const paid = await pay('4242424242424242');
    const refundId = `re_${newUnique()}`;
    const { attemptId, environment, currency } = paid;
    const providerPaymentId = paid.providerPaymentId ?? assert.fail();
    const refund = { refundId, attemptId, environment, currency, providerPaymentId, amountMinor: 100 };
    await adapterTo(fake.url).refund(refund, newSignal());
    const refunded = async (of: ListedPayment | null | undefined) =>
      of?.refunds.map((each) => [each.refundId, each.amountMinor, each.currency, each.status]);
    const [listed] = await list();
    assert.deepEqual(await refunded(listed), [[refundId, 100, 'USD', 'succeeded']]);
    for (let count = 0; count < 11; count += 1) {
      fake.payments.createRefund({ payment_intent: providerPaymentId, amount: '1' });
    }
    const found = await adapterTo(fake.url).findPayment?.(paid, newSignal());
    assert.equal(found?.refunds.length, 12);
    assert.deepEqual(found.refunds.filter((each) => each.refundId !== null).length, 1);
    assert.deepEqual(
      [found.status, found.attemptId, found.providerPaymentId],
      ['captured', attemptId, providerPaymentId],
    );
  });

  it('has the payments that were created before the window and changed in it, as somebody did in the dashboard', async () => {
    const held = await pay('4242424242424242', { captureMethod: 'manual' });
    const paid = await pay('4242424242424242');
    fake.payments.createIntent({ amount: '700', currency: 'usd', metadata: { attempt_id: 'order 7' } });
    await untilNextSecond();
    const from = new Date();
    await untilNextSecond();
    const paymentId = paid.providerPaymentId ?? assert.fail();
    fake.payments.cancel(held.providerPaymentId ?? assert.fail());
    fake.payments.createRefund({ payment_intent: paymentId, amount: '100' });
    const listed = await list({ from, to: new Date(Date.now() + SECOND_MS) });
    const changed = new Map(listed.map((payment) => [payment.attemptId, payment]));
    assert.deepEqual(
      [
        listed.length,
        changed.get(held.attemptId)?.status,
        changed.get(paid.attemptId)?.refunds.map((each) => each.refundId),
      ],
      [2, 'voided', [null]],
    );
    assert.ok(listed.every(({ updatedAt }) => Date.parse(updatedAt) >= from.getTime() - SECOND_MS));
  });

  it('ends with the new payments where the key may not read events', async () => {
    const { attemptId } = await pay('4242424242424242');
    fake.forbidEvents();
    assert.deepEqual(
      (await list()).map((payment) => payment.attemptId),
      [attemptId],
    );
  });

  it('has a hundred payments in one answer, each as long as Stripe writes it', async () => {
    const data = Array.from({ length: 100 }, (_, index) => wholePayment(`pi_${index}`));
    const text = JSON.stringify({ object: 'list', data, has_more: false, url: '/v1/payment_intents' }, null, 2);
    await withScriptedHttpServer([{ status: 200, body: text }], async (url) => {
      const page = await adapterTo(url).listPayments?.({ window: window(), cursor: null }, newSignal());
      assert.equal(page?.payments.filter(({ status }) => status === 'captured').length, 100);
    });
  });

  it('finds nothing where nothing was charged, and does not take a refusal for that', async () => {
    const { findPayment } = adapterTo(fake.url);
    const paid = await pay('4242424242424242');
    assert.equal(await findPayment?.({ ...paid, providerPaymentId: null }, newSignal()), null);
    assert.equal(await findPayment?.({ ...paid, providerPaymentId: 'pi_nowhere' }, newSignal()), null);
    assert.equal(await findPayment?.({ ...paid, attemptId: `att_${newUnique()}_1` }, newSignal()), null);
    const stranger = await startFakeWithOtherKey();
    const refused = adapterTo(stranger.url);
    await assert.rejects(async () => refused.findPayment?.(paid, newSignal()), ProviderOutageError);
    await assert.rejects(
      async () => refused.listPayments?.({ window: window(), cursor: null }, newSignal()),
      ProviderOutageError,
    );
    await stranger.close();
  });
});

/** Stripe counts in seconds. */
function untilNextSecond(): Promise<void> {
  return setTimeout(SECOND_MS + 10 - (Date.now() % SECOND_MS));
}

/** A payment of another system with all members that Stripe's reference documents, expanded as the list is. */
function wholePayment(id: string): object {
  const metadata = { order: 'order-0123456789', shop: 'https://shop.example/orders/0123456789' };
  const absent = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const refunds = { object: 'list', data: [], has_more: false, url: `/v1/charges/ch_of_${id}/refunds` };
  const card = {
    amount_authorized: 2_000,
    authorization_code: null,
    brand: 'visa',
    checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
    country: 'US',
    exp_month: 12,
    exp_year: 2034,
    extended_authorization: { status: 'disabled' },
    fingerprint: 'mToisGZ01V71BCos',
    funding: 'credit',
    incremental_authorization: { status: 'unavailable' },
    last4: '4242',
    multicapture: { status: 'unavailable' },
    network: 'visa',
    network_token: { used: false },
    network_transaction_id: '104557651805572',
    overcapture: { maximum_amount_capturable: 2_000, status: 'unavailable' },
    regulated_status: 'unregulated',
    ...absent('installments', 'mandate', 'three_d_secure', 'wallet'),
  };
  const address = {
    city: 'Anytown',
    country: 'US',
    line1: '1 Main Street',
    line2: null,
    postal_code: '12345',
    state: 'CA',
  };
  const charge = {
    id: `ch_of_${id}`,
    object: 'charge',
    amount: 2_000,
    amount_captured: 2_000,
    amount_refunded: 0,
    balance_transaction: `txn_of_${id}`,
    billing_details: { address, email: 'jenny@shop.example', name: 'Jenny Rosen', phone: null, tax_id: null },
    calculated_statement_descriptor: 'SHOP EXAMPLE',
    captured: true,
    created: 1_790_000_000,
    currency: 'usd',
    customer: 'cus_0123456789abcd',
    description: 'Order 0123456789',
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 32,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: id,
    payment_method: `pm_of_${id}`,
    payment_method_details: { card, type: 'card' },
    radar_options: {},
    receipt_email: 'jenny@shop.example',
    receipt_url: `https://pay.stripe.com/receipts/payment/${'CAcaFwoVYWNjdF8xTTJKVGtMa2RJd0h1N2l4K'.repeat(3)}`,
    refunded: false,
    refunds,
    shipping: { address, carrier: null, name: 'Jenny Rosen', phone: null, tracking_number: null },
    status: 'succeeded',
    ...absent(
      'application',
      'application_fee',
      'application_fee_amount',
      'failure_balance_transaction',
      'failure_code',
      'failure_message',
      'on_behalf_of',
      'receipt_number',
      'review',
      'source',
      'source_transfer',
      'statement_descriptor',
      'statement_descriptor_suffix',
      'transfer_data',
      'transfer_group',
    ),
  };
  return {
    id,
    object: 'payment_intent',
    amount: 2_000,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 2_000,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    capture_method: 'automatic',
    client_secret: `${id}_secret_YrKJUKribcBjcG8HVhfZluoGH`,
    confirmation_method: 'automatic',
    created: 1_790_000_000,
    currency: 'usd',
    customer: 'cus_0123456789abcd',
    description: 'Order 0123456789',
    latest_charge: charge,
    livemode: false,
    metadata,
    payment_method: `pm_of_${id}`,
    payment_method_options: {
      card: { request_three_d_secure: 'automatic', ...absent('installments', 'mandate_options', 'network') },
      link: { persistent_token: null },
    },
    payment_method_types: ['card', 'link'],
    receipt_email: 'jenny@shop.example',
    shipping: { address, carrier: null, name: 'Jenny Rosen', phone: null, tracking_number: null },
    status: 'succeeded',
    ...absent(
      'application',
      'application_fee_amount',
      'canceled_at',
      'cancellation_reason',
      'last_payment_error',
      'next_action',
      'on_behalf_of',
      'payment_method_configuration_details',
      'processing',
      'review',
      'setup_future_usage',
      'source',
      'statement_descriptor',
      'statement_descriptor_suffix',
      'transfer_data',
      'transfer_group',
    ),
  };
}

function startFakeWithOtherKey(): Promise<FakeStripe> {
  return startFakeStripe({ secretKey: 'sk_test_of_another_account', webhookSecret: 'whsec_0123456789abcdef' });
}
