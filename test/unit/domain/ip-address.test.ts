import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseIpAddress, parseIpRange } from '../../../domain/ip-address.ts';

describe('an IP address', () => {
  it('may be IPv4, IPv6, or IPv4 that is mapped into IPv6, which counts as IPv4', () => {
    const texts = ['10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1', '::ffff:a00:1', '64:ff9b::10.0.0.1'];
    assert.deepEqual(
      texts.map((text) => parseIpAddress(text)?.toString()),
      ['10.0.0.1', '2001:db8::1', '10.0.0.1', '10.0.0.1', '64:ff9b::a00:1'],
    );
    assert.equal(String(parseIpRange('::ffff:10.0.0.0/104')), '10.0.0.0,8');
  });

  it('has no short, octal or hexadecimal IPv4 part, also within IPv6 and in a range', () => {
    for (const ipv4 of ['127.1', '127', '01.2.3.4', '0x7f.1.2.3', '1.2.3.010', '1.2.3.256', '1.2.3.4.5']) {
      const within = ['::ffff:', '::', '64:ff9b::', '1:2:3:4:5:6:'].map((prefix) => prefix + ipv4);
      // Without a dot, the last part of IPv6 is not IPv4.
      for (const text of ipv4.includes('.') ? [ipv4, ...within] : [ipv4]) {
        assert.equal(parseIpAddress(text), undefined, text);
        assert.equal(parseIpRange(`${text}/128`), undefined, text);
        assert.equal(parseIpRange(`${text}/8`), undefined, text);
      }
    }
  });

  it('is looked for in time that grows with the text alone', () => {
    const startedAt = performance.now();
    for (const text of ['1', 'a', '1:', '1.', ':', '%']) {
      assert.equal(parseIpAddress(text.repeat(60_000)), undefined);
      assert.equal(parseIpRange(`${text.repeat(60_000)}/8`), undefined);
    }
    assert.ok(performance.now() - startedAt < 5_000);
  });
});
