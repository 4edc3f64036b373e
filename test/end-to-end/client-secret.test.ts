import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { splitClientSecret } from '../../vault/client-secret.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { OPERATIONS_OF_API, methodOf, nameOf, pathOf } from '../support/api-operations.ts';
import { assertRefused, failureOf, intentInFailure, intentOf } from '../support/envelopes.ts';
import { createPayment, INTENTS, type Payment } from '../support/payments.ts';
import { card, upi } from '../../sandbox/test-payment-methods.ts';
import { type Answer, request } from '../support/signed-request.ts';
import { connectSocket } from '../support/socket-client.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';

/** The credentials of a checkout page. */
function credentialsOf(payment: Payment): Credentials {
  const { key, salt } = splitClientSecret(payment.created.clientSecret);
  return { baseUrl: getStack().sandbox.baseUrl, apiKey: key, secretSalt: salt, signatureVersion: 1 };
}

const NOT_A_FACT = newId('refund').replace('re_', '');
const withFields = z.object({ fields: z.array(z.object({ field: z.string(), code: z.string() })) });
const storedMethod = z.object({
  data: z.object({ id: z.string(), paymentIntentId: z.string(), paymentMethod: z.object({ last4: z.string() }) }),
});
const CONFIRM = { method: 'POST', path: '/confirm' } as const;

