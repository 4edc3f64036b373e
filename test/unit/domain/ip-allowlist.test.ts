import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAllowlistEntry, isOnAllowlist } from '../../../domain/ip-allowlist.ts';

describe('IP allowlist', () => {
  for (const [address, entry] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.7', ' 203.0.113.7 '],
    ['203.0.113.7', '0.0.0.0/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['203.0.113.7', '::ffff:203.0.113.0/120'],
    ['2001:db8::1', '2001:db8::/32'],
    ['2001:DB8:0::1', '2001:db8::1'],
  ] as const) {
    it(`contains ${address} in ${entry}`, () => assert.ok(isOnAllowlist(address, ['10.0.0.1', entry])));
  }

  for (const [address, entry] of [
    ['203.0.114.7', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.0/33'],
    ['203.0.113.7', '203.0.113.7/'],
    ['203.0.113.7', '203.0.113'],
    ['203.0.113.7', '::/0'],
    ['2001:db8::1', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db9::/32'],
    ['203.0.113.7', '::ffff:203.0.113.0/80'],
    ['203.0.113.7', '203.0.113.07'],
    ['0.0.0.10', '10'],
    ['203.0.113.7', 'example.com'],
    ['', '0.0.0.0/0'],
    ['not an address', '0.0.0.0/0'],
  ] as const) {
    it(`does not contain ${address || 'an empty address'} in ${entry}`, () =>
      assert.ok(!isOnAllowlist(address, [entry])));
  }

  it('may have addresses and ranges, but no zones, short forms or spaces', () => {
    for (const entry of ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::ffff:10.0.0.0/104']) {
      assert.ok(isAllowlistEntry(entry), entry);
    }
    for (const entry of ['fe80::1%eth0', '127.1', '10/8', ' 10.0.0.1', '10.0.0.0/33', '::ffff:10.0.0.0/90', '']) {
      assert.ok(!isAllowlistEntry(entry), entry);
    }
  });

  it('finds nothing in an empty list', () => assert.ok(!isOnAllowlist('203.0.113.7', [])));
});
