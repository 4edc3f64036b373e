import { INTENTS, type Payment } from '../payments.ts';
import { card } from '../../../sandbox/test-payment-methods.ts';
import type { Answer } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import { MANUAL, type ErrorRequest, REFUNDS, type RequestContext, withFaults } from './request-context.ts';

/** Codes about captures and refunds. */
export const MONEY_CODES = {
  REFUND_FAILED: {
    request: 'POST /refunds of a payment by card …5126',
    send: (context) => refundOf(context, context.paid({}, card('refundRefused'))),
  },
  REFUND_NOT_ALLOWED: {
    request: 'POST /refunds of a payment that is only authorised',
    send: (context) => refundOf(context, context.paid(MANUAL)),
  },
  REFUND_AMOUNT_EXCEEDED: {
    request: 'POST /refunds of more than was captured',
    send: (context) => refundOf(context, context.paid(), { amount: 2_000 }),
  },
  REFUND_WINDOW_CLOSED: {
    request: 'POST /refunds after the refund window of the account',
    send: async (context) => {
      const payment = await context.paid();
      await queryStack(
        `UPDATE transaction SET created_at = created_at - interval '181 days' WHERE payment_intent_id = $1`,
        [payment.id],
      );
      return refundOf(context, Promise.resolve(payment));
    },
  },
  TSP_ERROR: {
    request: 'POST …/capture while the provider answers 500',
    alone: true,
    send: (context) => captureWhile(context, { errorRate: 1 }),
  },
  TSP_TIMEOUT: {
    request: 'POST …/capture while the provider does not answer in time',
    alone: true,
    send: (context) => captureWhile(context, { latencyMs: 1_500, errorRate: 1 }),
  },
  TSP_UNAVAILABLE: {
    request: 'POST …/capture while the provider answers 503',
    alone: true,
    send: (context) => captureWhile(context, { errorRate: 1, errorStatus: 503 }),
  },
} satisfies Readonly<Record<string, ErrorRequest>>;

/** Requests a capture while the provider answers captures with faults. */
async function captureWhile(context: RequestContext, faults: Readonly<Record<string, number>>): Promise<Answer> {
  const payment = await context.paid(MANUAL);
  return withFaults({ ...faults, operations: ['captures'] }, () =>
    context.post(`${INTENTS}/${payment.id}/capture`, {}),
  );
}

async function refundOf({ post }: RequestContext, payment: Promise<Payment>, body: object = {}): Promise<Answer> {
  return post(REFUNDS, { paymentIntentId: (await payment).id, ...body });
}
