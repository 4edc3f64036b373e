import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { folderArgument } from './command-arguments.ts';
import { compile, nameDeclarationsAsPublished } from './declarations.ts';

const SDK = path.join(PROJECT_ROOT, 'sdk');

const run = promisify(execFile);

/** `npm run pack-sdks -- FOLDER`: writes an npm archive of each SDK for TypeScript, and names them. */
await runScript(async () => {
  const folder = folderArgument('pack-sdks');
  await mkdir(folder, { recursive: true });
  // `npm run build` has built the checkout SDK.
  await buildServerSdk();
  for (const name of ['checkout', 'server']) console.log(path.join(folder, await pack(path.join(SDK, name), folder)));
});

/** One module for each module system, with declarations beside it. */
async function buildServerSdk(): Promise<void> {
  const folder = path.join(SDK, 'server');
  const [esm, cjs] = [path.join(folder, 'dist', 'esm'), path.join(folder, 'dist', 'cjs')];
  await rm(path.join(folder, 'dist'), { recursive: true, force: true });
  await compile(folder);
  await nameDeclarationsAsPublished(esm);
  await cp(esm, cjs, { recursive: true });
  await writeFile(path.join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
  await Promise.all([bundle(folder, esm, 'esm'), bundle(folder, cjs, 'cjs')]);
}

async function bundle(folder: string, outdir: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    entryPoints: [path.join(folder, 'index.ts')],
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format,
    logLevel: 'warning',
  });
}

/** @returns the name of the archive */
async function pack(sdk: string, destination: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', destination], {
    cwd: sdk,
    shell: process.platform === 'win32',
  });
  return stdout.trim();
}
