import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'mocha';
import { createServer } from '../../../../api/server/server.ts';

describe('the server', () => {
  it('counts and answers a connection with invalid HTTP once, however much arrives before the answer', async () => {
    const arrivals = new EventEmitter();
    const counted: string[] = [];
    const server = createServer(() => undefined, {
      tls: null,
      countRejection: async (address) => {
        counted.push(address);
        await once(arrivals, 'enough');
        return { headers: { 'X-RateLimit-Remaining': '7' }, exceeded: null };
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = server.address();
    assert.ok(typeof place === 'object' && place !== null);
    const client = connect(place.port, '127.0.0.1');
    let noticed = 0;
    server.on('clientError', () => {
      noticed += 1;
      if (noticed < 3) client.write('still no HTTP\r\n\r\n');
      else arrivals.emit('enough');
    });
    client.write('no HTTP\r\n\r\n');
    const answer = await text(client);
    server.close();
    assert.deepEqual(counted, ['127.0.0.1']);
    assert.match(answer, /^HTTP\/1\.1 400 [^]*X-RateLimit-Remaining: 7[^]*"INVALID_REQUEST"/);
  });
});
