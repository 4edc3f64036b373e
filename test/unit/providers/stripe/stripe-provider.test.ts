import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type Stripe from 'stripe';
import type { z } from 'zod';
import type { AuthorizationRequest } from '../../../../providers/payment-provider.ts';
import { strayChargeIdOf } from '../../../../domain/ids.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../../../providers/provider-errors.ts';
import type {
  intentListSchema,
  intentSchema,
  refundListSchema,
  refundSchema,
} from '../../../../providers/stripe/messages.ts';
import { STRIPE } from '../../../../providers/stripe/stripe-provider.ts';
import type { FakeStripe } from '../../../../sandbox/fakes/stripe/fake-stripe.ts';
import { memoryCustomers } from '../../../support/customers-at-provider.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
import { startScriptedServer, UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { adapterTo, SECRET_KEY, startFake, WEBHOOK_SECRET } from '../../../support/stripe-harness.ts';

const APPROVED = cardOf('4242424242424242');

/** What Stripe's types allow must be readable: this compiles only then. */
export type ReadableAnswers = [
  Readable<Stripe.PaymentIntent, z.input<typeof intentSchema>>,
  Readable<Pick<Stripe.ApiList<Stripe.PaymentIntent>, 'data' | 'has_more'>, z.input<typeof intentListSchema>>,
  Readable<Stripe.Refund, z.input<typeof refundSchema>>,
  Readable<Pick<Stripe.ApiList<Stripe.Refund>, 'data' | 'has_more'>, z.input<typeof refundListSchema>>,
];
type Readable<Answer extends Read, Read> = Answer;

describe('Stripe: payments', () => {
  let stripe: FakeStripe;
  before(async () => {
    stripe = await startFake();
  });
  after(() => stripe.close());

  const intentsOf = ({ attemptId }: AuthorizationRequest) =>
    stripe.payments.intents().filter(({ metadata }) => metadata.attempt_id === attemptId);

  /** An attempt that keeps what the adapter stores. */
  const attemptWith = (changes: Partial<AuthorizationRequest> = {}) => {
    const stored: string[] = [];
    const storePaymentId = (id: string): Promise<void> => {
      stored.push(id);
      return Promise.resolve();
    };
    const request = { ...requestWith(APPROVED), ...changes, storePaymentId };
    return { request, stored, repeated: () => ({ ...request, providerPaymentId: stored.at(-1) ?? null }) };
  };

  it('stores the id of the payment before it confirms', async () => {
    const { request } = attemptWith();
    const statuses: (string | undefined)[] = [];
    const storePaymentId = (id: string): Promise<void> => {
      statuses.push(stripe.payments.find(id).status);
      return Promise.resolve();
    };
    await adapterTo(stripe.url).authorize({ ...request, storePaymentId }, newSignal());
    assert.deepEqual(statuses, ['requires_confirmation']);
  });

  it('keeps a card for a new customer at Stripe once the merchant has deleted the old one there', async () => {
    const customers = memoryCustomers();
    const method = { ...APPROVED, saving: { customerId: 'cus_ours', usage: 'off_session' as const } };
    const pay = () => adapterTo(stripe.url).authorize({ ...attemptWith().request, method, customers }, newSignal());
    assert.equal((await pay()).kind, 'approved');
    const before = customers.known.get('cus_ours') ?? '';
    stripe.payments.deleteCustomer(before);
    await assert.rejects(pay(), ProviderOutageError);
    assert.notEqual(customers.known.get('cus_ours'), before);
    assert.equal((await pay()).kind, 'approved');
    assert.equal(stripe.payments.methodsOf(customers.known.get('cus_ours') ?? '').length, 1);
  });

  it('has issued nothing for a payment of another account, whose key was entered', async () => {
    const card = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2039 } as const;
    const reference = { ...attemptWith().request, providerPaymentId: 'pi_elsewhere', customerId: 'cus_ours', card };
    const issued = await adapterTo(stripe.url).readCredential?.(reference, newSignal());
    assert.deepEqual(issued, { token: null, providerCustomerId: null, networkTransaction: null });
  });

  it('reports until when held money can be captured, as Stripe says', async () => {
    const { request } = attemptWith({ captureMethod: 'manual' });
    const held = await adapterTo(stripe.url).authorize(request, newSignal());
    const [{ latest_charge: charge } = { latest_charge: null }] = intentsOf(request);
    const seconds = charge?.payment_method_details?.card.capture_before;
    assert.ok(held.kind === 'approved' && !held.captured && seconds !== undefined);
    assert.equal(held.captureBefore, new Date(seconds * 1_000).toISOString());
  });

  it('sends the reference of the merchant, and never the card but to create a payment method', async () => {
    const { request } = attemptWith();
    const server = await startScriptedServer(({ path }) => ({
      status: 200,
      body: JSON.stringify(path === '/v1/payment_methods' ? { id: 'pm_1' } : {}),
    }));
    await assert.rejects(adapterTo(server.url).authorize(request, newSignal()), { code: 'TSP_ERROR' });
    const [method, intent] = server.received;
    await server.close();
    assert.equal(method?.path, '/v1/payment_methods');
    assert.equal(method.headers['idempotency-key'], `${request.attemptId}:method`);
    assert.ok(method.body.includes('4242424242424242'));
    assert.equal(intent?.headers['idempotency-key'], `${request.attemptId}:create`);
    assert.equal(new URLSearchParams(intent.body.toString('utf8')).get('description'), 'ORDER-1042');
    assert.ok(!intent.body.includes('4242424242424242'));
  });

  it('finds the end of a confirmation whose 500 Stripe has stored', async () => {
    for (const [work, kind] of [
      ['done', 'approved'],
      ['not_done', 'not_charged'],
    ] as const) {
      const { request, repeated } = attemptWith();
      stripe.failNext('/confirm', work);
      await assert.rejects(adapterTo(stripe.url).authorize(request, newSignal()), { code: 'TSP_ERROR' });
      const found = await adapterTo(stripe.url).inquire({ ...request, ...repeated() }, newSignal());
      assert.equal(found.kind, kind);
      assert.equal(intentsOf(request).filter(({ status }) => status === 'succeeded').length, work === 'done' ? 1 : 0);
    }
  });

  it('charges once when Stripe has forgotten the keys', async () => {
    const { request, repeated } = attemptWith();
    const first = await adapterTo(stripe.url).authorize(request, newSignal());
    stripe.forgetKeys();
    assert.deepEqual(await adapterTo(stripe.url).authorize(repeated(), newSignal()), first);
    assert.equal(intentsOf(request).length, 1);
  });

  it('creates no payment for an attempt that began long ago', async () => {
    const startedAt = new Date(Date.now() - 16 * 60_000).toISOString();
    const { request } = attemptWith({ startedAt });
    await assert.rejects(adapterTo(stripe.url).authorize(request, newSignal()), { code: 'TSP_ERROR' });
    assert.equal(intentsOf(request).length, 0);
  });

  it('cancels a payment whose id was never stored, on any page of the list', async () => {
    const { request } = attemptWith();
    const storePaymentId = () => Promise.reject(new Error('killed'));
    await assert.rejects(adapterTo(stripe.url).authorize({ ...request, storePaymentId }, newSignal()));
    for (let count = 0; count < 250; count += 1) stripe.payments.createIntent({ amount: '1', currency: 'usd' });
    assert.deepEqual(await adapterTo(stripe.url).inquire(request, newSignal()), { kind: 'not_charged' });
    assert.deepEqual(
      intentsOf(request).map(({ status }) => status),
      ['canceled'],
    );
  });

  it('sends the customer to the bank, or declines where there is no way back', async () => {
    const method = cardOf('4000000000003220');
    const { request } = attemptWith({ method, returnUrl: 'https://shop.example/return' });
    const outcome = await adapterTo(stripe.url).authorize(request, newSignal());
    assert.ok(outcome.kind === 'requires_action' && outcome.nextAction.type === 'redirect');
    assert.ok(outcome.nextAction.url.startsWith('https://hooks.stripe.com/'));
    const declined = await adapterTo(stripe.url).authorize(attemptWith({ method }).request, newSignal());
    assert.ok(declined.kind === 'declined');
    assert.deepEqual([declined.code, declined.details], ['CARD_DECLINED', { reason: 'authentication_failed' }]);
  });

  const declines = [
    ['4000000000000069', 'CARD_DECLINED'],
    ['4000000000009995', 'INSUFFICIENT_FUNDS'],
    ['4000000000000119', 'PAYMENT_DECLINED'],
    ['4000000000006975', 'LIMIT_EXCEEDED'],
    ['4100000000000019', 'FRAUD_DETECTED'],
    ['4242424242424241', 'CARD_DECLINED'],
  ] as const;
  for (const [number, code] of declines) {
    it(`reports the test card ${number} as ${code}`, async () => {
      const outcome = await adapterTo(stripe.url).authorize(
        attemptWith({ method: cardOf(number) }).request,
        newSignal(),
      );
      assert.ok(outcome.kind === 'declined' || outcome.kind === 'failed');
      assert.equal(outcome.code, code);
    });
  }

  it('declines an amount or currency that Stripe cannot count, without a call', async () => {
    for (const money of [
      { currency: 'KWD', amountMinor: 1_005 },
      { currency: 'GHS', amountMinor: 100 },
    ]) {
      const { request } = attemptWith(money);
      const outcome = await adapterTo('http://127.0.0.1:9').authorize(request, newSignal());
      assert.deepEqual(outcome, {
        kind: 'declined',
        providerPaymentId: null,
        code: 'UNSUPPORTED_CURRENCY_PAIR',
        advice: 'elsewhere',
      });
    }
    const { request } = attemptWith({ amountMinor: 99_999_999_999, currency: 'UGX' });
    const outcome = await adapterTo(stripe.url).authorize(request, newSignal());
    assert.ok(outcome.kind === 'declined');
    assert.equal(outcome.code, 'LIMIT_EXCEEDED');
  });

  it('declines a currency that Stripe takes from other accounts only', async () => {
    const outcome = await adapterTo(stripe.url).authorize(attemptWith({ currency: 'TOP' }).request, newSignal());
    assert.deepEqual(outcome, {
      kind: 'declined',
      providerPaymentId: null,
      code: 'UNSUPPORTED_CURRENCY_PAIR',
      advice: 'elsewhere',
    });
  });

  it('counts ISK with the two decimals that Stripe has for it', async () => {
    const { request, repeated } = attemptWith({ captureMethod: 'manual', currency: 'ISK', amountMinor: 500 });
    const outcome = await adapterTo(stripe.url).authorize(request, newSignal());
    assert.ok(outcome.kind === 'approved');
    assert.deepEqual([outcome.amountMinor, outcome.currency], [500, 'ISK']);
    assert.equal(intentsOf(request)[0]?.amount, 50_000);
    const captured = await adapterTo(stripe.url).capture({ ...repeated(), amountMinor: 400 }, newSignal());
    assert.ok(captured.kind === 'captured');
    assert.equal(captured.capturedMinor, 400);
  });

  it('says plainly that card numbers are not allowed to the account', async () => {
    const strict = await startFake();
    strict.forbidCardNumbers();
    const outcome = await adapterTo(strict.url).authorize(attemptWith().request, newSignal());
    await strict.close();
    assert.ok(outcome.kind === 'unrecognised');
    assert.match(JSON.stringify(outcome.providerResponse), /card numbers/);
  });

  it('keeps to the limit of an endpoint', async () => {
    const { request, repeated } = attemptWith();
    await adapterTo(stripe.url).authorize(request, newSignal());
    const provider = adapterTo(stripe.url, { requestsPerSecond: 10 });
    const asked = { ...request, ...repeated() };
    const began = Date.now();
    await Promise.all(Array.from({ length: 11 }, () => provider.inquire(asked, newSignal())));
    assert.ok(Date.now() - began >= 900);
  });

  it('refuses to queue without end', async () => {
    const provider = adapterTo(stripe.url, { requestsPerSecond: 1 });
    const killers = Array.from({ length: 300 }, () => new AbortController());
    const settled = Promise.allSettled(killers.map(({ signal }) => provider.inquire(requestWith(APPROVED), signal)));
    await assert.rejects(provider.inquire(requestWith(APPROVED), newSignal()), { code: 'TSP_UNAVAILABLE' });
    for (const killer of killers) killer.abort(new Error('given up'));
    const reasons = (await settled).flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    assert.ok(reasons.some((reason) => reason instanceof ProviderOutageError));
  });
});

