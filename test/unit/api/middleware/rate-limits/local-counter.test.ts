import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createFallbackCounter } from '../../../../../api/middleware/rate-limits/counters.ts';
import { createLocalCounter } from '../../../../../api/middleware/rate-limits/counters.ts';

const WINDOW_MS = 60_000;

describe('local counter', () => {
  let atMs = 0;
  const create = (maximumCallers: number) =>
    createLocalCounter({ limit: 2, windowMs: WINDOW_MS, maximumCallers, nowMs: () => atMs });

  it("counts each caller in windows that begin with the caller's first request", async () => {
    const count = create(10);
    atMs = 1_000;
    assert.deepEqual(await count('a'), { remaining: 1, msBeforeReset: WINDOW_MS, exceeded: false });
    atMs += WINDOW_MS - 1;
    assert.deepEqual(await count('a'), { remaining: 0, msBeforeReset: 1, exceeded: false });
    assert.deepEqual(await count('a'), { remaining: 0, msBeforeReset: 1, exceeded: true });
    assert.equal((await count('b')).remaining, 1);
    atMs += 1;
    assert.deepEqual(await count('a'), { remaining: 1, msBeforeReset: WINDOW_MS, exceeded: false });
  });

  it('counts callers beyond its maximum as one, until windows end', async () => {
    const count = create(2);
    await count('a');
    await count('b');
    assert.equal((await count('c')).remaining, 1);
    assert.equal((await count('d')).remaining, 0);
    assert.equal((await count('e')).exceeded, true);
    assert.equal((await count('a')).exceeded, false);
    atMs += WINDOW_MS;
    assert.equal((await count('e')).remaining, 1);
  });
});

describe('fallback counter', () => {
  it('uses its fallback while the primary counter fails, and reports each change once', async () => {
    const changes: string[] = [];
    let works = true;
    const count = createFallbackCounter({
      primary: async () => {
        if (!works) throw new Error('away');
        return { remaining: 9, msBeforeReset: 1, exceeded: false };
      },
      fallback: async () => ({ remaining: 1, msBeforeReset: 1, exceeded: false }),
      onUnavailable: () => changes.push('away'),
      onRecovered: () => changes.push('back'),
    });
    const remaining: number[] = [];
    for (const now of [true, false, false, true, true, false]) {
      works = now;
      remaining.push((await count('a')).remaining);
    }
    assert.deepEqual(remaining, [9, 1, 1, 9, 9, 1]);
    assert.deepEqual(changes, ['away', 'back', 'away']);
  });
});
