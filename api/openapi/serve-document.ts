import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { refuseOtherMethods } from '../mount-endpoints.ts';
import type { ApiHandler } from '../request-context.ts';
import type { OpenApiDocument } from './document.ts';

/** The viewer's files, from its package. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** Nothing but our own files; the viewer sets styles from its script, which needs no exception. */
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

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Payment engine: API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <main id="viewer"></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
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
export function serveDocument(document: OpenApiDocument): Router {
  const router = Router({ caseSensitive: true });
  const pages: Readonly<Record<string, ApiHandler>> = {
    '/openapi.json': sendFixed('application/json; charset=utf-8', JSON.stringify(document)),
    '/docs': sendFixed('text/html; charset=utf-8', PAGE),
    '/docs/show.js': sendFixed('text/javascript; charset=utf-8', SHOW),
    ...Object.fromEntries(ASSETS.map((asset) => [`/docs/${asset}`, sendAsset(asset)])),
  };
  for (const [path, handler] of Object.entries(pages)) {
    router
      .route(path)
      .get(handler)
      .all(refuseOtherMethods(['GET']));
  }
  return router;
}

/** Text that never changes while the process lives; a client that has it already is told so. */
function sendFixed(type: string, text: string): ApiHandler {
  const body = Buffer.from(text);
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return (request, response) => {
    response.set({ 'Cache-Control': 'no-cache', ETag: tag, 'Content-Security-Policy': CONTENT_SECURITY_POLICY });
    if (request.get('if-none-match') === tag) {
      response.status(304).end();
      return;
    }
    response.type(type).send(body);
  };
}

function sendAsset(name: string): ApiHandler {
  const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
  return (_request, response, next) => {
    response.set('Cache-Control', 'no-cache');
    response.sendFile(file, (error?: Error) => {
      if (error !== undefined) next(error);
    });
  };
}
