import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { SECOND_MS } from '../../domain/time.ts';
import { signRequest } from '../../sdk/server/sign.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, createdIntentOf, failureOf } from '../support/envelopes.ts';
import { inTime } from '../support/eventually.ts';
import { INTENTS } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { connectSocket } from '../support/socket-client.ts';
import { getStack } from '../support/stack.ts';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';

const GOOD = { amount: 1_000, currency: 'USD' };

/** A body, signed as it is, and the expected error; the details may have more members. */
interface Case {
  readonly title: string;
  readonly body: string | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly refusal: readonly [status: number, code: string];
  readonly details?: object;
}

const malformed = (reason: string) => ({ refusal: [400, 'INVALID_REQUEST'], details: { reason } }) as const;
const invalidField = (field: string, code: string) =>
  ({ refusal: [422, 'VALIDATION_ERROR'], details: { fields: { 0: { field, code } } } }) as const;
const withCard = (change: object) => ({
  ...GOOD,
  paymentMethod: { type: 'card', card: { ...card('approved').card, ...change } },
});

const CASES: readonly Case[] = [
  { title: 'malformed JSON', body: '{"amount":1000,', ...malformed('malformed_json') },
  { title: 'an array', body: '[]', ...malformed('not_an_object') },
  { title: 'null', body: 'null', ...malformed('not_an_object') },
  { title: 'a string', body: '"amount"', ...malformed('not_an_object') },
  { title: 'broken UTF-8', body: Buffer.from('7b2261223a22c328227d', 'hex'), ...malformed('encoding') },
  { title: 'UTF-16', body: Buffer.from('\ufeff{}', 'utf16le'), ...malformed('encoding') },
  { title: '3 MB', body: { ...GOOD, description: 'x'.repeat(3_000_000) }, ...malformed('body_too_large') },
  {
    title: 'another content type',
    body: GOOD,
    headers: { 'Content-Type': 'text/plain' },
    ...malformed('content_type'),
  },
  {
    title: 'a form',
    body: 'amount=1',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    ...malformed('content_type'),
  },
  { title: 'a compressed body', body: GOOD, headers: { 'Content-Encoding': 'gzip' }, ...malformed('content_encoding') },
  {
    title: 'deep nesting',
    body: `{"metadata":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`,
    ...malformed('too_deep'),
  },
  { title: 'deep arrays', body: `{"metadata":${'['.repeat(90_000)}${']'.repeat(90_000)}}`, ...malformed('too_deep') },
  {
    title: 'no amount',
    body: { currency: 'USD' },
    refusal: [400, 'INVALID_REQUEST'],
    details: { field: 'amount', reason: 'required' },
  },
  { title: 'an amount of 1e400', body: '{"amount":1e400,"currency":"USD"}', refusal: [422, 'INVALID_AMOUNT'] },
  { title: 'a negative amount', body: { ...GOOD, amount: -1 }, refusal: [422, 'INVALID_AMOUNT'] },
  { title: 'an amount above the range', body: { ...GOOD, amount: 100_000_000_000 }, refusal: [422, 'INVALID_AMOUNT'] },
  { title: 'an amount as text', body: { ...GOOD, amount: '1000' }, ...invalidField('amount', 'type') },
  { title: 'half a cent', body: { ...GOOD, amount: 10.5 }, ...invalidField('amount', 'type') },
  { title: 'a currency that is not supported', body: { ...GOOD, currency: 'XXX' }, refusal: [422, 'INVALID_CURRENCY'] },
  { title: 'a currency in lower case', body: { ...GOOD, currency: 'usd' }, ...invalidField('currency', 'invalid') },
  { title: 'an unknown field', body: { ...GOOD, status: 'succeeded' }, ...invalidField('status', 'unknown') },
  {
    title: '__proto__',
    body: '{"amount":1000,"currency":"USD","__proto__":{"confirm":true}}',
    ...invalidField('__proto__', 'unknown'),
  },
  {
    title: '__proto__ in the metadata',
    body: '{"amount":1000,"currency":"USD","metadata":{"__proto__":"x"}}',
    ...invalidField('metadata.__proto__', 'unknown'),
  },
  {
    title: 'a constructor',
    body: '{"amount":1000,"currency":"USD","constructor":{"prototype":{}}}',
    ...invalidField('constructor', 'unknown'),
  },
  {
    title: '51 pairs of metadata',
    body: { ...GOOD, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v'])) },
    ...invalidField('metadata', 'too_long'),
  },
  { title: 'a NUL character', body: { ...GOOD, description: 'a\u0000b' }, ...invalidField('description', 'invalid') },
  {
    title: 'half a surrogate pair',
    body: `{"amount":1000,"currency":"USD","description":"\\ud800"}`,
    ...invalidField('description', 'invalid'),
  },
  { title: 'a country that is none', body: { ...GOOD, country: 'XX' }, ...invalidField('country', 'invalid') },
  {
    title: 'a script as return address',
    body: { ...GOOD, returnUrl: 'javascript:alert(1)' },
    ...invalidField('returnUrl', 'invalid'),
  },
  {
    title: 'an expiry of a second',
    body: { ...GOOD, expiresInSeconds: 1 },
    ...invalidField('expiresInSeconds', 'min'),
  },
  {
    title: 'a card number with a wrong digit',
    body: withCard({ number: '4242424242424241' }),
    ...invalidField('paymentMethod.card.number', 'invalid'),
  },
  {
    title: 'a card number of letters',
    body: withCard({ number: '4242abcd42424242' }),
    ...invalidField('paymentMethod.card.number', 'invalid'),
  },
  {
    title: 'a card that has expired',
    body: withCard({ expiryYear: 2020 }),
    ...invalidField('paymentMethod.card.expiryYear', 'invalid'),
  },
  {
    title: 'a CVC of four digits for a Visa card',
    body: withCard({ cvc: '1234' }),
    ...invalidField('paymentMethod.card.cvc', 'too_long'),
  },
  { title: 'a confirm without a method', body: { ...GOOD, confirm: true }, refusal: [400, 'MISSING_REQUIRED_FIELD'] },
];

describe('hostile input', function () {
  this.timeout(30 * SECOND_MS);

  afterEach('check that the API is healthy', async () => {
    const health = await fetch(`${getStack().sandbox.baseUrl}/healthz`);
    assert.equal(health.status, 200);
  });

  for (const { title, body, headers = {}, refusal, details } of CASES) {
    it(`is rejected: ${title}`, async () => {
      const failure = assertRefused(await post(body, headers), ...refusal);
      if (details !== undefined) assertContains(failure.details, details);
    });
  }

  it('is rejected with all its field errors at once', async () => {
    const body = { amount: 'x', currency: 'usd', expiresInSeconds: 1, color: 'red', paymentMethod: { type: 'card' } };
    const { details } = assertRefused(await post(body), 422, 'VALIDATION_ERROR');
    assertContains(details, {
      fields: {
        0: { field: 'amount', code: 'type' },
        1: { field: 'currency', code: 'invalid' },
      },
    });
    assert.equal(Object.keys(details?.['fields'] ?? {}).length, 5);
  });

  it('is not echoed if it is a card number, in any field', async () => {
    const number = '4242424242424241';
    const answers = await Promise.all([
      post(withCard({ number })),
      post({ ...GOOD, [number]: 1 }),
      request({ method: 'GET', path: `${INTENTS}?currency=${number}` }),
      request({ method: 'GET', path: `${INTENTS}/${number}` }),
    ]);
    for (const [index, answer] of answers.entries()) {
      assert.ok(answer.status >= 400 && answer.status < 500);
      if (index !== 1) assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(number));
    }
  });

  for (const [title, bytes] of [
    ['noise', '\u0001\u0002\u0003\r\n\r\n'],
    ['a TLS handshake', Buffer.from('16030100a5010000a1030300', 'hex')],
    ['a request without a host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['headers without an end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a method that does not exist', 'STEAL / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['CONNECT', 'CONNECT evil:443 HTTP/1.1\r\nHost: evil:443\r\n\r\n'],
  ] as const) {
    it(`on a bare connection is rejected with the error envelope: ${title}`, async () => {
      assert.equal(failureOf(await sendBytes(bytes)).code, 'INVALID_REQUEST');
    });
  }

  for (const [title, frame, code] of [
    ['text that is no JSON', '{', 4400],
    ['a frame of another kind', '{"type":"hello"}', 4400],
    ['bytes', Buffer.from([0, 255]), 4400],
    ['an unknown client secret', '{"type":"subscribe","clientSecret":"pi_x_secret_y"}', 4401],
    ['a huge frame', 'x'.repeat(100_000), 1009],
  ] as const) {
    it(`on the socket closes it with ${code}: ${title}`, async () => {
      const client = await connectSocket(`${getStack().sandbox.baseUrl.replace(/^http/, 'ws')}${EVENTS_SOCKET_PATH}`);
      client.send(frame);
      assert.equal(await inTime(client.closed, 'the close'), code);
    });
  }

  it('does not block valid requests', async () => {
    createdIntentOf(await post(GOOD));
  });
});

/** Sends a body, signed over its raw bytes. */
async function post(body: Case['body'], headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  if (!Buffer.isBuffer(body)) return request({ method: 'POST', path: INTENTS, body, headers });
  const { sandbox } = getStack();
  const bytes = new Uint8Array(body);
  const response = await fetch(`${sandbox.baseUrl}${INTENTS}`, {
    method: 'POST',
    headers: signRequest(sandbox, { method: 'POST', target: INTENTS, body: bytes }),
    body: bytes,
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** Writes to a TCP connection and reads the one response. */
async function sendBytes(bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(getStack().sandbox.baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString().trimEnd().endsWith('}')) resolve();
    });
  });
  await inTime(Promise.race([answered, once(socket, 'close')]), 'an answer');
  socket.destroy();
  const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const status = Number(statusLine.split(' ')[1]);
  assert.equal(status, 400);
  return { status, headers, body: JSON.parse(text) };
}
