import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { methodNotAllowed } from '../resources/mount-operations.ts';
import { digestOf, type StaticContent, CACHE_IMMUTABLE, serveStatic } from '../server/serve-static.ts';
import type { OpenApiDocument } from './document.ts';

/** The viewer's files, from its package. */
const ASSETS = {
  style: { file: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  script: { file: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  icon: { file: 'favicon-32x32.png', type: 'image/png' },
} as const;

/** Allows only our own files; the viewer sets styles from its script, which needs no exception. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageOf = (paths: Readonly<Record<keyof typeof ASSETS, string>>): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Payment engine: API</title>
    <link rel="stylesheet" href="${paths.style}">
    <link rel="icon" href="${paths.icon}">
  </head>
  <body>
    <main id="viewer"></main>
    <script src="${paths.script}"></script>
    <script src="/docs/show.js"></script>
  </body>
</html>
`;

/** Requests are not sent from the page: signing them would need the secret salt in a browser. */
const SHOW = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  supportedSubmitMethods: [],
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: true,
});
`;

/** `/openapi.json`, and `/docs`, which shows it. Neither needs a key nor counts: they cost less than counting would. */
export function serveDocument(createDocument: () => OpenApiDocument): Router {
  const router = Router({ caseSensitive: true });
  const assets = { style: asset('style'), script: asset('script'), icon: asset('icon') };
  const { style, script, icon } = assets;
  const page = pageOf({ style: style.path, script: script.path, icon: icon.path });
  const files: readonly ServedFile[] = [
    text('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(createDocument())),
    text('/docs', 'text/html; charset=utf-8', () => page),
    text('/docs/show.js', 'text/javascript; charset=utf-8', () => SHOW),
    ...Object.values(assets),
  ];
  for (const { path, ...content } of files) {
    router
      .route(path)
      .get(serveStatic({ ...content, headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } }))
      .all(methodNotAllowed(['GET']));
  }
  return router;
}

interface ServedFile extends StaticContent {
  readonly path: string;
}

/** Content that a new release may change under the same name. */
function text(path: string, type: string, content: () => string): ServedFile {
  return { path, type, content: () => Buffer.from(content()), cacheControl: 'no-cache' };
}

/** A file of the viewer, under a name that changes with its content. */
function asset(name: keyof typeof ASSETS): ServedFile {
  const { file, type } = ASSETS[name];
  const content = readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)));
  const path = `/docs/${file.replace(/(?=\.\w+$)/, `.${digestOf(content)}`)}`;
  return { path, type, content: () => content, cacheControl: CACHE_IMMUTABLE };
}
