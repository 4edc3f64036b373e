import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createModules, greenAfter } from '../../../../scripts/tests/changed.ts';
import type { FileResult, PartResult } from '../../../../scripts/tests/results.ts';

describe('what a test file depends on', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'payment-engine-changed-'));
    write('a.test.js', "import { b } from './b.js';\nimport assert from 'node:assert';");
    write('b.js', "export { c } from './c.js';");
    write('c.js', 'export const c = 1;');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const inputs = () => createModules().inputsOf(path.join(folder, 'a.test.js'));

  it('changes with a module that it imports through another one', () => {
    const before = inputs();
    assert.deepEqual(inputs(), before);
    write('c.js', 'export const c = 2;');
    assert.notEqual(inputs().digest, before.digest);
  });

  it('includes other files if a module can read them or start programs', () => {
    assert.equal(inputs().reachesOut, false);
    write('c.js', "import { readFile } from 'node:fs/promises';");
    assert.equal(inputs().reachesOut, true);
    write('c.js', "const { spawn } = await import('node:child_process');");
    assert.equal(inputs().reachesOut, true);
  });

  it('includes other tests if the file names them', () => {
    assert.equal(inputs().namesTests, false);
    write('a.test.js', "const title = titleIn('b.test.ts');");
    assert.equal(inputs().namesTests, true);
  });
});

describe('files that have passed', () => {
  const digests = new Map([
    ['unit/a', 'a2'],
    ['unit/b', 'b2'],
    ['unit/c', 'c2'],
  ]);
  const file = (name: string, change: Partial<FileResult> = {}): FileResult => ({
    file: name,
    passes: 1,
    failed: [],
    skipped: [],
    ...change,
  });
  const run = (...files: readonly FileResult[]): readonly PartResult[] => [
    { name: 'unit', suite: 'unit', seconds: 1, files: [...files], fileTimes: [], startTimes: [] },
  ];

  it('are remembered with what they depended on, and forgotten when they fail or skip a test', () => {
    const before = { 'unit/a': 'a1', 'unit/b': 'b1', 'unit/c': 'c1', 'unit/d': 'd1' };
    const failed = [{ title: 'b', error: '' }];
    const results = run(file('a'), file('b', { passes: 0, failed }), file('c', { skipped: ['c'] }));
    assert.deepEqual(greenAfter(before, results, digests), { 'unit/a': 'a2', 'unit/d': 'd1' });
  });
});
