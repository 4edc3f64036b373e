import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { REFUND_REASONS, REFUND_STATUSES } from '../../domain/refund.ts';
import { amount, requiringMember, workflowUrl, metadata, pageQuery, refinement, text, timeText } from './common.ts';

const time = z.iso.datetime({ precision: 3 });
const id = text(64).min(1);

/** POST /refunds; without an amount it refunds the whole remaining amount. */
export const createRefundBody = z
  .strictObject({
    transactionId: id.optional(),
    paymentIntentId: id.optional(),
    amount: amount.optional(),
    reason: z.enum(REFUND_REASONS).nullish(),
    metadata: metadata.default({}),
  })
  .superRefine(({ transactionId, paymentIntentId }, context) => {
    if (transactionId === undefined && paymentIntentId === undefined) {
      const params = refinement({ fieldCode: 'required', soleCode: 'MISSING_REQUIRED_FIELD' });
      context.addIssue({ code: 'custom', path: ['paymentIntentId'], ...params });
    }
    if (transactionId !== undefined && paymentIntentId !== undefined) {
      context.addIssue({ code: 'custom', path: ['transactionId'], ...refinement({ fieldCode: 'invalid' }) });
    }
  })
  .meta({
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
  paymentIntentId: id.optional(),
  status: z.enum(REFUND_STATUSES).optional(),
  createdAfter: timeText.optional(),
  createdBefore: timeText.optional(),
});

export type ListRefunds = z.output<typeof listRefundsQuery>;

/** The refund in every response. */
export const refundResource = z.object({
  id: z.string(),
  object: z.literal('refund'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  paymentIntentId: z.string(),
  transactionId: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.enum(REFUND_STATUSES),
  reason: z.enum(REFUND_REASONS).nullable(),
  metadata: z.record(z.string(), z.string()),
  provider: z.string(),
  failure: z
    .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() })
    .nullable(),
  createdAt: time,
  updatedAt: time,
  workflowUrl,
});

export type RefundResource = z.infer<typeof refundResource>;
