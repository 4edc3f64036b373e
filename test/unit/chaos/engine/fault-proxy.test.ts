import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type FaultProxy, openFaultProxy } from '../../../../chaos/engine/fault-proxy.ts';
import { eventually } from '../../../support/eventually.ts';
import { listenLocally, portOf } from '../../../support/local-server.ts';

const MOMENT_MS = 60;

/** A client that stores what it receives. */
interface Talker {
  readonly socket: Socket;
  readonly heard: string[];
  readonly isClosed: () => boolean;
}

describe('the fault proxy', () => {
  let server: Server;
  let proxy: FaultProxy;
  /** What the server has received. */
  let received: string[];
  const talkers: Talker[] = [];

  beforeEach(async () => {
    received = [];
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        received.push(chunk.toString());
        socket.write(`${chunk.toString()}!`);
      });
    });
    await listenLocally(server);
    proxy = await openFaultProxy(portOf(server));
  });
  afterEach(async () => {
    for (const { socket } of talkers.splice(0)) socket.destroy();
    await proxy.close();
    server.close();
  });

  const open = async (): Promise<Talker> => {
    const socket = connect(proxy.port, '127.0.0.1');
    const heard: string[] = [];
    let closed = false;
    socket.on('error', () => undefined);
    socket.on('close', () => (closed = true));
    socket.on('data', (chunk) => heard.push(chunk.toString()));
    // A refused connection may be reset even before it is made.
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    const talker = { socket, heard, isClosed: () => closed };
    talkers.push(talker);
    return talker;
  };

  it('forwards data in both directions', async () => {
    const { socket, heard } = await open();
    socket.write('hello');
    await once(socket, 'data');
    assert.deepEqual([received, heard], [['hello'], ['hello!']]);
  });

  it('forwards the end of a connection', async () => {
    const { socket } = await open();
    socket.end('last');
    await once(socket, 'end');
    assert.deepEqual(received, ['last']);
  });

  it('resets open connections, and accepts new ones', async () => {
    const first = await open();
    first.socket.write('a');
    await once(first.socket, 'data');
    proxy.cut();
    await eventually(async () => assert.equal(first.isClosed(), true));
    const second = await open();
    second.socket.write('b');
    await once(second.socket, 'data');
    assert.deepEqual(second.heard, ['b!']);
  });

  it('refuses connections until it heals', async () => {
    proxy.refuse();
    const refused = await open();
    await eventually(async () => assert.equal(refused.isClosed(), true));
    proxy.heal();
    const accepted = await open();
    accepted.socket.write('c');
    await once(accepted.socket, 'data');
  });

  it('delays in order', async () => {
    const { socket, heard } = await open();
    proxy.slowDown(MOMENT_MS);
    const startedAt = Date.now();
    socket.write('1');
    await wait(5);
    socket.write('2');
    while (!heard.join('').endsWith('2!')) await once(socket, 'data');
    // Where both arrive at once, the server answers both at once.
    assert.match(heard.join(''), /^1!?2!$/);
    assert.ok(Date.now() - startedAt >= 2 * MOMENT_MS - 5, 'both ways take their time');
  });

  it('swallows replies only: the server acts, the client gets no reply', async () => {
    const { socket, heard, isClosed } = await open();
    proxy.swallow(['replies']);
    socket.write('pay');
    await eventually(async () => assert.deepEqual(received, ['pay']));
    await wait(MOMENT_MS);
    assert.deepEqual([received, heard, isClosed()], [['pay'], [], false]);
  });

  it('swallows requests only', async () => {
    const { socket, heard } = await open();
    proxy.swallow(['requests']);
    socket.write('pay');
    await wait(MOMENT_MS);
    assert.deepEqual([received, heard], [[], []]);
  });

  it('resets, when it heals, only the connections that have lost bytes', async () => {
    const losing = await open();
    const idle = await open();
    proxy.swallow(['replies']);
    losing.socket.write('pay');
    await eventually(async () => assert.deepEqual(received, ['pay']));
    await wait(MOMENT_MS);
    proxy.heal();
    await eventually(async () => assert.equal(losing.isClosed(), true));
    assert.equal(idle.isClosed(), false);
    idle.socket.write('still');
    await once(idle.socket, 'data');
    assert.deepEqual(idle.heard, ['still!']);
  });
});
