import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { z } from 'zod';
import { toApiError } from '../../../../http/errors.ts';
import { ApiError } from '../../../../domain/api-error.ts';
import type { Execution } from '../../../../api/idempotency/idempotency.ts';
import { readBody } from '../../../../http/request-body.ts';
import type { ApiErrorHandler, ApiHandler } from '../../../../http/request-context.ts';
import { createOperation } from '../../../../api/resources/api-operation.ts';
import { jsonResponse } from '../../../../http/response.ts';
import { newId } from '../../../../domain/new-id.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { principalWith } from '../../../support/principal.ts';
import { closeServer, listenLocally, portOf } from '../../../support/local-server.ts';

describe('a request that is repeated with its idempotency key', () => {
  const test = useAccount();
  const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);
  let server: Server;
  let key: string;
  let executions: Execution[];
  /** What the executions do, one after the other; the last of them for ever. */
  let outcomes: (ApiError | null)[];
  let isValid: boolean;

  beforeEach(async () => {
    key = newId('request');
    executions = [];
    outcomes = [null];
    isValid = true;
    const { path, handler } = createOperation(
      {
        path: '/things',
        operationId: 'createThing',
        summary: '',
        resource: 'things',
        body: z.object({ name: z.string().refine(() => isValid) }),
        responseData: z.unknown(),
        errors: [],
        newResourceId: () => newId('request'),
        handle: async ({ body }, execution) => {
          executions.push(execution);
          const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
          if (outcome instanceof ApiError) throw outcome;
          return jsonResponse(201, body);
        },
      },
      { database: test.database, keyring, lockMs: 60_000 },
    );
    const authenticated: ApiHandler = (_request, response, next) => {
      response.locals.principal = principalWith({ scopes: ['things:write'] });
      next();
    };
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) => {
      const { status, code } = toApiError(error);
      response.status(status).json({ code });
    };
    const app = express().post(path, readBody, authenticated, handler).use(answerError);
    server = createServer(app);
    await listenLocally(server);
  });
  afterEach(() => closeServer(server));

  const ask = (name = 'one') => send(JSON.stringify({ name }));

  async function send(body: string, query = '') {
    const response = await fetch(`http://127.0.0.1:${portOf(server)}/things${query}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'X-Idempotency-Key': key },
    });
    return {
      status: response.status,
      isReplay: response.headers.has('idempotent-replayed'),
      body: await response.text(),
    };
  }
  const age = (minutes: number) => test.database.$executeRaw`
    UPDATE idempotency_record SET created_at = created_at - ${minutes}::int * interval '1 minute' WHERE key = ${key}`;
  const operationIds = () => executions.map(({ operationId }) => operationId);

  it('continues an undecided operation, even after a repeat that was refused by a limit', async () => {
    outcomes = [new ApiError('SERVICE_UNAVAILABLE'), new ApiError('RATE_LIMIT_EXCEEDED'), null];
    assert.deepEqual([(await ask()).status, (await ask()).status, (await ask()).status], [503, 429, 201]);
    assert.equal(new Set(operationIds()).size, 1);
  });

  it('may have another body after a limit refused it, however often', async () => {
    outcomes = [new ApiError('RATE_LIMIT_EXCEEDED'), new ApiError('RATE_LIMIT_EXCEEDED'), null];
    assert.deepEqual([(await ask()).status, (await ask()).status, (await ask('two')).status], [429, 429, 201]);
    assert.equal(new Set(operationIds()).size, 3);
  });

  it('gets the stored response for 24 hours, however old the refusals of its key are', async () => {
    outcomes = [new ApiError('INVALID_AMOUNT'), null];
    assert.equal((await ask()).status, 422);
    await age(23 * 60 + 59);
    const corrected = await ask('two');
    assert.deepEqual([corrected.status, corrected.isReplay], [201, false]);
    await age(23 * 60 + 59);
    assert.deepEqual(await ask('two'), { ...corrected, isReplay: true });
    await age(2);
    assert.deepEqual(await ask('two'), corrected);
    assert.equal(new Set(operationIds()).size, 3);
  });

  it('is recognised with another CVC, of which no digest is stored, even after a byte order mark', async () => {
    const cardOf = (cvc: string) => JSON.stringify({ name: 'one', paymentMethod: { card: { cvc } } });
    const first = await send(`\ufeff${cardOf('123')}`);
    assert.deepEqual(await send(`\ufeff${cardOf('999')}`), { ...first, isReplay: true });
  });

  it('gets the stored response, even if it is no longer valid', async () => {
    const first = await ask();
    isValid = false;
    assert.deepEqual(await ask(), { ...first, isReplay: true });
    assert.deepEqual([(await ask('two')).status, executions.length], [422, 1]);
  });

  it('is refused with fields in its query string, which would not be read', async () => {
    const refused = await send('{"name":"one"}', '?amount=500');
    assert.deepEqual([refused.status, executions], [422, []]);
    assert.equal((await send('{"name":"one"}', '?')).status, 201);
  });

  it('is refused if it is not valid, and its key has no response', async () => {
    isValid = false;
    assert.equal((await ask()).status, 422);
    isValid = true;
    outcomes = [new ApiError('TSP_UNAVAILABLE')];
    assert.equal((await ask()).status, 502);
    isValid = false;
    assert.equal((await ask()).status, 422);
  });
});
