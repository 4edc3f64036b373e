import assert from 'node:assert/strict';
import { assertContains } from '../../../support/assert-contains.ts';
import { createHmac } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'mocha';
import { z } from 'zod';
import { newId } from '../../../../domain/new-id.ts';
import type { CaptureMethod } from '../../../../domain/payment.ts';
import type { InquiryOutcome } from '../../../../domain/provider-outcome.ts';
import { DAY_MS, MINUTE_MS } from '../../../../domain/time.ts';
import { ADYEN } from '../../../../providers/adyen/adyen-provider.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { ProviderOutageError, WebhookVerificationError } from '../../../../providers/provider-errors.ts';
import {
  type AdyenBehaviour,
  type AdyenEvent,
  type FakeAdyen,
  signAdyenWebhook,
  startFakeAdyen,
} from '../../../../sandbox/fakes/adyen/fake-adyen.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { ADYEN_CREDENTIALS, adyenAdapterTo } from './adyen-fixture.ts';

const sentSchema = z.looseObject({
  shopperInteraction: z.string(),
  recurringProcessingModel: z.string().optional(),
  shopperReference: z.string().optional(),
  storePaymentMethod: z.boolean().optional(),
  paymentMethod: z.looseObject({ networkPaymentReference: z.string().optional() }),
});
const CARD = cardOf('4111111111111111');
const NAMED_CARD = {
  type: 'card',
  number: '4111111111111111',
  expiryMonth: 3,
  expiryYear: 2039,
  cvc: null,
  holderName: 'A. Customer',
} as const;
const noReport = () => Promise.resolve(null);
const MONEY = { amountMinor: 1234, currency: 'USD' } as const;

