import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { createProviderHttp } from '../../../providers/provider-http.ts';
import { listenLocally } from '../../support/local-server.ts';

const MEBIBYTE = 1024 * 1024;
const SIGNAL = new AbortController().signal;
const REQUEST = { method: 'GET', path: '/', headers: {} } as const;

describe('HTTP client of a provider', () => {
  let server: Server | undefined;

  function start(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    return listenLocally(server);
  }

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('reads an answer of more than a mebibyte only where it is asked for', async () => {
    const text = 'a'.repeat(2 * MEBIBYTE);
    const http = createProviderHttp(await start((_, response) => void response.end(text)), 5_000);
    await assert.rejects(http.send(REQUEST, SIGNAL), { name: 'ProviderOutageError', code: 'TSP_ERROR' });
    assert.equal((await http.send({ ...REQUEST, maximumAnswerBytes: 2 * MEBIBYTE }, SIGNAL)).text.length, text.length);
  });

  it('takes an answer that is cut off, and a change of the protocol, for an outage', async () => {
    const broken: readonly (readonly [string, string])[] = [
      ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":', 'TSP_UNAVAILABLE'],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"id"\r\n', 'TSP_UNAVAILABLE'],
      ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', 'TSP_ERROR'],
      ['no HTTP\r\n\r\n', 'TSP_UNAVAILABLE'],
    ];
    for (const [answer, code] of broken) {
      const http = createProviderHttp(await start(({ socket }) => void socket.end(answer)), 2_000);
      await assert.rejects(http.send(REQUEST, SIGNAL), { name: 'ProviderOutageError', code }, answer);
      server?.close();
    }
  });
});
