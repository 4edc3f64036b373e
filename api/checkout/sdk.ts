import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import { jsonResponse, sendResponse } from '../../http/response.ts';
import type { ApiHandler } from '../../http/request-context.ts';
import { reportingDirectives, reportingHeader } from '../policy-reports.ts';
import { CACHE_IMMUTABLE, digestOf, serveStatic } from '../../http/server/serve-static.ts';

/** The checkout SDK as it was built: one module for browsers, and the page in the frame of its card fields. */
export interface CheckoutSdk {
  readonly code: Buffer;
  readonly cardFields: { readonly html: string; readonly script: Buffer; readonly style: Buffer };
}

const BUILT_FOLDER = new URL('../../../sdk/checkout/dist/', import.meta.url);
const MOUNTED_AT = '/sdk/checkout/v1';
/** The URL without a digest always serves the current build, so caches may keep it only briefly. */
const CURRENT_CACHE = 'public, max-age=300';

/** Reads the build of `sdk/checkout`. @throws Error when it was not built */
export async function readCheckoutSdk(): Promise<CheckoutSdk> {
  const [code, html, script, style] = await Promise.all(
    ['checkout.js', 'frame/index.html', 'frame/card-fields.js', 'frame/card-fields.css'].map((name) =>
      readFile(new URL(name, BUILT_FOLDER)),
    ),
  );
  if (code === undefined || html === undefined || script === undefined || style === undefined) {
    throw new Error('the checkout SDK was not built');
  }
  return { code, cardFields: { html: html.toString('utf8'), script, style } };
}

/**
 * Serves the SDK to pages of any origin: `checkout.js`, the same under a name that changes with its content and may be
 * cached for ever, and `integrity.json` with that name and its integrity hash. `card-fields` is the page in the frame of the
 * card fields.
 * @param frameOrigins the pages that may embed it; an empty list allows every page over HTTPS, and pages of this machine
 */
export function createCheckoutSdkRouter({ code, cardFields }: CheckoutSdk, frameOrigins: readonly string[]): Router {
  const fixedName = `checkout.${digestOf(code)}.js`;
  const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const description = jsonResponse(200, {
    current: `${MOUNTED_AT}/checkout.js`,
    fixed: `${MOUNTED_AT}/${fixedName}`,
    integrity,
  });
  const describe: ApiHandler = (_request, response) => {
    response.set('Cache-Control', CURRENT_CACHE);
    sendResponse(response, description);
  };
  const serve = (cacheControl: string) => serveStatic({ type: 'text/javascript', content: () => code, cacheControl });

  const router = Router({ caseSensitive: true });
  router.use(allowAnyOrigin);
  router.get('/checkout.js', serve(CURRENT_CACHE));
  router.get(`/${fixedName}`, serve(CACHE_IMMUTABLE));
  router.get('/integrity.json', describe);
  serveCardFields(router, cardFields, frameOrigins);
  return router;
}

const ANY_SECURE_PAGE = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

/** The page holds card data, so it may neither load from nor send to any other origin. */
function serveCardFields(router: Router, fields: CheckoutSdk['cardFields'], frameOrigins: readonly string[]): void {
  const { html, script, style, policy } = servedCardFields(fields, frameOrigins);
  const headers = {
    'Content-Security-Policy': policy,
    ...reportingHeader('card-fields'),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=()',
  };
  const serve = (type: string, content: Buffer, cacheControl: string, more = {}) =>
    serveStatic({ type, content: () => content, cacheControl, headers: more });
  router.get('/card-fields', serve('text/html', html, CURRENT_CACHE, headers));
  router.get(`/${script.path}`, serve('text/javascript', script.content, CACHE_IMMUTABLE));
  router.get(`/${style.path}`, serve('text/css', style.content, CACHE_IMMUTABLE));
}

/** The card fields as browsers get them, with the names of their files beside them and their policy. */
export function servedCardFields({ html, script, style }: CheckoutSdk['cardFields'], frameOrigins: readonly string[]) {
  const [scriptName, styleName] = [`card-fields.${digestOf(script)}.js`, `card-fields.${digestOf(style)}.css`];
  const page = html.replace('<!-- style -->', styleName).replace('<!-- script -->', scriptName);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${(frameOrigins.length === 0 ? ANY_SECURE_PAGE : frameOrigins).join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...reportingDirectives('card-fields'),
  ];
  return {
    html: Buffer.from(page),
    policy: policy.join('; '),
    script: { path: scriptName, content: script },
    style: { path: styleName, content: style },
  };
}

const allowAnyOrigin: ApiHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};
