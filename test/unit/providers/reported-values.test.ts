import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { paymentReplySchema } from '../../../providers/adyen/messages.ts';
import { outcomeOf as outcomeOfAdyen } from '../../../providers/adyen/outcomes.ts';
import {
  orderSchema,
  paymentSchema,
  refundSchema as cashfreeRefundSchema,
} from '../../../providers/cashfree/messages.ts';
import { orderOutcomeOf, refundOutcomeOf as refundOutcomeOfCashfree } from '../../../providers/cashfree/outcomes.ts';
import { onUnknownValue } from '../../../providers/reported-values.ts';
import { intentSchema, refundSchema as stripeRefundSchema } from '../../../providers/stripe/messages.ts';
import {
  outcomeOf as outcomeOfStripe,
  refundOutcomeOf as refundOutcomeOfStripe,
} from '../../../providers/stripe/outcomes.ts';

const reported: string[] = [];
onUnknownValue(({ member, value }) => reported.push(`${member} ${value}`));

const PAYMENT = { cf_payment_id: 7, order_id: 'att_1', payment_amount: 10, payment_currency: 'INR' };
const ORDER = { cf_order_id: '8', order_id: 'att_1', order_status: 'ACTIVE' };

function cashfree(order: object, payment: object = {}) {
  const { success, data = [] } = paymentSchema
    .array()
    .safeParse([{ ...PAYMENT, payment_status: 'PENDING', ...payment }]);
  assert.ok(success);
  return orderOutcomeOf(orderSchema.parse({ ...ORDER, ...order }), data, true);
}

function cashfreeRefund(status: unknown) {
  const refund = { cf_refund_id: '9', refund_id: 're_1', refund_amount: 10, refund_currency: 'INR' };
  return refundOutcomeOfCashfree(cashfreeRefundSchema.parse({ ...refund, refund_status: status }));
}

function stripe(status: unknown) {
  const money = { amount: 100, amount_capturable: 0, amount_received: 0, currency: 'usd' };
  const intent = { id: 'pi_1', ...money, status, metadata: {}, last_payment_error: null, next_action: null };
  return outcomeOfStripe(intentSchema.parse({ ...intent, latest_charge: null }));
}

function stripeRefund(status: string) {
  const refund = { id: 're_1', amount: 100, currency: 'usd', metadata: {}, created: 1_795_000_000 };
  return refundOutcomeOfStripe(stripeRefundSchema.parse({ ...refund, status }));
}

function adyen(resultCode: unknown) {
  const asked = {
    canRedirect: false,
    captureMethod: 'automatic',
    amountMinor: 100,
    currency: 'EUR',
    startedAt: '2026-06-01T12:00:00.000Z',
  } as const;
  return outcomeOfAdyen(paymentReplySchema.parse({ resultCode, pspReference: 'psp_1' }), asked);
}

describe('a value that is new at a vendor', () => {
  const cases: readonly (readonly [string, () => ReturnType<typeof cashfree> | { kind: string } | null])[] = [
    ['cashfree payment_status HELD_BY_BANK', () => cashfree({}, { payment_status: 'HELD_BY_BANK' })],
    ['cashfree payment_status 17', () => cashfree({}, { payment_status: 17 })],
    ['cashfree order_status DISPUTED', () => cashfree({ order_status: 'DISPUTED' })],
    [
      'cashfree authorization.action RELEASE',
      () => cashfree({}, { payment_status: 'SUCCESS', authorization: { action: 'RELEASE', status: 'SUCCESS' } }),
    ],
    ['cashfree refund_status IN_REVIEW', () => cashfreeRefund('IN_REVIEW')],
    ['stripe payment_intent.status requires_review', () => stripe('requires_review')],
    ['stripe payment_intent.status 9', () => stripe(9)],
    ['stripe refund.status in_review', () => stripeRefund('in_review')],
    ['adyen resultCode UnderReview', () => adyen('UnderReview')],
    ['adyen resultCode 42', () => adyen(42)],
  ];
  for (const [value, outcomeOf] of cases) {
    it(`leaves the outcome open, so that it is asked about, and is reported once: ${value}`, () => {
      for (const time of ['first', 'second']) {
        const outcome = outcomeOf();
        assert.ok(outcome !== null && typeof outcome === 'object', time);
        assert.equal(outcome.kind, 'pending', time);
      }
      assert.deepEqual(
        reported.filter((each) => each === value),
        [value],
      );
    });
  }
});
