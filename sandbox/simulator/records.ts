import { z } from 'zod';

const actionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({ type: z.literal('approve_in_app'), app: z.literal('upi'), link: z.string().optional() }),
  z.object({
    type: z.literal('crypto_deposit'),
    asset: z.string(),
    network: z.string(),
    address: z.string(),
    /** Decimal string with the asset's own precision. */
    amount: z.string(),
    confirmationsRequired: z.int(),
  }),
]);

/** Why a crypto deposit does not count; amounts are decimal strings with the asset's own precision. */
const depositSchema = z.object({
  reason: z.string(),
  transactionHash: z.string(),
  asset: z.string(),
  network: z.string(),
  expectedAmount: z.string(),
  /** What arrived at the address, of the asset, and stayed. */
  receivedAmount: z.string(),
});
export type Deposit = z.infer<typeof depositSchema>;

/** A payment as the protocol presents it; amounts in minor units, times ISO 8601 UTC. */
const paymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  merchantReference: z.string().nullable().default(null),
  status: z.enum(['authorized', 'captured', 'declined', 'failed', 'requires_action', 'pending', 'voided']),
  amount: z.int(),
  currency: z.string(),
  amountCaptured: z.int(),
  /** The hold that was voided; 0 where nothing was held. */
  amountVoided: z.int().default(0),
  /** The sum of its succeeded refunds; pending refunds do not count. */
  amountRefunded: z.int().default(0),
  declineCode: z
    .enum([
      'card_declined',
      'lost_card',
      'incorrect_cvc',
      'processing_error',
      'authentication_required',
      'expired_card',
      'authentication_failed',
      'insufficient_funds',
      'do_not_honor',
      'limit_exceeded',
      'unsupported_pair',
    ])
    .optional(),
  /** The card network's own code of the decline, and its advice to merchants. */
  networkCode: z.string().optional(),
  merchantAdviceCode: z.string().optional(),
  failureReason: z.enum(['fraud_suspected', 'processing_failed', 'deposit_failed']).optional(),
  deposit: depositSchema.optional(),
  action: actionSchema.optional(),
  createdAt: z.string(),
});
export type Payment = z.infer<typeof paymentSchema>;
export type DeclineCode = NonNullable<Payment['declineCode']>;
export type FailureReason = NonNullable<Payment['failureReason']>;

/** A refund as the protocol presents it; the amount is in minor units of the payment's currency. */
const refundSchema = z.object({
  id: z.string(),
  reference: z.string(),
  merchantReference: z.string().nullable().default(null),
  status: z.enum(['succeeded', 'pending', 'failed']),
  amount: z.int(),
  currency: z.string(),
  failureReason: z.enum(['amount_exceeded', 'refused', 'processing_failed']).optional(),
  createdAt: z.string(),
});
export type Refund = z.infer<typeof refundSchema>;

/**
 * A movement or hold of money. An automatic capture is one `capture`; a partial capture releases the rest of its
 * `authorization` without a charge of its own.
 */
const chargeSchema = z.object({
  type: z.enum(['authorization', 'capture', 'void', 'refund', 'chargeback', 'chargeback_reversal']),
  amount: z.int(),
  at: z.string(),
  /** Of a refund, the refund's; of a dispute, its id. */
  reference: z.string().optional(),
});
export type Charge = z.infer<typeof chargeSchema>;

/** How refunds of a payment end. `lost`: refunded without a reply and without a webhook; `silent`: pending until settled. */
const refundScenarioSchema = z.enum(['accepted', 'refused', 'lost', 'silent']);
export type RefundScenario = z.infer<typeof refundScenarioSchema>;

/** The scenarios of a crypto deposit; `unpaid`: nothing ever arrives. */
export const DEPOSIT_SCENARIOS = [
  'confirmed',
  'reorg',
  'mismatch',
  'underpaid',
  'overpaid',
  'wrong_asset',
  'unsupported_pair',
  'unpaid',
] as const;
export type DepositScenario = (typeof DEPOSIT_SCENARIOS)[number];

/** What a provider reports wrongly of an approved payment: its amount, or its currency. */
export const MISREPORTS = ['other_amount', 'other_currency'] as const;
export type Misreport = (typeof MISREPORTS)[number];

