import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { compressFiles } from './compress-files.ts';

const APP = path.join(PROJECT_ROOT, 'dashboard', 'app');
const OUTPUT = path.join(PROJECT_ROOT, 'dashboard', 'dist');
/** The server puts the nonce of its response here. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** What every page of an account needs. */
const DASHBOARD = path.join(APP, 'shell', 'dashboard.tsx');
/** The page of the sign-in needs nothing of it, and loads it while somebody types. */
const PAGES = { index: path.join(APP, 'index.html'), 'sign-in': path.join(APP, 'sign-in.html') };
/**
 * Packages that go into one file each time, with the packages that they import: what every page needs, and what react-admin adds to
 * it. Otherwise there is a small file for each set of pages that share a module, and browsers load six at once over HTTP/1.1.
 */
const PACKAGES = [
  { name: 'base', test: /node_modules[\\/](?:react|react-dom|react-router|@emotion|@mui[\\/]material)[\\/]/ },
  { name: 'admin', test: /node_modules[\\/](?:react-admin|ra-[\w-]+)[\\/]/ },
] as const;

/** Builds the pages of the dashboard into `dashboard/dist`, with compressed copies. */
await build({
  root: APP,
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), preload(DASHBOARD, PAGES)],
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
    rolldownOptions: { input: PAGES, output: { codeSplitting: { groups: [...PACKAGES] } } },
  },
});
await compressFiles(path.join(OUTPUT, 'assets'));

/** Has browsers load a module that the entry of the dashboard imports later beside the entry, or after the page of the sign-in. */
function preload(moduleId: string, { index, 'sign-in': signIn }: typeof PAGES): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, filename }): HtmlTagDescriptor[] {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
        const filesOf = (id: string): readonly string[] => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id);
          if (chunk === undefined) throw new Error(`No file is made of ${id}.`);
          return [chunk.fileName, ...chunk.imports];
        };
        if (filename === signIn) {
          const files = new Set([...filesOf(index), ...filesOf(moduleId)]);
          const content = [...files].map((file) => `/${file}`).join(' ');
          return [{ tag: 'meta', attrs: { name: 'after-sign-in', content }, injectTo: 'head' }];
        }
        return filesOf(moduleId)
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
}
