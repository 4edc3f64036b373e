import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { ERROR_CATALOGUE, isErrorCode } from '../../domain/error-catalogue.ts';
import { newId } from '../../domain/new-id.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { type SignedRequest, signatureOf } from '../../sandbox/signed-request.ts';
import { card, CARD_NUMBERS } from '../../sandbox/test-payment-methods.ts';
import { failureOf, intentOf } from '../support/envelopes.ts';
import { createKey, createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, INTENTS } from '../support/payments.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

/** What the mistakes are made with. */
interface Setting {
  readonly merchant: TestMerchant;
  readonly production: TestMerchant;
  readonly openIntentId: string;
  readonly paidIntentId: string;
  readonly usedIdempotencyKey: string;
}

interface Mistake {
  readonly title: string;
  readonly code: string;
  /** What the message has to say: what was expected, what came, and what to do. */
  readonly says: readonly RegExp[];
  readonly make: (setting: Setting) => SignedRequest | Promise<Answer>;
}

const PAYMENT = { amount: 1_999, currency: 'EUR', country: 'DE' };
const { approved: CARD_NUMBER } = CARD_NUMBERS;

const create = (fields: object, headers: Readonly<Record<string, string>> = {}): SignedRequest => ({
  method: 'POST',
  path: INTENTS,
  body: { ...PAYMENT, ...fields },
  headers,
});

const withCard = (fields: object): SignedRequest => {
  const { type, card: sound } = card('approved');
  return create({ paymentMethod: { type, card: { ...sound, ...fields } } });
};

const list = (query: string): SignedRequest => ({ method: 'GET', path: `${INTENTS}?${query}` });

/** A request whose signature is over other text than it should be. */
function signedOver(
  { merchant }: Setting,
  text: (timestamp: string, body: string) => readonly [timestamp: string, body: string],
  salt = merchant.credentials.secretSalt,
): Promise<Answer> {
  const timestamp = new Date().toISOString();
  const body = '{ "amount": 1999, "currency": "EUR" }';
  const headers = {
    'X-Timestamp': timestamp,
    'X-Secret-Salt': salt,
    'X-Signature': signatureOf(salt, ...text(timestamp, body)),
  };
  return request({ method: 'POST', path: INTENTS, body, headers }, merchant.credentials);
}

const at = (offsetMs: number) => ({ 'X-Timestamp': new Date(Date.now() + offsetMs).toISOString() });

