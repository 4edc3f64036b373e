import { z } from 'zod';
import {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  DISPUTE_STATUSES,
  type DisputeReason,
  type DisputeStage,
  type DisputeStatus,
} from '../../domain/dispute.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { creationQuery, pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const STAGE_MEANINGS: Readonly<Record<DisputeStage, string>> = {
  inquiry: "the customer's bank asks about the payment, and no money has moved",
  chargeback: "the customer's bank takes the money back",
  pre_arbitration: 'the bank does not accept the answer to the chargeback',
  arbitration: 'the card scheme decides',
};
const STATUS_MEANINGS: Readonly<Record<DisputeStatus, string>> = {
  needs_response: 'the merchant can answer, until `respondBy`',
  under_review: "the bank or the scheme examines the merchant's answer",
  won: 'it ended for the merchant; a scheme may open it again',
  lost: 'it ended against the merchant',
  closed: 'it ended without a decision, as an inquiry does that no chargeback follows',
};
const REASON_MEANINGS: Readonly<Record<DisputeReason, string>> = {
  fraudulent: 'the customer did not make the payment',
  unrecognized: 'the customer does not recognise it',
  duplicate: 'it was paid twice',
  product_not_received: 'what was paid for did not arrive',
  product_unacceptable: 'what arrived is not what was ordered',
  credit_not_processed: 'a refund that was promised did not arrive',
  subscription_canceled: 'the subscription had been canceled',
  amount_differs: 'another amount was agreed',
  authorization: 'the bank had not authorized it, or not as it was taken',
  processing_error: 'it was processed wrongly',
  general: 'another reason, or none that the provider says',
};

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the dispute, which begins with `dp_`.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) that is disputed.',
  attemptId: 'The id of the attempt (`att_…`) whose money is disputed.',
  customerId: 'The id of the customer (`cus_…`) of the payment; null without one.',
  provider: 'The provider that reports it.',
  providerReference: "The provider's own id of the dispute, to look it up there.",
  amount: "The disputed amount, in the currency's minor unit; null where the provider does not say.",
  currency: 'The currency of the amount, as its ISO 4217 code; null without an amount.',
  stage: withValues<DisputeStage>('How far it is; a stage only rises.', STAGE_MEANINGS),
  status: withValues<DisputeStatus>('Who has to act, or how it ended.', STATUS_MEANINGS),
  reason: withValues<DisputeReason>('Why the customer disputes the payment.', REASON_MEANINGS),
  networkReasonCode: "The card network's own code of the reason, such as `10.4`; null where the provider does not say.",
  respondBy: 'Until when the merchant can answer; null where the provider does not say.',
  isDefendable: 'Whether the merchant can answer at all; null where the provider does not say.',
  amountWithdrawn:
    "What the provider has taken for the dispute and not given back, in the currency's minor unit. It says nothing about who wins.",
  amountBlocked:
    'How much of the capture cannot be refunded because of the dispute: what was taken, and while a chargeback is open or lost, all that is disputed.',
  outcomeAt: 'When it ended at the provider; null while it is open.',
  createdAt: 'When the engine first heard of it.',
};

/** The dispute in every response. */
export const disputeResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('dispute'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      paymentIntentId: z.string(),
      attemptId: z.string(),
      customerId: z.string().nullable(),
      provider: z.string(),
      providerReference: z.string(),
      amount: z.int().nullable(),
      currency: z.string().nullable(),
      stage: z.enum(DISPUTE_STAGES),
      status: z.enum(DISPUTE_STATUSES),
      reason: z.enum(DISPUTE_REASONS),
      networkReasonCode: z.string().nullable(),
      respondBy: responseTime.nullable(),
      isDefendable: z.boolean().nullable(),
      amountWithdrawn: z.int(),
      amountBlocked: z.int(),
      outcomeAt: responseTime.nullable(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe("A customer's bank asks about a payment, or takes its money back.");

export type DisputeResource = z.infer<typeof disputeResource>;

/** GET /disputes */
export const listDisputesQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  status: z.enum(DISPUTE_STATUSES).optional().describe('Selects the disputes with this status.'),
  stage: z.enum(DISPUTE_STAGES).optional().describe('Selects the disputes at this stage.'),
  reason: z.enum(DISPUTE_REASONS).optional().describe('Selects the disputes for this reason.'),
  paymentIntentId: text(64).min(1).optional().describe('Selects the disputes of the payment intent with this id.'),
});

export type ListDisputes = z.output<typeof listDisputesQuery>;
