import { createHash } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { z } from 'zod';
import { requireLocalHost } from '../require-local-host.ts';
import { ShopError } from './engine.ts';
import { newNumber, numberOfCookie } from './order-cookie.ts';
import type { Order } from './orders.ts';
import type { ShopPage } from './page.ts';
import { METHODS, type Shop } from './shop.ts';

export interface DemoDependencies {
  readonly shop: Shop;
  readonly page: ShopPage;
  /** The API's address for browsers. */
  readonly apiUrl: string;
  /** Names and addresses besides loopback that browsers reach the shop by. */
  readonly hosts: readonly string[];
  /** Whether browsers reach the shop over HTTPS. */
  readonly isSecure: boolean;
}

const paymentBody = z.strictObject({ method: z.enum(METHODS), scenario: z.string().max(40).optional() });
const settleBody = z.strictObject({ outcome: z.enum(['approved', 'declined']) });

/**
 * The demo shop: a page, and the server side that keeps the API key away from it. A cookie names the visitor's order, so
 * that a page that is loaded again gets the same order, and with it the client secret of its payment.
 */
export function createDemoApp({ shop, page, apiUrl, hosts, isSecure }: DemoDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(
    requireLocalHost({ hosts, refuse: (response, status, message) => void response.status(status).json({ message }) }),
  );
  app.use(refuseOtherSites);

  /** Begins an order of the visitor, who becomes a customer with it. */
  const beginOrder = (request: Request, response: Response): Order => {
    const { number, cookie } = newNumber('order', isSecure);
    response.append('Set-Cookie', cookie);
    const order = { number, customer: numberOfCookie('customer', request) ?? makeCustomer(response) };
    shop.beginOrder(order);
    return order;
  };
  const makeCustomer = (response: Response): string => {
    const { number, cookie } = newNumber('customer', isSecure);
    response.append('Set-Cookie', cookie);
    return number;
  };
  const presentOrder = async (order: Order) => {
    const [payment, savedCards] = await Promise.all([shop.readPayment(order), shop.readSavedCards(order.customer)]);
    return { number: order.number, apiUrl, payment, savedCards };
  };

  app.get('/', (_request, response) => response.redirect(302, '/demo'));
  app.get('/demo', async (request, response) => {
    const { html, importMap } = page.render(await shop.readSdk());
    if (orderOf(request) === null) beginOrder(request, response);
    response.set('Content-Security-Policy', contentSecurityPolicy(apiUrl, importMap)).type('html').send(html);
  });
  app.use('/demo', express.static(page.assets, { redirect: false }));

  app.use(express.json({ limit: '4kb' }));
  app.get('/demo/order', async (request, response) => {
    response.json({ data: await presentOrder(orderOf(request) ?? beginOrder(request, response)) });
  });
  // The next order begins once this one is paid; until then there is nothing else to pay.
  app.post('/demo/order/next', async (request, response) => {
    const order = orderOf(request);
    const isOpen = order !== null && !(await shop.isPaid(order));
    response.json({ data: await presentOrder(isOpen ? order : beginOrder(request, response)) });
  });
  // What a subscription does: the shop orders and charges while the customer is away.
  app.post('/demo/renewals', async (request, response) => {
    const current = orderOf(request);
    if (current !== null && (await shop.isUnderWay(current))) {
      throw new ShopError(409, 'A payment is under way. Finish or cancel it first.');
    }
    const card = await shop.cardToRenew(numberOfCookie('customer', request));
    const renewal = beginOrder(request, response);
    await shop.renew(renewal, card);
    response.json({ data: await presentOrder(renewal) });
  });
  app.delete('/demo/saved-cards/:id', async (request, response) => {
    const customer = numberOfCookie('customer', request);
    await shop.removeSavedCard(customer, request.params.id);
    response.json({ data: await shop.readSavedCards(customer) });
  });
  app.put('/demo/orders/:number/payment', async (request, response) => {
    const { method, scenario = null } = paymentBody.parse(request.body);
    response.json({ data: await shop.preparePayment(ownOrder(request), method, scenario) });
  });
  app.post('/demo/orders/:number/cancel', async (request, response) => {
    await shop.cancelPayment(ownOrder(request));
    response.json({ data: {} });
  });
  app.post('/demo/orders/:number/settle', async (request, response) => {
    await shop.settle(ownOrder(request), settleBody.parse(request.body).outcome);
    response.json({ data: {} });
  });
  app.get('/demo/orders/:number/timeline', async (request, response) => {
    response.json({ data: await shop.readTimeline(ownOrder(request)) });
  });
  app.get('/demo/orders/:number/receipt', async (request, response) => {
    response.json({ data: await shop.readReceipt(ownOrder(request)) });
  });
  app.use((_request, response) => void response.status(404).json({ message: 'There is nothing at this address.' }));
  app.use(answerFailure);
  return app;
}

/** The visitor's order; null before the first one. */
function orderOf(request: Request): Order | null {
  const number = numberOfCookie('order', request);
  return number === null ? null : { number, customer: numberOfCookie('customer', request) };
}

/** The order that the request names. @throws ShopError if it is not the visitor's, for example because another tab has begun the next one */
function ownOrder(request: Request): Order {
  const order = orderOf(request);
  if (order !== null && order.number === request.params.number) return order;
  throw new ShopError(409, 'This is not your order any more. Please load the page again.');
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
    `frame-src ${apiUrl}`,
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
