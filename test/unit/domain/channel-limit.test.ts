import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { checkChannelLimit } from '../../../domain/channel-limit.ts';

const limit = { minimumMinor: 50, maximumMinor: 99_999_999 };

function check(amountMinor: number): string | null {
  return checkChannelLimit({ amountMinor, currency: 'USD', method: 'card' }, limit)?.code ?? null;
}

describe('channel limits', () => {
  it('include their bounds', () => {
    assert.equal(check(49), 'CHANNEL_LIMIT_MIN_EXCEEDED');
    assert.equal(check(50), null);
    assert.equal(check(99_999_999), null);
    assert.equal(check(100_000_000), 'CHANNEL_LIMIT_MAX_EXCEEDED');
  });

  it('report amount, currency, method and both bounds in the error', () => {
    assert.deepEqual(checkChannelLimit({ amountMinor: 1, currency: 'USD', method: 'card' }, limit)?.details, {
      amount: 1,
      currency: 'USD',
      paymentMethod: 'card',
      minimumAmount: 50,
      maximumAmount: 99_999_999,
    });
  });

  it('allow every amount if none is set', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (amountMinor) => {
        assert.equal(checkChannelLimit({ amountMinor, currency: 'USD', method: 'upi' }, null), null);
      }),
    );
  });
});
