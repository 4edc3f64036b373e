import { createHash } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { z } from 'zod';
import { requireLocalHost } from '../require-local-host.ts';
import { METHODS, type Shop, ShopError } from './shop.ts';
import type { ShopPage } from './page.ts';

export interface DemoDependencies {
  readonly shop: Shop;
  readonly page: ShopPage;
  /** The API's address for browsers. */
  readonly apiUrl: string;
  /** Names and addresses besides loopback that browsers reach the shop by. */
  readonly hosts: readonly string[];
}

const paymentBody = z.strictObject({ method: z.enum(METHODS), scenario: z.string().max(40).optional() });
const settleBody = z.strictObject({ outcome: z.enum(['approved', 'declined']) });

/** The demo shop: a page, and the server side that keeps the API key away from it. */
export function createDemoApp({ shop, page, apiUrl, hosts }: DemoDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(
    requireLocalHost({ hosts, refuse: (response, status, message) => void response.status(status).json({ message }) }),
  );
  app.use(refuseOtherSites);

  app.get('/', (_request, response) => response.redirect(302, '/demo'));
  app.get('/demo', async (_request, response) => {
    const { html, importMap } = page.render(await shop.readSdk());
    response.set('Content-Security-Policy', contentSecurityPolicy(apiUrl, importMap)).type('html').send(html);
  });
  app.use('/demo', express.static(page.assets, { redirect: false }));

  app.use(express.json({ limit: '4kb' }));
  app.post('/demo/payments', async (request, response) => {
    const { method, scenario = null } = paymentBody.parse(request.body);
    const payment = await shop.createPayment(method, scenario);
    response.status(201).json({ data: { ...payment, apiUrl } });
  });
  app.post('/demo/payments/:id/settle', async (request, response) => {
    await shop.settle(request.params.id, settleBody.parse(request.body).outcome);
    response.json({ data: {} });
  });
  app.get('/demo/payments/:id/timeline', async (request, response) => {
    response.json({ data: await shop.readTimeline(request.params.id) });
  });
  app.use((_request, response) => void response.status(404).json({ message: 'There is nothing at this address.' }));
  app.use(answerFailure);
  return app;
}

/** What is done here is for the shop's own page; browsers say where a request comes from. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (request.method === 'GET' || request.get('sec-fetch-site') === 'same-origin') next();
  else response.status(403).json({ message: 'Only the shop itself may ask for that.' });
};

/** The page runs what it was sent with and the SDK of that hash, and talks to the shop and the API. */
function contentSecurityPolicy(apiUrl: string, importMap: string): string {
  const importMapHash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' ${apiUrl} 'sha256-${importMapHash}'`,
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${apiUrl} ${apiUrl.replace(/^http/, 'ws')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

const answerFailure: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
  if (response.headersSent) return next(thrown);
  if (thrown instanceof ShopError) return void response.status(thrown.status).json({ message: thrown.message });
  const isBadInput = thrown instanceof z.ZodError || thrown instanceof SyntaxError;
  const message = isBadInput ? 'The shop did not understand that.' : 'The payment engine cannot be reached just now.';
  response.status(isBadInput ? 400 : 502).json({ message });
};
