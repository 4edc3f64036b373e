import { z } from 'zod';
import {
  DISPUTE_REASONS,
  DISPUTE_STAGES,
  type DisputeReason,
  type DisputeStage,
  STORED_DISPUTE_STATUSES,
  type StoredDisputeStatus,
} from '../../domain/dispute.ts';
import {
  DISPUTE_EVIDENCE_MEANINGS,
  DISPUTE_EVIDENCE_MEMBERS,
  DISPUTE_FILE_KINDS,
  DISPUTE_FILE_MEANINGS,
  DISPUTE_FILE_TYPES,
  type DisputeEvidenceMember,
  isOfType,
  MAXIMUM_EVIDENCE_LENGTH,
  MAXIMUM_FILE_BYTES,
  MAXIMUM_FILES_BYTES,
} from '../../domain/dispute-evidence.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { creationQuery, pageQuery, refinement, responseTime, text, workflowUrl } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const STAGE_MEANINGS: Readonly<Record<DisputeStage, string>> = {
  inquiry: "the customer's bank asks about the payment, and no money has moved",
  chargeback: "the customer's bank takes the money back",
  pre_arbitration: 'the bank does not accept the answer to the chargeback',
  arbitration: 'the card scheme decides',
};
const STATUS_MEANINGS: Readonly<Record<StoredDisputeStatus, string>> = {
  needs_response: 'the merchant can answer, until `respondBy`',
  submitting: 'the evidence is on its way to the provider, which has not answered yet',
  accepting: 'the provider is told that the money is given up, and has not answered yet',
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
const ANSWERED_IN = ['api', 'provider_dashboard'] as const;
export type AnsweredIn = (typeof ANSWERED_IN)[number];
const ANSWERED_IN_MEANINGS: Readonly<Record<AnsweredIn, string>> = {
  api: 'here: the engine sends the answer to the provider',
  provider_dashboard: "in the provider's own dashboard, because the engine can send this provider no answer",
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
  status: withValues<StoredDisputeStatus>('Who has to act, or how it ended.', STATUS_MEANINGS),
  reason: withValues<DisputeReason>('Why the customer disputes the payment.', REASON_MEANINGS),
  networkReasonCode: "The card network's own code of the reason, such as `10.4`; null where the provider does not say.",
  respondBy: 'Until when the merchant can answer; null where the provider does not say.',
  isDefendable: 'Whether the merchant can answer at all; null where the provider does not say.',
  answeredIn: withValues<AnsweredIn>('Where the merchant answers.', ANSWERED_IN_MEANINGS),
  amountWithdrawn:
    "What the provider has taken for the dispute and not given back, in the currency's minor unit. It says nothing about who wins.",
  amountBlocked:
    'How much of the capture cannot be refunded because of the dispute: what was taken, and while a chargeback is open or lost, all that is disputed.',
  evidence:
    "The merchant's answer, a draft until it is submitted. Null in events, because it tells much of the customer.",
  evidenceSubmittedAt: 'When the provider took the evidence; null before.',
  lastError: 'Why the last submission or acceptance failed; null if it did not. It can be requested again.',
  outcomeAt: 'When it ended at the provider; null while it is open.',
  createdAt: 'When the engine first heard of it.',
};

const FILE_MEMBERS = {
  kind: withValues('What the file shows.', DISPUTE_FILE_MEANINGS),
  contentType: 'The type of the file.',
  sizeBytes: 'The size of the file in bytes.',
  createdAt: 'When it was uploaded; ISO 8601 in UTC, with milliseconds.',
};

const disputeFile = z.object(
  described(FILE_MEMBERS, {
    kind: z.enum(DISPUTE_FILE_KINDS),
    contentType: z.enum(DISPUTE_FILE_TYPES),
    sizeBytes: z.int(),
    createdAt: responseTime,
  }),
);

function eachEvidenceMember<Schema extends z.ZodType>(schema: Schema): Readonly<Record<DisputeEvidenceMember, Schema>> {
  const entries = DISPUTE_EVIDENCE_MEMBERS.map((name) => [name, schema.describe(DISPUTE_EVIDENCE_MEANINGS[name])]);
  return Object.fromEntries(entries) as Record<DisputeEvidenceMember, Schema>;
}

const disputeEvidence = z
  .object({
    ...eachEvidenceMember(z.string().nullable()),
    files: z.array(disputeFile).describe('The files of the answer, at most one of each kind.'),
  })
  .describe("The merchant's answer to the dispute.");

const LAST_ERROR_MEMBERS = {
  code: 'The code of the error catalogue.',
  message: 'What went wrong, and what to do.',
  details: 'What else is known, such as the answer of the provider.',
};
const disputeError = z.object(
  described(LAST_ERROR_MEMBERS, {
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
);

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
      status: z.enum(STORED_DISPUTE_STATUSES),
      reason: z.enum(DISPUTE_REASONS),
      networkReasonCode: z.string().nullable(),
      respondBy: responseTime.nullable(),
      isDefendable: z.boolean().nullable(),
      answeredIn: z.enum(ANSWERED_IN),
      amountWithdrawn: z.int(),
      amountBlocked: z.int(),
      evidence: disputeEvidence.nullable(),
      evidenceSubmittedAt: responseTime.nullable(),
      lastError: disputeError.nullable(),
      outcomeAt: responseTime.nullable(),
      createdAt: responseTime,
      updatedAt: responseTime,
      workflowUrl,
    }),
  )
  .describe("A customer's bank asks about a payment, or takes its money back.");

