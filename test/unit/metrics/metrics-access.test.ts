import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'mocha';
import { createMetricsAccess } from '../../../metrics/metrics-access.ts';

function requestFrom(address: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
  return Object.assign(new IncomingMessage(socket), { headers: { host: 'localhost:3000', ...headers } });
}

describe('metrics', () => {
  it('are shown to allowed addresses only, and never through a proxy', () => {
    const mayRead = createMetricsAccess(['loopback', '10.1.0.0/16']);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3']) {
      assert.equal(mayRead(requestFrom(address)), true, address);
      for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']) {
        assert.equal(mayRead(requestFrom(address, { [header]: '127.0.0.1' })), false, header);
      }
    }
    for (const address of ['10.2.0.1', '192.0.2.1', '2001:db8::1'])
      assert.equal(mayRead(requestFrom(address)), false, address);
  });

  it('are shown to no page that makes a name of its own lead to this machine', () => {
    const mayRead = createMetricsAccess(['loopback', '10.1.0.0/16']);
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'api.localhost'])
        assert.equal(mayRead(requestFrom(address, { host })), true, host);
      for (const host of ['pages.example:3000', 'localhost.pages.example', '127.0.0.1.pages.example', '192.0.2.1', ''])
        assert.equal(mayRead(requestFrom(address, { host })), false, host);
    }
    assert.equal(mayRead(requestFrom('10.1.2.3', { host: 'api.internal:3000' })), true);
  });

  it('are shown to nobody where no address is allowed', () => {
    assert.equal(createMetricsAccess([])(requestFrom('127.0.0.1')), false);
  });
});
