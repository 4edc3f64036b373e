import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { openCheckout } from '../../../../sdk/checkout/checkout.ts';
import { splitClientSecret } from '../../../../sdk/checkout/client-secret.ts';
import type { Cursor } from '../../../../sdk/checkout/event-stream.ts';
import type { Platform } from '../../../../sdk/checkout/platform.ts';
import { readStoredCheckout } from '../../../../sdk/checkout/stored-checkout.ts';
import type { Checkout, PaymentEvent } from '../../../../sdk/checkout/types.ts';
import { invalidCheckout } from '../../../../sdk/checkout/invalid-checkout.ts';
import { createTestPage, type TestPage } from '../../../support/checkout-page.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Reply, type ScriptedGateway, startScriptedGateway } from '../../../support/scripted-gateway.ts';

const INTENT = `pi_${'2b'.repeat(16)}`;
const KEY = `${INTENT}_secret_${'K'.repeat(24)}`;
const SALT = 's'.repeat(24);
const CLIENT_SECRET = `${KEY}${SALT}`;
const BANK = 'https://bank.example/challenge';

const ready = (status: string) => ({ type: 'ready', status, lastEventId: 'evt_0' });
const frame = (sequence: number, event: string, rest: object = {}) => ({
  event,
  id: `evt_${sequence}`,
  sequence,
  terminal: false,
  ...rest,
});
const payment = (status: string, rest: object = {}): Reply => ({
  status: 200,
  body: { success: true, data: { id: INTENT, status, amount: 100, currency: 'EUR', ...rest } },
});
const refusal = (status: number, code: string, rest: object = {}, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { success: false, error: { code, message: 'No.', ...rest } },
  headers,
});
const toBank = payment('requires_action', { nextAction: { type: 'redirect', url: BANK } });

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