export type DisputeResource = z.infer<typeof disputeResource>;

const SORT_MEANINGS = {
  respond_by:
    'the disputes that need an answer come first, in the order in which their time to answer ends; the others follow, newest first',
};
const PAGES_ONLY = refinement({
  fieldCode: 'invalid',
  message: 'Expected no startingAfter with sort=respond_by, because this order changes with each answer. Send page.',
});

/** GET /disputes */
export const listDisputesQuery = z
  .strictObject({
    ...pageQuery,
    ...creationQuery,
    status: z.enum(STORED_DISPUTE_STATUSES).optional().describe('Selects the disputes with this status.'),
    stage: z.enum(DISPUTE_STAGES).optional().describe('Selects the disputes at this stage.'),
    reason: z.enum(DISPUTE_REASONS).optional().describe('Selects the disputes for this reason.'),
    provider: text(64).min(1).optional().describe('Selects the disputes at this provider.'),
    respondByBefore: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Selects the disputes that can be answered until a time before this one; ISO 8601 with time zone.'),
    paymentIntentId: text(64).min(1).optional().describe('Selects the disputes of the payment intent with this id.'),
    sort: z
      .enum(['respond_by'])
      .optional()
      .describe(
        withValues<'respond_by'>(
          'The order; newest first without it, as in a CSV file. It takes `page`.',
          SORT_MEANINGS,
        ),
      ),
  })
  .refine(({ sort, startingAfter }) => sort === undefined || startingAfter === undefined, {
    ...PAGES_ONLY,
    path: ['startingAfter'],
  });

export type ListDisputes = z.output<typeof listDisputesQuery>;

const evidenceText = text(MAXIMUM_EVIDENCE_LENGTH).min(1);

/** PATCH /disputes/{id} */
export const updateDisputeBody = z
  .strictObject({
    evidence: z
      .strictObject(z.object(eachEvidenceMember(evidenceText.nullable())).partial().shape)
      .describe('The texts to change; null removes one, and what is left out stays.'),
  })
  .describe('Changes the draft of the answer to a dispute.');

/** Base64 makes 4 characters of 3 bytes. */
const FILE_CHARACTERS = 4 * Math.ceil(MAXIMUM_FILE_BYTES / 3);
const UPLOAD_MEMBERS = {
  kind: withValues('What the file shows. A file takes the place of an earlier one of its kind.', DISPUTE_FILE_MEANINGS),
  contentType: 'The type of the file; its bytes have to be of this type.',
  content: `The file in Base64; at most ${MAXIMUM_FILE_BYTES / 1_048_576} MiB, and ${MAXIMUM_FILES_BYTES / 1_048_576} MiB for all files of a dispute.`,
};

const ANOTHER_TYPE = refinement({
  fieldCode: 'invalid',
  message:
    'Expected a file of the type in contentType, in Base64; got bytes of another type. Send application/pdf, image/png or image/jpeg, ' +
    'and the type that the file really has.',
});

/** POST /disputes/{id}/files */
export const uploadDisputeFileBody = z
  .strictObject(
    described(UPLOAD_MEMBERS, {
      kind: z.enum(DISPUTE_FILE_KINDS),
      contentType: z.enum(DISPUTE_FILE_TYPES),
      content: z
        .string()
        .min(1)
        .max(FILE_CHARACTERS, { abort: true })
        .meta({ override: { contentEncoding: 'base64' } }),
    }),
  )
  .refine(({ contentType, content }) => isOfType(Buffer.from(content, 'base64'), contentType), {
    ...ANOTHER_TYPE,
    path: ['content'],
  })
  .describe('A file for the answer to a dispute.');

export type UpdateDispute = z.output<typeof updateDisputeBody>;
export type UploadDisputeFile = z.output<typeof uploadDisputeFileBody>;

/** What the path of a file names. */
export const disputeFilePath = z.object({
  id: z.string(),
  kind: z.enum(DISPUTE_FILE_KINDS),
});
