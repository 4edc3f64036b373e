import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { slugOf } from '../../../docs/site/markdown.ts';
import { DOCUMENTS } from '../../support/documents.ts';

/** Folders whose messages and comments name documents. */
const SOURCES = ['api', 'bench', 'cluster', 'config', 'dashboard', 'deploy', 'docs', 'prisma', 'scripts', 'vault'];

describe('the links between documents', () => {
  it('lead to files, and to headings in them', () => {
    assert.deepEqual(DOCUMENTS.flatMap(brokenLinksIn), []);
  });

  it('lead to every document', () => {
    const linked = DOCUMENTS.flatMap((file) =>
      linksIn(file)
        .map((href) => targetOf(file, href))
        .filter((target) => target !== file),
    );
    assert.deepEqual(
      DOCUMENTS.filter((document) => !linked.includes(document)),
      [],
    );
  });

  it('lead to documents that exist, in messages and comments too', () => {
    const named = SOURCES.flatMap(filesBelow)
      .filter((file) => /\.(ts|tsx|mjs|yaml|sql|prisma)$/.test(file))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([document]) => ({ file, document })),
      );
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter(({ document }) => !existsSync(document)),
      [],
    );
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

function brokenLinksIn(file: string): string[] {
  return linksIn(file)
    .filter((href) => !leadsSomewhere(file, href))
    .map((href) => `${file}: ${href}`);
}

/** The links to files and headings of the project. */
function linksIn(file: string): string[] {
  return [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^(https?:|\/)/.test(href));
}

function targetOf(file: string, href: string): string {
  const [relative = ''] = href.split('#');
  return relative === '' ? file : path.posix.join(path.posix.dirname(file), relative);
}

function leadsSomewhere(file: string, href: string): boolean {
  const target = targetOf(file, href);
  const [, anchor] = href.split('#');
  return existsSync(target) && (anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor));
}

function anchorsOf(document: string): string[] {
  return [...withoutCode(document).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slugOf(title));
}

function withoutCode(document: string): string {
  return document.replaceAll(/^```.*?^```$/gms, '');
}
