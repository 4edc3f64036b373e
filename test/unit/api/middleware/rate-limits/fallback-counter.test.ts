import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createFallbackCounter } from '../../../../../api/middleware/rate-limits/counters.ts';
import type { Count } from '../../../../../api/middleware/rate-limits/counters.ts';

const PASSED: Count = { remaining: 1, msBeforeReset: 1_000, exceeded: false };
const REFUSED: Count = { remaining: 0, msBeforeReset: 1_000, exceeded: true };
const INSURED: Count = { remaining: 7, msBeforeReset: 1_000, exceeded: false };

describe('an fallback counter', () => {
  const setUp = () => {
    const told: string[] = [];
    let answer: Count | Error = PASSED;
    const counter = createFallbackCounter({
      primary: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
      fallback: () => Promise.resolve(INSURED),
      onUnavailable: () => told.push('away'),
      onRecovered: () => told.push('back'),
    });
    const count = (next: Count | Error): Promise<Count> => {
      answer = next;
      return counter('caller');
    };
    return { told, count };
  };

  it('counts elsewhere while its store is away, and tells of each change once', async () => {
    const { told, count } = setUp();
    const counts = [
      await count(PASSED),
      await count(new Error('away')),
      await count(new Error('away')),
      await count(PASSED),
      await count(PASSED),
    ];
    assert.deepEqual(counts, [PASSED, INSURED, INSURED, PASSED, PASSED]);
    assert.deepEqual(told, ['away', 'back']);
  });

  it('does not take a refusal, which needs no store, for the return of the store', async () => {
    const { told, count } = setUp();
    const counts = [await count(new Error('away')), await count(REFUSED), await count(new Error('away'))];
    assert.deepEqual(counts, [INSURED, REFUSED, INSURED]);
    assert.deepEqual(told, ['away']);
  });
});
