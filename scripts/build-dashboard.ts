import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { compressFiles } from './compress-files.ts';
import { compile } from './declarations.ts';

const APP = path.join(PROJECT_ROOT, 'dashboard', 'app');
const OUTPUT = path.join(PROJECT_ROOT, 'dashboard', 'dist');
/** The server puts the nonce of its response here. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Builds the pages of the dashboard into `dashboard/dist`, with compressed copies, and checks their types meanwhile. */
await Promise.all([
  compile(APP),
  build({
    root: APP,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    html: { cspNonce: NONCE_PLACEHOLDER },
    build: {
      outDir: OUTPUT,
      emptyOutDir: true,
      target: 'es2023',
      // Scripts in the page's text are against its security policy.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2_000,
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' },
    },
  }),
]);
await compressFiles(path.join(OUTPUT, 'assets'));
