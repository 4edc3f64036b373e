import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { after, afterEach, before, describe, it } from 'mocha';
import { pino } from 'pino';
import type { WebSocket } from 'ws';
import { type Connection, createConnection } from '../../../gateway/connection.ts';
import { parseResumeFrame, readyFrame } from '../../../gateway/frames.ts';
import { DEFAULT_GATEWAY_LIMITS as limits } from '../../../gateway/limits.ts';
import { createSocketServer } from '../../../gateway/upgrade.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { inTime } from '../../support/eventually.ts';
import { connectSocket } from '../../support/socket-client.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

const FRAMES = 50;

describe('the connection of a socket', () => {
  let server: Server;
  let authority: string;
  const opened: WebSocket[] = [];
  before(async () => {
    const certificates = await makeCertificates();
    authority = certificates.authority;
    const { certificate: cert, key } = certificates.server;
    server = createServer({ cert, key });
    await listenLocally(server);
  });
  after(() => server.close());
  afterEach(() => opened.splice(0).forEach((socket) => socket.terminate()));

  it('knows over TLS that its frames have left, also if a ping follows them', async () => {
    const sockets = createSocketServer(limits);
    const accepted = new Promise<WebSocket>((resolve) => {
      server.once('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, resolve));
    });
    const port = portOf(server);
    const client = await connectSocket(`wss://127.0.0.1:${port}/`, { ca: authority });
    opened.push(client.socket);
    const socket = await accepted;
    const connection = await new Promise<Connection>((resolve) => {
      createConnection({
        socket,
        limits,
        logger: pino({ level: 'silent' }),
        parse: parseResumeFrame,
        firstFrame: { afterMs: 0, defaultFrame: { type: 'subscribe' } },
        onSubscribe: async (subscribed) => resolve(subscribed),
      });
    });
    for (let count = 0; count < FRAMES; count += 1) {
      const answered = once(socket, 'pong');
      connection.send(readyFrame('pi_1', 'processing', null));
      connection.checkAlive();
      await inTime(connection.flushed(), 'the end of the frame');
      assert.equal((await client.next())['type'], 'ready');
      await answered;
    }
  });
});