describe('a client secret', function () {
  this.timeout(2 * MINUTE_MS);
  let payment: Payment;
  let page: Credentials;

  before(async () => {
    payment = await createPayment({ metadata: { cost: '12' } });
    page = credentialsOf(payment);
  });

  const read = (id: string, credentials = page): Promise<Answer> =>
    request({ method: 'GET', path: `${INTENTS}/${id}` }, credentials);

  it('reads its intent, without data between the merchant and the providers', async () => {
    const intent = intentOf(await read(payment.id));
    assert.equal(intent.status, 'requires_payment_method');
    assert.deepEqual([intent.metadata, intent.customerId, intent.attempts], [{}, null, []]);
  });

  it('confirms its intent, and gets a decline without that data too', async () => {
    const declined = await createPayment();
    const body = { paymentMethod: card('declined'), returnUrl: 'https://shop.example/thanks' };
    const path = `${INTENTS}/${declined.id}${CONFIRM.path}`;
    const answer = await request({ method: CONFIRM.method, path, body }, credentialsOf(declined));
    assert.equal(failureOf(answer).code, 'CARD_DECLINED');
    assert.deepEqual(intentInFailure(answer).attempts, []);
    const [row] = await queryStack('SELECT return_url FROM payment_intent WHERE id = $1', [declined.id]);
    assert.deepEqual(row, { return_url: body.returnUrl });
    assert.equal((await declined.read()).attempts.length, 1);
  });

  it('gets a decline where the merchant reads of a suspicion of fraud', async () => {
    const refused = await createPayment();
    const path = `${INTENTS}/${refused.id}${CONFIRM.path}`;
    const body = { paymentMethod: card('fraud') };
    const answer = await request({ method: CONFIRM.method, path, body }, credentialsOf(refused));
    assertRefused(answer, 400, 'PAYMENT_DECLINED');
    assert.doesNotMatch(JSON.stringify(answer.body), /FRAUD|suspicious/i);
    const readByPage = await read(refused.id, credentialsOf(refused));
    assert.equal(intentOf(readByPage).lastError?.code, 'PAYMENT_DECLINED');
    assert.equal((await refused.read()).lastError?.code, 'FRAUD_DETECTED');
  });

  it('has idempotency keys of its own', async () => {
    const path = `${INTENTS}/${payment.id}${CONFIRM.path}`;
    const headers = { 'X-Idempotency-Key': `shared ${payment.id}` };
    const body = { paymentMethod: upi('success') };
    const ofPage = await request({ method: 'POST', path, body, headers }, page);
    const ofMerchant = await request({
      method: 'POST',
      path: INTENTS,
      body: { amount: 100, currency: 'EUR' },
      headers,
    });
    assert.equal(ofMerchant.status, 201);
    assert.notEqual(failureOf(ofPage).code, 'DUPLICATE_REQUEST');
  });

  it('can neither read nor confirm another intent', async () => {
    const other = await createPayment();
    const path = `${INTENTS}/${other.id}${CONFIRM.path}`;
    assertRefused(await read(other.id), 404, 'PAYMENT_INTENT_NOT_FOUND');
    const confirm = await request({ method: 'POST', path, body: { paymentMethod: card('approved') } }, page);
    assertRefused(confirm, 404, 'PAYMENT_INTENT_NOT_FOUND');
    assert.equal((await other.read()).status, 'requires_payment_method');
  });

  it('stores a card, and confirms by its id that intent only', async () => {
    const [own, other] = [await createPayment(), await createPayment()];
    const store = (owner: Payment, body: object, headers = {}): Promise<Answer> =>
      request({ method: 'POST', path: `${INTENTS}/${owner.id}/payment-methods`, body, headers }, credentialsOf(owner));
    const confirm = (owner: Payment, paymentMethodId: string): Promise<Answer> =>
      request(
        { method: 'POST', path: `${INTENTS}/${owner.id}/confirm`, body: { paymentMethodId } },
        credentialsOf(owner),
      );
    const headers = { 'X-Idempotency-Key': `card of ${own.id}` };
    const stored = await store(own, { paymentMethod: card('approved') }, headers);
    assert.equal(stored.status, 201);
    const { data } = storedMethod.parse(stored.body);
    assert.deepEqual([data.paymentIntentId, data.paymentMethod.last4], [own.id, '4242']);
    const repeated = await store(own, { paymentMethod: card('approved') }, headers);
    assert.equal(storedMethod.parse(repeated.body).data.id, data.id);
    assertRefused(await confirm(other, data.id), 422, 'INVALID_PAYMENT_METHOD');
    for (const unknown of [newId('paymentMethod'), 'pm_nope']) {
      const answer = await confirm(own, unknown);
      assertRefused(answer, 422, 'INVALID_PAYMENT_METHOD');
      const { fields } = withFields.parse(failureOf(answer).details);
      assert.deepEqual(fields, [{ field: 'paymentMethodId', code: 'invalid' }]);
    }
    assert.equal(intentOf(await confirm(own, data.id)).status, 'succeeded');
    assert.deepEqual(await queryStack('SELECT FROM payment_method_cvc WHERE payment_intent_id = $1', [own.id]), []);
    assertRefused(await store(own, { paymentMethod: card('approved') }), 401, 'API_KEY_EXPIRED');
    const expired = card('approved');
    const body = { paymentMethod: { ...expired, card: { ...expired.card, expiryYear: 2_020 } } };
    const refused = failureOf(await store(other, body));
    assert.match(JSON.stringify(refused.details), /This card has expired\./);
  });

  it('stores no more cards than an intent may have, by confirms neither', async () => {
    const own = await createPayment();
    const send = (path: string, body: object): Promise<Answer> =>
      request({ method: 'POST', path: `${INTENTS}/${own.id}/${path}`, body }, credentialsOf(own));
    const stored = await send('payment-methods', { paymentMethod: card('approved') });
    const { id: paymentMethodId } = storedMethod.parse(stored.body).data;
    await queryStack(
      `INSERT INTO payment_method SELECT (jsonb_populate_record(method, jsonb_build_object('id', id || n))).*
       FROM payment_method method, generate_series(1, 49) n WHERE payment_intent_id = $1`,
      [own.id],
    );
    for (const path of ['payment-methods', 'confirm']) {
      assertRefused(await send(path, { paymentMethod: card('approved') }), 409, 'STATE_CONFLICT');
    }
    assert.equal((await queryStack('SELECT FROM payment_method WHERE payment_intent_id = $1', [own.id])).length, 50);
    assert.equal(intentOf(await send('confirm', { paymentMethodId })).status, 'succeeded');
  });

  it('gets the reason that a card has expired, and nothing else that a provider said', async () => {
    const declined = await createPayment();
    const body = { paymentMethod: card('expired') };
    const answer = await request(
      { method: 'POST', path: `${INTENTS}/${declined.id}/confirm`, body },
      credentialsOf(declined),
    );
    const { code, details } = failureOf(answer);
    assert.deepEqual([code, details?.reason], ['CARD_DECLINED', 'expired_card']);
    assert.deepEqual(intentOf(await read(declined.id, credentialsOf(declined))).lastError?.details, {
      reason: 'expired_card',
      advice: 'correct_data',
    });
  });

  for (const endpoint of OPERATIONS_OF_API.filter(({ forCheckout }) => forCheckout !== true)) {
    it(`is rejected by ${nameOf(endpoint)}`, async () => {
      const { id } = payment;
      const others = { paymentMethod: 'card', currency: 'EUR', provider: 'alpha', kind: 'receipt' };
      const parameters = { id, entryId: id, ...others };
      const path = `/api/v1${pathOf(endpoint, parameters)}`;
      const method = methodOf(endpoint);
      const answer = await request({ method, path, ...(method === 'GET' ? {} : { body: {} }) }, page);
      assertRefused(answer, 403, 'INSUFFICIENT_PERMISSIONS');
    });
  }

  it('is rejected with another salt, and as the salt of an API key', async () => {
    const other = splitClientSecret((await createPayment()).created.clientSecret);
    assertRefused(await read(payment.id, { ...page, secretSalt: other.salt }), 401, 'INVALID_SIGNATURE');
    assertRefused(await read(payment.id, { ...page, apiKey: getStack().sandbox.apiKey }), 401, 'INVALID_SIGNATURE');
    assertRefused(
      await read(payment.id, { ...page, apiKey: other.key.replace(/pi_\w{32}/, `pi_${NOT_A_FACT}`) }),
      401,
      'UNAUTHORIZED',
    );
  });

  it('only reads and watches its intent for a day after the end', async () => {
    const paid = await createPayment();
    const path = `${INTENTS}/${paid.id}${CONFIRM.path}`;
    const ofPaid = credentialsOf(paid);
    const confirmed = await request({ method: 'POST', path, body: { paymentMethod: card('approved') } }, ofPaid);
    assert.equal(intentOf(confirmed).status, 'succeeded');
    assert.equal(intentOf(await read(paid.id, ofPaid)).status, 'succeeded');
    const late = await request({ method: 'POST', path, body: {} }, ofPaid);
    assert.match(assertRefused(late, 401, 'API_KEY_EXPIRED').message, /^The payment of this client secret has ended\./);
    const socket = await connectSocket(`${ofPaid.baseUrl.replace('http', 'ws')}/api/v1/events/socket`);
    socket.send({ type: 'subscribe', clientSecret: paid.created.clientSecret });
    assert.equal((await socket.next())['status'], 'succeeded');
    await socket.close();
    await queryStack(`UPDATE payment_intent SET status_since = now() - interval '24 hours' WHERE id = $1`, [paid.id]);
    assertRefused(await read(paid.id, ofPaid), 401, 'API_KEY_EXPIRED');
  });
});

