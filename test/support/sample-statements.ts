import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Prisma } from '../../prisma/generated/client.ts';
import type { Statement } from '../../prisma/connection/statement.ts';

/** A statement of `prisma/queries`, built with sample arguments. */
export interface SampleStatement {
  /** The function that builds it. */
  readonly name: string;
  readonly args: readonly unknown[];
  readonly built: Statement<object> | Prisma.Sql;
}

type Build = (...args: readonly unknown[]) => Statement<object> | Prisma.Sql;
type Samples = Readonly<Record<string, readonly (readonly unknown[])[]>>;

const QUERIES = fileURLToPath(new URL('../../prisma/queries/', import.meta.url));
const SAMPLES = new URL('statement-samples/', import.meta.url);

/** The modules of `prisma/queries`, by the sources: the compiled folder may still have modules whose sources were deleted. */
export const STATEMENT_SUBJECTS = readdirSync(path.resolve('prisma/queries')).map((name) => path.basename(name, '.ts'));

/** Each statement of a module, once for each list of sample arguments. */
export async function sampleStatements(subject: string): Promise<readonly SampleStatement[]> {
  const module = (await import(path.join(QUERIES, `${subject}.js`))) as Readonly<Record<string, Build>>;
  const { samples } = (await import(new URL(`${subject}.js`, SAMPLES).href)) as { readonly samples: Samples };
  return Object.entries(samples).flatMap(([name, argumentLists]) => {
    const build = module[name];
    assert.ok(build !== undefined && argumentLists.length > 0, `${name} has a sample`);
    return argumentLists.map((args) => ({ name, args, built: build(...args) }));
  });
}
