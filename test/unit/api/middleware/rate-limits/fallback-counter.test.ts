import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createFallbackCounter } from '../../../../../api/middleware/rate-limits/counters.ts';
import type { Count } from '../../../../../api/middleware/rate-limits/counters.ts';

const PASSED: Count = { remaining: 1, msBeforeReset: 1_000, exceeded: false };
const REFUSED: Count = { remaining: 0, msBeforeReset: 1_000, exceeded: true };
const INSURED: Count = { remaining: 7, msBeforeReset: 1_000, exceeded: false };

describe('a fallback counter on a stored counter', () => {
  const setUp = () => {
    const changes: string[] = [];
    let answer: Count | Error = PASSED;
    const counter = createFallbackCounter({
      primary: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
      fallback: () => Promise.resolve(INSURED),
      onUnavailable: () => changes.push('away'),
      onRecovered: () => changes.push('back'),
    });
    const count = (next: Count | Error): Promise<Count> => {
      answer = next;
      return counter('caller');
    };
    return { changes, count };
  };

  it('counts in the fallback while its store is unavailable, and reports each change once', async () => {
    const { changes, count } = setUp();
    const counts = [
      await count(PASSED),
      await count(new Error('away')),
      await count(new Error('away')),
      await count(PASSED),
      await count(PASSED),
    ];
    assert.deepEqual(counts, [PASSED, INSURED, INSURED, PASSED, PASSED]);
    assert.deepEqual(changes, ['away', 'back']);
  });

  it('does not treat a rejection from memory as the recovery of the store', async () => {
    const { changes, count } = setUp();
    const counts = [await count(new Error('away')), await count(REFUSED), await count(new Error('away'))];
    assert.deepEqual(counts, [INSURED, REFUSED, INSURED]);
    assert.deepEqual(changes, ['away']);
  });
});
