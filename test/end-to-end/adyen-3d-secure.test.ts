import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { attemptIdOf } from '../../domain/ids.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { type AdyenBehaviour, type FakeAdyen, startFakeAdyen } from '../../sandbox/fakes/adyen/fake-adyen.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { type Client, createClient, type PaymentIntent } from '../../sdk/server/index.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack } from '../support/stack.ts';
import { ADYEN_CREDENTIALS } from '../unit/providers/adyen/adyen-fixture.ts';

const SHOP = 'https://shop.example/done?order=7';
/** More lost replies than one activity makes tries. */
const LOST = Array.from({ length: 3 }, () => ({ when: 'after', reply: null }) as const);

describe('3-D Secure at Adyen', function () {
  this.timeout(3 * MINUTE_MS);
  let adyen: FakeAdyen;
  let engine: TemporaryStack;
  let client: Client;
  const calls: { readonly path: string; readonly request: unknown }[] = [];

  before('start the engine with Adyen', async () => {
    adyen = await startFakeAdyen({ ...ADYEN_CREDENTIALS, observe: (exchange) => calls.push(exchange) });
    engine = await startTestStack({ PROVIDER_API_URLS: `adyen=${adyen.url}`, PROVIDER_TIMEOUT_MS: '10000' });
    const { baseUrl, apiKey, secretSalt } = engine.stack.sandbox;
    client = createClient({ baseUrl, apiKey, secretSalt });
    const account = { kind: 'adyen', name: 'Our Adyen', credentials: ADYEN_CREDENTIALS } as const;
    const { id: provider } = await client.providerAccounts.create(account);
    await client.paymentRoutes.create({ provider, paymentMethod: 'card', currencies: ['EUR'], priority: 1 });
  });
  after(async () => {
    await engine?.end();
    await adyen?.close();
  });

  interface Waiting {
    readonly id: string;
    readonly attemptId: string;
    /** The issuer's page. */
    readonly url: string;
  }

  interface Terms {
    readonly returnUrl?: string;
    readonly captureMethod?: 'manual';
  }

  /** A payment whose customer has to go to the issuer. */
  async function startPayment(behaviour: AdyenBehaviour = {}, terms: Terms = { returnUrl: SHOP }): Promise<Waiting> {
    const { id } = await client.paymentIntents.create({ amount: 1_999, currency: 'EUR', ...terms });
    const attemptId = attemptIdOf(id, 1);
    adyen.setBehaviour(attemptId, { resultCode: 'RedirectShopper', ...behaviour });
    const { status, nextAction } = await client.paymentIntents.confirm(id, { paymentMethod: card('approved') });
    assert.ok(status === 'requires_action' && nextAction?.type === 'redirect', status);
    return { id, attemptId, url: nextAction.url };
  }

  /** Decides on the issuer's page. @returns the address at the engine to which the customer is sent */
  async function decide({ url }: Waiting, decision: 'approve' | 'refuse'): Promise<string> {
    const { headers } = await fetch(`${url}?decision=${decision}`, { redirect: 'manual' });
    return headers.get('location') ?? '';
  }

  const comeBack = (address: string, init: RequestInit = {}) => fetch(address, { ...init, redirect: 'manual' });

  const reach = ({ id }: Waiting, expected: string): Promise<PaymentIntent> =>
    eventually(async () => {
      const intent = await client.paymentIntents.get(id);
      assert.equal(intent.status, expected);
      return intent;
    }, MINUTE_MS);

  /** Where the customer comes back to: the shop's address with the payment's id. */
  const shopOf = ({ id }: Waiting): string => `${SHOP}&paymentIntentId=${id}`;

  /** The results that were sent to Adyen, of this payment. */
  const sentResults = (address: string): number => {
    const result = new URL(address).searchParams.get('redirectResult') ?? '';
    assert.notEqual(result, '');
    return calls.filter(
      ({ path, request }) => path === '/v72/payments/details' && JSON.stringify(request).includes(result),
    ).length;
  };

  it('takes the customer to the issuer, back to the engine, and on to the shop, and charges once', async () => {
    const waiting = await startPayment();
    assert.equal(adyen.countCharges(waiting.attemptId), 0);
    const address = await decide(waiting, 'approve');
    assert.ok(address.startsWith(`${engine.stack.sandbox.baseUrl}/returns/${waiting.attemptId}/`), address);
    const { status, headers } = await comeBack(address);
    assert.deepEqual([status, headers.get('location')], [303, shopOf(waiting)]);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    const paid = await reach(waiting, 'succeeded');
    assert.equal(paid.attempts.length, 1);
    assert.equal(adyen.countCharges(waiting.attemptId), 1);
    assert.equal(sentResults(address), 1);
    const timeline = JSON.stringify(await client.paymentIntents.timeline(waiting.id));
    assert.match(timeline, /The customer has acted/);
    assert.ok(!timeline.includes(new URL(address).searchParams.get('redirectResult') ?? ''));
  });

  it('declines the card where the issuer does not authenticate the customer, who may then pay with another', async () => {
    const waiting = await startPayment();
    await comeBack(await decide(waiting, 'refuse'));
    const { lastError } = await reach(waiting, 'requires_payment_method');
    assert.deepEqual([lastError?.code, lastError?.details], ['CARD_DECLINED', { reason: 'authentication_failed' }]);
    assert.equal(adyen.countCharges(waiting.attemptId), 0);
    await client.paymentIntents.confirm(waiting.id, { paymentMethod: card('approved') });
    await reach(waiting, 'succeeded');
  });

  it('charges once where the customer comes back twice, also by a form', async () => {
    const waiting = await startPayment();
    const address = new URL(await decide(waiting, 'approve'));
    const body = new URLSearchParams(address.searchParams);
    const form = await comeBack(`${address.origin}${address.pathname}`, { method: 'POST', body });
    assert.deepEqual([form.status, form.headers.get('location')], [303, shopOf(waiting)]);
    assert.equal((await comeBack(address.href)).status, 303);
    await reach(waiting, 'succeeded');
    assert.equal((await comeBack(address.href)).status, 303);
    assert.equal(adyen.countCharges(waiting.attemptId), 1);
    assert.equal(sentResults(address.href), 1);
  });

  it('is canceled at once while the customer is at the issuer, whose result is never sent', async () => {
    const waiting = await startPayment();
    const address = await decide(waiting, 'approve');
    assert.equal((await client.paymentIntents.cancel(waiting.id, {})).status, 'canceled');
    const { status, headers } = await comeBack(address);
    assert.deepEqual([status, headers.get('location')], [303, shopOf(waiting)]);
    assert.equal(adyen.countCharges(waiting.attemptId), 0);
    assert.equal(sentResults(address), 0);
  });

  it('charges once where Adyen takes the result and its reply is lost', async () => {
    const waiting = await startPayment();
    const address = await decide(waiting, 'approve');
    adyen.planFaults(LOST);
    await comeBack(address);
    await reach(waiting, 'succeeded');
    assert.equal(adyen.countCharges(waiting.attemptId), 1);
  });

  it('answers a capture that Adyen refuses before its webhook has come', async () => {
    const waiting = await startPayment({}, { captureMethod: 'manual' });
    await comeBack(await decide(waiting, 'approve'));
    await reach(waiting, 'requires_capture');
    adyen.planFaults([{ when: 'before', reply: { status: 422, body: { errorCode: '167' } } }]);
    await assert.rejects(client.paymentIntents.capture(waiting.id, {}), { code: 'PROVIDER_VALIDATION_ERROR' });
    assert.equal((await client.paymentIntents.get(waiting.id)).status, 'requires_capture');
  });

  it('shows a page of its own where the shop gave no address, and answers nobody without the token', async () => {
    const waiting = await startPayment({}, {});
    const address = await decide(waiting, 'approve');
    const { origin } = new URL(address);
    const guessed = await comeBack(`${origin}/returns/${waiting.attemptId}/${'A'.repeat(32)}?redirectResult=x`);
    assert.equal(guessed.status, 404);
    const page = await comeBack(address);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /You can close this page/);
    await reach(waiting, 'succeeded');
  });
});
