import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import express from 'express';
import { describe, it } from 'mocha';
import { createClientAddresses } from '../../../http/client-address.ts';
import { toApiError } from '../../../http/errors.ts';
import type { ApiErrorHandler } from '../../../http/request-context.ts';
import { limitRequestsInFlight } from '../../../http/requests-in-flight.ts';
import { eventually } from '../../support/eventually.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

describe('requests in flight', () => {
  it('are limited for each address behind a trusted proxy, with 429 and the time to repeat them', async () => {
    const waiting: ServerResponse[] = [];
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) => {
      const { status, retryAfterSeconds, message } = toApiError(error);
      response.status(status).set('Retry-After', String(retryAfterSeconds)).end(message);
    };
    const app = express()
      .use(limitRequestsInFlight(2, createClientAddresses(['loopback'])))
      .get('/', (_request, response) => void waiting.push(response))
      .use(answerError);
    const server = createServer(app);
    await listenLocally(server);
    const port = portOf(server);
    const ask = (address: string) =>
      fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-For': address, Connection: 'close' } });

    const held = [ask('2001:db8::1'), ask('2001:db8::2')];
    await eventually(async () => assert.equal(waiting.length, 2));
    const refused = await ask('2001:db8::3');
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '1']);
    assert.match(await refused.text(), /expected at most 2 at a time/);
    const other = ask('2001:db8:0:1::1');
    await eventually(async () => assert.equal(waiting.length, 3));

    waiting.splice(0).forEach((response) => response.end());
    for (const answer of await Promise.all([...held, other])) assert.equal(answer.status, 200);
    const later = ask('2001:db8::3');
    await eventually(async () => assert.equal(waiting.length, 1));
    waiting[0]?.end();
    assert.equal((await later).status, 200);
    server.close();
  });
});
