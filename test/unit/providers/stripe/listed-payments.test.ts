import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ListedPayment } from '../../../../domain/reconciliation.ts';
import { SECOND_MS } from '../../../../domain/time.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { type FakeStripe, startFakeStripe } from '../../../../sandbox/fakes/stripe/fake-stripe.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
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

function startFakeWithOtherKey(): Promise<FakeStripe> {
  return startFakeStripe({ secretKey: 'sk_test_of_another_account', webhookSecret: 'whsec_0123456789abcdef' });
}
