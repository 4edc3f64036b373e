import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CARD_REATTEMPTS, maySucceedElsewhere, retryAllowanceOf } from '../../../domain/decline-retries.ts';

const SETTING = { enabled: true, maxRetries: 3, issuerDeclines: false };

describe('retries after declines', () => {
  it('are off where the account does not allow them, or nobody counts the card', () => {
    assert.equal(retryAllowanceOf({ ...SETTING, enabled: false }, { day: 0, month: 0 }), null);
    assert.equal(retryAllowanceOf({ ...SETTING, maxRetries: 0 }, { day: 0, month: 0 }), null);
    assert.equal(retryAllowanceOf(SETTING, null), null);
  });

  it("stay within the account's number and the limits of the card schemes", () => {
    const { day, month } = CARD_REATTEMPTS;
    for (const [declines, retries] of [
      [{ day: 0, month: 0 }, 3],
      [{ day: day - 2, month: day - 2 }, 2],
      [{ day: 0, month: month - 1 }, 1],
    ] as const) {
      assert.deepEqual(retryAllowanceOf(SETTING, declines), { retries, issuerDeclines: false });
    }
    assert.equal(retryAllowanceOf(SETTING, { day, month: day }), null);
    assert.equal(retryAllowanceOf(SETTING, { day: 0, month }), null);
  });

  it('follow technical declines, and those without a reason only where the account says so', () => {
    assert.equal(maySucceedElsewhere({ advice: 'elsewhere' }, SETTING), true);
    const issuer = { advice: 'elsewhere', isIssuerDecline: true } as const;
    assert.equal(maySucceedElsewhere(issuer, SETTING), false);
    assert.equal(maySucceedElsewhere(issuer, { issuerDeclines: true }), true);
    for (const advice of ['never', 'later', 'authenticate', 'correct_data'] as const) {
      assert.equal(maySucceedElsewhere({ advice }, { issuerDeclines: true }), false);
    }
    assert.equal(maySucceedElsewhere({}, { issuerDeclines: true }), false);
  });
});
