import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { describe, it } from 'mocha';
import { createClientAddresses } from '../../../http/client-address.ts';
import { productionProblem, transportOf } from '../../../http/transport.ts';

const PROXY = '10.1.2.3';
const LOOPBACK = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'];
const STRANGER = '203.0.113.7';

interface Arrival {
  readonly peer: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly overTls?: boolean;
  readonly trustProxy?: readonly string[];
}

function transportAt({ peer, headers = {}, overTls = false, trustProxy = [PROXY] }: Arrival) {
  const socket = overTls ? new TLSSocket(new Socket()) : new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return transportOf(request, createClientAddresses(trustProxy));
}

const problemAt = (arrival: Arrival): string | null => productionProblem(transportAt(arrival));

describe('transport of production keys', () => {
  it('may be HTTPS to this server or to a trusted proxy, or a direct connection from this machine', () => {
    assert.equal(problemAt({ peer: STRANGER, overTls: true }), null);
    assert.equal(problemAt({ peer: PROXY, overTls: true }), null);
    for (const peer of LOOPBACK) assert.equal(problemAt({ peer }), null, peer);
    for (const protocol of ['https', 'wss', 'HTTPS, http']) {
      assert.equal(problemAt({ peer: PROXY, headers: { 'x-forwarded-proto': protocol } }), null, protocol);
    }
  });

  it('may not be plain HTTP from elsewhere, to this server or to a proxy', () => {
    for (const arrival of [
      { peer: STRANGER },
      { peer: PROXY, headers: { 'x-forwarded-proto': 'http' } },
      { peer: PROXY, headers: { 'x-forwarded-proto': 'http' }, overTls: true },
      { peer: PROXY, headers: { 'x-forwarded-proto': '' } },
    ]) {
      assert.equal(problemAt(arrival), 'Production keys are taken over HTTPS only.');
    }
  });

  it('may not be a proxy that nobody named, though it is on this machine', () => {
    const headers = ['x-forwarded-proto', 'x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'];
    for (const peer of [...LOOPBACK, STRANGER]) {
      for (const name of headers) {
        assert.match(problemAt({ peer, headers: { [name]: 'https' } }) ?? '', /set TRUST_PROXY/, `${peer} ${name}`);
      }
    }
  });

  it('may not be a trusted proxy that does not say X-Forwarded-Proto', () => {
    const headers = { 'x-forwarded-for': STRANGER };
    assert.match(problemAt({ peer: PROXY, headers }) ?? '', /send X-Forwarded-Proto/);
    assert.match(problemAt({ peer: PROXY, headers, overTls: true }) ?? '', /send X-Forwarded-Proto/);
    assert.match(problemAt({ peer: PROXY }) ?? '', /send X-Forwarded-Proto/);
    for (const peer of LOOPBACK) {
      assert.match(problemAt({ peer, trustProxy: ['loopback'] }) ?? '', /send X-Forwarded-Proto/);
    }
  });

  it('is not told by clients, but by trusted proxies', () => {
    const headers = { 'x-forwarded-proto': 'https' };
    assert.ok(!transportAt({ peer: STRANGER, headers }).secure);
    assert.ok(transportAt({ peer: PROXY, headers }).secure);
    assert.ok(!transportAt({ peer: PROXY, headers: { 'x-forwarded-proto': 'http' }, overTls: true }).secure);
  });
});
