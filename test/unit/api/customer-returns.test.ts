import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, beforeEach, describe, it } from 'mocha';
import { createCustomerReturnRouter } from '../../../api/customer-returns.ts';
import { createClientAddresses } from '../../../http/client-address.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { RateLimiters } from '../../../http/rate-limits/rate-limit.ts';
import type { ApiErrorHandler } from '../../../http/request-context.ts';
import { ERROR_CATALOGUE } from '../../../domain/error-catalogue.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { RETURNS_PATH, returnUrlOf } from '../../../vault/customer-return.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const KEYRING = createKeyring([{ id: 'key', bytes: Buffer.alloc(32, 1) }]);
const LIMIT = 3;
const STATUS = { limit: LIMIT, remaining: 0, resetAtMs: Date.now() + 60_000 };
const BODY_TOO_LARGE = 413;
const HUGE_BODY = 'x'.repeat(300 * 1_024);

describe('the address of a customer who comes back from a bank', () => {
  let server: Server;
  let isBlocked: boolean;
  let counted: number;
  let asked: number;

  before(async () => {
    const row = async () => {
      asked += 1;
      return { provider: 'adyen', environment: 'sandbox', isOpen: false, returnUrl: null, paymentIntentId: 'pi_1' };
    };
    const rateLimiters = {
      blockedAddress: () => (isBlocked ? { ...STATUS, exceeded: true } : null),
      countAddress: async () => {
        counted += 1;
        return { ...STATUS, exceeded: isBlocked };
      },
    } as unknown as RateLimiters;
    const router = createCustomerReturnRouter({
      database: { direct: { row } } as unknown as Database,
      keyring: KEYRING,
      addresses: createClientAddresses([]),
      rateLimiters,
      pageRequestsPerMinute: LIMIT,
      workflows: { deliverProviderEvent: () => Promise.reject(new Error('nothing is delivered here')) },
      refundWorkflows: { deliverRefundEvent: () => Promise.reject(new Error('nothing is delivered here')) },
      logger: { info: () => undefined, warn: () => undefined },
    });
    const onError: ApiErrorHandler = (error, _request, response, _next) => {
      response.status(error instanceof ApiError ? ERROR_CATALOGUE[error.code].status : BODY_TOO_LARGE).end();
    };
    const app = express().use(RETURNS_PATH, router).use(onError);
    server = createServer(app);
    await listenLocally(server);
  });
  beforeEach(() => {
    isBlocked = false;
    [counted, asked] = [0, 0];
  });
  after(() => server.close());

  const origin = () => `http://127.0.0.1:${portOf(server)}`;
  const newAddress = () => returnUrlOf(KEYRING, origin(), newId('attempt'));
  const comeBack = async (address: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(address, { ...init, headers: { Connection: 'close' } });
    await response.arrayBuffer();
    return response.status;
  };

  it('takes as many customers as share one network address, also where somebody there has tried tokens', async () => {
    isBlocked = true;
    for (let customer = 0; customer < LIMIT + 2; customer += 1) assert.equal(await comeBack(newAddress()), 200);
    assert.deepEqual([counted, asked], [0, LIMIT + 2]);
  });

  it('takes no more requests for one attempt than the limit', async () => {
    const address = newAddress();
    for (let request = 0; request < LIMIT; request += 1) assert.equal(await comeBack(address), 200);
    assert.equal(await comeBack(address), 429);
  });

  it('with a wrong token is counted, and refused before its body is read or the database is asked', async () => {
    const wrong = () => newAddress().replace(/[^/]+$/, 'A'.repeat(32));
    assert.equal(await comeBack(wrong(), { method: 'POST', body: HUGE_BODY }), 404);
    assert.equal(await comeBack(newAddress(), { method: 'POST', body: HUGE_BODY }), BODY_TOO_LARGE);
    assert.equal(await comeBack(wrong()), 404);
    assert.equal(await comeBack(wrong()), 404);
    assert.equal(await comeBack(wrong()), 429);
    assert.deepEqual([counted, asked], [LIMIT, 0]);
  });
});
