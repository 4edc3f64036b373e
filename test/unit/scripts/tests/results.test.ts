import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describeCounts,
  type FileResult,
  filesToRepeat,
  isGreen,
  type PartResult,
  secondTries,
  withSecondTries,
} from '../../../../scripts/tests/results.ts';

const FAILURE = { title: 'captures', error: 'AssertionError: 1 == 2' };

function file(name: string | null, passes: number, ...failed: readonly (typeof FAILURE)[]): FileResult {
  return { file: name, passes, failed: [...failed], skipped: [] };
}

function part(suite: string, ...files: readonly FileResult[]): PartResult {
  return { name: suite, suite, seconds: 1, files: [...files], fileTimes: [], startTimes: [] };
}

describe('files that fail', () => {
  const FIRST = [part('unit', file('a', 3), file('b', 1, FAILURE)), part('time', file('a', 0, FAILURE))];

  it('run once more, each in its suite', () => {
    assert.deepEqual(
      [...filesToRepeat(FIRST)],
      [
        ['unit', ['b']],
        ['time', ['a']],
      ],
    );
  });

  it('do not run once more if they are many, or depend on what ran before them, or are unknown', () => {
    const many = Array.from({ length: 6 }, (_, index) => file(`f${index}`, 0, FAILURE));
    assert.equal(filesToRepeat([part('unit', ...many)]).size, 0);
    assert.equal(filesToRepeat([part('end-to-end', file('without-secrets.slow', 0, FAILURE))]).size, 0);
    assert.equal(filesToRepeat([part('end-to-end', file(null, 0, FAILURE))]).size, 0);
  });

  it('count as they did the second time', () => {
    const second = [part('unit', file('b', 2)), part('time', file('a', 4))];
    const files = withSecondTries(FIRST, second);
    assert.equal(describeCounts(files), '9 passed, 0 failed');
    assert.ok(isGreen(files));
    assert.deepEqual(secondTries(FIRST, second), [
      { suite: 'unit', file: 'b', failed: [FAILURE] },
      { suite: 'time', file: 'a', failed: [FAILURE] },
    ]);
  });

  it('fail the run if they fail twice, or if their second run ends early', () => {
    const failedTwice = withSecondTries(FIRST, [part('unit', file('b', 1, FAILURE)), part('time', file('a', 4))]);
    assert.equal(describeCounts(failedTwice), '8 passed, 1 failed');
    const endedEarly = [part('unit', file('b', 2)), part('time', file(null, 0, { title: 'ended early', error: '' }))];
    const files = withSecondTries(FIRST, endedEarly);
    assert.ok(!isGreen(files));
    assert.deepEqual(
      files.flatMap(({ failed }) => failed.map(({ title }) => title)),
      ['captures', 'ended early'],
    );
    assert.deepEqual(
      secondTries(FIRST, endedEarly).map(({ suite }) => suite),
      ['unit'],
    );
  });

  it('are no reason to run those again that passed', () => {
    assert.equal(filesToRepeat([part('unit', file('a', 3))]).size, 0);
  });
});

describe('the total of a run', () => {
  it('says what was skipped', () => {
    assert.equal(describeCounts([{ ...file('a', 3), skipped: ['needs Redis'] }]), '3 passed, 0 failed, 1 skipped');
  });

  it('is not green if nothing ran', () => {
    assert.ok(!isGreen([]));
  });
});
