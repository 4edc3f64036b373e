import type { RequestListener } from 'node:http';
import type { SignedWebhook } from '../edge.ts';
import { type FakeServerOptions, serveFake } from '../serve-fake.ts';
import { Disputes } from './disputes.ts';
import { Payments } from './payments.ts';
import { type Misreport, Presenter } from './presenter.ts';
import { RequestHandler } from './request-handler.ts';
import { callRoute, type FakeAccount } from './routes.ts';
import { WebhookSender, type WebhookSenderOptions } from './webhooks.ts';

export interface FakeStripeOptions extends WebhookSenderOptions, FakeServerOptions {
  readonly secretKey: string;
}

/** A running fake of Stripe's API in test mode, for cards: payments, refunds, disputes, idempotency keys, webhooks. */
export interface FakeStripe {
  readonly url: string;
  readonly payments: Payments;
  readonly disputes: Disputes;
  /** Every webhook, oldest first. */
  sentWebhooks(): readonly SignedWebhook[];
  /** Signs a body, by default with the endpoint's secret and for now. */
  sign(body: Buffer, options?: { readonly secret?: string; readonly at?: Date }): SignedWebhook;
  /** Reports the payments of an attempt otherwise than they are. */
  misreport(attemptId: string, misreport: Misreport): void;
  /** Forgets all idempotency keys, as Stripe may after 24 hours. */
  forgetKeys(): void;
  /** Answers the next POST to a path that ends so with a status 500, which is stored under its key; the work is done or not. */
  failNext(pathEnd: string, work: 'done' | 'not_done'): void;
  /** Refuses card numbers, as Stripe does unless it has allowed them to the account. */
  forbidCardNumbers(): void;
  /** The key has no right to read events. */
  forbidEvents(): void;
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
    // A Stripe account cannot charge in every currency.
    refusedCurrencies: ['top'],
    onEvent: (type, object, previous) => webhooks.send(type, presenter.forEvent(object), previous),
  });
  const disputes = new Disputes(
    (id) => payments.find(id),
    (type, dispute) => webhooks.send(type, dispute),
  );
  const account: FakeAccount = {
    payments,
    disputes,
    presenter,
    events: () => webhooks.events(),
    acceptsCardNumbers: true,
    mayReadEvents: true,
  };
  const requests = new RequestHandler(options.secretKey, (method, path, form) =>
    callRoute(account, method, path, form),
  );
  const listener: RequestListener = (request, response) => {
    void requests.handle(request, response).catch(() => response.destroy());
  };
  const server = await serveFake(listener, options);

  return {
    url: server.url,
    payments,
    disputes,
    sentWebhooks: () => webhooks.sent(),
    sign: (body, signature) => webhooks.sign(body, signature),
    misreport: (attemptId, misreport) => presenter.misreport(attemptId, misreport),
    forgetKeys: () => requests.forgetKeys(),
    failNext: (pathEnd, work) => requests.failNext(pathEnd, work),
    forbidEvents() {
      account.mayReadEvents = false;
    },
    forbidCardNumbers() {
      account.acceptsCardNumbers = false;
    },
    holdWebhooks: () => webhooks.hold(),
    releaseWebhooks: () => webhooks.release(),
    close: () => server.close(),
  };
}