describe('pages of other origins', () => {
  const origin = { Origin: 'https://shop.example' };
  const ask = (path: string, method: string) =>
    fetch(`${getStack().sandbox.baseUrl}${path}`, {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': method },
    });
  const allowedOrigin = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin');

  it('may call the operations that accept a client secret, and no others', async () => {
    const id = newId('paymentIntent');
    const get = await ask(`${INTENTS}/${id}`, 'GET');
    assert.deepEqual(
      [get.status, allowedOrigin(get), get.headers.get('access-control-allow-methods')],
      [204, '*', 'GET'],
    );
    const confirm = await ask(`${INTENTS}/${id}/confirm`, 'POST');
    assert.deepEqual([confirm.status, allowedOrigin(confirm)], [204, '*']);
    assert.match(String(confirm.headers.get('access-control-allow-headers')), /X-Signature/);
    for (const [path, method] of [
      [INTENTS, 'POST'],
      [`${INTENTS}/${id}/cancel`, 'POST'],
      [`${INTENTS}/${id}/timeline`, 'GET'],
      ['/api/v1/refunds', 'POST'],
    ] as const) {
      assert.equal(allowedOrigin(await ask(path, method)), null, path);
    }
  });

  it('may read responses to a client secret, errors included, and none to an API key', async () => {
    const payment = await createPayment();
    const path = `${INTENTS}/${payment.id}`;
    assert.equal(allowedOrigin(await request({ method: 'GET', path, headers: origin }, credentialsOf(payment))), '*');
    const wrongSalt = { ...credentialsOf(payment), secretSalt: 'x' };
    assert.equal(allowedOrigin(await request({ method: 'GET', path, headers: origin }, wrongSalt)), '*');
    assert.equal(allowedOrigin(await request({ method: 'GET', path, headers: origin })), null);
  });

  it('may load the SDK, whose content matches its published hash', async () => {
    const { baseUrl } = getStack().sandbox;
    const description = await fetch(`${baseUrl}/sdk/checkout/v1/integrity.json`);
    const { current, fixed, integrity } = JSON.parse(await description.text()).data;
    for (const [path, cacheControl] of [
      [current, /max-age=300/],
      [fixed, /immutable/],
    ]) {
      const response = await fetch(`${baseUrl}${path}`, { headers: origin });
      assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.match(String(response.headers.get('cache-control')), cacheControl);
      assert.equal(allowedOrigin(response), '*');
      const code = Buffer.from(await response.arrayBuffer());
      assert.equal(`sha384-${createHash('sha384').update(code).digest('base64')}`, integrity);
      const again = await fetch(`${baseUrl}${path}`, {
        headers: { 'If-None-Match': String(response.headers.get('etag')) },
      });
      assert.equal(again.status, 304);
    }
    assert.equal((await fetch(`${baseUrl}/sdk/checkout/v1/checkout.0000000000000000.js`)).status, 404);
  });
});
