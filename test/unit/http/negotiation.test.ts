import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import express from 'express';
import { after, before, describe, it } from 'mocha';
import { toApiError } from '../../../http/errors.ts';
import { negotiate } from '../../../http/negotiation.ts';
import type { ApiErrorHandler } from '../../../http/request-context.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';

describe('the media type of a response', () => {
  const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) =>
    void response.status(toApiError(error).status).send(toApiError(error).code);
  const app = express()
    .get('/list', (request, response) => void response.send(negotiate(request, [JSON_TYPE, CSV])))
    .get('/one', (request, response) => void response.send(negotiate(request, [JSON_TYPE])))
    .use(answerError);
  const server = createServer(app);
  before(() => listenLocally(server));
  after(() => server.close());

  /** Without a header that the client adds by itself. */
  async function typeOf(path: string, accept?: string): Promise<string> {
    const headers = accept === undefined ? {} : { Accept: accept };
    const sent = send({ port: portOf(server), host: '127.0.0.1', path, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  const accepted: readonly (readonly [string | undefined, string])[] = [
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/html, */*;q=0.8', JSON_TYPE],
    ['application/json; charset=utf-8; version="1,2"', JSON_TYPE],
    ['text/csv; charset=utf-8', CSV],
    ['text/csv;header=present', CSV],
    ['TEXT/CSV ; Charset=UTF-8', CSV],
    ['text/*', CSV],
    ['text/csv, */*', CSV],
    ['text/csv; charset=utf-8; q=0.9, application/json;q=0.5', CSV],
    ['text/csv;q=0.5; charset=utf-8, application/json; charset=utf-8', JSON_TYPE],
    ['text/csv;q=0, */*', JSON_TYPE],
    ['application/json;q=0, */*', CSV],
    ['application/xml', 'NOT_ACCEPTABLE'],
    ['text/html; charset=utf-8', 'NOT_ACCEPTABLE'],
    ['text/csv;q=0', 'NOT_ACCEPTABLE'],
    ['*/*;q=0', 'NOT_ACCEPTABLE'],
    ['json', 'NOT_ACCEPTABLE'],
  ];
  for (const [accept, expected] of accepted) {
    it(`of a list is ${expected} with Accept: ${accept ?? '(none)'}`, async () => {
      assert.equal(await typeOf('/list', accept), expected);
    });
  }

  it('is never one that the resource does not have', async () => {
    assert.equal(await typeOf('/one', 'text/csv; charset=utf-8'), 'NOT_ACCEPTABLE');
    assert.equal(await typeOf('/one', 'text/csv, application/json;q=0.1'), JSON_TYPE);
  });
});