describe("Adyen's adapter", () => {
  let fake: FakeAdyen;
  let provider: PaymentProvider;
  let requests: { readonly path: string; readonly request: unknown }[] = [];

  before(async () => {
    fake = await startFakeAdyen({ ...ADYEN_CREDENTIALS, observe: (exchange) => requests.push(exchange) });
    provider = adyenAdapterTo(fake.url);
  });
  after(() => fake.close());
  afterEach(() => {
    requests = [];
    fake.releaseWebhooks();
  });

  const events = () => fake.webhooks().flatMap((body) => provider.parseWebhook(body, {}).events);

  /** The reports about an attempt, oldest first. */
  const reportsOf = (attemptId: string): readonly InquiryOutcome[] =>
    events().flatMap((event) => ('attemptId' in event && event.attemptId === attemptId ? [event.outcome] : []));

  const reporting = (request: ReturnType<typeof requestWith>) => ({
    ...request,
    loadReported: () => Promise.resolve(reportsOf(request.attemptId).at(-1) ?? null),
  });

  describe('a payment', () => {
    it('is captured at once or by a request, and named by its attempt; without a way back it is never authenticated', async () => {
      const automatic = { ...requestWith(CARD), returnUrl: 'https://shop.example/done', engineReturnUrl: null };
      const manual = { ...requestWith(NAMED_CARD, 'manual'), engineReturnUrl: null };
      await provider.authorize(automatic, newSignal());
      await provider.authorize(manual, newSignal());
      const common = {
        merchantAccount: 'TestMerchant',
        amount: { value: 1234, currency: 'USD' },
        merchantOrderReference: 'ORDER-1042',
        shopperInteraction: 'Ecommerce',
        authenticationData: { attemptAuthentication: 'never' },
      };
      const paymentMethod = { type: 'scheme', number: '4111111111111111', expiryYear: '2039' };
      assert.deepEqual(
        requests.map(({ request }) => request),
        [
          {
            ...common,
            reference: automatic.attemptId,
            paymentMethod: { ...paymentMethod, expiryMonth: '12', cvc: '123' },
            returnUrl: 'https://shop.example/done',
            captureDelayHours: 0,
          },
          {
            ...common,
            reference: `${manual.attemptId}-1234`,
            paymentMethod: { ...paymentMethod, expiryMonth: '03', holderName: 'A. Customer' },
            returnUrl: 'https://www.adyen.com/',
            additionalData: { manualCapture: 'true' },
          },
        ],
      );
    });

    it('is declined without a call in a currency, or a fraction of one, that Adyen does not take', async () => {
      for (const [currency, amountMinor] of [
        ['KPW', 100],
        ['IDR', 150_050],
      ] as const) {
        const outcome = await provider.authorize({ ...requestWith(CARD), currency, amountMinor }, newSignal());
        assert.ok(outcome.kind === 'declined' && outcome.code === 'UNSUPPORTED_CURRENCY_PAIR');
      }
      assert.equal(requests.length, 0);
    });

    it('is reported in minor units where Adyen counts otherwise', async () => {
      for (const [currency, amountMinor, value] of [
        ['CLP', 5_000, 500_000],
        ['IDR', 150_000, 1_500],
      ] as const) {
        const request = { ...requestWith(CARD), currency, amountMinor };
        const outcome = await provider.authorize(request, newSignal());
        assert.ok(outcome.kind === 'approved');
        assert.deepEqual([outcome.amountMinor, outcome.currency], [amountMinor, currency]);
        assert.equal(fake.keptValue(request.attemptId), value);
      }
    });

    it('is declined where the issuer asks for authentication, and nobody can come back or be sent there', async () => {
      for (const [change, behaviour] of [
        [{ engineReturnUrl: null }, {}],
        [{}, { redirectMethod: 'POST' }],
      ] as const) {
        const request = { ...requestWith(CARD), ...change };
        fake.setBehaviour(request.attemptId, { resultCode: 'RedirectShopper', ...behaviour });
        const outcome = await provider.authorize(request, newSignal());
        assert.ok(outcome.kind === 'declined' && outcome.code === 'CARD_DECLINED');
        assert.match(outcome.message ?? '', /3-D Secure/);
      }
    });

    it('by a token of a stored card names its shopper, and reports what Adyen returns of the card', async () => {
      const stored = { storedPaymentMethodId: '8415718415172204', shopperReference: 'shopper-7731' };
      const { storedPaymentMethodId: id, shopperReference } = stored;
      const first = { number: null, expiryMonth: '03', expiryYear: '2030', firstPspReference: 'PSPFIRST' };
      fake.store.storedCards.put({ id, shopperReference, ...first });
      const token = JSON.stringify({ ...stored, unknown: 'left out' });
      const request = { ...requestWith({ type: 'card_token', provider: 'adyen', token }) };
      const additionalData = { cardSummary: '1111', paymentMethod: 'mc', expiryDate: '3/2030' };
      fake.setBehaviour(request.attemptId, { additionalData });
      const outcome = await provider.authorize(request, newSignal());
      const card = { type: 'card', brand: 'mastercard', last4: '1111', expiryMonth: 3, expiryYear: 2_030 };
      assert.deepEqual(outcome.kind === 'approved' && outcome.card, card);
      const [sent] = requests.map((each) => each.request);
      assert.ok(typeof sent === 'object' && sent !== null && 'paymentMethod' in sent && 'shopperReference' in sent);
      assert.deepEqual(sent.paymentMethod, { type: 'scheme', storedPaymentMethodId: '8415718415172204' });
      assert.equal(sent.shopperReference, 'shopper-7731');
      assert.partialDeepStrictEqual(sent, { shopperInteraction: 'Ecommerce', recurringProcessingModel: 'CardOnFile' });
    });

    it('with a saved card says who initiates it and why, and names the shopper as it was sent', async () => {
      const saved = {
        customerId: 'cus_1',
        usage: 'off_session',
        networkTransaction: { id: 'NTID1', linkId: null },
      } as const;
      const token = { type: 'saved_card_token', token: '84', providerCustomerId: 'cus_as_sent', cvc: null } as const;
      const { cvc: _cvc, ...numbered } = NAMED_CARD;
      const cases = [
        [{ ...token, saved: { ...saved, use: 'on_session' } }, ['Ecommerce', 'CardOnFile', 'cus_as_sent']],
        [{ ...token, saved: { ...saved, use: 'recurring' } }, ['ContAuth', 'Subscription', 'cus_as_sent']],
        [{ ...token, saved: { ...saved, use: 'unscheduled' } }, ['ContAuth', 'UnscheduledCardOnFile', 'cus_as_sent']],
        [{ ...numbered, cvc: null, saved: { ...saved, use: 'recurring' } }, ['ContAuth', 'Subscription', 'cus_1']],
        [{ ...numbered, cvc: null, saved: { ...saved, use: 'on_session' } }, ['Ecommerce', 'CardOnFile', 'cus_1']],
        [{ ...NAMED_CARD, saving: { customerId: 'cus_1', usage: 'on_session' } }, ['Ecommerce', 'CardOnFile', 'cus_1']],
        [
          { ...NAMED_CARD, saving: { customerId: 'cus_1', usage: 'off_session' } },
          ['Ecommerce', 'UnscheduledCardOnFile', 'cus_1'],
        ],
      ] as const;
      for (const [method, expected] of cases) {
        await provider.authorize(requestWith(method), newSignal());
        const sent = sentSchema.parse(requests.at(-1)?.request);
        const { shopperInteraction, recurringProcessingModel, shopperReference, paymentMethod, storePaymentMethod } =
          sent;
        assert.deepEqual([shopperInteraction, recurringProcessingModel, shopperReference], expected);
        const isByNetwork = method.type === 'card' && expected[0] === 'ContAuth';
        assert.equal(paymentMethod.networkPaymentReference, isByNetwork ? 'NTID1' : undefined);
        assert.equal(storePaymentMethod, 'saving' in method ? true : undefined);
        const redirects = ['authenticationData', 'channel', 'redirectToIssuerMethod'].filter((each) => each in sent);
        assert.equal(redirects.length > 0, expected[0] === 'Ecommerce', 'nobody can be sent to the issuer');
      }
    });

    it('by a token that Adyen does not know has the token asked about', async () => {
      const saved = { customerId: 'cus_1', usage: 'off_session', use: 'recurring', networkTransaction: null } as const;
      const method = {
        type: 'saved_card_token',
        token: 'gone',
        providerCustomerId: 'cus_1',
        cvc: null,
        saved,
      } as const;
      const outcome = await provider.authorize(requestWith(method), newSignal());
      assert.ok(outcome.kind === 'declined');
      assert.deepEqual([outcome.isTokenUnknown, outcome.advice], [true, 'elsewhere']);
    });

    it('that stored a card reports it without the token', async () => {
      const event = {
        eventCode: 'RECURRING_CONTRACT',
        success: true,
        pspReference: 'SECRETTOKEN',
        originalReference: 'PSP1',
      };
      const { merchantAccount: merchantAccountCode, hmacKey } = ADYEN_CREDENTIALS;
      const { attemptId } = requestWith(CARD);
      const amount = { value: 0, currency: 'USD' };
      const body = signAdyenWebhook({ ...event, merchantAccountCode, merchantReference: attemptId, amount }, hmacKey);
      const { events } = provider.parseWebhook(body, {});
      assert.deepEqual(events, [
        { provider: 'adyen', eventId: 'PSP1:RECURRING_CONTRACT:true', credentials: { attemptId } },
      ]);
      assert.ok(!JSON.stringify(events).includes('SECRETTOKEN'));
    });

    it('is pending without an amount in the reply, until the webhook brings it', async () => {
      const request = reporting(requestWith(CARD));
      fake.setBehaviour(request.attemptId, { withoutAmount: true });
      const outcome = await provider.authorize(request, newSignal());
      assert.equal(outcome.kind, 'pending');
      const found = await provider.inquire(request, newSignal());
      assert.ok(found.kind === 'approved' && found.captured && found.amountMinor === 1234);
    });

    it('that is pending ends by the webhook', async () => {
      for (const isApproved of [true, false]) {
        const request = reporting(requestWith(CARD));
        fake.setBehaviour(request.attemptId, { resultCode: 'Pending' });
        assert.equal((await provider.authorize(request, newSignal())).kind, 'pending');
        assert.equal((await provider.inquire(request, newSignal())).kind, 'pending');
        fake.decidePayment(request.attemptId, isApproved);
        assert.equal((await provider.inquire(request, newSignal())).kind, isApproved ? 'approved' : 'declined');
        assert.equal(fake.countCharges(request.attemptId), isApproved ? 1 : 0);
      }
    });

    it('is declined or refused by what Adyen says of the request', async () => {
      const asked = [
        { status: 422, errorCode: '101', outcome: 'CARD_DECLINED' },
        { status: 422, errorCode: '102', outcome: 'CARD_DECLINED' },
        { status: 422, errorCode: '128', outcome: 'CARD_DECLINED' },
        { status: 422, errorCode: '140', outcome: 'CARD_DECLINED' },
        { status: 422, errorCode: '153', outcome: 'CARD_DECLINED' },
        { status: 422, errorCode: '172', outcome: 'PAYMENT_DECLINED' },
        { status: 422, errorCode: '174', outcome: 'PAYMENT_DECLINED' },
        { status: 422, errorCode: '803', outcome: 'PAYMENT_DECLINED' },
        { status: 422, errorCode: '138', outcome: 'UNSUPPORTED_CURRENCY_PAIR' },
        { status: 422, errorCode: '999', outcome: 'unrecognised' },
        { status: 500, errorCode: '905', outcome: 'PAYMENT_DECLINED' },
      ];
      for (const { status, errorCode, outcome: code } of asked) {
        fake.planFaults([{ when: 'before', reply: { status, body: { status, errorCode } } }]);
        const outcome = await provider.authorize(requestWith(CARD), newSignal());
        assert.equal(outcome.kind === 'declined' ? outcome.code : outcome.kind, code);
      }
    });

    it('has an unknown outcome after errors that say nothing about it', async () => {
      const answers = [
        { status: 401, errorCode: '000' },
        { status: 403, errorCode: '901' },
        { status: 409, errorCode: '704' },
        { status: 422, errorCode: '704' },
        { status: 500, errorCode: '916' },
        { status: 503, errorCode: '703' },
      ];
      for (const { status, errorCode } of answers) {
        fake.planFaults([{ when: 'before', reply: { status, body: { status, errorCode } } }]);
        await assert.rejects(provider.authorize(requestWith(CARD), newSignal()), ProviderOutageError, String(status));
      }
      fake.planFaults([{ when: 'after', reply: null }]);
      const request = requestWith(CARD);
      await assert.rejects(provider.authorize(request, newSignal()), ProviderOutageError);
      assert.equal((await provider.inquire(request, newSignal())).kind, 'approved');
      assert.equal(fake.countCharges(request.attemptId), 1);
    });
  });

  describe('an inquiry', () => {
    it('prefers what a webhook reported to a repeat', async () => {
      const reported: InquiryOutcome = { kind: 'not_charged' };
      const request = { ...requestWith(CARD), loadReported: () => Promise.resolve(reported) };
      assert.deepEqual(await provider.inquire(request, newSignal()), reported);
      assert.equal(requests.length, 0);
    });

    it('leaves the outcome unknown where the payment method is erased, or the key may have expired', async () => {
      const erased = { ...requestWith(CARD), loadAuthorization: () => Promise.reject(new Error('erased')) };
      await assert.rejects(provider.inquire(erased, newSignal()), ProviderOutageError);
      const old = { ...requestWith(CARD), startedAt: new Date(Date.now() - 7 * DAY_MS).toISOString() };
      const request = { ...old, loadAuthorization: () => Promise.resolve(old) };
      await assert.rejects(provider.inquire(request, newSignal()), ProviderOutageError);
      assert.equal(requests.length, 0);
    });

    it('returns a refusal of the request itself as a decline, which leaves the payment open', async () => {
      const reply = { status: 422, body: { status: 422, errorCode: '130', message: 'Reference missing' } };
      fake.planFaults([{ when: 'before', reply }]);
      const outcome = await provider.inquire(requestWith(CARD), newSignal());
      assert.ok(outcome.kind === 'declined' && outcome.code === 'PROVIDER_VALIDATION_ERROR');
      assert.match(JSON.stringify(outcome.details), /Reference missing/);
    });

    it('takes an answer that is not of Adyen, or refuses the key, for no answer', async () => {
      for (const [status, body] of [
        [400, { error: 'by a proxy' }],
        [404, {}],
        [401, { status: 401, errorCode: '000' }],
        [403, { status: 403, errorCode: '901' }],
        [422, { status: 422, errorCode: '901' }],
      ] as const) {
        fake.planFaults([{ when: 'before', reply: { status, body } }]);
        const isAboutKey = status === 401 || status === 403 || status === 422;
        const code = isAboutKey ? 'TSP_UNAVAILABLE' : 'TSP_ERROR';
        await assert.rejects(provider.inquire(requestWith(CARD), newSignal()), { code }, String(status));
      }
    });
  });

  describe('a closure', () => {
    it('cancels by our reference where no reply named the payment', async () => {
      const request = reporting(requestWith(CARD, 'manual'));
      fake.holdWebhooks();
      await provider.authorize(request, newSignal());
      assert.equal((await provider.close(request, newSignal())).kind, 'pending');
      assert.equal(requests.at(-1)?.path, '/v72/cancels');
      fake.releaseWebhooks();
      const outcome = await provider.close(request, newSignal());
      assert.ok(outcome.kind === 'not_charged');
      const { amountMinor, currency } = outcome.voided ?? {};
      assert.deepEqual({ amountMinor, currency }, MONEY);
    });

    it('stays open while Adyen has refused it and reports nothing else', async () => {
      const request = reporting(requestWith(CARD));
      assert.equal((await provider.close(request, newSignal())).kind, 'pending');
      assert.equal((await provider.close(request, newSignal())).kind, 'pending');
      assert.deepEqual(reportsOf(request.attemptId), []);
    });
  });

  describe('a capture', () => {
    const hold = async (behaviour: AdyenBehaviour) => {
      const request = requestWith(CARD, 'manual');
      fake.setBehaviour(request.attemptId, behaviour);
      const held = await provider.authorize(request, newSignal());
      assert.ok(held.kind === 'approved' && !held.captured);
      return { request: { ...request, providerPaymentId: held.providerPaymentId, amountMinor: 1000 }, held };
    };
    const withoutDeadline = (outcome: object | undefined) => ({ ...outcome, captureBefore: null });
    const refusalsOf = (id: string) =>
      events()
        .flatMap((event) => ('captureRefusal' in event ? [event.captureRefusal] : []))
        .filter(({ attemptId }) => attemptId === id);

    it('is reported with what was held and captured', async () => {
      const { request, held } = await hold({});
      assert.equal((await provider.capture(request, newSignal())).kind, 'pending');
      const captured = { ...held, captured: true, capturedMinor: 1000 };
      assert.deepEqual(reportsOf(request.attemptId).map(withoutDeadline), [held, captured].map(withoutDeadline));
      assert.deepEqual(refusalsOf(request.attemptId), []);
    });

    it('that is refused is reported by its reference, and another one has another key', async () => {
      const { request, held } = await hold({ capture: 'refused' });
      const { attemptId } = request;
      const first = await provider.capture(request, newSignal());
      assert.deepEqual(await provider.capture(request, newSignal()), first);
      const second = await provider.capture({ ...request, refusedBefore: 1 }, newSignal());
      assert.ok(first.kind === 'pending' && second.kind === 'pending');
      const providerResponse = { eventCode: 'CAPTURE', reason: 'Insufficient balance on payment' };
      assert.deepEqual(
        refusalsOf(attemptId),
        [first, second].map(({ captureReference }) => ({ attemptId, captureReference, providerResponse })),
      );
      const [reported] = reportsOf(attemptId);
      assert.deepEqual(withoutDeadline(reported), withoutDeadline(held));
      // The report names the scheme of the card, a Visa, and the time of the authorization.
      assert.ok(reported?.kind === 'approved');
      assert.ok(Math.abs(Date.parse(reported.captureBefore ?? '') - Date.now() - 10 * DAY_MS) < MINUTE_MS);
    });
  });

  it('sends keys and references that Adyen takes, also where they are longest', async () => {
    const { attemptId, ...rest } = reporting(requestWith(CARD, 'manual'));
    const request = { ...rest, attemptId: attemptId.replace(/1$/, '9999'), amountMinor: 99_999_999_999 };
    const held = await provider.authorize(request, newSignal());
    assert.ok(held.kind === 'approved');
    assert.equal((await provider.close(request, newSignal())).kind, 'pending');
    const { providerPaymentId } = held;
    assert.equal((await provider.close({ ...request, providerPaymentId }, newSignal())).kind, 'pending');
    assert.equal((await provider.capture({ ...request, providerPaymentId }, newSignal())).kind, 'pending');
  });

  it('leaves out an e-mail that is longer than Adyen takes', async () => {
    for (const [length, isSent] of [
      [256, true],
      [257, false],
    ] as const) {
      const email = `${'a'.repeat(64)}@${'b'.repeat(length - 65)}`;
      requests.length = 0;
      const request = reporting({ ...requestWith(CARD), metadata: { customer_email: email } });
      assert.equal((await provider.authorize(request, newSignal())).kind, 'approved');
      assert.equal(z.looseObject({}).parse(requests[0]?.request)['shopperEmail'], isSent ? email : undefined);
    }
  });

  it('repeats no refund whose key may have expired since it was first used', async () => {
    const request = requestWith(CARD);
    const paid = await provider.authorize(request, newSignal());
    assert.ok(paid.kind === 'approved');
    const refund = { ...request, providerPaymentId: paid.providerPaymentId, amountMinor: 100 };
    const loadReported = () => Promise.resolve(null);
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    const expired = { ...refund, refundId: newId('refund'), requestedAt: daysAgo(7), loadReported };
    await assert.rejects(provider.inquireRefund(expired, newSignal()), ProviderOutageError);
    // The id is a week old: the refund was requested then, and is first sent now.
    const old = (Date.now() - 7 * DAY_MS).toString(16).padStart(12, '0');
    const fresh = { ...refund, refundId: `re_${old}7${'0'.repeat(19)}`, requestedAt: daysAgo(0), loadReported };
    assert.equal((await provider.inquireRefund(fresh, newSignal())).kind, 'pending');
  });

  describe('3-D Secure', () => {
    /** A payment whose customer is at the issuer. */
    const start = async (behaviour: AdyenBehaviour = {}, captureMethod: CaptureMethod = 'automatic') => {
      const request = reporting({
        ...requestWith(CARD, captureMethod),
        returnUrl: 'https://shop.example/done',
        metadata: { customer_email: 'a.customer@example.com' },
      });
      fake.setBehaviour(request.attemptId, { resultCode: 'RedirectShopper', ...behaviour });
      const outcome = await provider.authorize(request, newSignal());
      assert.ok(outcome.kind === 'requires_action' && outcome.nextAction.type === 'redirect');
      assert.equal(outcome.providerPaymentId, null);
      request.customerReturn.expect();
      const { url } = outcome.nextAction;
      const decide = async (decision: 'approve' | 'refuse'): Promise<string> => {
        const { headers } = await fetch(`${url}?decision=${decision}`, { redirect: 'manual' });
        const location = new URL(headers.get('location') ?? '');
        assert.equal(location.href.split('?')[0], request.engineReturnUrl);
        return location.searchParams.get('redirectResult') ?? '';
      };
      return {
        request,
        decide,
        comeBack: async (decision: 'approve' | 'refuse') => {
          request.customerReturn.comeBack(await decide(decision));
        },
      };
    };

    it('has the customer sent to the issuer by a link, and back to the engine', async () => {
      const { request } = await start();
      const sent = z.looseObject({}).parse(requests[0]?.request);
      assert.equal(sent['returnUrl'], request.engineReturnUrl);
      assert.deepEqual(sent['authenticationData'], { threeDSRequestData: { nativeThreeDS: 'disabled' } });
      assert.deepEqual(
        ['channel', 'shopperEmail', 'redirectToIssuerMethod', 'redirectFromIssuerMethod'].map((key) => sent[key]),
        ['Web', 'a.customer@example.com', 'GET', 'GET'],
      );
    });

    it('sends the result under a key of the attempt, and repeats it after a lost reply', async () => {
      const { request, comeBack } = await start();
      await comeBack('approve');
      fake.planFaults([{ when: 'after', reply: null }]);
      await assert.rejects(provider.inquire({ ...request, loadReported: noReport }, newSignal()), ProviderOutageError);
      const outcome = await provider.inquire({ ...request, loadReported: noReport }, newSignal());
      assert.ok(outcome.kind === 'approved' && outcome.captured);
      assert.equal(fake.countCharges(request.attemptId), 1);
      assert.ok(fake.store.replies.has(`${request.attemptId}-details`));
    });

    it('declines the card of a customer who was not authenticated, and a result that Adyen refuses', async () => {
      const refused = await start();
      await refused.comeBack('refuse');
      const forged = await start();
      forged.request.customerReturn.comeBack('made up');
      for (const { request } of [refused, forged]) {
        const outcome = await provider.inquire({ ...request, loadReported: noReport }, newSignal());
        assert.ok(outcome.kind === 'declined' && outcome.code === 'CARD_DECLINED');
        assert.deepEqual(outcome.details, { reason: 'authentication_failed' });
      }
    });

    it('declines the card where the customer brings the result of another payment', async () => {
      const paid = await start();
      const { request } = await start();
      request.customerReturn.comeBack(await paid.decide('approve'));
      for (let times = 0; times < 2; times += 1) {
        const outcome = await provider.inquire({ ...request, loadReported: noReport }, newSignal());
        assert.ok(outcome.kind === 'declined' && outcome.code === 'CARD_DECLINED');
        assert.deepEqual([outcome.details, outcome.providerPaymentId], [{ reason: 'authentication_failed' }, null]);
      }
      assert.equal(fake.countCharges(request.attemptId), 0);
      assert.equal(fake.countCharges(paid.request.attemptId), 1);
      assert.equal((await provider.inquire(paid.request, newSignal())).kind, 'approved');
    });

    it('has no outcome by a reply that does not name its payment', async () => {
      const { request, comeBack } = await start();
      await comeBack('approve');
      const body = { resultCode: 'Authorised', pspReference: 'PSP1', amount: { value: 1234, currency: 'USD' } };
      fake.planFaults([{ when: 'after', reply: { status: 200, body } }]);
      await assert.rejects(provider.inquire({ ...request, loadReported: noReport }, newSignal()), ProviderOutageError);
    });

    it('ends where Adyen asks for a second redirect, and waits for the webhook where Adyen tells no outcome', async () => {
      const again = await start({ afterChallenge: 'RedirectShopper' });
      await again.comeBack('approve');
      assert.equal((await provider.inquire(again.request, newSignal())).kind, 'declined');
      const open = await start({ afterChallenge: 'Pending' });
      await open.comeBack('approve');
      assert.equal((await provider.inquire(open.request, newSignal())).kind, 'pending');
      fake.decidePayment(open.request.attemptId, true);
      assert.equal((await provider.inquire(open.request, newSignal())).kind, 'approved');
    });

    it('is closed without a call as long as no result was sent, and then cannot be completed', async () => {
      const { request, comeBack } = await start();
      await comeBack('approve');
      requests = [];
      assert.deepEqual(await provider.close(request, newSignal()), { kind: 'not_charged' });
      assert.deepEqual(await provider.inquire(request, newSignal()), { kind: 'not_charged' });
      assert.deepEqual(requests, []);
    });

    it('whose link was lost is canceled once Adyen reports that the customer did not come', async () => {
      const request = reporting(requestWith(CARD));
      const { attemptId } = request;
      fake.setBehaviour(attemptId, { resultCode: 'RedirectShopper' });
      fake.planFaults([{ when: 'after', reply: null }]);
      await assert.rejects(provider.authorize(request, newSignal()), ProviderOutageError);
      assert.equal((await provider.close(request, newSignal())).kind, 'pending');
      assert.equal((await provider.close(request, newSignal())).kind, 'pending');
      fake.abandonPayment(attemptId);
      assert.equal((await provider.close(request, newSignal())).kind, 'declined');
    });

    describe('whose result may have been sent, and is canceled', () => {
      /** A payment whose customer is back, and whose result was lost on its way to Adyen. */
      const loseResult = async (
        decision: 'approve' | 'refuse',
        behaviour: AdyenBehaviour = {},
        captureMethod: CaptureMethod = 'automatic',
      ) => {
        const { request, comeBack } = await start(behaviour, captureMethod);
        await comeBack(decision);
        fake.planFaults([{ when: 'before', reply: null }]);
        await assert.rejects(provider.inquire(request, newSignal()), ProviderOutageError);
        requests = [];
        return request;
      };
      const paths = () => requests.map(({ path }) => path.replace(/PSP\d+/, 'PSP'));

      it('has it sent again, and ends by the answer', async () => {
        const approved = await loseResult('approve');
        const charged = await provider.close({ ...approved, loadReported: noReport }, newSignal());
        assert.ok(charged.kind === 'approved' && charged.captured);
        assert.equal(fake.countCharges(approved.attemptId), 1);
        const refused = await loseResult('refuse');
        assert.equal((await provider.close(refused, newSignal())).kind, 'declined');
        assert.deepEqual(paths(), ['/v72/payments/details']);
      });

      it("is canceled by Adyen's id where the answer holds the money, or says no outcome", async () => {
        for (const [behaviour, captureMethod] of [
          [{}, 'manual'],
          [{ afterChallenge: 'Pending' }, 'automatic'],
        ] as const) {
          const request = await loseResult('approve', behaviour, captureMethod);
          assert.equal((await provider.close(request, newSignal())).kind, 'pending');
          assert.deepEqual(paths(), ['/v72/payments/details', '/v72/payments/PSP/cancels']);
          if (captureMethod === 'manual') {
            assert.equal((await provider.close(request, newSignal())).kind, 'not_charged');
          }
        }
      });

      it('is canceled by its reference where Adyen does not answer, or a repeat would be too late', async () => {
        const request = await loseResult('approve');
        const startedAt = new Date(Date.now() - 7 * DAY_MS).toISOString();
        assert.equal((await provider.close({ ...request, startedAt }, newSignal())).kind, 'pending');
        fake.planFaults([{ when: 'before', reply: null }]);
        assert.equal((await provider.close(request, newSignal())).kind, 'pending');
        assert.deepEqual(paths(), ['/v72/cancels', '/v72/cancels']);
      });
    });
  });

  describe('its webhooks', () => {
    const attemptId = `att_${'0b'.repeat(16)}_1`;
    const event: AdyenEvent = {
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference: 'PSP1',
      merchantAccountCode: ADYEN_CREDENTIALS.merchantAccount,
      merchantReference: attemptId,
      amount: { value: 1234, currency: 'USD' },
    };
    const read = (...changes: readonly Partial<AdyenEvent>[]) => {
      const bodies = changes.map((change) => signAdyenWebhook({ ...event, ...change }, ADYEN_CREDENTIALS.hmacKey));
      const items = bodies.map((body) => body.toString('utf8').replace(/^.*?\[|\]\}$/g, ''));
      return provider.parseWebhook(Buffer.from(`{"live":"false","notificationItems":[${items.join()}]}`), {}).events;
    };

    it('bring several events in one request, each with an id of its own', () => {
      const modification = { pspReference: 'PSP2', originalReference: 'PSP1', merchantReference: `${attemptId}-1234` };
      const found = read(
        { merchantReference: `${attemptId}-1234` },
        { ...modification, eventCode: 'CAPTURE', amount: { value: 1000, currency: 'USD' } },
        { ...modification, eventCode: 'CANCELLATION' },
        { ...modification, eventCode: 'REFUND', merchantReference: newId('refund') },
      );
      const kinds = found.map((each) => {
        if ('outcome' in each) return each.outcome.kind;
        return 'refundOutcome' in each ? each.refundOutcome.kind : 'another report';
      });
      assert.deepEqual(kinds, ['approved', 'approved', 'not_charged', 'refunded']);
      assert.equal(new Set(found.map(({ eventId }) => eventId)).size, 4);
    });

    it('report a hold that was not captured in time, but not the rest of a captured payment', () => {
      for (const originalReference of [undefined, 'PSP1']) {
        const change = originalReference === undefined ? {} : { originalReference, pspReference: 'PSP2' };
        const [event] = read({ eventCode: 'EXPIRE', merchantReference: `${attemptId}-1234`, ...change });
        assert.ok(event !== undefined && 'outcome' in event);
        const voided = { providerPaymentId: 'PSP1', amountMinor: 1234, currency: 'USD' };
        assert.deepEqual(event.outcome, { kind: 'not_charged', voided });
      }
      assert.deepEqual(read({ eventCode: 'EXPIRE' }), []);
    });

    it('ignore the expiry of the rest that a partial capture has left, because the capture may be reported later', () => {
      const amount = { value: 234, currency: 'USD' };
      assert.deepEqual(read({ eventCode: 'EXPIRE', merchantReference: `${attemptId}-1234`, amount }), []);
    });

    describe('about refunds and cancellations that somebody else has requested', () => {
      const modified = { pspReference: 'PSP2', originalReference: 'PSP1' };
      const named = { provider: 'adyen', providerPaymentId: 'PSP1' };
      const money = { amountMinor: 1234, currency: 'USD' };
      const voided = { kind: 'not_charged', voided: { providerPaymentId: 'PSP1', ...money } };
      const references = [attemptId, `${attemptId}-1234`, 'Order 17'];

      it('report a refund by the id of its payment', () => {
        for (const [eventCode, status] of [
          ['REFUND', 'succeeded'],
          ['CANCEL_OR_REFUND', 'succeeded'],
          ['REFUND_FAILED', 'failed'],
          ['REFUNDED_REVERSED', 'failed'],
        ] as const) {
          const eventId = `PSP2:${eventCode}:true`;
          const unknownRefund = { providerRefundId: 'PSP2', status, ...money };
          for (const merchantReference of references) {
            const found = read({ ...modified, eventCode, merchantReference });
            assert.deepEqual(found, [{ ...named, eventId, report: { unknownRefund } }]);
          }
        }
      });

      it('report a cancellation by its reference, or by the id of its payment', () => {
        for (const eventCode of ['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND']) {
          const eventId = `PSP2:${eventCode}:true`;
          const event = { ...modified, eventCode, modificationAction: 'cancel' } as const;
          const ours = { provider: 'adyen', eventId, attemptId, outcome: voided };
          assert.deepEqual(read({ ...event, merchantReference: `${attemptId}-1234` }), [ours]);
          const others = { ...named, eventId, report: { outcome: voided } };
          assert.deepEqual(read({ ...event, merchantReference: 'Order 17' }), [others]);
        }
      });

      it('are ignored where they were refused, name no payment, or have a currency that the engine does not know', () => {
        const unknown = { value: 1234, currency: 'XXX' };
        for (const eventCode of ['REFUND', 'CANCEL_OR_REFUND', 'CANCELLATION']) {
          const event = { ...modified, eventCode, merchantReference: 'Order 17' };
          const { originalReference: _, ...withoutPayment } = event;
          assert.deepEqual(read({ ...event, success: false }, { ...event, amount: unknown }, withoutPayment), []);
        }
      });
    });

    it('report a customer who did not come back from the issuer in time', () => {
      const [event] = read({ eventCode: 'OFFER_CLOSED' });
      assert.ok(event !== undefined && 'outcome' in event);
      const details = { reason: 'authentication_failed' };
      const declined = {
        kind: 'declined',
        providerPaymentId: 'PSP1',
        code: 'CARD_DECLINED',
        details,
        advice: 'authenticate',
      };
      assert.deepEqual(event.outcome, declined);
    });

    it('report money that was captured, and did not arrive', () => {
      const merchantReference = `${attemptId}-1234`;
      const amount = { value: 1000, currency: 'USD' };
      const reason = 'Refused by the bank of 4111 1111 1111 1111';
      const [event] = read({
        eventCode: 'CAPTURE_FAILED',
        originalReference: 'PSP1',
        merchantReference,
        amount,
        reason,
      });
      const captureFailure = {
        attemptId,
        amountMinor: 1000,
        currency: 'USD',
        reason: 'Refused by the bank of [redacted]',
        captureReference: 'PSP1',
      };
      assert.deepEqual(event, { provider: 'adyen', eventId: 'PSP1:CAPTURE_FAILED:true', captureFailure });
    });

    it('are ignored where they belong to others or decide nothing', () => {
      const original = { originalReference: 'PSP1', merchantReference: `${attemptId}-1234` };
      assert.deepEqual(
        read(
          { merchantAccountCode: 'OtherMerchant' },
          { merchantReference: 'order:1\\2' },
          { ...original, eventCode: 'CANCELLATION', success: false },
          { ...original, eventCode: 'TECHNICAL_CANCEL', success: false },
          { eventCode: 'CAPTURE', success: false },
          { eventCode: 'OFFER_CLOSED', success: false },
          { eventCode: 'REPORT_AVAILABLE', merchantReference: '', pspReference: 'report_1.csv' },
        ),
        [],
      );
    });

    describe('with other events beside those of this engine', () => {
      const receive = (...items: readonly (object | null)[]) =>
        provider.parseWebhook(Buffer.from(JSON.stringify({ live: 'false', notificationItems: items })), {});
      const named = (item: object) => ({ NotificationRequestItem: item });
      const sign = (item: Record<string, unknown>, hmacKey = ADYEN_CREDENTIALS.hmacKey) => {
        const { value, currency } = (item.amount ?? {}) as { value?: unknown; currency?: unknown };
        const members = [item.pspReference, item.originalReference, item.merchantAccountCode, item.merchantReference];
        const values = [...members, value, currency, item.eventCode, item.success].map((each) => String(each ?? ''));
        const hmac = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(values.join(':')).digest('base64');
        return named({ ...item, additionalData: { hmacSignature: hmac } });
      };
      const plain = { ...event, success: 'true' };
      const { merchantReference: _, ...withoutReference } = plain;
      const strange = {
        'a cancellation without a reference': sign({
          ...withoutReference,
          eventCode: 'CANCELLATION',
          pspReference: 'PSP7',
        }),
        'a report with null': sign({
          ...plain,
          eventCode: 'REPORT_AVAILABLE',
          merchantReference: null,
          pspReference: 'r.csv',
        }),
        'a report without an amount': sign({
          ...plain,
          eventCode: 'REPORT_AVAILABLE',
          amount: null,
          merchantReference: '',
        }),
        'an event without a signature': named({ ...plain, pspReference: 'PSP8' }),
        'no event at all': null,
        'a kind of event that is new at Adyen': sign({
          ...plain,
          merchantReference: 'Order 17',
          eventCode: 'NEW_AT_ADYEN',
        }),
      };
      for (const [what, item] of Object.entries(strange)) {
        it(`are read although there is ${what}`, () => {
          for (const items of [
            [item, sign(plain)],
            [sign(plain), item],
          ]) {
            const { events: read, skipped, refusal } = receive(...items);
            assert.equal(refusal, undefined);
            assert.deepEqual(
              read.map((each) => ('attemptId' in each ? [each.attemptId, each.outcome.kind] : [])),
              [[attemptId, 'approved']],
            );
            assert.equal(skipped.length, 1);
          }
        });
      }

      it('are read with the amount as a text, and a success that is no text', () => {
        const amount = { value: '1234', currency: 'USD' };
        const [read] = receive(sign({ ...plain, amount, success: true })).events;
        assert.ok(read !== undefined && 'outcome' in read && read.outcome.kind === 'approved');
        assert.equal(read.outcome.amountMinor, 1234);
      });

      it('refuse the one with a wrong signature, say so, and keep the others', () => {
        const { events: read, refusal } = receive(
          sign({ ...plain, pspReference: 'PSP9' }, '00'.repeat(32)),
          sign(plain),
        );
        assert.equal(read.length, 1);
        assert.match(refusal ?? '', /signature/);
      });

      it('are refused where none is signed', () => {
        assert.throws(() => receive(named(plain), null), /no event is signed/);
      });

      it('bring the next inquiry forward where they name an open payment and are not understood', () => {
        for (const item of [
          sign({ ...plain, eventCode: 'NEW_AT_ADYEN' }),
          sign({ ...plain, eventCode: 'CANCELLATION', originalReference: null }),
          sign({ ...plain, amount: { value: '12,34', currency: 'USD' } }),
        ]) {
          const [read] = receive(item).events;
          assert.ok(read !== undefined && 'outcome' in read && read.outcome.kind === 'pending');
          assert.ok(read.notUnderstood !== undefined);
        }
      });
    });

    it('report a refund by data of the card, and one that is made after the capture, as any other', () => {
      for (const eventCode of ['REFUND_WITH_DATA', 'POSTPONED_REFUND']) {
        const [unrequested] = read({ eventCode, pspReference: 'PSP2', originalReference: 'PSP1' });
        assert.ok(unrequested !== undefined && 'report' in unrequested && 'unknownRefund' in unrequested.report);
        assert.equal(unrequested.report.unknownRefund.status, 'succeeded');
        const [own] = read({ eventCode, merchantReference: newId('refund'), originalReference: 'PSP1' });
        assert.ok(own !== undefined && 'refundOutcome' in own, eventCode);
      }
    });

    it('report disputes and warnings of them, by the reference or the id of the payment', () => {
      const cases = [
        ['REQUEST_FOR_INFORMATION', 'inquiry', 'needs_response', null],
        ['NOTIFICATION_OF_CHARGEBACK', 'chargeback', 'needs_response', null],
        ['CHARGEBACK', 'chargeback', null, 'withdrawn'],
        ['INFORMATION_SUPPLIED', null, 'under_review', null],
        ['CHARGEBACK_REVERSED', 'chargeback', 'won', 'reinstated'],
        ['SECOND_CHARGEBACK', 'pre_arbitration', 'lost', 'withdrawn'],
        ['SCHEME_ARBITRATION_WON', 'arbitration', 'won', null],
      ] as const;
      const eventDate = '2026-01-02T03:04:05+01:00';
      for (const [eventCode, stage, status, funds] of cases) {
        const money = { amountMinor: 1234, currency: 'USD' };
        const known = { stage, status, funds, providerEvent: eventCode, providerReference: 'PSP1', ...money };
        const [found] = read({ eventCode, eventDate });
        assert.ok(found !== undefined && 'dispute' in found);
        assertContains(found.dispute, { attemptId, ...known, occurredAt: '2026-01-02T02:04:05.000Z' });
        const [byPayment] = read({ eventCode, originalReference: 'PSP0', merchantReference: 'Order 17' });
        assert.ok(byPayment !== undefined && 'report' in byPayment && byPayment.providerPaymentId === 'PSP0');
        assert.ok('dispute' in byPayment.report);
        assertContains(byPayment.report.dispute, known);
      }
      const [warning] = read({ eventCode: 'NOTIFICATION_OF_FRAUD' });
      assert.ok(warning !== undefined && 'fraudWarning' in warning);
      const fraudWarning = { attemptId, providerEvent: 'NOTIFICATION_OF_FRAUD', providerReference: 'PSP1' };
      assert.deepEqual(warning.fraudWarning, fraudWarning);
    });

    it('tell events of a dispute with the same code apart by their date', () => {
      const ids = ['2026-01-02T03:04:05+01:00', '2026-01-09T03:04:05+01:00'].map((eventDate) => {
        const [found] = read({ eventCode: 'ISSUER_COMMENTS', eventDate });
        return found?.eventId;
      });
      assert.equal(new Set(ids).size, 2);
    });

    it('read what else is said of a dispute, and keep a status that is new at Adyen', () => {
      const reportIn = (dispute: Readonly<Record<string, string>>) => {
        const [found] = read({ eventCode: 'CHARGEBACK', dispute });
        assert.ok(found !== undefined && 'dispute' in found);
        return found.dispute;
      };
      const said = {
        chargebackReasonCode: '10.4',
        defendable: 'true',
        defensePeriodEndsAt: '2026-02-01T00:00:00+01:00',
      };
      assertContains(reportIn({ ...said, disputeStatus: 'Undefended' }), {
        status: 'needs_response',
        unknownStatus: null,
        reason: 'fraudulent',
        networkReasonCode: '10.4',
        isDefendable: true,
        respondBy: '2026-01-31T23:00:00.000Z',
      });
      assertContains(reportIn({ disputeStatus: 'Escalated' }), { status: null, unknownStatus: 'Escalated' });
    });

    it('name the capture that is made again after one that had failed, also under automatic capture', () => {
      const [captured] = read({ eventCode: 'CAPTURE', pspReference: 'PSP5', originalReference: 'PSP1' });
      assert.ok(captured !== undefined && 'outcome' in captured && captured.outcome.kind === 'approved');
      assert.deepEqual([captured.captureReference, captured.outcome.captured], ['PSP5', true]);
    });

    it('decide by nothing that the signature does not cover', () => {
      const reasons = ['Expired Card', 'FRAUD', 'approved', ''];
      const codes = reasons
        .flatMap((reason) => read({ success: false, reason }))
        .map((each) => {
          assert.ok('outcome' in each && each.outcome.kind === 'declined');
          return each.outcome.code;
        });
      assert.deepEqual(codes, ['CARD_DECLINED', 'PAYMENT_DECLINED', 'PAYMENT_DECLINED', 'PAYMENT_DECLINED']);
    });

    it('report refunds that failed, also after they had succeeded', () => {
      for (const eventCode of ['REFUND_FAILED', 'REFUNDED_REVERSED']) {
        const [failed] = read({ eventCode, merchantReference: newId('refund'), originalReference: 'PSP1' });
        assert.ok(failed !== undefined && 'refundOutcome' in failed, eventCode);
        assert.equal(failed.refundOutcome.kind, 'refused');
      }
    });

    it("have the signature that Adyen's own library makes", () => {
      const item = {
        pspReference: 'pspReference',
        originalReference: 'originalReference',
        merchantAccountCode: 'merchantAccount',
        merchantReference: 'reference',
        amount: { currency: 'EUR', value: 1000 },
        eventCode: 'REPORT_AVAILABLE',
        success: 'true',
        additionalData: { hmacSignature: 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=' },
      };
      const hmacKey = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';
      const credentials = { ...ADYEN_CREDENTIALS, hmacKey };
      const settings = { name: 'adyen', environment: 'sandbox', apiUrl: null, timeoutMs: 5_000 } as const;
      const body = JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });
      assert.deepEqual(ADYEN.create({ ...settings, credentials }).parseWebhook(Buffer.from(body), {}).events, []);
      assert.throws(() => provider.parseWebhook(Buffer.from(body), {}).events, WebhookVerificationError);
    });

    it('are refused as a whole where one event is changed', () => {
      const body = signAdyenWebhook(event, ADYEN_CREDENTIALS.hmacKey).toString('utf8');
      const changes = [
        ['"PSP1"', '"PSP9"'],
        ['"value":1234', '"value":1'],
        ['"USD"', '"EUR"'],
        ['"AUTHORISATION"', '"CAPTURE"'],
        ['"success":"true"', '"success":"false"'],
        [attemptId, `att_${'0c'.repeat(16)}_1`],
        ['"hmacSignature":"', '"hmacSignature":"AA'],
      ] as const;
      for (const [old, changed] of changes) {
        const forged = Buffer.from(body.replace(old, changed));
        assert.notEqual(forged.toString('utf8'), body);
        assert.throws(() => provider.parseWebhook(forged, {}).events, WebhookVerificationError, old);
      }
    });
  });

  describe('its credentials', () => {
    const settings = { name: 'adyen', environment: 'sandbox', timeoutMs: 5_000 } as const;
    const check = (credentials = ADYEN_CREDENTIALS) =>
      ADYEN.check({ ...settings, credentials, apiUrl: fake.url }, newSignal());

    it('are checked by a request that does nothing', async () => {
      assert.equal(await check(), null);
      assert.match((await check({ ...ADYEN_CREDENTIALS, apiKey: 'wrong' })) ?? '', /API key/);
      assert.match((await check({ ...ADYEN_CREDENTIALS, merchantAccount: 'Other' })) ?? '', /merchant account/);
      const unreachable = { ...settings, credentials: ADYEN_CREDENTIALS, apiUrl: UNREACHABLE_URL };
      await assert.rejects(ADYEN.check(unreachable, newSignal()), ProviderOutageError);
    });

    it('need the prefix of the live addresses in production', async () => {
      const live = { ...settings, environment: 'production', credentials: ADYEN_CREDENTIALS, apiUrl: null } as const;
      assert.match((await ADYEN.check(live, newSignal())) ?? '', /liveUrlPrefix/);
      assert.throws(() => ADYEN.create(live), RangeError);
      const { name } = ADYEN.create({ ...live, credentials: { ...ADYEN_CREDENTIALS, liveUrlPrefix: '1797a-Shop' } });
      assert.equal(name, 'adyen');
    });

    it('are refused in another form', () => {
      const { schema } = ADYEN;
      assert.ok(schema.safeParse(ADYEN_CREDENTIALS).success);
      for (const change of [
        { apiKey: 'two words\n' },
        { hmacKey: 'abc' },
        { liveUrlPrefix: 'evil.example/' },
        { merchantAccount: '' },
        { other: 1 },
      ]) {
        assert.ok(!schema.safeParse({ ...ADYEN_CREDENTIALS, ...change }).success, JSON.stringify(change));
      }
    });
  });
});