describe('a checkout', () => {
  let gateway: ScriptedGateway;
  let page: TestPage;
  let checkout: Checkout;
  let answers: Reply[];
  let requests: Received[];
  let events: PaymentEvent[];

  beforeEach(async () => {
    answers = [];
    requests = [];
    events = [];
    gateway = await startScriptedGateway((request, body) => {
      requests.push({ request, body });
      return answers.shift() ?? refusal(401, 'API_KEY_EXPIRED');
    });
    open();
  });
  afterEach(async () => {
    checkout.close();
    await gateway.stop();
  });

  function open(overrides: Partial<Platform> = {}, storesSecret = true, cursor: Cursor | null = null): void {
    page = createTestPage(overrides);
    const credentials = splitClientSecret(CLIENT_SECRET);
    assert.ok(credentials !== null);
    const input = { clientSecret: CLIENT_SECRET, credentials, baseUrl: gateway.baseUrl, cursor, storesSecret };
    checkout = openCheckout(page.platform, input);
    const names = ['processing', 'requires-action', 'succeeded', 'failed', 'canceled', 'expired'] as const;
    for (const name of names) checkout.on(`payment-${name}`, (event) => void events.push(event));
    checkout.on('advisory', (event) => void events.push(event));
  }

  const untilNotified = (...expected: string[]) =>
    eventually(async () =>
      assert.deepEqual(
        events.map(({ type }) => type),
        expected,
      ),
    );

  it('signs its requests with the halves of the client secret', async () => {
    answers.push(payment('succeeded'));
    const { outcome } = await checkout.confirm({ paymentMethod: { type: 'upi', upi: { vpa: 'success@upi' } } });
    assert.equal(outcome, 'succeeded');
    const [{ request, body } = assert.fail('nothing was sent')] = requests;
    const { headers } = request;
    assert.equal(request.url, `/api/v1/payment-intents/${INTENT}/confirm`);
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(headers['x-secret-salt'], SALT);
    const signed = createHmac('sha256', SALT)
      .update(`${String(headers['x-timestamp'])}${body}`)
      .digest('hex');
    assert.equal(headers['x-signature'], signed);
  });

  it("reads the customer's saved cards, and says why there are none", async () => {
    const card = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2034 };
    const data = [
      { id: 'spm_1', object: 'usable_saved_payment_method', paymentMethod: card, isDefault: true },
      { id: 7 },
    ];
    answers = [{ status: 200, body: { success: true, data } }, refusal(404, 'RESOURCE_NOT_FOUND')];
    const { type: _type, ...shown } = card;
    assert.deepEqual(await checkout.savedCards(), { cards: [{ id: 'spm_1', ...shown, isDefault: true }], error: null });
    assert.equal(requests.at(-1)?.request.url, `/api/v1/payment-intents/${INTENT}/saved-payment-methods`);
    const refused = await checkout.savedCards();
    assert.deepEqual([refused.cards, refused.error?.code], [[], 'RESOURCE_NOT_FOUND']);
  });

  it('returns a decline as a result, and accepts another method afterwards', async () => {
    const declined = { id: INTENT, status: 'requires_payment_method' };
    answers.push(refusal(400, 'CARD_DECLINED', { details: { paymentIntent: declined } }), payment('succeeded'));
    const first = await checkout.confirm();
    assert.deepEqual([first.outcome, first.error?.code], ['declined', 'CARD_DECLINED']);
    assert.equal((await checkout.confirm()).outcome, 'succeeded');
  });

  it('returns no action if events have overtaken the response with the action', async () => {
    const { release } = openBehindSlowResponses();
    answers.push(toBank);
    const subscriber = await secondSubscriber();
    subscriber.send(ready('requires_payment_method'));
    const confirming = checkout.confirm();
    await eventually(async () => assert.equal(requests.length, 1));
    subscriber.send(
      frame(1, 'payment-processing'),
      frame(2, 'payment-requires-action', { details: { nextAction: { type: 'redirect', url: BANK } } }),
      frame(3, 'payment-failed', { code: 'FRAUD_DETECTED', message: 'No.', terminal: true }),
    );
    await untilNotified('payment-processing', 'payment-requires-action', 'payment-failed');
    release();
    const { outcome, nextAction, error } = await confirming;
    assert.deepEqual([outcome, nextAction, error?.code], ['failed', null, 'FRAUD_DETECTED']);
    assert.deepEqual(page.visited, []);
  });

  it('repeats a confirm without a response under the same idempotency key', async () => {
    answers.push(refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'Retry-After': '1' }), payment('processing'));
    assert.equal((await checkout.confirm()).outcome, 'processing');
    const keys = requests.map(({ request }) => request.headers['x-idempotency-key']);
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1);
  });

  it('repeats a confirm after an internal error', async () => {
    answers.push(refusal(500, 'INTERNAL_ERROR'), payment('succeeded'));
    assert.equal((await checkout.confirm()).outcome, 'succeeded');
  });

  for (const [status, code] of [
    [429, 'RATE_LIMIT_EXCEEDED'],
    [403, 'MERCHANT_SUSPENDED'],
  ] as const) {
    it(`reports an unknown outcome if the response was lost and the repeat gets ${code}`, async () => {
      answers.push({ status: 502, body: {} }, refusal(status, code, {}, { 'Retry-After': '60' }));
      const { outcome, error } = await checkout.confirm();
      assert.deepEqual([outcome, error?.code], ['unknown', 'NETWORK_ERROR']);
    });
  }

  it('reports a confirm as refused if its first try is refused', async () => {
    answers.push(refusal(429, 'RATE_LIMIT_EXCEEDED', {}, { 'Retry-After': '60' }));
    assert.equal((await checkout.confirm()).outcome, 'refused');
  });

  it('reports an unknown outcome if there is never a response', async () => {
    await gateway.stop();
    const { outcome, error } = await checkout.confirm();
    assert.deepEqual([outcome, error?.code], ['unknown', 'NETWORK_ERROR']);
  });

  it("uses the server's time if its own clock is wrong", async () => {
    const Date = 'Mon, 01 Jun 2026 12:00:00 GMT';
    answers.push(refusal(401, 'TIMESTAMP_EXPIRED', {}, { Date }), payment('processing'));
    assert.equal((await checkout.status()).status, 'processing');
    assert.match(String(requests[1]?.request.headers['x-timestamp']), /^2026-06-01T12:00/);
  });

  it('reports a stuck payment as an advisory, and waits for its outcome', async () => {
    const subscriber = await gateway.next();
    subscriber.send(
      ready('requires_payment_method'),
      frame(1, 'payment-processing'),
      frame(2, 'payment-failed', { code: 'PAYMENT_STUCK', message: 'Still working.' }),
    );
    await untilNotified('payment-processing', 'advisory');
    assert.equal(events[1]?.error?.code, 'PAYMENT_STUCK');
    subscriber.send(frame(3, 'payment-succeeded', { terminal: true }));
    await untilNotified('payment-processing', 'advisory', 'payment-succeeded');
  });

  it('reports once an outcome that came before the listener was added', async () => {
    const subscriber = await gateway.next();
    subscriber.send(ready('succeeded'));
    await untilNotified('payment-succeeded');
    assert.deepEqual([events[0]?.id, events[0]?.terminal], [null, true]);
  });

  it('reports the next action of a payment that waits for the customer', async () => {
    answers.push(toBank);
    (await gateway.next()).send(ready('requires_action'));
    await untilNotified('payment-requires-action');
    assert.deepEqual(events[0]?.nextAction, { type: 'redirect', url: BANK });
    assert.equal(checkout.startAction(), 'started');
    assert.deepEqual(page.visited, [BANK]);
  });

  it('reports why a payment failed before the page was loaded again', async () => {
    answers.push(payment('failed', { lastError: { code: 'CRYPTO_DEPOSIT_FAILED', message: 'No.' } }));
    (await gateway.next()).send(ready('failed'));
    await untilNotified('payment-failed');
    assert.deepEqual([events[0]?.error?.code, events[0]?.terminal], ['CRYPTO_DEPOSIT_FAILED', true]);
  });

  it('reports that a payment got stuck before the page was loaded again', async () => {
    answers.push(payment('processing', { advisory: { code: 'PAYMENT_STUCK' } }));
    (await gateway.next()).send(ready('processing'));
    await untilNotified('payment-processing', 'advisory');
    assert.deepEqual([events[1]?.error?.code, events[1]?.status], ['PAYMENT_STUCK', 'processing']);
  });

  for (const [code, status, outcome] of [
    ['STATE_CONFLICT', 'processing', 'processing'],
    ['STATE_CONFLICT', 'requires_payment_method', 'refused'],
    ['PAYMENT_EXPIRED', 'expired', 'failed'],
    ['API_KEY_EXPIRED', 'succeeded', 'succeeded'],
  ] as const) {
    it(`returns ${outcome} if a confirm is refused with ${code} and the payment is ${status}`, async () => {
      answers.push(refusal(409, code), payment(status));
      const result = await checkout.confirm();
      assert.deepEqual([result.outcome, result.error?.code], [outcome, code]);
      assert.deepEqual(
        requests.map(({ request }) => request.method),
        ['POST', 'GET'],
      );
    });
  }

  it('stores nothing if the page gets the client secret from its server again', async () => {
    checkout.close();
    open({}, false);
    answers.push(toBank);
    assert.equal((await checkout.confirm()).action, 'started');
    assert.equal(readStoredCheckout(page.platform.storage), null);
  });

  it('stores the data for the return from the bank, and removes it at the end', async () => {
    const subscriber = await gateway.next();
    subscriber.send(ready('requires_payment_method'));
    answers.push(toBank);
    const { outcome, action } = await checkout.confirm({ returnUrl: 'https://shop.example/thanks' });
    assert.deepEqual([outcome, action], ['requires_action', 'started']);
    assert.deepEqual(page.visited, [BANK]);
    const kept = readStoredCheckout(page.platform.storage);
    assert.deepEqual(
      [kept?.clientSecret, kept?.baseUrl, kept?.cursor.after],
      [CLIENT_SECRET, gateway.baseUrl, 'evt_0'],
    );
    subscriber.send(frame(1, 'payment-succeeded', { terminal: true }));
    await untilNotified('payment-succeeded');
    assert.equal(readStoredCheckout(page.platform.storage), null);
  });

  it('opens a popup for the bank and closes it once the payment continues', async () => {
    let windows = 0;
    checkout.close();
    open({ openPopup: () => ((windows += 1), { close: () => (windows -= 1) }) });
    await gateway.next();
    const subscriber = await gateway.next();
    subscriber.send(ready('requires_payment_method'));
    answers.push(toBank);
    assert.equal((await checkout.confirm({ redirect: 'popup' })).action, 'started');
    assert.equal(windows, 1);
    subscriber.send(frame(1, 'payment-processing'), frame(2, 'payment-requires-action'));
    await untilNotified('payment-processing', 'payment-requires-action');
    assert.equal(windows, 1, 'what led to the window came after it');
    subscriber.send(frame(3, 'payment-processing'));
    await untilNotified('payment-processing', 'payment-requires-action', 'payment-processing');
    assert.equal(windows, 0);
  });

  it('opens only web addresses', async () => {
    answers.push(payment('requires_action', { nextAction: { type: 'redirect', url: 'javascript:alert(1)' } }));
    const { nextAction, action } = await checkout.confirm();
    assert.deepEqual([nextAction, action], [null, null]);
    assert.deepEqual(page.visited, []);
  });

  it('isolates listeners from what another one throws', async () => {
    const heard: string[] = [];
    checkout.on('payment-processing', () => {
      throw new Error('the page is broken');
    });
    const rejecting: () => unknown = () => Promise.reject(new Error('so is this'));
    checkout.on('payment-processing', rejecting);
    const leave = checkout.on('payment-processing', () => void heard.push('gone'));
    checkout.on('payment-processing', () => void heard.push('there'));
    leave();
    const subscriber = await gateway.next();
    subscriber.send(ready('requires_payment_method'), frame(1, 'payment-processing'), frame(2, 'payment-canceled'));
    await untilNotified('payment-processing', 'payment-canceled');
    assert.deepEqual(heard, ['there']);
    assert.equal(page.reported.length, 2);
  });

  /** A page whose responses arrive only once they are let through; the socket is faster. */
  function openBehindSlowResponses(): { readonly release: () => void } {
    checkout.close();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    open({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        await released;
        return response;
      },
    });
    return { release: () => release() };
  }

  async function secondSubscriber() {
    await gateway.next();
    return gateway.next();
  }

  function readyFrame(): Promise<void> {
    return new Promise((resolve) => {
      checkout.on('frame', ({ direction }) => direction === 'received' && resolve());
    });
  }

  const declined = payment('requires_payment_method', { lastError: { code: 'CARD_DECLINED', message: 'No.' } });

  it('reads the status again if an event has overtaken the response', async () => {
    const { release } = openBehindSlowResponses();
    const subscriber = await secondSubscriber();
    answers.push(payment('processing'));
    const reading = checkout.status();
    await eventually(async () => assert.equal(requests.length, 1));
    subscriber.send(ready('processing'), frame(1, 'payment-failed', { code: 'CARD_DECLINED', message: 'No.' }));
    await untilNotified('payment-processing', 'payment-failed');
    await eventually(async () => assert.equal(requests.length, 2, 'a payment in processing is read for its advisory'));
    answers = [declined];
    release();
    const { status, payment: read } = await reading;
    assert.deepEqual([status, read?.lastError?.code], ['requires_payment_method', 'CARD_DECLINED']);
  });

  it('reports a decline that came between the response and the subscription', async () => {
    answers.push(payment('processing'), declined);
    assert.equal((await checkout.status()).status, 'processing');
    (await gateway.next()).send(ready('requires_payment_method'));
    await untilNotified('payment-failed');
    assert.deepEqual([events[0]?.error?.code, events[0]?.status], ['CARD_DECLINED', 'requires_payment_method']);
  });

  it('reports a decline that the subscription knew before the response to a confirm came', async () => {
    const { release } = openBehindSlowResponses();
    const subscriber = await secondSubscriber();
    answers.push(payment('processing'), declined);
    const confirming = checkout.confirm();
    await eventually(async () => assert.equal(requests.length, 1));
    const received = readyFrame();
    subscriber.send(ready('requires_payment_method'));
    await received;
    release();
    assert.equal((await confirming).outcome, 'processing');
    await untilNotified('payment-failed');
    assert.equal(events[0]?.error?.code, 'CARD_DECLINED');
  });

  it('reports an outcome whose connection is replaced while the payment is read', async () => {
    const { release } = openBehindSlowResponses();
    answers.push(payment('failed', { lastError: { code: 'CRYPTO_DEPOSIT_FAILED', message: 'No.' } }));
    const first = await secondSubscriber();
    first.send(ready('failed'));
    await eventually(async () => assert.equal(requests.length, 1));
    first.end();
    const second = await gateway.next();
    assert.equal(second.subscribe.after, 'evt_0');
    const received = readyFrame();
    second.send(ready('failed'));
    await received;
    release();
    await untilNotified('payment-failed');
    assert.deepEqual([events[0]?.error?.code, events[0]?.terminal], ['CRYPTO_DEPOSIT_FAILED', true]);
  });

  it('reports nothing if the subscription is older than the response', async () => {
    answers.push(payment('processing'), payment('processing'));
    assert.equal((await checkout.status()).status, 'processing');
    const subscriber = await gateway.next();
    subscriber.send(ready('requires_payment_method'), frame(1, 'payment-processing'));
    await eventually(async () => assert.equal(requests.length, 2));
    await untilNotified('payment-processing');
    subscriber.send(frame(2, 'payment-succeeded', { terminal: true }));
    await untilNotified('payment-processing', 'payment-succeeded');
  });

  it('detects a dead socket by polling the API', async () => {
    const first = await gateway.next();
    first.send(ready('requires_payment_method'), frame(1, 'payment-processing'));
    await untilNotified('payment-processing');
    const second = await gateway.next();
    assert.equal(second.subscribe.after, 'evt_1');
    second.send(ready('succeeded'), frame(2, 'payment-succeeded', { terminal: true }));
    await untilNotified('payment-processing', 'payment-succeeded');
  });

  /** A page behind a proxy that lets no socket through. */
  const WITHOUT_SOCKETS: Partial<Platform> = {
    openSocket: (_url, { onClose }) => {
      setTimeout(() => onClose(1006), 0);
      return { send: () => undefined, close: () => undefined };
    },
  };

  function openWithoutSockets(overrides: Partial<Platform> = {}): void {
    checkout.close();
    open({ ...WITHOUT_SOCKETS, ...overrides });
  }

  it('tells the outcome that the API knows if no socket can be opened', async () => {
    openWithoutSockets();
    answers.push(payment('processing'), payment('succeeded'), payment('succeeded'));
    assert.equal((await checkout.confirm()).outcome, 'processing');
    await untilNotified('payment-succeeded');
    assert.deepEqual([events[0]?.id, events[0]?.terminal], [null, true]);
  });

  it('tells what has come before the page was loaded again if no socket can be opened', async () => {
    openWithoutSockets();
    answers.push(toBank, toBank);
    await untilNotified('payment-requires-action');
    assert.deepEqual(events[0]?.nextAction, { type: 'redirect', url: BANK });
  });

  it('reports a decline after the response to a confirm if no socket can be opened', async () => {
    openWithoutSockets();
    answers.push(payment('processing'), declined, declined);
    assert.equal((await checkout.confirm()).outcome, 'processing');
    await untilNotified('payment-failed');
    assert.deepEqual([events[0]?.error?.code, events[0]?.status], ['CARD_DECLINED', 'requires_payment_method']);
  });

  it('reports no decline from a response that is older than the confirm', async () => {
    const held: (() => void)[] = [];
    openWithoutSockets({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (init.method === 'GET' && requests.length === 2) await new Promise<void>((resolve) => held.push(resolve));
        return response;
      },
    });
    const ready = payment('requires_payment_method');
    answers.push(
      ready,
      ready,
      payment('processing'),
      payment('processing'),
      payment('succeeded'),
      payment('succeeded'),
    );
    await eventually(async () => assert.equal(held.length, 1));
    assert.equal((await checkout.confirm()).outcome, 'processing');
    for (const release of held) release();
    await untilNotified('payment-succeeded');
  });

  /** Opens the page that the customer comes back to; the page before had no socket yet. */
  function comeBack(platform: Partial<Platform> = {}): void {
    checkout.close();
    open(platform, true, { after: null, sequence: 0 });
  }

  it('reports a decline at the bank if the page before had no socket', async () => {
    comeBack();
    answers.push(declined);
    (await secondSubscriber()).send(ready('requires_payment_method'));
    await untilNotified('payment-failed');
    assert.equal(events[0]?.error?.code, 'CARD_DECLINED');
  });

  it('reports a decline at the bank if no page has a socket', async () => {
    comeBack(WITHOUT_SOCKETS);
    answers.push(declined, declined);
    await untilNotified('payment-failed');
    assert.equal(events[0]?.error?.code, 'CARD_DECLINED');
  });

  it('rejects an invalid client secret without throwing', async () => {
    const states: string[] = [];
    const unusable = invalidCheckout(page.platform);
    unusable.on('connection', ({ error }) => void states.push(error?.code ?? ''));
    assert.equal((await unusable.confirm()).error?.code, 'INVALID_CLIENT_SECRET');
    await eventually(async () => assert.deepEqual(states, ['INVALID_CLIENT_SECRET']));
  });
});
