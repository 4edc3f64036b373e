import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import express from 'express';
import { after, before, describe, it } from 'mocha';
import pino from 'pino';
import { createClientAddresses } from '../../../http/client-address.ts';
import { toApiError } from '../../../http/errors.ts';
import type { ApiErrorHandler } from '../../../http/request-context.ts';
import { beginRequest } from '../../../http/request-lifecycle.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

const RATE_LIMIT = { limit: 1, remaining: 1, resetAtMs: 0, exceeded: false };
const RATE_LIMITERS = {
  countKey: () => Promise.resolve(RATE_LIMIT),
  countPerson: () => Promise.resolve(RATE_LIMIT),
  countAddress: () => Promise.resolve(RATE_LIMIT),
  blockedAddress: () => null,
  blockedKey: () => null,
  uncounted: () => RATE_LIMIT,
  inDatabase: null,
};
const HEADER = 'strict-transport-security';

describe('Strict-Transport-Security', () => {
  let servers: readonly [plain: Server, secure: Server];
  let authority: string;

  before(async () => {
    const { server, ...certificates } = await makeCertificates();
    authority = certificates.authority;
    const app = (trustProxy: readonly string[]) =>
      express()
        .use(
          beginRequest({
            rateLimiters: RATE_LIMITERS,
            addresses: createClientAddresses(trustProxy),
            logger: pino({ level: 'silent' }),
          }),
        )
        .get('/', (_request, response) => void response.end());
    servers = [
      createServer(app(['loopback'])),
      createSecureServer({ cert: server.certificate, key: server.key }, app([])),
    ];
    await Promise.all(servers.map(listenLocally));
  });
  after(() => servers.forEach((server) => server.close()));

  const headerOver = async (scheme: 'http' | 'https', headers: Readonly<Record<string, string>> = {}) => {
    const [plain, secure] = servers;
    const port = portOf(scheme === 'http' ? plain : secure);
    const options = { host: 'localhost', port, headers, agent: false, ca: authority };
    const asked = scheme === 'http' ? request(options) : secureRequest(options);
    asked.end();
    const [response] = await once(asked, 'response');
    response.resume();
    return response.headers[HEADER] ?? null;
  };

  it('is sent over HTTPS to this server, or to a trusted proxy', async () => {
    assert.equal(await headerOver('https'), 'max-age=31536000');
    assert.equal(await headerOver('http', { 'X-Forwarded-Proto': 'https' }), 'max-age=31536000');
  });

  it('is not sent over plain HTTP', async () => {
    assert.equal(await headerOver('http'), null);
    assert.equal(await headerOver('http', { 'X-Forwarded-Proto': 'http' }), null);
  });
});

describe('a request', () => {
  it('has one Host header, which only HTTP/1.0 may leave out', async () => {
    const app = express()
      .use(
        beginRequest({
          rateLimiters: RATE_LIMITERS,
          addresses: createClientAddresses([]),
          logger: pino({ level: 'silent' }),
        }),
      )
      .use((_request, response) => void response.end())
      .use(answerReason);
    const server = createServer({ requireHostHeader: false }, app);
    await listenLocally(server);
    const port = portOf(server);
    const answerTo = async (lines: readonly string[]): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
      return Buffer.concat(await socket.toArray()).toString();
    };
    assert.match(await answerTo(['GET / HTTP/1.1', 'Host: a']), /^HTTP\/1.1 200 /);
    assert.match(await answerTo(['GET / HTTP/1.0']), /^HTTP\/1.1 200 /);
    assert.match(await answerTo(['GET / HTTP/1.1']), /^HTTP\/1.1 400 .*"reason":"required"/s);
    assert.match(await answerTo(['GET / HTTP/1.1', 'Host: a', 'Host: b']), /^HTTP\/1.1 400 .*"reason":"duplicate"/s);
    assert.match(await answerTo(['GET / HTTP/1.0', 'Host: a', 'host: a']), /^HTTP\/1.1 400 .*"reason":"duplicate"/s);
    server.close();
  });

  const answerReason: ApiErrorHandler = (error: unknown, _request, response, _next) => {
    const { status, details } = toApiError(error);
    response.status(status).json(details);
  };
});

describe('the line of a request in the log', () => {
  it('has the address of the client, as trusted proxies say it', async () => {
    const lines: string[] = [];
    const app = express()
      .use(
        beginRequest({
          rateLimiters: RATE_LIMITERS,
          addresses: createClientAddresses(['loopback']),
          logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
        }),
      )
      .use((_request, response) => void response.end());
    const server = createServer(app);
    await listenLocally(server);
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    await fetch(`http://127.0.0.1:${portOf(server)}/`, { headers });
    await closeServer(server);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { address: string }).address),
      ['203.0.113.9'],
    );
  });
});

describe('the logged path of a request', () => {
  it('has no secret or card number in place of an id', async () => {
    const lines: string[] = [];
    const app = express()
      .use(
        beginRequest({
          rateLimiters: RATE_LIMITERS,
          addresses: createClientAddresses([]),
          logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
        }),
      )
      .use((_request, response) => void response.end());
    const server = createServer(app);
    await listenLocally(server);
    const port = portOf(server);
    const id = 'pi_019712345678912312345678901234ab';
    for (const name of [
      `${id}_secret_0123456789abcdefghijklmn`,
      'svc_test_0123456789abcdef0123',
      '4242424242424242',
      'card_4242424242424242',
      '4242-4242-4242-4242',
      'card.4242.4242.4242.4242',
      encodeURIComponent('4242 4242 4242 4242'),
      '%34%32'.repeat(8),
      '%zz',
      id,
    ]) {
      await fetch(`http://127.0.0.1:${port}/payment-intents/${name}?of=query`);
    }
    const token = 'abcdefghijklmnopqrstuvwxyzABCDEF';
    // A path in capitals does not exist, but is logged too; and a request may name the whole address.
    for (const path of [`/returns/${id}/${token}?redirectResult=secret`, `/PAY/${token}/state`]) {
      await fetch(`http://127.0.0.1:${port}${path}`);
    }
    await new Promise<void>((resolve) => {
      request({ host: '127.0.0.1', port, path: `http://shop.example/pay/${token}` }, (response) =>
        response.resume().once('end', resolve),
      ).end();
    });
    await closeServer(server);
    const paths = lines.map((line) => /"path":"([^"]*)"/.exec(line)?.[1]);
    const redacted = '/payment-intents/[redacted]';
    const returned = `/returns/${id}/[redacted]`;
    const ofLinks = ['/PAY/[redacted]/state', 'http://shop.example/pay/[redacted]'];
    assert.deepEqual(paths, [...Array<string>(9).fill(redacted), `/payment-intents/${id}`, returned, ...ofLinks]);
  });
});