/** What a card payment can be asked to do; `late_charge`: charged after inquiries and closures answered that it is not. */
export const CARD_SCENARIOS = [...MISREPORTS, 'late_charge', 'token_late', 'processing_error_alpha'] as const;

/** The crypto deposit that pays a payment. */
const depositPlanSchema = z.object({
  scenario: z.enum(DEPOSIT_SCENARIOS),
  asset: z.string(),
  network: z.string(),
  /** In the smallest unit of the asset: too many digits for a number. */
  expectedUnits: z.string().regex(/^\d+$/),
});
export type DepositPlan = z.infer<typeof depositPlanSchema>;

/** A card that the simulator stores for a customer. */
const storedCardSchema = z.object({
  customerId: z.string(),
  usage: z.enum(['on_session', 'off_session']),
  token: z.string(),
  /** The last digits of the test card that it is; null of another card. */
  testCard: z.string().nullable().default(null),
  networkTransactionId: z.string(),
  /** From when the token is given out, ISO 8601 UTC; before, there is none. */
  issuedAt: z.string(),
  /** Whether the token was removed, and stands for nothing any more. */
  isRemoved: z.boolean().default(false),
});
export type StoredCard = z.infer<typeof storedCardSchema>;

/** Who makes a payment with a stored card, and why. */
export const INITIATORS = ['customer', 'merchant'] as const;
export const CREDENTIAL_REASONS = ['card_on_file', 'recurring', 'unscheduled'] as const;

/** How a payment has used a stored card. */
const credentialUseSchema = z.object({
  initiator: z.enum(INITIATORS),
  reason: z.enum(CREDENTIAL_REASONS),
  /** The reference of the payment that has stored the card; null of a card by its number. */
  initialReference: z.string().nullable(),
});

/** What a card asks to be done to its payment once it is captured. */
const disputePlanSchema = z.enum(['product_not_received', 'inquiry', 'fraud_warning']);
export type DisputePlan = z.infer<typeof disputePlanSchema>;

/** A payment with all data of the simulator. */
const paymentRecordSchema = z.object({
  payment: paymentSchema,
  charges: z.array(chargeSchema),
  /** Keyed hash of the request, which distinguishes a repeat from another request. */
  fingerprint: z.string(),
  capture: z.boolean(),
  returnUrl: z.string().nullable(),
  methodType: z.enum(['card', 'upi', 'crypto']),
  /** `lost`: charged without a reply and without a webhook. */
  reply: z.enum(['payment', 'lost']),
  deposit: depositPlanSchema.nullable().default(null),
  refundScenario: refundScenarioSchema.default('accepted'),
  misreport: z.enum(MISREPORTS).nullable().default(null),
  /** Null where nothing is to be done, or it is done. */
  disputePlan: disputePlanSchema.nullable().default(null),
  /** Whether inquiries and closures answer that there is no such payment for as long as it is open. */
  concealed: z.boolean().default(false),
  /** How long after the first such answer the payment is charged all the same; null where the scenario does not. */
  lateChargeDelayMs: z.number().nullable().default(null),
  storedCard: storedCardSchema.nullable().default(null),
  credentialUse: credentialUseSchema.nullable().default(null),
  /** ISO 8601 UTC; when the payment takes its next step without a request, or null. */
  settlesAt: z.string().nullable(),
});
export type PaymentRecord = z.infer<typeof paymentRecordSchema>;

