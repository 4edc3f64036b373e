import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

const DOCUMENT = 'docs/security.md';

describe('the table of attacks in docs/security.md', () => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && !/^(attack|-+)$/.test(cells[1] ?? ''));

  it('names tests that exist', () => {
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(path.join('test', name), 'utf8'))
      .join('\n');
    const titles = rows.flatMap(([, , , , test = '']) => /^"(.*)"$/.exec(test)?.[1] ?? []);
    assert.ok(titles.length > 20);
    assert.deepEqual(
      titles.filter((title) => !tests.includes(`'${title}'`)),
      [],
    );
  });

  it('names files that exist', () => {
    const files = rows.flatMap(([, , , where = '']) => [...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    assert.deepEqual(
      files.filter((file) => !existsSync(file)),
      [],
    );
  });
});
