import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { digestOf } from '../http/server/serve-static.ts';
import type { DocsFile } from '../api/openapi/docs-site.ts';
import { renderPages, renderSearchEntries, renderSite } from '../docs/site/build-site.ts';
import { describeApi } from '../docs/site/described-api.ts';
import { GUIDE_FILES } from '../docs/site/guides.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';

const SITE_DIR = path.join(PROJECT_ROOT, 'docs', 'site');
const OUT_DIR = path.join(SITE_DIR, 'dist', 'served');

interface BuiltFile extends Omit<DocsFile, 'file'> {
  readonly content: string;
}

/** Writes the pages of `/docs` and the list by which the API serves them. */
const texts = new Map(
  await Promise.all(
    GUIDE_FILES.map(async (file) => [file, await readFile(path.join(PROJECT_ROOT, file), 'utf8')] as const),
  ),
);
const pages = renderPages({ document: JSON.parse(JSON.stringify(describeApi())), texts });
const assets = {
  style: asset('docs.css', 'text/css', await readFile(path.join(SITE_DIR, 'page', 'docs.css'), 'utf8')),
  script: asset('docs.js', 'text/javascript', await readFile(path.join(SITE_DIR, 'dist', 'page', 'docs.js'), 'utf8')),
  icon: asset('icon.svg', 'image/svg+xml', await readFile(path.join(SITE_DIR, 'page', 'icon.svg'), 'utf8')),
  search: asset('search.json', 'application/json', renderSearchEntries(pages)),
};
const site = renderSite(pages, {
  style: assets.style.path,
  script: assets.script.path,
  icon: assets.icon.path,
  search: assets.search.path,
});
const documents = [...site].map(([address, content]): BuiltFile => ({
  path: address,
  type: 'text/html; charset=utf-8',
  isImmutable: false,
  content,
}));
await writeSite([...documents, ...Object.values(assets)]);

/** A file under a name that changes with its content. */
function asset(name: string, type: string, content: string): BuiltFile {
  const digest = digestOf(Buffer.from(content));
  return {
    path: `/docs/assets/${name.replace(/(?=\.\w+$)/, `.${digest}`)}`,
    type: `${type}; charset=utf-8`,
    isImmutable: true,
    content,
  };
}

async function writeSite(files: readonly BuiltFile[]): Promise<void> {
  await rm(OUT_DIR, { recursive: true, force: true });
  await mkdir(OUT_DIR, { recursive: true });
  const manifest = await Promise.all(
    files.map(async ({ content, ...rest }, index): Promise<DocsFile> => {
      const file = `${index}-${path.posix.basename(rest.path)}`;
      await writeFile(path.join(OUT_DIR, file), content);
      return { ...rest, file };
    }),
  );
  await writeFile(path.join(OUT_DIR, 'manifest.json'), JSON.stringify(manifest, null, 2));
}
