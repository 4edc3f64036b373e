import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
import express from 'express';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { createAdmission } from '../../../../api/admission.ts';
import { toApiError } from '../../../../http/errors.ts';
import { readBody } from '../../../../http/request-body.ts';
import type { ApiErrorHandler, ApiHandler } from '../../../../http/request-context.ts';
import { createOperation } from '../../../../api/resources/api-operation.ts';
import { jsonResponse } from '../../../../http/response.ts';
import type { Database } from '../../../../prisma/connection/client.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { principalWith } from '../../../support/principal.ts';
import { listenLocally, portOf } from '../../../support/local-server.ts';

describe('an operation with work for workflows', () => {
  it('is refused before its idempotency key is claimed, and admitted again at the end of another', async () => {
    const statements: string[] = [];
    const database = {
      direct: {
        row: async ({ sql }: { readonly sql: { readonly text: string } }) => {
          statements.push(sql.text);
          return { resourceId: 'thing_1', generation: 0, createdAt: new Date(), lockedUntil: new Date() };
        },
        execute: async () => 1,
      },
    } as unknown as Database;
    const keyring = parseKeyring(`k:${randomBytes(32).toString('base64')}`);
    const admission = createAdmission(1_000);
    const held = Array.from({ length: 32 }, () => admission.acquire(principalWith({}).merchantId));
    let handled = 0;
    const { handler } = createOperation(
      {
        path: '/things',
        operationId: 'createThing',
        summary: 'Create a thing',
        resource: 'things',
        body: z.object({ confirm: z.boolean() }),
        responseData: z.unknown(),
        errors: [],
        newResourceId: () => 'thing_1',
        admit: ({ principal, body }) => (body.confirm ? admission.acquire(principal.merchantId) : null),
        handle: async () => jsonResponse(201, { handled: (handled += 1) }),
      },
      { database, keyring, lockMs: 1_000 },
    );
    const authenticated: ApiHandler = (_request, response, next) => {
      response.locals.principal = principalWith({ scopes: ['things:write'] });
      next();
    };
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) =>
      void response.status(toApiError(error).status).end();
    const app = express().post('/things', readBody, authenticated, handler).use(answerError);
    const server = createServer(app);
    await listenLocally(server);
    const ask = async (confirm: boolean): Promise<number> => {
      const port = portOf(server);
      const answer = await fetch(`http://127.0.0.1:${port}/things`, {
        method: 'POST',
        body: JSON.stringify({ confirm }),
        headers: { 'Content-Type': 'application/json', 'X-Idempotency-Key': 'one', Connection: 'close' },
      });
      return answer.status;
    };

    assert.equal(await ask(true), 503);
    assert.deepEqual([statements, handled], [[], 0]);
    assert.equal(await ask(false), 201);
    held[0]?.();
    assert.equal(await ask(true), 201);
    assert.equal(await ask(true), 201);
    assert.equal(handled, 3);
    server.close();
  });
});
