import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  REFUND_ORIGINS,
  REFUND_REASONS,
  REFUND_STATUSES,
  type RefundOrigin,
  type RefundReason,
  type RefundStatus,
} from '../../domain/refund.ts';
import { advisory } from './advisory.ts';
import {
  amount,
  creationQuery,
  referenceQuery,
  metadata,
  pageQuery,
  reference,
  refinement,
  requiringMember,
  text,
  workflowUrl,
} from './common.ts';
import { COMMON_MEMBERS, described, METADATA, REFERENCE, withValues } from './descriptions.ts';

const time = z.iso.datetime({ precision: 3 });
const id = text(64).min(1);

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the refund, which begins with `re_`.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) whose money is refunded.',
  transactionId: 'The id of the capture (`txn_…`) whose money is refunded.',
  amount:
    "How much is refunded, in the currency's minor unit. If the provider refunds another amount, support staff may record that one " +
    'by hand.',
  currency: 'The currency of the amount, as its ISO 4217 code: `EUR`.',
  status: withValues<RefundStatus>('The state of the refund.', {
    pending: 'the provider has not answered yet; an event reports the outcome',
    succeeded: 'the provider refunded the money',
    failed: 'the provider refused; `failure` says why, and the amount can be refunded again',
  }),
  reason: withValues<RefundReason>('Why the money is refunded; null if no reason was given.', {
    requested_by_customer: 'the customer asked for it',
    duplicate: 'the customer paid twice',
    fraudulent: 'the payment is suspected of fraud',
    other: 'any other reason',
  }),
  reference: REFERENCE,
  metadata: METADATA,
  provider: 'The provider that makes the refund: the one that took the money.',
  origin: withValues<RefundOrigin>('Who made the refund.', {
    engine: 'it was requested by this API or in the dashboard',
    provider: "it was made in the provider's dashboard or by the provider, and nobody requested it here",
  }),
  failure: 'Why the refund failed; null unless `status` is `failed`.',
  advisory: 'The notice that the refund waits for its provider for unusually long; null if it does not.',
};
const REQUEST_MEMBERS = {
  ...MEMBERS,
  transactionId: 'The id of the capture (`txn_…`) to refund. Send either this or `paymentIntentId`.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) to refund. Send either this or `transactionId`.',
  amount:
    "How much to refund, in the currency's minor unit. Left out: everything that is not refunded or disputed yet.",
};
const FAILURE_MEMBERS = {
  code: 'The error code, one of `ErrorCode`.',
  message: 'A message for people, in English.',
  details: 'What else is known of the failure; the members depend on the code.',
};

const BOTH = refinement({
  fieldCode: 'invalid',
  message: 'Expected either paymentIntentId or transactionId; got both. Leave one of them out.',
});

/** POST /refunds; without an amount it refunds the whole remaining amount. */
export const createRefundBody = z
  .strictObject(
    described(REQUEST_MEMBERS, {
      transactionId: id.optional(),
      paymentIntentId: id.optional(),
      amount: amount.optional(),
      reason: z.enum(REFUND_REASONS).nullish(),
      reference: reference.nullish(),
      metadata: metadata.default({}),
    }),
  )
  .superRefine(({ transactionId, paymentIntentId }, context) => {
    if (transactionId === undefined && paymentIntentId === undefined) {
      const params = refinement({
        fieldCode: 'required',
        soleCode: 'MISSING_REQUIRED_FIELD',
        message: 'Expected paymentIntentId, or transactionId of a capture; got neither. Add one of them.',
      });
      context.addIssue({ code: 'custom', path: ['paymentIntentId'], ...params });
    }
    if (transactionId !== undefined && paymentIntentId !== undefined) {
      context.addIssue({ code: 'custom', path: ['transactionId'], ...BOTH });
    }
  })
  .meta({
    description: 'What to refund, and how much of it.',
    override: {
      if: requiringMember('transactionId'),
      then: { not: requiringMember('paymentIntentId') },
      else: requiringMember('paymentIntentId'),
    },
  });

export type CreateRefund = z.output<typeof createRefundBody>;

/** GET /refunds */
export const listRefundsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  ...referenceQuery,
  paymentIntentId: id.optional().describe('Selects the refunds of the payment intent with this id.'),
  status: z.enum(REFUND_STATUSES).optional().describe('Selects the refunds in this state.'),
});

export type ListRefunds = z.output<typeof listRefundsQuery>;

/** The refund in every response. */
export const refundResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('refund'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      paymentIntentId: z.string(),
      transactionId: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: z.enum(REFUND_STATUSES),
      reason: z.enum(REFUND_REASONS).nullable(),
      reference: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
      provider: z.string(),
      origin: z.enum(REFUND_ORIGINS),
      failure: z
        .object(
          described(FAILURE_MEMBERS, {
            code: z.string(),
            message: z.string(),
            details: z.record(z.string(), z.unknown()).optional(),
          }),
        )
        .nullable(),
      advisory: advisory.nullable(),
      createdAt: time,
      updatedAt: time,
      workflowUrl,
    }),
  )
  .describe('Captured money that is given back, in whole or in part.');

export type RefundResource = z.infer<typeof refundResource>;
