import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { z } from 'zod';

const ABOUT_THE_CODE = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];
const DOCUMENTS = ['README.md', ...ABOUT_THE_CODE, ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);

const read = (document: string) => readFileSync(document, 'utf8');

describe('the names in the documents', () => {
  for (const document of ABOUT_THE_CODE) {
    it(`are those of files and folders that exist (${document})`, () => {
      const paths = [...read(document).matchAll(/`((?:[a-z][\w-]*|\.ci)\/[\w./-]*)`/g)].map(([, path = '']) => path);
      assert.ok(paths.length > 0);
      const ofProject = paths.filter((path) => existsSync(path.split('/')[0] ?? ''));
      assert.deepEqual(
        ofProject.filter((path) => !existsSync(path)),
        [],
      );
    });
  }

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
