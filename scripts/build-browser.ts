import { spawn } from 'node:child_process';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { UserError } from '../domain/user-error.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';

/** Builds what runs in browsers: the checkout SDK, as one module and its types, and the page of the demo shop. */
await Promise.all([
  buildCheckoutSdk(path.join(PROJECT_ROOT, 'sdk', 'checkout')),
  buildDemoPage(path.join(PROJECT_ROOT, 'sandbox', 'demo-shop')),
]);

async function buildCheckoutSdk(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist');
  await rm(outDir, { recursive: true, force: true });
  const license = await readFile(path.join(PROJECT_ROOT, 'node_modules', 'uqr', 'LICENSE'), 'utf8');
  await Promise.all([
    build({
      entryPoints: [path.join(folder, 'index.ts')],
      outfile: path.join(outDir, 'checkout.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      footer: { js: `/*! Contains uqr.\n${license.trim()}\n*/` },
      logLevel: 'warning',
    }),
    buildCardFrame(path.join(folder, 'frame'), path.join(outDir, 'frame')),
    checkTypes(folder).then(() => nameDeclarationsAsPublished(path.join(outDir, 'types'))),
  ]);
}

/** The page in the frame of the card fields, which the API serves. */
async function buildCardFrame(folder: string, outDir: string): Promise<void> {
  const licenses = await Promise.all(
    ['card-validator', 'credit-card-type'].map((name) =>
      readFile(path.join(PROJECT_ROOT, 'node_modules', name, 'LICENSE'), 'utf8'),
    ),
  );
  await build({
    entryPoints: [path.join(folder, 'main.ts')],
    outfile: path.join(outDir, 'card-fields.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    footer: {
      js: `/*! Contains card-validator and credit-card-type.\n${licenses.map((text) => text.trim()).join('\n\n')}\n*/`,
    },
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'card-fields.css'])
    await copyFile(path.join(folder, name), path.join(outDir, name));
}

async function buildDemoPage(folder: string): Promise<void> {
  const page = path.join(folder, 'page');
  const outDir = path.join(folder, 'dist');
  await rm(outDir, { recursive: true, force: true });
  await build({
    entryPoints: [path.join(page, 'shop.ts')],
    outfile: path.join(outDir, 'shop.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    // The page loads it from the API, by a URL with its hash.
    external: ['@payment-engine/checkout'],
    logLevel: 'warning',
  });
  await copyFile(path.join(page, 'shop.css'), path.join(outDir, 'shop.css'));
  await checkTypes(page);
}

async function checkTypes(folder: string): Promise<void> {
  const tsc = path.join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new UserError(`The types of ${path.relative(PROJECT_ROOT, folder)} are wrong.`);
}

/** Older compilers look for declarations under the name of the code only. */
async function nameDeclarationsAsPublished(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.d.ts'))) {
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/(?<=from '\.{1,2}\/[\w/-]+)\.ts(?=')/g, '.js'));
  }
}
