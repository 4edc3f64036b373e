import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { backoffMs, isLoggedFailure, withJitter } from '../../../domain/backoff.ts';

describe('backoff', () => {
  it('begins at its shortest pause and doubles it with each failure in a row, up to the longest', () => {
    assert.deepEqual(
      [1, 2, 3, 10, 10_000].map((failures) => backoffMs(failures, { shortestMs: 100, longestMs: 2_000 })),
      [100, 200, 400, 2_000, 2_000],
    );
    assert.equal(backoffMs(1, { shortestMs: 5_000, longestMs: 2_000 }), 2_000);
  });

  it('is shortened or extended by at most the share of its jitter', () => {
    assert.deepEqual(
      [0, 0.5, 1].map((random) => withJitter(1_000, 0.1, random)),
      [900, 1_000, 1_100],
    );
  });

  it('logs every failure whose number is a power of two', () => {
    assert.deepEqual([1, 2, 3, 4, 5, 8].map(isLoggedFailure), [true, true, false, true, false, true]);
  });
});
