import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkTarget } from '../../../webhooks/target.ts';
import { createTargetPolicies, isPublicAddress } from '../../../webhooks/target-policy.ts';

const { sandbox, production } = createTargetPolicies({ allowPrivateInSandbox: true });

const PUBLIC = ['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];

const REFUSED = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '::ffff:10.0.0.1'],
  'unique local': ['fc00::1', 'fd12:3456::1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254'],
  'site-local': ['fec0::1'],
  shared: ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'broadcast or reserved': ['255.255.255.255', '240.0.0.1', '198.18.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'a tunnel or translation': ['2002:7f00:1::', '2001::1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '::ffff:0:7f00:1'],
  'for documentation': ['2001:db8::1', '3fff::1'],
  'outside what is routed': ['::7f00:1', '::a00:1', '100::1', '4000::1', '5f00::1'],
  'no address': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5', 'example.com'],
};

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  '::ffff:168.63.129.16',
  '64:ff9b::a9fe:a9fe',
];

describe('targets of webhooks', () => {
  it('may be public addresses', () => {
    for (const address of PUBLIC) assert.ok(isPublicAddress(address), address);
  });

  for (const [what, addresses] of Object.entries(REFUSED)) {
    it(`may not be ${what} in production`, () => {
      for (const address of addresses) assert.ok(!production.allows(address), address);
    });
  }

  it('may in the sandbox also be this machine and private networks, but not link-local or multicast addresses', () => {
    for (const what of ['loopback', 'private', 'unique local'] as const) {
      for (const address of REFUSED[what]) assert.ok(sandbox.allows(address), address);
    }
    for (const what of ['link-local', 'multicast', 'unspecified', 'shared', 'no address'] as const) {
      for (const address of REFUSED[what]) assert.ok(!sandbox.allows(address), address);
    }
  });

  it('are never cloud metadata, whether it looks public or private', () => {
    for (const address of METADATA) {
      assert.deepEqual([production.allows(address), sandbox.allows(address)], [false, false], address);
    }
  });

  it('are public in the sandbox too where the installation says so', () => {
    const closed = createTargetPolicies({ allowPrivateInSandbox: false }).sandbox;
    assert.deepEqual([closed.allows('127.0.0.1'), closed.allows('8.8.8.8')], [false, true]);
  });

  it('are checked alike in both notations of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(production.allows(`::ffff:${address}`), production.allows(address));
      }),
    );
  });

  const resolveTo = (...addresses: string[]) => {
    return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const check = (url: string, policy = production, resolve = resolveTo('8.8.8.8')) =>
    checkTarget(new URL(url), policy, resolve);

  it('require HTTPS in production, and never contain credentials', async () => {
    assert.equal(await check('https://shop.example/hooks'), null);
    assert.equal(await check('http://shop.example/hooks'), 'https_required');
    assert.equal(await check('https://user:word@shop.example/hooks'), 'credentials_in_url');
    assert.equal(await check('http://shop.example/hooks', sandbox), null);
  });

  it('are rejected if one of the addresses of their host is', async () => {
    assert.equal(
      await check('https://shop.example', production, resolveTo('8.8.8.8', '10.0.0.1')),
      'address_not_allowed',
    );
  });

  it('are rejected in every notation of a forbidden address', async () => {
    for (const host of ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '017700000001', '[::1]', '[::ffff:127.0.0.1]']) {
      assert.equal(await checkTarget(new URL(`https://${host}/`), production), 'address_not_allowed', host);
    }
  });

  it('are rejected if their host cannot be found', async () => {
    const notFound = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }));
    assert.equal(await check('https://nowhere.example', production, notFound), 'host_not_found');
  });
});