const MISTAKES: readonly Mistake[] = [
  {
    title: 'an amount with decimals',
    code: 'VALIDATION_ERROR',
    says: [/amount: Expected whole minor units/, /got 19\.99/, /Send 1999 for 19\.99/],
    make: () => create({ amount: 19.99 }),
  },
  {
    title: 'an amount in quotes',
    code: 'VALIDATION_ERROR',
    says: [/amount: Expected whole minor units/, /got "1999"/, /Send the digits alone, without quotes/],
    make: () => create({ amount: '1999' }),
  },
  {
    title: 'an amount of nothing',
    code: 'INVALID_AMOUNT',
    says: [/from 1 to 99999999999/, /got 0/],
    make: () => create({ amount: 0 }),
  },
  {
    title: 'no amount',
    code: 'INVALID_REQUEST',
    says: [/amount: Expected whole minor units/, /got nothing/],
    make: () => create({ amount: undefined }),
  },
  {
    title: 'a currency in lower case',
    code: 'VALIDATION_ERROR',
    says: [/currency: Expected an ISO 4217 code in upper case, such as EUR/, /got "eur"/],
    make: () => create({ currency: 'eur' }),
  },
  {
    title: 'a currency that is not supported',
    code: 'INVALID_CURRENCY',
    says: [/Expected a supported currency/, /got "XTS"/, /openapi\.json lists them/],
    make: () => create({ currency: 'XTS' }),
  },
  {
    title: 'the name of a country',
    code: 'VALIDATION_ERROR',
    says: [/country: Expected an ISO 3166-1 alpha-2 code in upper case, such as DE/, /got "Germany"/],
    make: () => create({ country: 'Germany' }),
  },
  {
    title: 'a number as description',
    code: 'VALIDATION_ERROR',
    says: [/description: Expected a text in quotes/, /got 1042/, /Put it in quotes/],
    make: () => create({ description: 1042 }),
  },
  {
    title: 'a duration instead of a number',
    code: 'VALIDATION_ERROR',
    says: [/expiresInSeconds: Expected a number without quotes; got "7d"\. Send digits alone/],
    make: () => create({ expiresInSeconds: '7d' }),
  },
  {
    title: 'a reference with other letters',
    code: 'VALIDATION_ERROR',
    says: [/reference: Expected printable ASCII characters/, /Leave accents and other letters out/],
    make: () => create({ reference: 'Bestellung für 1042' }),
  },
  {
    title: 'a field in snake case',
    code: 'VALIDATION_ERROR',
    says: [/capture_method: Expected no fields but .*captureMethod/, /Check its spelling/],
    make: () => create({ capture_method: 'manual' }),
  },
  {
    title: 'a payment method that does not exist',
    code: 'INVALID_PAYMENT_METHOD',
    says: [/paymentMethod\.type: Expected one of "card", "upi", "crypto"/],
    make: () => create({ paymentMethod: { type: 'cash' } }),
  },
  {
    title: 'an expired card',
    code: 'VALIDATION_ERROR',
    says: [/This card has expired/, /Expected expiryMonth and expiryYear from \d\d\/\d{4} on/, /ask for another card/],
    make: () => withCard({ expiryYear: 2020 }),
  },
  {
    title: 'a year of two digits',
    code: 'VALIDATION_ERROR',
    says: [/expiryYear: Expected a year of four digits as a number/],
    make: () => withCard({ expiryYear: 30 }),
  },
  {
    title: 'a card number with a typing error',
    code: 'VALIDATION_ERROR',
    says: [/Expected a card number of 12 to 19 digits with a valid check digit/, /Check the digits/],
    make: () => withCard({ number: '4242424242424241' }),
  },
  {
    title: 'a CVC as a number',
    code: 'VALIDATION_ERROR',
    says: [/cvc: Expected a CVC: 3 or 4 digits as text, in quotes; got a number/],
    make: () => withCard({ cvc: 123 }),
  },
  {
    title: 'a confirm without payment method',
    code: 'MISSING_REQUIRED_FIELD',
    says: [/paymentMethod: Expected a payment method, because confirm is true; got nothing/, /Add paymentMethod/],
    make: () => create({ confirm: true }),
  },
  {
    title: 'no API key',
    code: 'UNAUTHORIZED',
    says: [/Expected the header `Authorization: Bearer <API key>`/, /Write Bearer, a space and the key/],
    make: () => create({}, { Authorization: '' }),
  },
  {
    title: 'the salt as API key',
    code: 'UNAUTHORIZED',
    says: [/got a key that does not exist/, /its salt belongs into X-Secret-Salt/],
    make: ({ merchant }) => create({}, { Authorization: `Bearer ${merchant.credentials.secretSalt}` }),
  },
  {
    title: 'a key of another installation',
    code: 'UNAUTHORIZED',
    says: [/got a key that does not exist in this installation/],
    make: () => create({}, { Authorization: `Bearer svc_live_${'a'.repeat(32)}` }),
  },
  {
    title: 'the client secret as API key',
    code: 'UNAUTHORIZED',
    says: [/got a client secret/, /Servers send the API key; pages leave the signing to the checkout SDK/],
    make: ({ openIntentId }) => create({}, { Authorization: `Bearer ${openIntentId}_secret_${'a'.repeat(48)}` }),
  },
  {
    title: 'version 2 of the signature with a key on version 1',
    code: 'INVALID_SIGNATURE',
    says: [/takes signature version 1 only/, /Sign with version 1, or make a key for version 2/],
    make: ({ merchant }) => {
      const headers = {
        'X-Timestamp': new Date().toISOString(),
        'X-Nonce': newId('request').slice(-32),
        'X-Signature': 'a'.repeat(64),
        'X-Secret-Salt': '',
      };
      return request({ method: 'POST', path: INTENTS, body: PAYMENT, headers }, merchant.credentials);
    },
  },
  {
    title: 'another path signed than sent, with version 2',
    code: 'INVALID_SIGNATURE',
    says: [/does not fit/, /Compare your eight lines with those of \/docs\/signature-calculator/],
    make: async ({ merchant }) => {
      const { credentials } = await createKey(merchant, 'sandbox', {
        scopes: ['payment-intents:write'],
        signatureVersion: 2,
      });
      const headers = { 'X-Signature': 'a'.repeat(64) };
      return request({ method: 'POST', path: INTENTS, body: PAYMENT, headers }, credentials);
    },
  },
  {
    title: 'a webhook URL that leads nowhere from outside',
    code: 'VALIDATION_ERROR',
    says: [/url: Expected a host with a public address/, /Name a host that the internet reaches/],
    make: () => ({
      method: 'POST',
      path: '/api/v1/webhook-endpoints',
      body: { url: 'http://169.254.169.254/hook', enabledEvents: ['*'] },
    }),
  },
  {
    title: 'a Unix timestamp',
    code: 'TIMESTAMP_EXPIRED',
    says: [
      /server's time \d{4}-\d\d-\d\dT[\d:.]+Z, in UTC and in this format/,
      /as in Unix time. Send the time as text/,
    ],
    make: () => create({}, { 'X-Timestamp': String(Date.now()) }),
  },
  {
    title: 'a time without seconds',
    code: 'TIMESTAMP_EXPIRED',
    says: [/got a time in another format/, /with a T and seconds/],
    make: () => create({}, { 'X-Timestamp': new Date().toISOString().replace(/:\d\d\.\d+/, '') }),
  },
  {
    title: 'a clock that is an hour slow',
    code: 'TIMESTAMP_EXPIRED',
    says: [/allowed window of 5 minutes/, /got a time 3\d{3} s before it/, /Set the clock/],
    make: () => create({}, at(-HOUR_MS)),
  },
  {
    title: 'a signature over JSON that is written again',
    code: 'INVALID_SIGNATURE',
    says: [/The server signed 61 bytes with the SHA-256 [0-9a-f]{64}\. The salt matched/, /sign and send that text/],
    make: (setting) => signedOver(setting, (timestamp, body) => [timestamp, JSON.stringify(JSON.parse(body))]),
  },
  {
    title: 'a signature over the body alone',
    code: 'INVALID_SIGNATURE',
    says: [/The salt matched/, /over the body alone. Put the timestamp before it/],
    make: (setting) => signedOver(setting, (_timestamp, body) => ['', body]),
  },
  {
    title: 'the salt of another key',
    code: 'INVALID_SIGNATURE',
    says: [/The salt did not match/, /Send the salt that was shown with this key/],
    make: (setting) => signedOver(setting, (timestamp, body) => [timestamp, body], 'b'.repeat(48)),
  },
  {
    title: 'a signature in Base64',
    code: 'INVALID_SIGNATURE',
    says: [/Expected X-Signature with the HMAC-SHA256, as 64 hexadecimal digits/, /Send hex/],
    make: () => create({}, { 'X-Signature': 'qUqP5cyxm6YcTAhz05Hph5gvu9M=' }),
  },
  {
    title: 'a body that is too large',
    code: 'INVALID_REQUEST',
    says: [/Expected a body of at most 1048576 bytes; got \d{7} bytes/, /Send less/],
    make: () => create({ description: 'x'.repeat(1_100_000) }),
  },
  {
    title: 'a form instead of JSON',
    code: 'INVALID_REQUEST',
    says: [/Expected the header Content-Type: application\/json/, /got "application\/x-www-form-urlencoded"/],
    make: () => create({}, { 'Content-Type': 'application/x-www-form-urlencoded' }),
  },
  {
    title: 'JSON with a comma at its end',
    code: 'INVALID_REQUEST',
    says: [/Expected valid JSON; got a text that is not JSON from character 16 on/, /Check quotes, commas/],
    make: () => ({ method: 'POST', path: INTENTS, body: '{"amount": 1999,}' }),
  },
  {
    title: 'a page of 1000 elements',
    code: 'VALIDATION_ERROR',
    says: [/limit: Expected one whole number from 1 to 100; got 1000/],
    make: () => list('limit=1000'),
  },
  {
    title: 'a day as a time',
    code: 'VALIDATION_ERROR',
    says: [/createdAfter: Expected an ISO 8601 time with its zone, such as/, /got "2026-11-22"/],
    make: () => list('createdAfter=2026-11-22'),
  },
  {
    title: 'an event type that does not exist',
    code: 'VALIDATION_ERROR',
    says: [/enabledEvents\.0: Expected one of .*"payment_intent\.succeeded".*; got "payment\.succeeded"/],
    make: () => ({
      method: 'POST',
      path: '/api/v1/webhook-endpoints',
      body: { url: 'https://example.com/hook', enabledEvents: ['payment.succeeded'] },
    }),
  },
  {
    title: 'a cursor that is no event',
    code: 'RESOURCE_NOT_FOUND',
    says: [/Expected in after the id of an event of the account that is still kept/, /Leave after out/],
    make: () => ({ method: 'GET', path: '/api/v1/events?after=yesterday' }),
  },
  {
    title: 'the id of another kind of resource',
    code: 'PAYMENT_INTENT_NOT_FOUND',
    says: [/Expected an id that begins with pi_/, /got an id that begins with txn_/],
    make: () => ({ method: 'GET', path: `${INTENTS}/${newId('transaction')}` }),
  },
  {
    title: 'the key of the other environment',
    code: 'PAYMENT_INTENT_NOT_FOUND',
    says: [/No payment intent has this id .* in the merchant account and environment of the API key/, /Check the id/],
    make: ({ production, paidIntentId }) =>
      request({ method: 'GET', path: `${INTENTS}/${paidIntentId}` }, production.credentials),
  },
  {
    title: 'a key without the scope',
    code: 'INSUFFICIENT_PERMISSIONS',
    says: [/Expected an API key with the scope payment-intents:write; this one lacks it/, /add the scope/],
    make: async ({ merchant }) => {
      const { credentials } = await createKey(merchant, 'sandbox', { scopes: ['payment-intents:read'] });
      return request(create({}), credentials);
    },
  },
  {
    title: 'a refund of more than was captured',
    code: 'REFUND_AMOUNT_EXCEEDED',
    says: [/Expected at most the 1999 minor units that are left to refund; got 2000/, /Leave amount out/],
    make: ({ paidIntentId }) => ({
      method: 'POST',
      path: '/api/v1/refunds',
      body: { paymentIntentId: paidIntentId, amount: 2_000 },
    }),
  },
  {
    title: 'a capture of an automatic payment',
    code: 'STATE_CONFLICT',
    says: [
      /Expected a payment intent in requires_capture for capture; this one is succeeded/,
      /"captureMethod": "manual"/,
    ],
    make: ({ paidIntentId }) => ({ method: 'POST', path: `${INTENTS}/${paidIntentId}/capture`, body: {} }),
  },
  {
    title: 'a second confirm',
    code: 'STATE_CONFLICT',
    says: [
      /in requires_payment_method for confirm; this one is succeeded/,
      /return the money with POST \/api\/v1\/refunds/,
    ],
    make: ({ paidIntentId }) => ({
      method: 'POST',
      path: `${INTENTS}/${paidIntentId}/confirm`,
      body: { paymentMethod: card('approved') },
    }),
  },
  {
    title: 'a capture before the confirm',
    code: 'STATE_CONFLICT',
    says: [
      /this one is requires_payment_method. In this state it takes confirm \(POST .*\/confirm\), update .*, cancel/,
    ],
    make: ({ openIntentId }) => ({ method: 'POST', path: `${INTENTS}/${openIntentId}/capture`, body: {} }),
  },
  {
    title: 'a payment that no route takes',
    code: 'NO_TSP_AVAILABLE',
    says: [
      /Expected a route for ISK 1999 by card from DE; each of \d+ is skipped: .*does not take the currency \(\d+\)/,
      /\/simulate/,
    ],
    make: () => create({ currency: 'ISK', paymentMethod: card('approved'), confirm: true }),
  },
  {
    title: 'an idempotency key with another body',
    code: 'DUPLICATE_REQUEST',
    says: [/belongs to another request. Expected the same method, path and body/, /Send a new key with a new request/],
    make: ({ usedIdempotencyKey }) => create({ amount: 1 }, { 'X-Idempotency-Key': usedIdempotencyKey }),
  },
  {
    title: 'an idempotency key in a header of another name',
    code: 'VALIDATION_ERROR',
    says: [/Expected the key in the header X-Idempotency-Key/, /Rename the header/],
    make: () => create({}, { 'Idempotency-Key': 'order-1' }),
  },
  {
    title: 'no idempotency key where the account demands one',
    code: 'MISSING_REQUIRED_FIELD',
    says: [
      /demands an idempotency key of refunds, captures and payments without the customer/,
      /Send X-Idempotency-Key/,
    ],
    make: async () => {
      const { merchantAccountId, credentials } = await createMerchant();
      await queryStack('UPDATE merchant_account SET require_idempotency_keys = true WHERE id = $1', [
        merchantAccountId,
      ]);
      return request({ method: 'POST', path: '/api/v1/refunds', body: { paymentIntentId: 'pi_1' } }, credentials);
    },
  },
  {
    title: 'a path that does not exist',
    code: 'RESOURCE_NOT_FOUND',
    says: [/Expected a path of the API, such as \/api\/v1\/payment-intents/, /got POST "\/api\/v1\/payments"/],
    make: () => ({ method: 'POST', path: '/api/v1/payments', body: PAYMENT }),
  },
  {
    title: 'a method that the path does not take',
    code: 'METHOD_NOT_ALLOWED',
    says: [/Expected one of GET, POST, HEAD for this path; got DELETE/],
    make: () => ({ method: 'DELETE', path: INTENTS }),
  },
];

