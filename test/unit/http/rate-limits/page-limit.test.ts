import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createAddressLimit } from '../../../../http/rate-limits/page-limit.ts';

describe('the limit of pages at an address', () => {
  it('counts all client secrets of an address together, and no keys', () => {
    const limit = createAddressLimit(2);
    for (let request = 0; request < 20; request += 1) limit({ pageAddress: '203.0.113.7' });
    assert.throws(() => limit({ pageAddress: '203.0.113.7' }), { code: 'RATE_LIMIT_EXCEEDED' });
    limit({ pageAddress: '203.0.113.8' });
    for (let request = 0; request < 30; request += 1) limit({});
  });
});
