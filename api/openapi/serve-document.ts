import { Router } from 'express';
import type { ApiHandler } from '../../http/request-context.ts';
import { methodNotAllowed } from '../../http/method-not-allowed.ts';
import { CACHE_IMMUTABLE, serveStatic, type StaticContent } from '../../http/server/serve-static.ts';
import { type BuiltDocsFile, MISSING_DOCS_PAGE } from './docs-site.ts';
import type { OpenApiDocument } from './document.ts';

/** Allows only our own files: nothing inline, and requests to this API alone. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A new release may change the content under the same address. */
const CACHE_REVALIDATED = 'no-cache';

/**
 * `/openapi.json`, and `/docs` with its pages. Neither needs a key nor counts: they cost less than counting would.
 * @param site the pages and their files, as `readDocsSite` returns them
 */
export function serveDocument(createDocument: () => OpenApiDocument, site: readonly BuiltDocsFile[]): Router {
  const router = Router({ caseSensitive: true });
  const serve = (path: string, content: StaticContent) =>
    router
      .route(path)
      .get(serveStatic({ ...content, headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } }))
      .all(methodNotAllowed(['GET']));
  serve('/openapi.json', {
    type: 'application/json; charset=utf-8',
    content: () => Buffer.from(JSON.stringify(createDocument())),
    cacheControl: CACHE_REVALIDATED,
  });
  for (const { path, type, isImmutable, content } of site) {
    serve(path, { type, content: () => content, cacheControl: isImmutable ? CACHE_IMMUTABLE : CACHE_REVALIDATED });
  }
  const missing = site.find(({ path }) => path === MISSING_DOCS_PAGE);
  if (missing !== undefined) router.get('/docs/*path', missingPage(missing));
  return router;
}

/** Answers browsers with that page; programs get the API's own error. */
function missingPage({ type, content }: BuiltDocsFile): ApiHandler {
  return (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.status(404).set('Content-Security-Policy', CONTENT_SECURITY_POLICY).type(type).send(content);
  };
}
