import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import { jsonResponse, sendResponse } from '../response.ts';
import type { ApiHandler } from '../middleware/request-context.ts';
import { CACHE_IMMUTABLE, digestOf, serveStatic } from '../server/serve-static.ts';

/** The checkout SDK as it was built: one module for browsers. */
export interface CheckoutSdk {
  readonly code: Buffer;
}

const BUILT_FILE = new URL('../../../sdk/checkout/dist/checkout.js', import.meta.url);
const MOUNTED_AT = '/sdk/checkout/v1';
/** The URL without a digest always serves the current build, so caches may keep it only briefly. */
const CURRENT_CACHE = 'public, max-age=300';

/** Reads the build of `sdk/checkout`. @throws Error when it was not built */
export async function readCheckoutSdk(): Promise<CheckoutSdk> {
  return { code: await readFile(BUILT_FILE) };
}

/**
 * Serves the SDK to pages of any origin: `checkout.js`, the same under a name that changes with its content and may be
 * cached for ever, and `integrity.json` with that name and its integrity hash.
 */
export function createCheckoutSdkRouter({ code }: CheckoutSdk): Router {
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
  return router;
}

const allowAnyOrigin: ApiHandler = (_request, response, next) => {
  response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
  next();
};
