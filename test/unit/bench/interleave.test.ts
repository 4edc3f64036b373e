import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Figure } from '../../../bench/benchmark.ts';
import { figureTable, holds, isUndecided } from '../../../bench/figure-table.ts';
import { measureInterleaved, percentile } from '../../../bench/interleave.ts';

describe('benchmarks', () => {
  it('measure their cases alternately, and reverse the order in each round', async () => {
    const runs: string[] = [];
    const note = (name: string) => async () => void runs.push(name);
    const { signal } = new AbortController();
    const samples = await measureInterleaved({ a: note('a'), b: note('b') }, { rounds: 2, warmUpRounds: 1, signal });
    assert.equal(runs.join(''), 'baabba');
    assert.deepEqual(
      [...samples].map(([name, times]) => [name, times.length]),
      [
        ['a', 2],
        ['b', 2],
      ],
    );
  });

  it('stop when their time is up', async () => {
    const limits = { rounds: 1, warmUpRounds: 0, signal: AbortSignal.abort() };
    await assert.rejects(measureInterleaved({ a: async () => undefined }, limits), { name: 'AbortError' });
  });

  it('compute percentiles', () => {
    const samples = [5, 1, 3, 2, 4];
    assert.deepEqual(
      [0, 0.5, 0.95, 1].map((share) => percentile(samples, share)),
      [1, 3, 5, 5],
    );
  });

  it('mark figures outside their bounds', () => {
    const ratio = { what: 'ratio', unit: '×', atMost: 1.5 };
    const figures = [
      { what: 'page', value: 4.256, unit: 'ms' },
      { ...ratio, value: 1.5 },
      { ...ratio, value: 1.51 },
      { what: 'rate', value: 9, unit: '/s', atLeast: 10 },
    ];
    assert.deepEqual(figures.map(holds), [true, true, false, false]);
    assert.deepEqual(figureTable(figures).split('\n'), [
      '  page   4.26 ms',
      '  ratio   1.50 ×  at most 1.5 ×: holds',
      '  ratio   1.51 ×  at most 1.5 ×: DOES NOT HOLD',
      '  rate   9.00 /s  at least 10 /s: DOES NOT HOLD',
    ]);
  });

  it('give no verdict where the pairs of a median differ by more than 15 %', () => {
    const ratio = { what: 'ratio', unit: '×', value: 0.7, atLeast: 0.75 };
    const figures: readonly Figure[] = [
      { ...ratio, pairs: [0.66, 0.76] },
      { ...ratio, pairs: [0.6, 0.74] },
    ];
    assert.deepEqual(figures.map(isUndecided), [false, true]);
    assert.deepEqual(figureTable(figures).split('\n'), [
      '  ratio  0.70 × (0.66 to 0.76)  at least 0.75 ×: DOES NOT HOLD',
      '  ratio  0.70 × (0.60 to 0.74)  at least 0.75 ×: NO VERDICT, the pairs differ by more than 15 %',
    ]);
  });

  it('print a column for each condition, and a line for each bound', () => {
    const rate = { what: 'rate', unit: '/s' };
    const figures = [
      { ...rate, at: '1 client', value: 2 },
      { ...rate, at: '8 clients', value: 10, atLeast: 12 },
      { what: 'events', value: 25, unit: '' },
    ];
    assert.deepEqual(figures.map(holds), [true, false, true]);
    assert.deepEqual(figureTable(figures).split('\n'), [
      '        1 client  8 clients',
      '  rate   2.00 /s   10.00 /s',
      '',
      '  rate, 8 clients  10.00 /s  at least 12 /s: DOES NOT HOLD',
      '  events              25.00',
    ]);
  });
});
