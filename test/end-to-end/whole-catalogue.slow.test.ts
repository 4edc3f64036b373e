import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { startApi } from '../support/api-process.ts';
import { ERROR_REQUESTS } from '../support/error-requests/all-requests.ts';
import {
  createRequestContext,
  type ErrorRequest,
  type RequestContext,
} from '../support/error-requests/request-context.ts';
import { failureOf, intentOf } from '../support/envelopes.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { Answer } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';

/** An address where nothing listens. */
const NOWHERE = '127.0.0.1:1';

let merchant: TestMerchant;
let stuck: Payment;

before('leave a payment stuck while other tests run', async () => {
  merchant = await createMerchant();
  stuck = await createPayment({}, merchant.credentials);
  assert.equal(intentOf(await stuck.confirm(card('silent'), PREFER_ASYNC)).status, 'processing');
});

/** The code of an answer's error, or of the intent's advisory. */
function codeOf(answer: Answer): string | undefined {
  return answer.status >= 400 ? failureOf(answer).code : intentOf(answer).advisory?.code;
}

describe('the error catalogue', function () {
  this.timeout(3 * MINUTE_MS);
  let context: RequestContext;
  const answers = new Map<string, Promise<Answer>>();
  const rows: readonly [string, ErrorRequest][] = Object.entries(ERROR_REQUESTS);

  before('send all requests that can run concurrently', async () => {
    const merchantOfOneProvider = await createMerchant();
    await queryStack(`DELETE FROM payment_route WHERE merchant_id = $1 AND provider = 'beta'`, [
      merchantOfOneProvider.merchantId,
    ]);
    const apiWithoutTemporal = await startApi({ TEMPORAL_ADDRESS: NOWHERE });
    context = createRequestContext({ merchant, merchantOfOneProvider, apiWithoutTemporal, stuck });
    for (const [code, { send, alone }] of rows) if (alone === undefined) answers.set(code, send(context));
    await Promise.allSettled(answers.values());
  });

  after(() => context.apiWithoutTemporal.stop());

  it('has a request for every code', () => {
    assert.deepEqual(Object.keys(ERROR_REQUESTS).sort(), Object.keys(ERROR_CATALOGUE).sort());
  });

  for (const [code, { request, send }] of rows) {
    it(`${code}: ${request}`, async () => {
      const answer = await (answers.get(code) ?? send(context));
      const expected = Object.entries(ERROR_CATALOGUE).find(([name]) => name === code)?.[1].status;
      assert.deepEqual({ code: codeOf(answer), status: answer.status }, { code, status: expected });
    });
  }
});
