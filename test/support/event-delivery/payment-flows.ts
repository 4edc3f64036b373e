import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../../domain/time.ts';
import {
  type Client,
  type ErrorCode,
  PaymentEngineConnectionError,
  PaymentEngineError,
} from '../../../sdk/server/index.ts';
import { card, upi } from '../../../sandbox/test-payment-methods.ts';
import { type ObservingPage, openPage } from './page.ts';

/** A merchant with a client of the API. */
export interface Merchant {
  readonly merchantAccountId: string;
  readonly baseUrl: string;
  readonly client: Client;
}

/** A payment and the page that follows it from before its confirm. */
export interface ObservedPayment {
  readonly id: string;
  readonly page: ObservingPage;
}

type Terms = Parameters<Client['paymentIntents']['create']>[0];
type PaymentMethod = NonNullable<NonNullable<Parameters<Client['paymentIntents']['confirm']>[1]>['paymentMethod']>;

/** Takes a payment to its end, and waits until its page has received the final event. */
interface Flow {
  readonly terms?: Partial<Terms>;
  readonly run: (merchant: Merchant, payment: ObservedPayment) => Promise<void>;
}

const GIVE_UP_AFTER_MS = 150 * SECOND_MS;
const RUPEES = { currency: 'INR', country: 'IN' } as const;

const hasSucceeded = ({ page }: ObservedPayment): Promise<void> =>
  page.until('success', ({ event }) => event === 'payment-succeeded');
const hasFailed = ({ page }: ObservedPayment, code: string): Promise<void> =>
  page.until(code, ({ error }) => error?.code === code);

function paidBy(paymentMethod: PaymentMethod, terms: Partial<Terms> = {}): Flow {
  const run = async (merchant: Merchant, payment: ObservedPayment): Promise<void> => {
    await confirm(merchant, payment, paymentMethod);
    await hasSucceeded(payment);
  };
  return { terms, run };
}

const approved = paidBy(card('approved'));

const declinedThenApproved: Flow = {
  run: async (merchant, payment) => {
    await confirm(merchant, payment, card('declined'), 'CARD_DECLINED');
    await hasFailed(payment, 'CARD_DECLINED');
    await approved.run(merchant, payment);
  },
};
const fraud: Flow = {
  run: async (merchant, payment) => {
    await confirm(merchant, payment, card('fraud'), 'FRAUD_DETECTED');
    await hasFailed(payment, 'PAYMENT_DECLINED');
  },
};
const refundedInPart: Flow = {
  run: async (merchant, payment) => {
    await approved.run(merchant, payment);
    const refund = { paymentIntentId: payment.id, amount: 500 };
    await untilAnswered((idempotencyKey) =>
      merchant.client.refunds.create(refund, { idempotencyKey, respondAsync: true }),
    );
    await payment.page.until(
      'the refund',
      ({ details }) => details?.refundId !== undefined && details.status === 'succeeded',
    );
  },
};
const heldThenCaptured: Flow = {
  terms: { captureMethod: 'manual' },
  run: async (merchant, payment) => {
    await confirm(merchant, payment, card('approved'));
    await payment.page.until('the hold', ({ event }) => event === 'payment-amount-capturable');
    await untilAnswered((idempotencyKey) => merchant.client.paymentIntents.capture(payment.id, {}, { idempotencyKey }));
    await hasSucceeded(payment);
  },
};
const canceled: Flow = {
  run: async ({ client }, payment) => {
    await untilAnswered((idempotencyKey) => client.paymentIntents.cancel(payment.id, {}, { idempotencyKey }));
    await payment.page.until('the cancellation', ({ event }) => event === 'payment-canceled');
  },
};

/** The flows of twenty payments; further payments repeat them. */
const FLOWS: readonly Flow[] = [
  approved,
  declinedThenApproved,
  refundedInPart,
  paidBy(upi('success'), RUPEES),
  approved,
  heldThenCaptured,
  fraud,
  approved,
  paidBy(card('failover')),
  refundedInPart,
  approved,
  canceled,
  paidBy(upi('success'), RUPEES),
  declinedThenApproved,
  approved,
  paidBy(card('lostReply')),
  refundedInPart,
  heldThenCaptured,
  declinedThenApproved,
  approved,
];

/** The n-th payment, from its creation to its end. @param onPage receives the page as soon as it is subscribed */
export async function runPayment(
  merchant: Merchant,
  number: number,
  onPage: (page: ObservingPage) => void,
): Promise<ObservedPayment> {
  const { terms, run } = FLOWS[number % FLOWS.length] ?? approved;
  const request = { amount: 1_999, currency: 'EUR', country: 'DE', ...terms } as const;
  const { id, clientSecret } = await untilAnswered((idempotencyKey) =>
    merchant.client.paymentIntents.create(request, { idempotencyKey }),
  );
  const page = await openPage(merchant.baseUrl, clientSecret);
  onPage(page);
  const payment = { id, page };
  await run(merchant, payment).finally(() => page.close());
  return payment;
}

/**
 * Does not wait for the outcome, since the page receives it. A request that waits when its API process dies holds its key for
 * half a minute, and most requests would be among those. A repeat may still be answered with the failure.
 */
async function confirm(
  { client }: Merchant,
  { id }: ObservedPayment,
  paymentMethod: PaymentMethod,
  expected?: ErrorCode,
): Promise<void> {
  try {
    await untilAnswered((idempotencyKey) =>
      client.paymentIntents.confirm(id, { paymentMethod }, { idempotencyKey, respondAsync: true }),
    );
  } catch (error) {
    if (!(error instanceof PaymentEngineError)) throw error;
    assert.equal(error.code, expected, `the confirm of ${id}`);
  }
}

/** Makes a call until it is answered, with one key for all tries, for longer than the client does by itself. */
export async function untilAnswered<Answer>(call: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> {
  const idempotencyKey = randomUUID();
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    try {
      return await call(idempotencyKey);
    } catch (error) {
      if (!isUnanswered(error) || Date.now() > deadline) throw error;
      await sleep(SECOND_MS);
    }
  }
}

/** The key of a request whose API process was killed stays locked for a while. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof PaymentEngineError) return error.status >= 500 || error.code === 'DUPLICATE_REQUEST';
  return error instanceof PaymentEngineConnectionError;
}
