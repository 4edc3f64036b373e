import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Figure } from '../../../bench/benchmark.ts';
import { createKeptFigures } from '../../../bench/kept-figures.ts';

const rate = (value: number, at?: string): Figure => ({
  what: 'payments',
  value,
  unit: '/s',
  ...(at === undefined ? {} : { at }),
});

describe('the figures of a benchmark', () => {
  it('are kept as each turn ends, and a later turn replaces those of the same thing', () => {
    const saved: (readonly Figure[])[] = [];
    const figures = createKeptFigures((all) => saved.push(all));
    figures.keep([rate(10, '1 client'), rate(20, '8 clients')]);
    figures.keep([rate(12, '1 client')]);
    assert.deepEqual(figures.all(), [rate(12, '1 client'), rate(20, '8 clients')]);
    assert.deepEqual(saved, [
      [rate(10, '1 client'), rate(20, '8 clients')],
      [rate(12, '1 client'), rate(20, '8 clients')],
    ]);
  });

  it('leave out what has no value yet', () => {
    const figures = createKeptFigures(() => undefined);
    figures.keep([rate(Number.NaN), rate(0, '1 client')]);
    assert.deepEqual(figures.all(), [rate(0, '1 client')]);
  });
});
