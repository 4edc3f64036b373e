import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import helmet from 'helmet';
import type { ApiHandler, ApiResponse } from '../../http/request-context.ts';
import { isSecure } from './auth.ts';
import { preferCompressed } from './compressed-files.ts';

/** Where the build puts the pages: `index.html`, `sign-in.html`, and files below `assets` whose names change with their content. */
const BUILT_FOLDER = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url));
/** Stands in `index.html` for the nonce of each response, without which the browser refuses styles that scripts add. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const NONCE_BYTES = 16;
const NOT_BUILT =
  '<!doctype html><html lang="en"><title>Dashboard</title><p>The pages of the dashboard are not built.</p></html>';

/** Headers of every response: no script but the dashboard's own files, no frame around it, no address to other sites. */
export function securityHeaders(publicUrl: string): ApiHandler {
  const secure = isSecure(publicUrl);
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as ApiResponse)}'`],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  });
  return (request, response, next) => {
    response.locals.nonce = randomBytes(NONCE_BYTES).toString('base64');
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    protect(request, response, next);
  };
}

function nonceOf(response: ApiResponse): string {
  return response.locals.nonce ?? '';
}

/** The page that is served by itself, because it loads nothing of the rest. */
const SIGN_IN = '/sign-in';

/** Serves the pages: files as they are, that of the sign-in, and `index.html` for every other address, which its script knows. */
export function createPagesRouter(folder = BUILT_FOLDER): Router {
  const router = Router();
  router.use(
    '/assets',
    preferCompressed(path.join(folder, 'assets')),
    express.static(path.join(folder, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      fallthrough: false,
    }),
  );
  const serve =
    (file: string): ApiHandler =>
    async (request, response, next) => {
      if (!['GET', 'HEAD'].includes(request.method) || request.accepts('html') === false) return next();
      // Read each time: after a build it names other files.
      const html = await readFile(path.join(folder, file), 'utf8').catch(() => NOT_BUILT);
      response.set('Cache-Control', 'no-store');
      response.type('html').send(html.replaceAll(NONCE_PLACEHOLDER, nonceOf(response)));
    };
  router.use(SIGN_IN, serve('sign-in.html'));
  router.use(express.static(folder, { index: false, redirect: false, maxAge: '1h' }));
  router.use(serve('index.html'));
  return router;
}
