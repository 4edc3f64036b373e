import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, beforeEach, describe, it } from 'mocha';
import { toApiError } from '../../../http/errors.ts';
import { readBody, readBodyOfCaller } from '../../../http/request-body.ts';
import { type ApiErrorHandler, type ApiHandler, rawBodyOf } from '../../../http/request-context.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const KIB = 1_024;
const KNOWN = { authorization: 'Bearer known' };

describe('the body of a request', () => {
  let server: Server;
  let lookUps: number;

  before(async () => {
    const isKnown = async (authorization: string | undefined): Promise<boolean> => {
      lookUps += 1;
      return authorization === KNOWN.authorization;
    };
    const answer: ApiHandler = (_request, response) => void response.json(rawBodyOf(response).length);
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) => {
      const { code, details } = toApiError(error);
      response.status(400).json([code, details?.['reason'] ?? null]);
    };
    const app = express()
      .post(
        '/signed',
        readBodyOfCaller((request) => isKnown(request.get('authorization'))),
        answer,
      )
      .post('/open', readBody, answer)
      .use(answerError);
    server = createServer(app);
    await listenLocally(server);
  });
  beforeEach(() => {
    lookUps = 0;
  });
  after(() => server.close());

  const send = async (path: string, bytes: number, headers = {}, inChunks = false): Promise<unknown> => {
    const port = portOf(server);
    const content = Buffer.alloc(bytes);
    const body = inChunks ? new Blob([content]).stream() : content;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body, duplex: 'half' });
    return response.json();
  };

  it('is read up to 256 KiB without a question', async () => {
    assert.equal(await send('/signed', 256 * KIB), 256 * KIB);
    assert.equal(await send('/signed', 0), 0);
    assert.equal(lookUps, 0);
  });

  it('may be larger, up to 1 MiB, where the key of the request exists', async () => {
    for (const inChunks of [false, true]) {
      assert.equal(await send('/signed', 1_024 * KIB, KNOWN, inChunks), 1_024 * KIB);
      assert.deepEqual(await send('/signed', 1_024 * KIB + 1, KNOWN, inChunks), ['INVALID_REQUEST', 'body_too_large']);
    }
  });

  it('is not kept where it is larger and the key does not exist', async () => {
    for (const inChunks of [false, true]) {
      assert.deepEqual(await send('/signed', 256 * KIB + 1, {}, inChunks), ['UNAUTHORIZED', null]);
    }
    assert.equal(lookUps, 2);
  });

  it('is checked for its size before anything else', async () => {
    assert.deepEqual(await send('/signed', 1_024 * KIB + 1), ['INVALID_REQUEST', 'body_too_large']);
    assert.equal(lookUps, 0);
  });

  it('is at most 256 KiB where no key is asked for', async () => {
    assert.equal(await send('/open', 256 * KIB), 256 * KIB);
    for (const inChunks of [false, true]) {
      assert.deepEqual(await send('/open', 256 * KIB + 1, KNOWN, inChunks), ['INVALID_REQUEST', 'body_too_large']);
    }
  });
});
