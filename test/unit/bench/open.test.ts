import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { highestRate } from '../../../bench/open/highest-rate.ts';
import { mostUsed } from '../../../bench/open/saturation.ts';

describe('the open-loop benchmark', () => {
  it('finds the highest sustainable rate by bisection', async () => {
    const tried: number[] = [];
    const holds = async (perSecond: number) => {
      tried.push(perSecond);
      return perSecond <= 21;
    };
    assert.equal(await highestRate(holds, 64, 5), 20);
    assert.deepEqual(tried, [32, 16, 24, 20, 22]);
    assert.equal(await highestRate(async () => false, 64, 5), 0);
  });

  it('names the resource with the highest utilisation', () => {
    const usage = { elapsedMs: 1_000, busyConnections: 2, connections: 20, machineShare: 0.5, cpuMs: { API: 300 } };
    const full = { ...usage, machineShare: 0.95 };
    assert.deepEqual(mostUsed({ ...full, cpuMs: { API: 990, worker: 2_000 } }, 4), {
      name: 'the processor, most of it by worker (50 %)',
      share: 0.95,
    });
    assert.match(mostUsed({ ...full, busyConnections: 20 }, 4).name, /^the processor, most of it by other programs/);
    assert.deepEqual(mostUsed({ ...usage, cpuMs: { API: 850 } }, 4), {
      name: 'the one thread of the API',
      share: 0.85,
    });
    assert.deepEqual(mostUsed({ ...usage, busyConnections: 18 }, 4), {
      name: 'connections to the database',
      share: 0.9,
    });
    assert.deepEqual(mostUsed({ ...usage, cpuMs: null }, 4), { name: 'the processor', share: 0.5 });
  });
});
