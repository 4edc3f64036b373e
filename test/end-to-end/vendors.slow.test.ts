import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { attemptIdOf } from '../../domain/ids.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  type AdyenBehaviour,
  type FakeAdyen,
  signAdyenWebhook,
  startFakeAdyen,
} from '../../sandbox/fakes/adyen/fake-adyen.ts';
import { type FakeCashfree, startFakeCashfree } from '../../sandbox/fakes/cashfree/fake-cashfree.ts';
import { signWebhook } from '../../sandbox/fakes/cashfree/webhooks.ts';
import type { FakeStripe } from '../../sandbox/fakes/stripe/fake-stripe.ts';
import type { TemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { card, cardToken, upi } from '../../sandbox/test-payment-methods.ts';
import { type Client, createClient, PaymentEngineError, type PaymentIntent } from '../../sdk/server/index.ts';
import { eventually } from '../support/eventually.ts';
import { runReconcile } from '../support/reconcile-now.ts';
import { startTestStack } from '../support/stack.ts';
import { SECRET_KEY, startFake, WEBHOOK_SECRET } from '../support/stripe-harness.ts';
import { ADYEN_CREDENTIALS } from '../unit/providers/adyen/adyen-fixture.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../unit/providers/cashfree/harness.ts';

const STRIPE_CREDENTIALS = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
const CASHFREE_CREDENTIALS = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, fallbackPhone: '9999999999' };
/** More lost replies than one activity makes tries. */
const LOST = Array.from({ length: 5 }, () => ({ when: 'before', reply: null }) as const);
const LOST_RESULT = Array.from({ length: 3 }, () => ({ when: 'after', reply: null }) as const);
const SHOP = 'https://shop.example/done?order=7';

const reportsSchema = z.array(
  z.object({
    runId: z.string(),
    provider: z.string(),
    status: z.string(),
    account: z.object({ name: z.string() }).nullable(),
  }),
);

function codeOf(error: unknown): string | null {
  return error instanceof PaymentEngineError ? error.code : null;
}

