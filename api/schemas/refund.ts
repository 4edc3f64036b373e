import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { REFUND_REASONS, REFUND_STATUSES } from '../../domain/refund.ts';
import {
  amount,
  requiringMember,
  metadata,
  metadataFilter,
  pageQuery,
  reference,
  refinement,
  text,
  timeText,
  workflowUrl,
} from './common.ts';

const time = z.iso.datetime({ precision: 3 });
const id = text(64).min(1);

const BOTH = refinement({
  fieldCode: 'invalid',
  message: 'Expected either paymentIntentId or transactionId; got both. Leave one of them out.',
});

/** POST /refunds; without an amount it refunds the whole remaining amount. */
export const createRefundBody = z
  .strictObject({
    transactionId: id.optional(),
    paymentIntentId: id.optional(),
    amount: amount.optional(),
    reason: z.enum(REFUND_REASONS).nullish(),
    reference: reference.nullish(),
    metadata: metadata.default({}),
  })
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
  reference: reference.optional(),
  metadata: metadataFilter,
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
  reference: z.string().nullable(),
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
