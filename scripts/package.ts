import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { z } from 'zod';
import { messageOf } from '../domain/message-of.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { folderArgument } from './command-arguments.ts';
import { ENTRY_POINTS } from './package/entry-points.ts';

/** The files that the entry points read and do not import. */
const FILES = [
  'dist/workflow-bundle.js',
  'dist/workflow-build-id',
  'dashboard/dist',
  'docs/site/dist/served',
  'sdk/checkout/dist/checkout.js',
  'sdk/checkout/dist/frame',
  'sdk/payment-page/dist',
  'prisma/migrations',
];

/** Read by npm, and not part of the result. */
const NPM_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const PRODUCTION = ['--omit=dev', '--omit=optional'];

/** This machine in the names that native programs go by. */
const PROCESSOR = process.arch === 'x64' ? 'x86_64' : 'aarch64';
const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'apple-', win32: 'pc-windows-' };
const SYSTEM = SYSTEMS[process.platform] ?? 'unknown-linux-';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  type: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});
const licenseSchema = z.object({ id: z.string().optional(), name: z.string().optional() });
const sbomSchema = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z.array(z.object({ license: licenseSchema.optional(), expression: z.string().optional() })).default([]),
    }),
  ),
});

const run = promisify(execFile);

/** `npm run package -- FOLDER`: writes a folder with what the processes need in production, and nothing else. */
await runScript(async () => {
  const folder = await makeFolder();
  // An interrupted run must not look like a complete one.
  const draft = `${folder}.incomplete`;
  await rm(draft, { recursive: true, force: true });
  for (const file of [...(await importedFiles()), ...FILES, ...NPM_FILES]) {
    await cp(path.join(PROJECT_ROOT, file), path.join(draft, file), { recursive: true });
  }
  await npm(draft, ['ci', ...PRODUCTION, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
  await removeForeignPrograms(draft);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(path.join(draft, 'package.json'), 'utf8')));
  for (const file of NPM_FILES) await rm(path.join(draft, file));
  await writeFile(path.join(draft, 'package.json'), `${JSON.stringify({ ...manifest, private: true }, null, 2)}\n`);
  const printed = await npm(draft, ['sbom', ...PRODUCTION, '--sbom-format=cyclonedx', '--sbom-type=application']);
  // npm takes the folder's name for the application's.
  const sbom = printed.replace(`"name": "${path.basename(draft)}"`, `"name": "${manifest.name}"`);
  await writeFile(path.join(draft, 'sbom.cdx.json'), sbom);
  await writeFile(path.join(draft, 'licenses.txt'), licensesOf(sbom));
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  console.log(`Wrote ${folder}. Start what you need, for example: node ${path.join(folder, 'dist/api/main.js')}`);
});

/** Temporal's native client comes for every operating system and processor: about 30 MB each, of which one is loaded here. */
async function removeForeignPrograms(draft: string): Promise<void> {
  const folder = path.join(draft, 'node_modules', '@temporalio', 'core-bridge', 'releases');
  const targets = await readdir(folder);
  const own = targets.filter((target) => target.startsWith(`${PROCESSOR}-`) && target.includes(`-${SYSTEM}`));
  if (own.length === 0) return;
  for (const target of targets) if (!own.includes(target)) await rm(path.join(folder, target), { recursive: true });
}

async function makeFolder(): Promise<string> {
  const folder = folderArgument('package');
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new UserError(`${folder} cannot be made: ${String(error)}`);
  });
  if ((await readdir(folder)).length === 0) return folder;
  throw new UserError(`${folder} is not empty. Name a folder that does not exist yet.`);
}

/** The compiled files of the programs and of all that they import, as paths below the project's root. */
async function importedFiles(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: ENTRY_POINTS.map((entryPoint) => `dist/${entryPoint}.js`),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'package',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const options = { cwd, shell: process.platform === 'win32', maxBuffer: 100_000_000 };
  try {
    return (await run('npm', [...args, '--loglevel=error'], options)).stdout;
  } catch (error) {
    throw new UserError(`npm ${args[0] ?? ''} failed: ${messageOf(error)}`);
  }
}

/** A line for each package: its name, its version and its licence. */
function licensesOf(sbom: string): string {
  const { components } = sbomSchema.parse(JSON.parse(sbom));
  const lines = components.map(({ name, version, licenses }) => {
    const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
    return `${name} ${version}: ${names.join(', ') || 'see its folder'}`;
  });
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}
