import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';

/** Compiles programs that use the SDKs under strict type checks. @param sources their texts by file name */
export async function compileStrictly(sources: ReadonlyMap<string, string>, lib: readonly string[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'samples-'));
  try {
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration(lib)));
    for (const [name, source] of sources) await writeFile(path.join(folder, name), source);
    const tsc = path.join(PROJECT_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch(
      (error: { stdout?: string }) => assert.fail(error.stdout ?? String(error)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configuration(lib: readonly string[]) {
  const source = (name: string) => [path.join(PROJECT_ROOT, 'sdk', name, 'index.ts')];
  return {
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [path.join(PROJECT_ROOT, 'node_modules', '@types')],
      paths: { '@payment-engine/checkout': source('checkout'), '@payment-engine/server': source('server') },
    },
    include: ['*.ts'],
  };
}
