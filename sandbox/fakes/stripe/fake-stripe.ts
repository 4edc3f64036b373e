import http, { type RequestListener } from 'node:http';
import { Payments } from './payments.ts';
import { type Misreport, Presenter } from './presenter.ts';
import { RequestHandler } from './request-handler.ts';
import { callRoute, type FakeAccount } from './routes.ts';
import { type SentWebhook, WebhookSender, type WebhookSenderOptions } from './webhooks.ts';

export interface FakeStripeOptions extends WebhookSenderOptions {
  readonly secretKey: string;
  /** The port on this machine; a free one by default. */
  readonly port?: number;
}

/** A running fake of Stripe's API in test mode, for cards: payments, refunds, idempotency keys, webhooks. */
export interface FakeStripe {
  readonly url: string;
  readonly payments: Payments;
  /** Every webhook, oldest first. */
  sentWebhooks(): readonly SentWebhook[];
  /** Signs a body, by default with the endpoint's secret and for now. */
  sign(body: Buffer, options?: { readonly secret?: string; readonly at?: Date }): SentWebhook;
  /** Reports the payments of an attempt otherwise than they are. */
  misreport(attemptId: string, misreport: Misreport): void;
  /** Forgets all idempotency keys, as Stripe may after 24 hours. */
  forgetKeys(): void;
  /** Answers the next POST to a path that ends so with a status 500, which is stored under its key; the work is done or not. */
  failNext(pathEnd: string, work: 'done' | 'not_done'): void;
  /** Refuses card numbers, as Stripe does unless it has allowed them to the account. */
  forbidCardNumbers(): void;
  /** Keeps webhooks back until they are released. */
  holdWebhooks(): void;
  releaseWebhooks(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the fake on this machine. */
export async function startFakeStripe(options: FakeStripeOptions): Promise<FakeStripe> {
  const webhooks = new WebhookSender(options);
  const presenter = new Presenter();
  const payments = new Payments({
    // Accounts differ in what they may charge in.
    refusedCurrencies: ['top'],
    onEvent: (type, object) => webhooks.send(type, presenter.forEvent(object)),
  });
  const account: FakeAccount = { payments, presenter, acceptsCardNumbers: true };
  const requests = new RequestHandler(options.secretKey, (method, path, form) =>
    callRoute(account, method, path, form),
  );
  const listener: RequestListener = (request, response) => {
    void requests.handle(request, response).catch(() => response.destroy());
  };
  const server = http.createServer(options.edge?.serve(listener) ?? listener);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.address();

  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    payments,
    sentWebhooks: () => webhooks.sent(),
    sign: (body, signature) => webhooks.sign(body, signature),
    misreport: (attemptId, misreport) => presenter.misreport(attemptId, misreport),
    forgetKeys: () => requests.forgetKeys(),
    failNext: (pathEnd, work) => requests.failNext(pathEnd, work),
    forbidCardNumbers() {
      account.acceptsCardNumbers = false;
    },
    holdWebhooks: () => webhooks.hold(),
    releaseWebhooks: () => webhooks.release(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
