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
    compile(folder).then(() => nameDeclarationsAsPublished(path.join(outDir, 'types'))),
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

/** The page of payment links, with the checkout SDK in its script: the API serves both. */
async function buildPaymentPage(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist');
  await rm(outDir, { recursive: true, force: true });
  const license = await readFile(path.join(PROJECT_ROOT, 'node_modules', 'uqr', 'LICENSE'), 'utf8');
  await build({
    entryPoints: [path.join(folder, 'main.ts')],
    outfile: path.join(outDir, 'payment-page.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    footer: { js: `/*! Contains uqr.\n${license.trim()}\n*/` },
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'payment-page.css']) {
    await copyFile(path.join(folder, name), path.join(outDir, name));
  }
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
  const license = await readFile(path.join(PROJECT_ROOT, 'node_modules', 'minisearch', 'LICENSE.txt'), 'utf8');
  await build({
    entryPoints: [path.join(folder, 'page', 'docs.ts')],
    outfile: path.join(outDir, 'docs.js'),
    bundle: true,
    // Runs before the body is shown, which modules do not.
    format: 'iife',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    footer: { js: `/*! Contains minisearch.\n${license.trim()}\n*/` },
    logLevel: 'warning',
  });
  await compile(path.join(folder, 'page'));
}
