import { z } from 'zod';
import { DISPUTE_REASONS } from '../../domain/dispute.ts';
import { canBeCard } from '../../domain/card-brand.ts';
import { isSupportedCurrency } from '../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../domain/money.ts';
import {
  CARD_SCENARIOS,
  CREDENTIAL_REASONS,
  DEPOSIT_SCENARIOS,
  DISPUTE_STEPS,
  INITIATORS,
  SETTLEMENT_MISREPORTS,
} from './records.ts';

const identifier = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters without spaces');

/** The merchant's own identifier of a payment or refund; the ledger (`GET /ledger`) shows it. */
const merchantReference = z
  .string()
  .regex(/^[\x20-\x7e]{1,100}$/, 'must be 1 to 100 printable characters')
  .nullable()
  .default(null);

const cardSchema = z.object({
  type: z.literal('card'),
  number: z.string().refine(canBeCard, { error: 'is not a card number' }),
  expiryMonth: z.int().min(1).max(12),
  expiryYear: z.int().min(2000).max(2100),
  cvc: z
    .string()
    .regex(/^\d{3,4}$/)
    .nullable(),
});

/** A card that the simulator is supposed to have taken on a page of its own. */
const tokenSchema = z.object({ type: z.literal('card_token'), token: z.string().min(1).max(10_000) });

/** A card that the simulator has stored, by the token that it issued. */
const storedCardMethodSchema = z.object({
  type: z.literal('stored_card'),
  token: identifier,
  cvc: z
    .string()
    .regex(/^\d{3,4}$/)
    .nullable(),
});

/** Without an address the customer pays by link or QR code. */
const upiSchema = z.object({
  type: z.literal('upi'),
  vpa: z
    .string()
    .regex(/^[^\s@]{1,128}@[^\s@]{1,128}$/)
    .nullable(),
});

const cryptoSchema = z.object({ type: z.literal('crypto'), asset: identifier, network: identifier });

const amountMinor = z.int().min(AMOUNT_MINOR_LIMITS.minimum).max(AMOUNT_MINOR_LIMITS.maximum);
const currency = z.string().refine(isSupportedCurrency, { error: 'is not a supported currency' });

const DEFAULT_LATE_CHARGE_SECONDS = 5;

/** Body of `POST /v1/payments`; the amount is in minor units. */
export const paymentRequestSchema = z.object({
  reference: identifier,
  paymentIntentId: identifier,
  amount: amountMinor,
  currency,
  capture: z.boolean(),
  returnUrl: z.string().max(2_200).nullable(),
  merchantReference,
  method: z.discriminatedUnion('type', [cardSchema, tokenSchema, storedCardMethodSchema, upiSchema, cryptoSchema]),
  /** The customer for whom the card is to be stored, and how it may be charged later. */
  storeFor: z.object({ customerId: identifier, usage: z.enum(['on_session', 'off_session']) }).optional(),
  /** Whether the card's issuer is to authenticate the customer by 3-D Secure. */
  authenticate: z.boolean().default(false),
  /** Who makes a payment with a stored card, and why; absent of any other payment. */
  credential: z.object({ initiator: z.enum(INITIATORS), reason: z.enum(CREDENTIAL_REASONS) }).optional(),
  /** What the customer of a crypto payment does, or which fault the simulator injects for a card; other names are ignored. */
  scenario: z
    .enum([...DEPOSIT_SCENARIOS, ...CARD_SCENARIOS])
    .optional()
    .catch(undefined),
  /** Of the scenario `late_charge`. Comes from metadata, as text. */
  lateChargeSeconds: z.coerce.number().min(0).max(600).catch(DEFAULT_LATE_CHARGE_SECONDS),
});
export type PaymentRequest = z.infer<typeof paymentRequestSchema>;

const idempotencyKeySchema = identifier;

/** The idempotency key that a request names in its header. @throws ZodError */
export function idempotencyKeyOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  return idempotencyKeySchema.parse(headers['idempotency-key'], {
    error: () => 'the header Idempotency-Key is missing or malformed',
  });
}

/** Body of `POST /v1/inquiries`, `POST /v1/closures`, `POST /v1/credentials` and `POST /v1/refund-inquiries`. */
export const lookupRequestSchema = z.object({ idempotencyKey: idempotencyKeySchema });

/** Body of `POST /v1/token-removals`. */
export const tokenRemovalSchema = z.object({ token: identifier });

/** Body of `POST /v1/captures`; the amount is in minor units. */
export const captureRequestSchema = z.object({ idempotencyKey: idempotencyKeySchema, amount: amountMinor });

/** Body of `POST /v1/listings`: the payments that were created or changed between two times, both included. */
export const listingRequestSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Where the page before ended. */
  cursor: z.string().max(500).nullable(),
});
export type ListingRequest = z.infer<typeof listingRequestSchema>;

/** Body of `POST /v1/refunds`; the amount is in minor units. */
export const refundRequestSchema = z.object({
  reference: identifier,
  /** Idempotency key of the payment. */
  paymentKey: idempotencyKeySchema,
  amount: amountMinor,
  currency,
  merchantReference,
});
export type RefundRequest = z.infer<typeof refundRequestSchema>;

const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
};

/** Query of `GET /ledger`. */
export const ledgerQuerySchema = z.strictObject({
  reference: identifier.optional(),
  paymentIntentId: identifier.optional(),
  idempotencyKey: identifier.optional(),
  ...paging,
});
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>;

/** Query of `GET /ledger/refunds`. */
export const refundLedgerQuerySchema = z.strictObject({
  reference: identifier.optional(),
  paymentKey: identifier.optional(),
  idempotencyKey: identifier.optional(),
  ...paging,
});
export type RefundLedgerQuery = z.infer<typeof refundLedgerQuerySchema>;

