import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { startGatewayProcess } from '../support/api-process.ts';
import { eventually } from '../support/eventually.ts';
import { followAccount } from '../support/follow-account.ts';
import { hostileFrames } from '../support/hostile-frames.ts';
import { createMerchant } from '../support/merchants.ts';
import { createPayment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { queryStack } from '../support/stack-database.ts';

const FRAMES = 10_000;
/** Enough for everything that is initialised once. */
const FIRST_FRAMES = 1_000;
/** Most connections end with their first frame; further frames test what arrives during the close. */
const FRAMES_PER_CONNECTION = 4;
const CONNECTIONS_AT_ONCE = 50;
/** How much the heap may grow without a leak: 10,000 leaked sockets would take far more. */
const HEAP_TOLERANCE_BYTES = 8 * 1_048_576;
const PAYMENTS = 3;

describe('a gateway under hostile frames', function () {
  this.timeout(4 * MINUTE_MS);
  let gateway: ServerProcess;

  before(async () => {
    gateway = await startGatewayProcess();
  });
  after(() => gateway?.stop());

  it('keeps serving a well-behaved client, does not crash, and leaks no memory', async () => {
    const { credentials, merchantAccountId } = await createMerchant();
    const follower = await followAccount([gateway.baseUrl], credentials);
    const seed = randomInt(2 ** 31);
    await sendAll(hostileFrames(FIRST_FRAMES, seed));
    const before = await gateway.usedHeap();

    const storm = sendAll(hostileFrames(FRAMES, seed + 1));
    for (let count = 0; count < PAYMENTS; count += 1) {
      const payment = await createPayment({}, credentials);
      await payment.confirm(card('approved'), PREFER_ASYNC);
      await payment.reach('succeeded');
    }
    await storm;

    await eventually(async () => {
      const events = await queryStack(
        'SELECT id FROM event WHERE merchant_account_id = $1 AND sequence IS NOT NULL ORDER BY sequence',
        [merchantAccountId],
      );
      assert.deepEqual(
        follower.frames.map(({ id }) => id),
        events.map(({ id }) => id),
      );
      assert.equal(follower.frames.filter(({ event }) => event === 'payment-succeeded').length, PAYMENTS);
    });
    assert.equal(follower.connections, 1, `seed ${seed}`);
    await eventually(async () => {
      const grown = (await gateway.usedHeap()) - before;
      assert.ok(grown < HEAP_TOLERANCE_BYTES, `seed ${seed}: the heap has grown by ${grown} bytes`);
    });
    await follower.end();
    assert.equal(await gateway.stop(), 0, `seed ${seed}`);
  });

  async function sendAll(frames: readonly Buffer[]): Promise<void> {
    const connections = Array.from({ length: frames.length / FRAMES_PER_CONNECTION }, (_, index) =>
      Buffer.concat(frames.slice(index * FRAMES_PER_CONNECTION, (index + 1) * FRAMES_PER_CONNECTION)),
    );
    const left = connections.values();
    const sender = async (): Promise<void> => {
      for (const sent of left) await sendOverOne(sent);
    };
    await Promise.all(Array.from({ length: CONNECTIONS_AT_ONCE }, sender));
  }

  async function sendOverOne(sent: Buffer): Promise<void> {
    const { port, host } = new URL(gateway.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    const handshake = [
      `GET ${EVENTS_SOCKET_PATH} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    socket.end(Buffer.concat([Buffer.from(`${handshake.join('\r\n')}\r\n\r\n`), sent]));
    await once(socket, 'close');
  }
});
