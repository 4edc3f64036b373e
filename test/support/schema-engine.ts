import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const SCHEMA_FILE = 'prisma/schema.prisma';
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The part of the global that is used; its types come only with those of browsers. */
declare const WebAssembly: {
  instantiate(
    binary: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: Record<string, () => void> } }>;
};

/**
 * The SQL that makes the tables of the Prisma schema in an empty database, from Prisma's own engine. `prisma migrate diff`
 * would download that engine; this one is a package.
 * @param url of a database the engine may connect to
 */
export async function schemaAsSql(url: string): Promise<string> {
  await loadEngine();
  const content = await readFile(SCHEMA_FILE, 'utf8');
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(url));
  const engine = await bindings.SchemaEngine.new({ datamodels: [[SCHEMA_FILE, content]] }, () => undefined, adapter);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [{ path: SCHEMA_FILE, content }] },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return stdout ?? '';
  } finally {
    engine.free();
  }
}

/** Node cannot import WebAssembly modules by name without a flag. */
async function loadEngine(): Promise<void> {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const binary = await readFile(glue.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(binary, { './schema_engine_bg.js': { ...bindings } });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
}