export const SETTLEMENTS = ['approved', 'declined', 'failed'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** Body of `POST /simulate/settle`. */
export const settlementInstructionSchema = z
  .strictObject({
    reference: identifier.optional(),
    paymentIntentId: identifier.optional(),
    refundReference: identifier.optional(),
    outcome: z.enum(SETTLEMENTS),
  })
  .refine(
    ({ reference, paymentIntentId, refundReference }) =>
      [reference, paymentIntentId, refundReference].filter((name) => name !== undefined).length === 1,
    { error: 'give one of reference, paymentIntentId and refundReference' },
  );
export type SettlementInstruction = z.infer<typeof settlementInstructionSchema>;

/** Body of `POST /simulate/disputes`: a dispute of a captured payment, by default of all of it. */
export const disputeRequestSchema = z
  .strictObject({
    reference: identifier.optional(),
    paymentIntentId: identifier.optional(),
    amount: amountMinor.optional(),
    reason: z.enum(DISPUTE_REASONS).default('fraudulent'),
    /** How long the merchant has to answer; two weeks by default. */
    respondWithinSeconds: z.int().min(1).max(10_000_000).optional(),
    stage: z.enum(['inquiry', 'chargeback']).default('chargeback'),
  })
  .refine(({ reference, paymentIntentId }) => (reference === undefined) !== (paymentIntentId === undefined), {
    error: 'give one of reference and paymentIntentId',
  });
export type DisputeRequest = z.infer<typeof disputeRequestSchema>;

const SETTLEMENT_STATUSES = ['open', 'paid', 'failed', 'returned'] as const;

/** Body of `POST /simulate/settlements`: pays out what was moved up to a time and is in no settlement yet. */
export const settlementRequestSchema = z.strictObject({
  /** ISO 8601 UTC; also in the future, where a test clock was advanced. */
  until: z.iso.datetime().transform((time) => new Date(time).toISOString()),
  /** The only payment; all of them by default. */
  paymentIntentId: identifier.optional(),
  /** The currency that everything is exchanged to, and the rate. */
  exchange: z.strictObject({ to: currency, rate: z.string().regex(/^\d{1,6}(\.\d{1,8})?$/) }).optional(),
  misreport: z.enum(SETTLEMENT_MISREPORTS).optional(),
  status: z.enum(SETTLEMENT_STATUSES).default('paid'),
});
export type SettlementRequest = z.infer<typeof settlementRequestSchema>;

/** Body of `POST /simulate/settlements/{id}`. */
export const settlementStatusSchema = z.strictObject({ status: z.enum(SETTLEMENT_STATUSES) });

/** Body of `POST /v1/settlement-listings`. */
export const settlementListingSchema = z.object({ since: z.iso.datetime(), cursor: identifier.nullable() });

/** Body of `POST /v1/settlement-entry-listings`. */
export const settlementEntryListingSchema = z.object({
  settlementId: identifier,
  cursor: z.int().nonnegative().nullable(),
});

/** Body of `POST /v1/dispute-answers`: the files are named, not sent. */
export const disputeAnswerSchema = z.object({
  disputeId: identifier,
  accept: z.boolean(),
  evidence: z.record(z.string(), z.string()),
  files: z.array(z.object({ kind: identifier, contentType: identifier, size: z.int() })),
});
export type DisputeAnswerRequest = z.infer<typeof disputeAnswerSchema>;

/** Body of `POST /v1/dispute-inquiries`. */
export const disputeInquirySchema = z.object({ disputeId: identifier });

/** Body of `POST /simulate/disputes/{id}/advance`. */
export const disputeStepSchema = z.strictObject({ to: z.enum(DISPUTE_STEPS).exclude(['opened']) });

/** What the customer chose on the 3-D Secure page. */
export const challengeAnswerSchema = z.object({ decision: z.enum(['approve', 'refuse']) });

const rate = z.number().min(0).max(1).default(0);
const delayMs = z.number().min(0).max(600_000);

/** The operations of engines, each with its path below `/v1`. */
export const OPERATIONS = [
  'payments',
  'inquiries',
  'closures',
  'captures',
  'refunds',
  'refund-inquiries',
  'listings',
  'credentials',
  'token-removals',
  'disputes',
  'dispute-inquiries',
  'dispute-listings',
  'settlement-listings',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Body of `PUT /simulate/faults`; a setting that is left out returns to its default. */
export const faultsSchema = z.strictObject({
  latencyMs: z
    .union([
      delayMs,
      z
        .strictObject({ p50: delayMs, p99: delayMs })
        .refine(({ p50, p99 }) => p50 <= p99, { error: 'p50 must not exceed p99' }),
    ])
    .default(0),
  errorRate: rate,
  /** The status of the answer to a failed request; 401 refuses the credentials. */
  errorStatus: z.union([z.literal(500), z.literal(503), z.literal(429), z.literal(401)]).default(500),
  /** Which operations are slow, fail and lose their replies. */
  operations: z.array(z.enum(OPERATIONS)).default([...OPERATIONS]),
  dropReplyRate: rate,
  webhookDelayMs: delayMs.default(0),
  webhookDropRate: rate,
  /** Whether closed keys are charged all the same: by a later request, and by a payment that was open. */
  ignoresClosures: z.boolean().default(false),
  /** The share of webhooks that is sent twice at the same time. */
  webhookDuplicateRate: rate,
  /** The share of webhooks that is held back, so that later ones overtake them. */
  webhookReorderRate: rate,
  /** The share of webhooks that also have items of others; of the fakes, only that of Adyen sends several items at once. */
  webhookForeignRate: rate,
});
export type FaultSettings = z.infer<typeof faultsSchema>;