describe('Stripe: refunds', () => {
  let stripe: FakeStripe;
  before(async () => {
    stripe = await startFake();
  });
  after(() => stripe.close());

  const newRefund = async () => {
    const request = requestWith(APPROVED);
    const paid = await adapterTo(stripe.url).authorize(request, newSignal());
    assert.ok(paid.kind === 'approved');
    const { attemptId, environment, currency } = request;
    const { providerPaymentId } = paid;
    const refundId = `re_${newUnique()}`;
    const loadReported = () => Promise.resolve(null);
    return { refundId, attemptId, environment, currency, providerPaymentId, amountMinor: 10_00, loadReported };
  };

  it('refunds once when Stripe has forgotten the key', async () => {
    const refund = await newRefund();
    const first = await adapterTo(stripe.url).refund(refund, newSignal());
    stripe.forgetKeys();
    assert.deepEqual(await adapterTo(stripe.url).refund(refund, newSignal()), first);
    assert.equal(stripe.payments.refundedMinor(refund.providerPaymentId), 10_00);
  });

  it('finds the refund of a stray charge after Stripe has forgotten its key, although it refuses another refund', async () => {
    const refund = await newRefund();
    const ofStray = { ...refund, refundId: strayChargeIdOf(refund.attemptId) };
    const first = await adapterTo(stripe.url).refund(ofStray, newSignal());
    stripe.forgetKeys();
    assert.equal((await adapterTo(stripe.url).refund(refund, newSignal())).kind, 'refused');
    assert.deepEqual(await adapterTo(stripe.url).refund(ofStray, newSignal()), first);
    assert.equal(first.kind, 'refunded');
  });

  it('finds a refund whose 500 Stripe has stored', async () => {
    const refund = await newRefund();
    stripe.failNext('/v1/refunds', 'done');
    await assert.rejects(adapterTo(stripe.url).refund(refund, newSignal()), { code: 'TSP_ERROR' });
    assert.equal((await adapterTo(stripe.url).refund(refund, newSignal())).kind, 'refunded');
    assert.equal(stripe.payments.refundedMinor(refund.providerPaymentId), 10_00);
  });

  it('takes a refund as not made only after Stripe has refused it for good', async () => {
    const unknown = { ...(await newRefund()), providerPaymentId: 'pi_unknown' };
    assert.equal((await adapterTo(stripe.url).refund(unknown, newSignal())).kind, 'unrecognised');
    // The key may be of another account than the payment.
    await assert.rejects(adapterTo(stripe.url).inquireRefund(unknown, newSignal()), { code: 'TSP_ERROR' });
    const inquireAfter = async (status: number) => {
      const server = await startScriptedServer(({ method }) =>
        method === 'GET'
          ? { status: 200, body: JSON.stringify({ data: [], has_more: false }) }
          : { status, body: JSON.stringify({ error: { type: 'invalid_request_error' } }) },
      );
      const outcome = await adapterTo(server.url)
        .inquireRefund(unknown, newSignal())
        .catch((error: unknown) => error);
      await server.close();
      return outcome;
    };
    assert.deepEqual(await inquireAfter(400), { kind: 'not_refunded' });
    assert.ok((await inquireAfter(403)) instanceof CredentialsRefusedError);
  });
});

