import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { compile, nameDeclarationsAsPublished } from './declarations.ts';

/** Builds what runs in browsers: the checkout SDK, as one module and its types, the pages of payment links and of the demo shop, and the script of `/docs`. */
await Promise.all([
  buildCheckoutSdk(path.join(PROJECT_ROOT, 'sdk', 'checkout')),
  buildPaymentPage(path.join(PROJECT_ROOT, 'sdk', 'payment-page')),
  buildDemoPage(path.join(PROJECT_ROOT, 'sandbox', 'demo-shop')),
  buildDocsScript(path.join(PROJECT_ROOT, 'docs', 'site')),
]);

async function buildCheckoutSdk(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist');
  await rm(outDir, { recursive: true, force: true });
  await Promise.all([
    bundle(path.join(folder, 'index.ts'), path.join(outDir, 'checkout.js'), { uqr: 'LICENSE' }),
    buildCardFrame(path.join(folder, 'frame'), path.join(outDir, 'frame')),
    compile(folder).then(() => nameDeclarationsAsPublished(path.join(outDir, 'types'))),
  ]);
}

/** The page in the frame of the card fields, which the API serves. */
async function buildCardFrame(folder: string, outDir: string): Promise<void> {
  const licenses = { 'card-validator': 'LICENSE', 'credit-card-type': 'LICENSE' };
  await bundle(path.join(folder, 'main.ts'), path.join(outDir, 'card-fields.js'), licenses);
  await copyFiles(folder, outDir, ['index.html', 'card-fields.css']);
}

/** The page of payment links, with the checkout SDK in its script: the API serves both. */
async function buildPaymentPage(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist');
  await rm(outDir, { recursive: true, force: true });
  await bundle(path.join(folder, 'main.ts'), path.join(outDir, 'payment-page.js'), { uqr: 'LICENSE' });
  await copyFiles(folder, outDir, ['index.html', 'payment-page.css']);
  await compile(folder);
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
  await compile(page);
}

async function buildDocsScript(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist', 'page');
  await rm(outDir, { recursive: true, force: true });
  // Runs before the body is shown, which modules do not.
  const minisearch = { minisearch: 'LICENSE.txt' };
  await bundle(path.join(folder, 'page', 'docs.ts'), path.join(outDir, 'docs.js'), minisearch, 'iife');
  await compile(path.join(folder, 'page'));
}

/** @param licenses the file of the license of each package that becomes part of the script */
async function bundle(
  entry: string,
  outfile: string,
  licenses: Readonly<Record<string, string>>,
  format: 'esm' | 'iife' = 'esm',
): Promise<void> {
  const texts = await Promise.all(
    Object.entries(licenses).map(([name, file]) =>
      readFile(path.join(PROJECT_ROOT, 'node_modules', name, file), 'utf8'),
    ),
  );
  const contents = `Contains ${Object.keys(licenses).join(' and ')}.`;
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format,
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    footer: { js: `/*! ${contents}\n${texts.map((text) => text.trim()).join('\n\n')}\n*/` },
    logLevel: 'warning',
  });
}

async function copyFiles(folder: string, outDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await copyFile(path.join(folder, name), path.join(outDir, name));
}
