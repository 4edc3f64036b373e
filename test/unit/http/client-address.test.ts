import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'mocha';
import { createClientAddresses } from '../../../http/client-address.ts';

function requestFrom(peer: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return request;
}

describe('client address', () => {
  const addresses = createClientAddresses(['10.0.0.0/8', 'loopback']);

  it('is the one that trusted proxies report, up to the first untrusted one', () => {
    assert.equal(addresses.of(requestFrom('10.1.2.3', '192.0.2.1, 203.0.113.7, 10.9.9.9')), '203.0.113.7');
    assert.equal(addresses.of(requestFrom('127.0.0.1', '2001:db8::1')), '2001:db8::1');
  });

  it("is the peer's own if the peer is no trusted proxy, or reports no address", () => {
    assert.equal(addresses.of(requestFrom('198.51.100.1', '203.0.113.7')), '198.51.100.1');
    assert.equal(addresses.of(requestFrom('10.1.2.3', "'; DROP TABLE")), '10.1.2.3');
    assert.equal(createClientAddresses([]).of(requestFrom('127.0.0.1', '203.0.113.7')), '127.0.0.1');
  });

  it('recognises trusted proxies, also by an IPv4-mapped IPv6 address', () => {
    assert.ok(addresses.isTrustedProxy('10.1.2.3') && addresses.isTrustedProxy('::ffff:10.1.2.3'));
    assert.ok(!addresses.isTrustedProxy('198.51.100.1') && !addresses.isTrustedProxy(''));
  });
});
