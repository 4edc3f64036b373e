import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const BUILT_FOLDER = new URL('../../../docs/site/dist/served/', import.meta.url);

/** The page that browsers get at an address below /docs without one. */
export const MISSING_DOCS_PAGE = '/docs/not-found';

const docsFile = z.object({
  /** Where it is served. */
  path: z.string().startsWith('/docs'),
  /** In the folder of the build. */
  file: z.string(),
  type: z.string(),
  /** Whether its address changes with its content. */
  isImmutable: z.boolean(),
});
export type DocsFile = z.infer<typeof docsFile>;

/** A file of the documentation as it was built. */
export interface BuiltDocsFile extends Omit<DocsFile, 'file'> {
  readonly content: Buffer;
}

/** Reads the build of `docs/site`. @throws Error when it was not built */
export async function readDocsSite(): Promise<readonly BuiltDocsFile[]> {
  const manifest = z.array(docsFile).parse(JSON.parse(await readFile(new URL('manifest.json', BUILT_FOLDER), 'utf8')));
  return Promise.all(
    manifest.map(async ({ file, ...rest }) => ({ ...rest, content: await readFile(new URL(file, BUILT_FOLDER)) })),
  );
}
