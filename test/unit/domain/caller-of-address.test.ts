import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { callerOfAddress } from '../../../domain/ip-address.ts';

describe('callerOfAddress', () => {
  it('returns an IPv4 address as it is, also mapped into IPv6', () => {
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1']) {
      assert.equal(callerOfAddress(address), '192.0.2.1');
    }
  });

  it('returns the /64 network of an IPv6 address, however it is written', () => {
    for (const address of ['2001:db8::1', '2001:DB8:0:0:ffff::1', '2001:0db8:0000:0000:1:2:3:4']) {
      assert.equal(callerOfAddress(address), '2001:db8:0:0::/64');
    }
    assert.equal(callerOfAddress('fe80::1%eth0'), 'fe80:0:0:0::/64');
    assert.equal(callerOfAddress('::1'), '0:0:0:0::/64');
    assert.equal(callerOfAddress('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
    assert.notEqual(callerOfAddress('2001:db8:0:1::1'), callerOfAddress('2001:db8:0:2::1'));
  });

  it('returns larger networks of an IPv6 address', () => {
    assert.equal(callerOfAddress('2001:db8:a:12ff::1', 56), '2001:db8:a:1200::/56');
    assert.equal(callerOfAddress('2001:db8:a:12ff::1', 48), '2001:db8:a:0::/48');
    assert.equal(callerOfAddress('192.0.2.1', 48), '192.0.2.1');
  });

  it('returns any other text unchanged', () => {
    assert.equal(callerOfAddress(''), '');
  });
});
