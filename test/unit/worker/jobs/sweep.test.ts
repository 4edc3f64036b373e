import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import { sweep, type SweepOptions } from '../../../../worker/jobs/sweep.ts';

const ROWS = Array.from({ length: 25 }, (_, index) => index);

function sweepRows(overrides: Partial<SweepOptions<number>>): Promise<void> {
  return sweep<number>({
    readPage: async (after) => ROWS.filter((row) => row > (after ?? -1)).slice(0, 10),
    pageSize: 10,
    handle: async () => undefined,
    concurrency: 4,
    signal: new AbortController().signal,
    ...overrides,
  });
}

describe('sweep', () => {
  it('handles every row once, in order, a few at a time', async () => {
    const handled: number[] = [];
    let inside = 0;
    let most = 0;
    await sweepRows({
      handle: async (row) => {
        inside += 1;
        most = Math.max(most, inside);
        handled.push(row);
        await Promise.resolve();
        inside -= 1;
      },
    });
    assert.deepEqual(handled, ROWS);
    assert.ok(most <= 4);
  });

  it('continues after rows that fail, and counts them at the end', async () => {
    const handled: number[] = [];
    const sweeping = sweepRows({
      handle: async (row) => {
        if (row % 2 === 0) throw new Error(`row ${row}`);
        handled.push(row);
      },
    });
    await assert.rejects(sweeping, { message: '13 rows could not be handled' });
    assert.equal(handled.length, 12);
  });

  it('ends when Temporal is away, which concerns every row', async () => {
    let calls = 0;
    const outage = new TemporalUnavailableError('away');
    const sweeping = sweepRows({
      handle: async () => {
        calls += 1;
        throw outage;
      },
    });
    await assert.rejects(sweeping, outage);
    assert.equal(calls, 4);
  });

  it('ends when its signal aborts', async () => {
    const stopping = new AbortController();
    const handled: number[] = [];
    await sweepRows({
      signal: stopping.signal,
      handle: async (row) => {
        handled.push(row);
        stopping.abort();
      },
    });
    assert.deepEqual(handled, [0, 1, 2, 3]);
  });
});
