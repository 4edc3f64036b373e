import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type AnsweredRequest, createRequestLog, isLogged } from '../../../http/request-log.ts';
import type { DirectStatements } from '../../../prisma/connection/direct-statements.ts';
import { eventually } from '../../support/eventually.ts';

const REQUEST: AnsweredRequest = {
  id: 'req_1',
  apiKeyId: 'key_1',
  merchantAccountId: 'mer_1',
  environment: 'sandbox',
  requestId: 'req_12345678',
  address: '192.0.2.7',
  method: 'POST',
  path: '/api/v1/refunds',
  status: 201,
  startedAtMs: 0,
  durationMs: 3,
  requestBody: Buffer.from('{"amount":1}'),
  responseBody: '{"success":true}',
};

interface Written {
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly code: string | null;
  readonly requestBody: unknown;
}

/** A log whose database keeps what is written; `fails` makes the next statement fail. */
function scriptedLog() {
  const batches: Written[][] = [];
  const warnings: object[] = [];
  const state = { fails: false };
  const unused = () => Promise.reject(new Error('not used'));
  const direct: DirectStatements = {
    rows: unused,
    row: unused,
    rowsLocked: unused,
    execute({ values: [json] }) {
      if (state.fails) {
        state.fails = false;
        return Promise.reject(new Error('the database is away'));
      }
      batches.push(JSON.parse(String(json)));
      return Promise.resolve(1);
    },
  };
  const log = createRequestLog({ direct }, { warn: (fields: object) => void warnings.push(fields) });
  return { log, batches, warnings, state };
}

describe('the request log', () => {
  for (const [method, status, expected] of [
    ['POST', 201, true],
    ['PATCH', 200, true],
    ['DELETE', 404, true],
    ['GET', 404, true],
    ['GET', 503, true],
    ['GET', 200, false],
    ['HEAD', 200, false],
    ['POST', 429, false],
  ] as const) {
    it(`${expected ? 'has' : 'has not'} ${method} with ${status}`, () =>
      assert.equal(isLogged(method, status), expected));
  }

  it('is written by itself, in batches and in order', async () => {
    const { log, batches } = scriptedLog();
    for (let number = 1; number <= 250; number += 1) log.add({ ...REQUEST, requestId: `req_${number}` });
    await eventually(() => {
      assert.equal(batches.flat().length, 250);
      return Promise.resolve();
    });
    assert.ok(batches.every((batch) => batch.length <= 100));
    assert.deepEqual(
      batches.flat().map(({ requestId }) => requestId),
      Array.from({ length: 250 }, (_, index) => `req_${index + 1}`),
    );
    await log.close();
  });

  it('holds a limited number of requests, and says how many it dropped', async () => {
    const { log, batches, warnings } = scriptedLog();
    for (let number = 0; number < 5_000; number += 1) log.add(REQUEST);
    await log.close();
    const written = batches.flat().length;
    assert.ok(written >= 1_000 && written <= 1_100, String(written));
    assert.deepEqual(warnings, [{ requests: 5_000 - written }]);
  });

  it('has only some requests of the pages of a payment, and all of an API key', async () => {
    const { log, batches, warnings } = scriptedLog();
    const [page, other] = ['1', '2'].map((digit) => `pi_${digit.repeat(32)}`);
    for (const apiKeyId of [page, other, 'key_1']) {
      for (let number = 0; number < 200; number += 1) log.add({ ...REQUEST, apiKeyId: String(apiKeyId) });
    }
    await log.close();
    const counts = [page, other, 'key_1'].map(
      (signer) => batches.flat().filter(({ apiKeyId }) => apiKeyId === signer).length,
    );
    assert.deepEqual([counts, warnings], [[30, 30, 200], []]);
  });

  it('goes on after a batch that could not be written', async () => {
    const { log, batches, warnings, state } = scriptedLog();
    state.fails = true;
    log.add(REQUEST);
    await log.close();
    log.add({ ...REQUEST, requestId: 'req_later_one' });
    await log.close();
    assert.equal(warnings.length, 1);
    assert.deepEqual(
      batches.flat().map(({ requestId }) => requestId),
      ['req_later_one'],
    );
  });

  it('has the error code, and of a body that is large or not JSON only the size', async () => {
    const { log, batches } = scriptedLog();
    const responseBody = JSON.stringify({ success: false, error: { code: 'INVALID_REQUEST', message: 'No.' } });
    const failed = { ...REQUEST, status: 400, responseBody };
    log.add({ ...failed, requestBody: Buffer.from('{"cvc":"737"') });
    log.add({ ...failed, requestBody: Buffer.from(JSON.stringify({ description: 'x'.repeat(20_000) })) });
    log.add({ ...failed, requestBody: Buffer.alloc(0) });
    log.add({ ...failed, requestBody: Buffer.from('\ufeff{"amount":1}') });
    await log.close();
    assert.deepEqual(
      batches.flat().map(({ code, requestBody }) => [code, requestBody]),
      [
        ['INVALID_REQUEST', { omitted: 'no_json', bytes: 12 }],
        ['INVALID_REQUEST', { omitted: 'too_large', bytes: 20_018 }],
        ['INVALID_REQUEST', null],
        ['INVALID_REQUEST', { amount: 1 }],
      ],
    );
  });
});
