import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../../protocol/search-attributes.ts';
import { DOCUMENTS } from '../../support/documents.ts';

const read = (document: string) => readFileSync(document, 'utf8');

describe('the names in the documents', () => {
  it('are those of files and folders that exist', () => {
    const named = DOCUMENTS.flatMap((document) =>
      [...read(document).matchAll(/`((?:[a-z][\w-]*|\.ci)\/[\w./-]*)`/g)].map(([, path = '']) => ({ document, path })),
    );
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter(({ path }) => existsSync(path.split('/')[0] ?? '') && !existsSync(path)),
      [],
    );
  });

  it('are those of all search attributes (docs/operations/temporal.md)', () => {
    const [, section = ''] = read('docs/operations/temporal.md').split('## Search attributes');
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    assert.deepEqual(
      named.sort(),
      Object.values(SEARCH_ATTRIBUTES)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('are those of commands that exist', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const named = DOCUMENTS.flatMap((document) =>
      [...read(document).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
    );
    assert.ok(named.length > 0);
    assert.deepEqual(
      [...new Set(named)].filter((name) => !Object.hasOwn(scripts, name)),
      [],
    );
  });
});