/** Dollars go to Stripe first, then to Adyen; euros the other way round; francs to Adyen alone; UPI to Cashfree. */
describe('payments at accounts of Stripe, Adyen and Cashfree', function () {
  this.timeout(3 * MINUTE_MS);
  let stripe: FakeStripe;
  let adyen: FakeAdyen;
  let cashfree: FakeCashfree;
  let engine: TemporaryStack;
  let client: Client;
  const calls: { readonly path: string; readonly request: unknown }[] = [];
  let accounts: Readonly<Record<'stripe' | 'adyen' | 'cashfree', string>>;

  before('start the engine with the vendors', async () => {
    [stripe, adyen, cashfree] = await Promise.all([
      startFake(),
      startFakeAdyen({ ...ADYEN_CREDENTIALS, observe: (exchange) => calls.push(exchange) }),
      startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }),
    ]);
    engine = await startTestStack({
      PROVIDER_API_URLS: `stripe=${stripe.url},adyen=${adyen.url},cashfree=${cashfree.url}`,
      // No test waits for it, and a busy machine must not make a payment go to the other vendor.
      PROVIDER_TIMEOUT_MS: '10000',
    });
    const { baseUrl, apiKey, secretSalt } = engine.stack.sandbox;
    client = createClient({ baseUrl, apiKey, secretSalt });
    const create = async (kind: keyof typeof accounts, credentials: Record<string, string>): Promise<string> =>
      (await client.providerAccounts.create({ kind, name: `Our ${kind}`, credentials })).id;
    accounts = {
      stripe: await create('stripe', STRIPE_CREDENTIALS),
      adyen: await create('adyen', ADYEN_CREDENTIALS),
      cashfree: await create('cashfree', CASHFREE_CREDENTIALS),
    };
    await client.paymentRoutes.create({ provider: accounts.cashfree, paymentMethod: 'upi', priority: 1 });
    for (const [provider, currency, priority] of [
      [accounts.stripe, 'USD', 1],
      [accounts.adyen, 'USD', 2],
      [accounts.adyen, 'EUR', 1],
      [accounts.stripe, 'EUR', 2],
      [accounts.adyen, 'CHF', 1],
    ] as const) {
      await client.paymentRoutes.create({ provider, paymentMethod: 'card', currencies: [currency], priority });
    }
  });
  after(async () => {
    await engine?.end();
    await Promise.all([stripe?.close(), adyen?.close(), cashfree?.close()]);
  });

  const create = (currency: string): Promise<PaymentIntent> =>
    client.paymentIntents.create({ amount: 1_999, currency });

  /** Confirms, and waits for the end of the payment; the confirm itself may take longer than its caller waits. */
  const pay = async ({ id }: PaymentIntent): Promise<PaymentIntent> => {
    const isPaid = async (): Promise<PaymentIntent> => {
      const intent = await client.paymentIntents.get(id);
      assert.equal(intent.status, 'succeeded');
      return intent;
    };
    await client.paymentIntents.confirm(id, { paymentMethod: card('approved') }).catch(() => undefined);
    return eventually(isPaid);
  };

  const providersOf = ({ attempts }: PaymentIntent): readonly string[] => attempts.map(({ provider }) => provider);

  const paymentsAtStripe = ({ id }: PaymentIntent) =>
    stripe.payments.intents().filter(({ metadata }) => metadata['payment_intent_id'] === id);

  it('are made with credentials that each vendor accepts', async () => {
    for (const account of Object.values(accounts)) {
      const { ok, reason } = await client.providerAccounts.test(account);
      assert.deepEqual([account, ok, reason], [account, true, null]);
    }
  });

  it("are paid by a UPI link of Cashfree, whose webhooks come to the account's own address", async () => {
    const postWebhook = async ({ body, headers }: ReturnType<typeof signWebhook>): Promise<number> => {
      const address = `${engine.stack.sandbox.baseUrl}/api/v1/providers/${accounts.cashfree}/webhooks`;
      return (await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) })).status;
    };
    const { id } = await create('INR');
    const { status, nextAction } = await client.paymentIntents.confirm(id, { paymentMethod: upi('success') });
    assert.equal(status, 'requires_action');
    assert.ok(nextAction?.type === 'approve_in_app', nextAction?.type);
    assert.match(nextAction.link ?? '', /^upi:\/\/pay\?/);

    const attemptId = attemptIdOf(id, 1);
    cashfree.ledger.decide(attemptId, 'SUCCESS');
    const webhook = await eventually(() => {
      const found = cashfree.webhooks.find(({ body }) => body.includes(attemptId));
      assert.ok(found);
      return Promise.resolve(found);
    });
    const foreign = Buffer.from(webhook.body.toString().replaceAll(attemptId, 'order_of_another_shop'));
    assert.equal(await postWebhook(signWebhook(foreign, CLIENT_SECRET)), 200);
    assert.equal(await postWebhook(signWebhook(webhook.body, 'another secret')), 401);
    assert.equal(await postWebhook(webhook), 200);
    await eventually(async () => assert.equal((await client.paymentIntents.get(id)).status, 'succeeded'));
    assert.deepEqual([cashfree.ledger.countCharges(attemptId), cashfree.ledger.keptMinor(attemptId)], [1, 1_999]);
    const refund = await client.refunds.create({ paymentIntentId: id, amount: 500 });
    await eventually(async () => assert.equal((await client.refunds.get(refund.id)).status, 'succeeded'));
    assert.equal(cashfree.ledger.keptMinor(attemptId), 1_499);
  });

  describe('after somebody has acted at the vendor', () => {
    const post = async (account: string, { body, headers }: { body: Buffer; headers: Record<string, string> }) => {
      const address = `${engine.stack.sandbox.baseUrl}/api/v1/providers/${account}/webhooks`;
      const { status } = await fetch(address, { method: 'POST', headers, body: new Uint8Array(body) });
      assert.equal(status, 200);
    };
    /** Sends the last event of a type to the account's own address. */
    const postLast = (type: string) => {
      const webhook = stripe.sentWebhooks().findLast(({ body }) => body.includes(`"type":"${type}"`));
      assert.ok(webhook !== undefined);
      return post(accounts.stripe, { body: webhook.body, headers: { ...webhook.headers } });
    };
    const reach = (id: string, isReached: (intent: PaymentIntent) => boolean): Promise<PaymentIntent> =>
      eventually(async () => {
        const intent = await client.paymentIntents.get(id);
        assert.ok(isReached(intent), JSON.stringify(intent));
        return intent;
      });

    it("have a hold end that was canceled in Stripe's dashboard, whose event does not say that it was a hold", async () => {
      const { id } = await client.paymentIntents.create({ amount: 1_999, currency: 'USD', captureMethod: 'manual' });
      await client.paymentIntents.confirm(id, { paymentMethod: card('approved') }).catch(() => undefined);
      const held = await reach(id, ({ status }) => status === 'requires_capture');
      const [atStripe = assert.fail()] = paymentsAtStripe(held);
      stripe.payments.cancel(atStripe.id);
      await postLast('payment_intent.canceled');
      await reach(id, ({ status }) => status === 'canceled');
    });

    it("count a refund that was made in Stripe's dashboard, so that it is not made again", async () => {
      const paid = await pay(await create('USD'));
      const [atStripe = assert.fail()] = paymentsAtStripe(paid);
      stripe.payments.createRefund({ payment_intent: atStripe.id, amount: '1500' });
      await postLast('refund.created');
      await reach(paid.id, ({ amountRefunded }) => amountRefunded === 1_500);
      const again = client.refunds.create({ paymentIntentId: paid.id, amount: 500 });
      await assert.rejects(again, (error) => codeOf(error) === 'REFUND_AMOUNT_EXCEEDED');
    });

    it('record a chargeback at Adyen, which cannot be refunded, and take a capture back that has failed after all', async () => {
      const paid = await pay(await create('EUR'));
      const { attempts } = paid;
      const event = {
        success: true,
        originalReference: 'PSP0',
        merchantAccountCode: ADYEN_CREDENTIALS.merchantAccount,
        merchantReference: attempts.at(-1)?.id ?? assert.fail(),
        amount: { value: 1_999, currency: 'EUR' },
      };
      const report = (eventCode: string) => {
        const body = signAdyenWebhook(
          { ...event, eventCode, pspReference: `PSP ${eventCode}` },
          ADYEN_CREDENTIALS.hmacKey,
        );
        return post(accounts.adyen, { body, headers: { 'content-type': 'application/json' } });
      };
      await report('NOTIFICATION_OF_FRAUD');
      await report('CHARGEBACK');
      const { disputeIds } = await reach(paid.id, ({ amountDisputed }) => amountDisputed === 1_999);
      const [dispute] = (await client.disputes.list({ paymentIntentId: paid.id })).data;
      assert.deepEqual([dispute?.id, dispute?.amountWithdrawn, dispute?.stage], [disputeIds[0], 1_999, 'chargeback']);
      const refused = client.refunds.create({ paymentIntentId: paid.id, amount: 500 });
      await assert.rejects(refused, (error) => codeOf(error) === 'REFUND_NOT_ALLOWED');
      await report('CAPTURE_FAILED');
      const failed = await reach(paid.id, ({ status }) => status === 'failed');
      assert.deepEqual([failed.amountCaptured, failed.lastError?.code], [0, 'TSP_PAYMENT_FAILED']);
    });
  });

  it('are charged once, and refunded', async () => {
    const paid = await pay(await create('USD'));
    assert.deepEqual(providersOf(paid), [accounts.stripe]);
    assert.deepEqual(
      paymentsAtStripe(paid).map(({ status, amount_received: received }) => [status, received]),
      [['succeeded', 1_999]],
    );
    const refund = await client.refunds.create({ paymentIntentId: paid.id, amount: 500 });
    await eventually(async () => assert.equal((await client.refunds.get(refund.id)).status, 'succeeded'));
  });

  it('are charged once if Stripe charges and its reply is lost', async () => {
    stripe.failNext('/confirm', 'done');
    const paid = await pay(await create('USD'));
    assert.deepEqual(providersOf(paid), [accounts.stripe]);
    assert.deepEqual(
      paymentsAtStripe(paid).map(({ status }) => status),
      ['succeeded'],
    );
  });

  it('go from Stripe to Adyen, once the attempt at Stripe is closed', async () => {
    stripe.failNext('/confirm', 'not_done');
    const paid = await pay(await create('USD'));
    assert.deepEqual(providersOf(paid), [accounts.stripe, accounts.adyen]);
    assert.deepEqual(
      paymentsAtStripe(paid).map(({ status }) => status),
      ['canceled'],
    );
    assert.equal(adyen.countCharges(attemptIdOf(paid.id, 2)), 1);
    const summaries = (await client.paymentIntents.timeline(paid.id)).map(({ summary }) => summary);
    const closed = summaries.indexOf(`${accounts.stripe}, asked what became of attempt 1: not charged`);
    const next = summaries.indexOf(`Attempt 2 goes to ${accounts.adyen}`);
    assert.ok(closed >= 0 && next > closed, summaries.join('\n'));
  });

  it('answer a capture that Adyen refuses after it has accepted it, and can be captured again', async () => {
    const { id } = await client.paymentIntents.create({ amount: 1_999, currency: 'EUR', captureMethod: 'manual' });
    const attemptId = attemptIdOf(id, 1);
    const behaviour: { capture?: 'refused' } = { capture: 'refused' };
    adyen.setBehaviour(attemptId, behaviour);
    const held = await client.paymentIntents.confirm(id, { paymentMethod: card('approved') });
    assert.deepEqual([held.status, ...providersOf(held)], ['requires_capture', accounts.adyen]);
    const captures = () => adyen.webhooks().filter((body) => /"CAPTURE"/.test(body.toString()));
    const postCapture = async (number: number): Promise<void> => {
      const body = await eventually(() => {
        const sent = captures()[number - 1];
        assert.ok(sent);
        return Promise.resolve(sent);
      });
      const address = `${engine.stack.sandbox.baseUrl}/api/v1/providers/${accounts.adyen}/webhooks`;
      assert.equal((await fetch(address, { method: 'POST', body: new Uint8Array(body) })).status, 200);
    };

    const refused = client.paymentIntents.capture(id, {}).catch((error: unknown) => error);
    await postCapture(1);
    const error = await refused;
    assert.ok(error instanceof PaymentEngineError, String(error));
    assert.equal(error.code, 'PROVIDER_VALIDATION_ERROR');
    assert.equal((await client.paymentIntents.get(id)).status, 'requires_capture');

    delete behaviour.capture;
    const captured = client.paymentIntents.capture(id, {});
    await postCapture(2);
    assert.equal((await captured).status, 'succeeded');
    assert.deepEqual([captures().length, adyen.countCharges(attemptId), adyen.keptValue(attemptId)], [2, 1, 1_999]);
  });

  describe('by a token of Stripe', () => {
    const newToken = () => stripe.payments.createMethod({ card: { number: '4242424242424242' } }).id;
    const byToken = (token: string) => ({ type: 'card', providerToken: { provider: accounts.stripe, token } }) as const;

    it('go to Stripe alone, though the routes to Adyen come first, and are charged once for repeats of the request', async () => {
      const { id } = await create('EUR');
      const body = { paymentMethod: byToken(newToken()) };
      const options = { idempotencyKey: `token-${id}` };
      const [paid, ...repeats] = [
        await client.paymentIntents.confirm(id, body, options),
        await client.paymentIntents.confirm(id, body, options),
      ];
      assert.equal(paid.status, 'succeeded');
      assert.deepEqual(providersOf(paid), [accounts.stripe]);
      assert.deepEqual(repeats, [paid]);
      assert.deepEqual(paid.paymentMethod, {
        type: 'card',
        brand: 'visa',
        last4: '4242',
        expiryMonth: 12,
        expiryYear: 2_039,
      });
      assert.equal(paymentsAtStripe(paid).length, 1);
      const timeline = await client.paymentIntents.timeline(id);
      const shown = JSON.stringify(timeline);
      const skipped = new RegExp(`"other_provider_token","routeId":"rt_\\w+","provider":"${accounts.adyen}"`);
      assert.match(shown, skipped);
      assert.ok(!shown.includes(body.paymentMethod.providerToken.token));
    });

    it('are charged once by a confirmation token if the reply is lost', async () => {
      stripe.failNext('/confirm', 'done');
      const { id } = await create('USD');
      const token = stripe.payments.createConfirmationToken('4242424242424242');
      await client.paymentIntents.confirm(id, { paymentMethod: byToken(token) }).catch(() => undefined);
      await eventually(async () => assert.equal((await client.paymentIntents.get(id)).status, 'succeeded'));
      const paid = await client.paymentIntents.get(id);
      assert.deepEqual(
        paymentsAtStripe(paid).map(({ status }) => status),
        ['succeeded'],
      );
    });

    it('do not fail over to another provider', async () => {
      stripe.failNext('/confirm', 'not_done');
      const { id } = await create('USD');
      await client.paymentIntents.confirm(id, { paymentMethod: byToken(newToken()) }).catch(() => undefined);
      const ended = await eventually(async () => {
        const intent = await client.paymentIntents.get(id);
        assert.equal(intent.status, 'requires_payment_method');
        return intent;
      });
      assert.deepEqual(providersOf(ended), [accounts.stripe]);
      assert.deepEqual(
        paymentsAtStripe(ended).map(({ status }) => status),
        ['canceled'],
      );
    });

    it('are simulated with the routes that would be skipped', async () => {
      const asked = { amount: 1_999, currency: 'EUR', paymentMethod: 'card', tokenProvider: accounts.stripe } as const;
      const { routes, passedOver } = await client.paymentRoutes.simulate(asked);
      assert.deepEqual(new Set(routes.map(({ provider }) => provider)), new Set([accounts.stripe]));
      const skipped = passedOver.filter(({ reason }) => reason === 'other_provider_token');
      assert.deepEqual(new Set(skipped.map(({ provider }) => provider)), new Set(['alpha', 'beta', accounts.adyen]));
    });
  });

  it('are decided by the card that a token of a simulated provider stands for', async () => {
    const { id } = await create('GBP');
    const declined = client.paymentIntents.confirm(id, { paymentMethod: cardToken('insufficientFunds', 'beta') });
    await assert.rejects(declined, { code: 'INSUFFICIENT_FUNDS' });
    const paid = await client.paymentIntents.confirm(id, { paymentMethod: cardToken('approved', 'beta') });
    assert.equal(paid.status, 'succeeded');
    assert.deepEqual(providersOf(paid), ['beta', 'beta']);
  });

  it('wait for Adyen, whose attempts cannot be closed without its answer', async () => {
    adyen.planFaults(LOST);
    const paid = await pay(await create('EUR'));
    assert.deepEqual(providersOf(paid), [accounts.adyen]);
    assert.equal(adyen.countCharges(attemptIdOf(paid.id, 1)), 1);
    assert.deepEqual(paymentsAtStripe(paid), []);
    const summaries = (await client.paymentIntents.timeline(paid.id)).map(({ summary }) => summary);
    const awaited = 'its webhook or its answer to a repeat is awaited, and no other provider tried before';
    const unanswered = `${accounts.adyen}, asked what became of attempt 1, gave no answer: ${awaited}`;
    assert.ok(summaries.includes(unanswered), summaries.join('\n'));
  });

  it("are compared with Stripe's, where the merchant sees every run, and payments of its other systems", async () => {
    const from = new Date(Date.now() - MINUTE_MS);
    const paid = await pay(await create('USD'));
    const { id: unknown } = stripe.payments.createIntent({ amount: '700', currency: 'usd' });
    stripe.payments.confirm(unknown, {
      confirmation_token: stripe.payments.createConfirmationToken('4242424242424242'),
    });
    // Stripe's times are whole seconds, and what changes after the window is left to the next run.
    const to = new Date();
    const args = ['--from', from.toISOString(), '--to', to.toISOString()];
    const { exitCode, stdout, stderr } = await runReconcile(engine.dataDir, args);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`${accounts.adyen}: left out`));
    const reports = reportsSchema.parse(JSON.parse(stdout));
    const report = reports.find(({ provider }) => provider === accounts.stripe);
    assert.deepEqual([report?.account?.name, report?.status], ['Our stripe', 'completed']);
    assert.ok(reports.every(({ provider }) => provider !== accounts.adyen));

    const { data: runs } = await client.reconciliationRuns.list({ provider: accounts.stripe });
    assert.deepEqual(
      runs.map(({ id, status }) => [id, status]),
      [[report?.runId, 'completed']],
    );
    const { compared, reported, differences } = await client.reconciliationRuns.get(report?.runId ?? '');
    assert.ok(compared >= 2 && reported === differences.length, `${compared} were compared, ${reported} reported`);
    const shown = differences.map(({ kind, providerPaymentId, theirs }) => [kind, providerPaymentId, theirs?.amount]);
    assert.deepEqual(shown, [['unknown_payment', unknown, 700]]);
    assert.equal(paymentsAtStripe(paid).length, 1);
  });

  describe('with 3-D Secure at Adyen', () => {
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
      const { id } = await client.paymentIntents.create({ amount: 1_999, currency: 'CHF', ...terms });
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
      assert.deepEqual(
        [lastError?.code, lastError?.details],
        ['CARD_DECLINED', { advice: 'authenticate', reason: 'authentication_failed' }],
      );
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
      adyen.planFaults(LOST_RESULT);
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
});