describe("beginner's mistakes", function () {
  this.timeout(MINUTE_MS);
  let setting: Setting;

  before('pay once', async () => {
    const [merchant, production] = await Promise.all([createMerchant(), createMerchant('production')]);
    const [open, paid] = await Promise.all([
      createPayment({}, merchant.credentials),
      createPayment({}, merchant.credentials),
    ]);
    assert.equal(intentOf(await paid.confirm(card('approved'))).status, 'succeeded');
    const usedIdempotencyKey = newId('request');
    const first = await request(create({}, { 'X-Idempotency-Key': usedIdempotencyKey }), merchant.credentials);
    assert.equal(first.status, 201);
    setting = { merchant, production, openIntentId: open.id, paidIntentId: paid.id, usedIdempotencyKey };
  });

  for (const { title, code, says, make } of MISTAKES) {
    it(`are explained by the error message: ${title}`, async () => {
      const made = make(setting);
      const answer = await ('method' in made ? request(made, setting.merchant.credentials) : made);
      const { code: actual, message, details } = failureOf(answer);
      assert.equal(actual, code, message);
      for (const pattern of says) assert.match(message, pattern);
      assert.ok(isErrorCode(actual) && answer.status === ERROR_CATALOGUE[actual].status);
      assert.ok(message.endsWith(` See /docs/errors#${code}.`), message);
      // Neither card data nor secrets come back, and no message is a page long.
      const said = JSON.stringify([message, details]);
      for (const secret of [CARD_NUMBER, '4242424242424241', setting.merchant.credentials.secretSalt]) {
        assert.ok(!said.includes(secret), said);
      }
      assert.ok(message.length < 1_500, `${message.length} characters`);
    });
  }
});
