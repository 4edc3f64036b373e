import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestResource } from '../../contract/schemas/request.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { card, CARD_NUMBERS, CVC } from '../../sandbox/test-payment-methods.ts';
import { startApi } from '../support/api-process.ts';
import { assertRefused } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, createMerchant, useMerchant } from '../support/merchants.ts';
import { clientOf, resourceOf, resourcePageOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';

const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? '';

describe('a logged request', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const find = (answer: Answer) =>
    eventually(async () => resourceOf(await send('GET', `/requests/${idOf(answer)}`), requestResource));

  it('is found by the id of its response, with its error and without card data', async () => {
    const answer = await send('POST', '/payment-intents', {
      amount: 19.99,
      currency: 'EUR',
      paymentMethod: card('approved'),
    });
    const { message } = assertRefused(answer, 422, 'VALIDATION_ERROR');
    const found = await find(answer);
    const { requestBody, responseBody, createdAt, durationMs, ...rest } = found;
    assert.deepEqual(rest, {
      id: idOf(answer),
      object: 'request',
      merchantId: merchant.merchantAccountId,
      environment: 'sandbox',
      apiKeyId: merchant.apiKeyId,
      method: 'POST',
      path: '/api/v1/payment-intents',
      status: 422,
      code: 'VALIDATION_ERROR',
      address: '127.0.0.1',
    });
    assert.ok(durationMs >= 0 && Date.now() - Date.parse(createdAt) < MINUTE_MS);
    const text = JSON.stringify([requestBody, responseBody]);
    assert.ok(text.includes('19.99') && text.includes(JSON.stringify(message).slice(1, 40)), text);
    assert.ok(!text.includes(CARD_NUMBERS.approved), text);
    // As a value: the id of the request may contain its digits.
    assert.doesNotMatch(text, new RegExp(`"${CVC}\\\\?"`));
  });

  it('is shown without the secrets of its response', async () => {
    const answer = await send('POST', '/api-keys', { name: 'Reader', scopes: ['customers:read'] });
    const { apiKey, secretSalt } = JSON.parse(JSON.stringify(answer.body['data']));
    const text = JSON.stringify(await find(answer));
    assert.ok(text.includes('customers:read') && !text.includes(apiKey) && !text.includes(secretSalt), text);
  });

  it('is found after its key was revoked, and listed by status, code and path', async () => {
    const revoked = clientOf((await createKey(merchant, 'sandbox', { revokedAt: new Date() })).credentials);
    const answer = await revoked('DELETE', '/customers/cus_1?x=y');
    assertRefused(answer, 401, 'API_KEY_REVOKED');
    const found = await find(answer);
    assert.equal(found.path, '/api/v1/customers/cus_1');
    for (const query of ['status=401', 'code=API_KEY_REVOKED', 'path=/api/v1/customers/cus_1']) {
      const page = resourcePageOf(await send('GET', `/requests?${query}`), requestResource);
      assert.deepEqual([page.data, page.pagination.total], [[found], 1], query);
    }
  });

  it('of another account, or that only read, is not found', async () => {
    const written = await send('POST', '/customers', { country: 'DE' });
    const read = await send('GET', '/customers');
    await find(written);
    assertRefused(await send('GET', `/requests/${idOf(read)}`), 404, 'RESOURCE_NOT_FOUND');
    const other = clientOf((await createMerchant()).credentials);
    const { message } = assertRefused(await other('GET', `/requests/${idOf(written)}`), 404, 'RESOURCE_NOT_FOUND');
    assert.match(message, /a few seconds old at least and 7 days at most/);
  });

  it('is written before its API process ends', async () => {
    const api = await startApi({});
    let answer: Answer;
    try {
      answer = await clientOf({ ...merchant.credentials, baseUrl: api.baseUrl })('POST', '/customers', {});
    } finally {
      await api.stop();
    }
    assert.equal(resourceOf(await send('GET', `/requests/${idOf(answer)}`), requestResource).status, 201);
  });
});
