import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLocalCounter } from '../../../../http/rate-limits/rate-limiters.ts';

describe('a local counter', () => {
  it('counts each caller by itself', () => {
    const count = createLocalCounter(10);
    const consumed = [count('one', 1), count('two', 3), count('one', 4)].map((result) => result.consumed);
    assert.deepEqual(consumed, [1, 3, 5]);
  });

  it('forgets the caller whose window ends first when there are too many', () => {
    const count = createLocalCounter(10, 2);
    for (const caller of ['first', 'second', 'third']) count(caller, 1);
    assert.deepEqual([count('second', 1).consumed, count('third', 1).consumed], [2, 2]);
    assert.equal(count('first', 1).consumed, 1);
  });
});
