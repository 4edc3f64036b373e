import { z } from 'zod';

const actionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({ type: z.literal('approve_in_app'), app: z.literal('upi') }),
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

/** A payment as the protocol shows it; amounts in minor units, times ISO 8601 UTC. */
const paymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(['authorized', 'captured', 'declined', 'failed', 'requires_action', 'pending', 'voided']),
  amount: z.int(),
  currency: z.string(),
  amountCaptured: z.int(),
  /** The hold that was voided; 0 where nothing was held. */
  amountVoided: z.int().default(0),
  /** What went back of it; refunds that are under way do not count. */
  amountRefunded: z.int().default(0),
  declineCode: z
    .enum(['card_declined', 'insufficient_funds', 'do_not_honor', 'limit_exceeded', 'unsupported_pair'])
    .optional(),
  failureReason: z.enum(['fraud_suspected', 'processing_failed', 'deposit_failed']).optional(),
  deposit: depositSchema.optional(),
  action: actionSchema.optional(),
  createdAt: z.string(),
});
export type Payment = z.infer<typeof paymentSchema>;
export type DeclineCode = NonNullable<Payment['declineCode']>;
export type FailureReason = NonNullable<Payment['failureReason']>;

/** A refund as the protocol shows it; the amount is in minor units of the payment's currency. */
const refundSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(['succeeded', 'pending', 'failed']),
  amount: z.int(),
  currency: z.string(),
  failureReason: z.enum(['amount_exceeded', 'refused', 'processing_failed']).optional(),
  createdAt: z.string(),
});
export type Refund = z.infer<typeof refundSchema>;

/**
 * Money that moved or was held: an automatic capture is one `capture`, a partial capture releases the rest of its
 * `authorization` without a line of its own.
 */
const chargeSchema = z.object({
  type: z.enum(['authorization', 'capture', 'void', 'refund']),
  amount: z.int(),
  at: z.string(),
  /** Of a refund, the refund's. */
  reference: z.string().optional(),
});
export type Charge = z.infer<typeof chargeSchema>;

/** What becomes of refunds of a payment. `lost`: given back, but neither a reply nor a webhook ever tells. */
const refundScriptSchema = z.enum(['accepted', 'refused', 'lost', 'silent']);
export type RefundScript = z.infer<typeof refundScriptSchema>;

/** Which course crypto deposits can be told to take; `unpaid`: nothing ever arrives. */
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

/** What a provider says of an approved payment that is not so: another amount, or another currency. */
export const MISREPORTS = ['other_amount', 'other_currency'] as const;
export type Misreport = (typeof MISREPORTS)[number];

/** What a card payment can be told to do; `late_charge`: charged after inquiries and closures were told that it is not. */
export const CARD_SCENARIOS = [...MISREPORTS, 'late_charge'] as const;

/** The crypto deposit that pays a payment. */
const depositPlanSchema = z.object({
  scenario: z.enum(DEPOSIT_SCENARIOS),
  asset: z.string(),
  network: z.string(),
  /** In the smallest unit of the asset: too many digits for a number. */
  expectedUnits: z.string().regex(/^\d+$/),
});
export type DepositPlan = z.infer<typeof depositPlanSchema>;

const bookingSchema = z.object({
  payment: paymentSchema,
  charges: z.array(chargeSchema),
  /** Keyed hash of the request, by which a repeat is told from another request. */
  fingerprint: z.string(),
  capture: z.boolean(),
  returnUrl: z.string().nullable(),
  methodType: z.enum(['card', 'upi', 'crypto']),
  /** `lost`: charged, but neither a reply nor a webhook ever tells. */
  reply: z.enum(['payment', 'lost']),
  deposit: depositPlanSchema.nullable().default(null),
  refundScript: refundScriptSchema.default('accepted'),
  misreport: z.enum(MISREPORTS).nullable().default(null),
  /** Whether inquiries and closures are told that there is no such payment for as long as it is open. */
  concealed: z.boolean().default(false),
  /** How long after the first such answer the payment is charged all the same; null where that is not scripted. */
  lateChargeDelayMs: z.number().nullable().default(null),
  /** When the payment takes its next step by itself, or null. */
  settlesAt: z.string().nullable(),
});
export type Booking = z.infer<typeof bookingSchema>;

/** Everything known about one idempotency key of a payment. */
const entrySchema = z.object({
  key: z.string(),
  reference: z.string().nullable(),
  paymentIntentId: z.string().nullable(),
  /** Payment requests received with the key, refused ones included. */
  requests: z.int(),
  /** Asked about while nothing was booked: nothing ever will be, unless the simulator is told to misbehave. */
  closed: z.boolean(),
  booking: bookingSchema.nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

/** Everything known about one idempotency key of a refund. */
const refundEntrySchema = z.object({
  key: z.string(),
  /** Idempotency key of the payment. */
  paymentKey: z.string().nullable(),
  requests: z.int(),
  /** Asked about while nothing was booked: nothing ever will be. */
  closed: z.boolean(),
  refund: refundSchema.nullable(),
});
export type RefundEntry = z.infer<typeof refundEntrySchema>;

/** A webhook to be sent; `body` is sent byte for byte. */
const outgoingEventSchema = z.object({ id: z.string(), body: z.string(), createdAt: z.string() });
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;

/** One line of the journal: what became true at one moment. */
export const journalRecordSchema = z.object({
  entry: entrySchema.optional(),
  refundEntry: refundEntrySchema.optional(),
  event: outgoingEventSchema.optional(),
  /** Id of an event that needs no more sending. */
  finishedEvent: z.string().optional(),
});
export type JournalRecord = z.infer<typeof journalRecordSchema>;

/** Whether money can still move without a new request; refunds apart. */
export function isFinalEntry(entry: Entry): boolean {
  if (entry.booking === null) return true;
  return !['authorized', 'requires_action', 'pending'].includes(entry.booking.payment.status);
}

/** Whether somebody still has to say what becomes of the refund. */
export function isOpenRefund({ refund }: RefundEntry): boolean {
  return refund?.status === 'pending';
}
