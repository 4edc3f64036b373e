import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

const FOLDER = 'docs/security';
/** Has titles of tests, too. */
const SCENARIOS = 'sdk/conformance/scenarios.ts';

describe('the attacks in docs/security', () => {
  const entries = readdirSync(FOLDER).flatMap((name) =>
    readFileSync(path.join(FOLDER, name), 'utf8')
      .split(/^- (?=\*\*)/m)
      .slice(1),
  );
  const proofs = entries.map((entry) => /^ {2}\((.*)\)$/m.exec(entry)?.[1] ?? assert.fail(entry));

  it('name tests that exist', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.join('test', name));
    const tests = [...files, SCENARIOS].map((file) => readFileSync(file, 'utf8')).join('\n');
    const titles = proofs.flatMap((proof) => /test "(.*)"$/.exec(proof)?.[1] ?? []);
    assert.ok(titles.length > 150);
    assert.deepEqual(
      titles.filter((title) => !tests.includes(`'${title}'`)),
      [],
    );
  });

  it('name files that exist', () => {
    const files = proofs.flatMap((proof) => [...proof.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    assert.ok(files.length > 150);
    assert.deepEqual(
      files.filter((file) => !existsSync(file)),
      [],
    );
  });
});