describe('Stripe: credentials', () => {
  const credentials = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
  const settings = { name: 'stripe', environment: 'sandbox', credentials, apiUrl: null, timeoutMs: 10_000 } as const;

  it('accepts secret and restricted keys, and nothing else', () => {
    const accepts = (changes: object): boolean => STRIPE.schema.safeParse({ ...credentials, ...changes }).success;
    assert.ok(accepts({}));
    assert.ok(accepts({ secretKey: 'rk_live_0123456789' }));
    assert.ok(!accepts({ secretKey: 'pk_test_0123456789' }));
    assert.ok(!accepts({ webhookSecret: 'secret' }));
    assert.ok(!accepts({ other: 1 }));
  });

  it('says what is wrong with a key', async () => {
    const stripe = await startFake();
    const at = { ...settings, apiUrl: stripe.url };
    assert.equal(await STRIPE.check(at, newSignal()), null);
    const other = { ...at, credentials: { ...credentials, secretKey: 'sk_test_of_another_one' } };
    assert.match((await STRIPE.check(other, newSignal())) ?? '', /refuses the key/);
    const production = { ...at, environment: 'production' } as const;
    assert.match((await STRIPE.check(production, newSignal())) ?? '', /test mode/);
    await stripe.close();
  });

  it('begins no payment with a key of the other mode', async () => {
    const production = { ...settings, apiUrl: UNREACHABLE_URL, environment: 'production' } as const;
    const sent = STRIPE.create(production).authorize(requestWith(cardOf('4242424242424242')), newSignal());
    await assert.rejects(sent, (error) => error instanceof CredentialsRefusedError && /test mode/.test(error.message));
  });
});