/** Everything known about one idempotency key of a payment. */
const ledgerEntrySchema = z.object({
  key: z.string(),
  reference: z.string().nullable(),
  paymentIntentId: z.string().nullable(),
  /** Payment requests received with the key, rejected ones included. */
  requests: z.int(),
  /** Whether an inquiry found no payment: the key is then never charged, unless a fault ignores closures. */
  closed: z.boolean(),
  record: paymentRecordSchema.nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** Everything known about one idempotency key of a refund. */
const refundEntrySchema = z.object({
  key: z.string(),
  /** Idempotency key of the payment. */
  paymentKey: z.string().nullable(),
  requests: z.int(),
  /** Whether an inquiry found no refund: the key then never refunds. */
  closed: z.boolean(),
  refund: refundSchema.nullable(),
});
export type RefundEntry = z.infer<typeof refundEntrySchema>;

/** What may happen to a dispute, in the names that events have. */
export const DISPUTE_STEPS = [
  'opened',
  'chargeback',
  'under_review',
  'won',
  'lost',
  'closed',
  'second_chargeback',
] as const;
export type DisputeStep = (typeof DISPUTE_STEPS)[number];

/** A dispute as its last step has left it; the amount is in minor units of the payment's currency. */
const disputeSchema = z.object({
  id: z.string(),
  /** Idempotency key of the payment. */
  paymentKey: z.string(),
  /** That of the payment. */
  reference: z.string(),
  stage: z.enum(['inquiry', 'chargeback', 'pre_arbitration']),
  status: z.enum(['needs_response', 'under_review', 'won', 'lost', 'closed']),
  step: z.enum(DISPUTE_STEPS),
  reason: z.string(),
  amount: z.int(),
  currency: z.string(),
  /** What the last step has done with the money. */
  funds: z.enum(['withdrawn', 'reinstated']).nullable(),
  respondBy: z.string(),
  /** The earlier steps, as its events have told them. */
  past: z.array(z.record(z.string(), z.unknown())).default([]),
  /** Keys of answers that were carried out. */
  answers: z.array(z.string()).default([]),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Dispute = z.infer<typeof disputeSchema>;

/** A line of a settlement: a movement of money of a payment, in minor units of the settlement's currency. */
const settlementLineSchema = z.object({
  id: z.string(),
  type: z.enum(['payment', 'refund', 'chargeback', 'chargeback_reversal']),
  paymentId: z.string(),
  /** That of the payment. */
  reference: z.string(),
  /** Of a refund, the refund's; of a dispute, its id. */
  chargeReference: z.string().nullable(),
  /** Positive where it is for the merchant. */
  amount: z.int(),
  fee: z.int(),
  fees: z.array(z.object({ type: z.enum(['interchange', 'scheme', 'markup', 'provider']), amount: z.int() })),
  net: z.int(),
  currency: z.string(),
  /** In the payment's currency; null where nothing was exchanged. */
  originalAmount: z.int().nullable(),
  originalCurrency: z.string().nullable(),
  exchangeRate: z.string().nullable(),
  at: z.string(),
});
export type SettlementLine = z.infer<typeof settlementLineSchema>;

/** What the simulator can say wrongly of a settlement. */
export const SETTLEMENT_MISREPORTS = [
  'missing_entry',
  'extra_entry',
  'duplicate_entry',
  'wrong_amount',
  'wrong_fee',
  'wrong_sum',
  'other_currency',
] as const;
export type SettlementMisreport = (typeof SETTLEMENT_MISREPORTS)[number];

/** What the simulator pays to the merchant's bank in one transfer, as it says it. */
const settlementSchema = z.object({
  id: z.string(),
  currency: z.string(),
  status: z.enum(['open', 'paid', 'failed', 'returned']),
  net: z.int(),
  arrivalDate: z.string(),
  bankReference: z.string(),
  lines: z.array(settlementLineSchema),
  /** The movements that it settles, whatever its lines say. */
  settledIds: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Settlement = z.infer<typeof settlementSchema>;

/** A webhook to be sent; `body` is sent byte for byte. */
const outgoingEventSchema = z.object({ id: z.string(), body: z.string(), createdAt: z.string() });
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;

/** One line of the journal: what changed in one write. */
export const journalRecordSchema = z.object({
  entry: ledgerEntrySchema.optional(),
  refundEntry: refundEntrySchema.optional(),
  dispute: disputeSchema.optional(),
  settlement: settlementSchema.optional(),
  event: outgoingEventSchema.optional(),
  /** Id of an event that needs no more sending. */
  finishedEvent: z.string().optional(),
});
export type JournalRecord = z.infer<typeof journalRecordSchema>;

/** Whether money can still move without a new request; refunds apart. */
export function isFinalEntry(entry: LedgerEntry): boolean {
  if (entry.record === null) return true;
  return !['authorized', 'requires_action', 'pending'].includes(entry.record.payment.status);
}

/** Whether the outcome of the refund is still to come. */
export function isOpenRefund({ refund }: RefundEntry): boolean {
  return refund?.status === 'pending';
}
