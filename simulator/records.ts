import { z } from 'zod';

const actionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({ type: z.literal('approve_in_app'), app: z.literal('upi') }),
]);

/** A payment as the protocol shows it; amounts in minor units, times ISO 8601 UTC. */
export const paymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(['authorized', 'captured', 'declined', 'failed', 'requires_action', 'pending', 'voided']),
  amount: z.int(),
  currency: z.string(),
  amountCaptured: z.int(),
  /** What went back of it; refunds that are under way do not count. */
  amountRefunded: z.int().default(0),
  declineCode: z.enum(['card_declined', 'insufficient_funds', 'do_not_honor', 'limit_exceeded']).optional(),
  failureReason: z.enum(['fraud_suspected', 'processing_failed']).optional(),
  action: actionSchema.optional(),
  createdAt: z.string(),
});
export type Payment = z.infer<typeof paymentSchema>;
export type DeclineCode = NonNullable<Payment['declineCode']>;
export type FailureReason = NonNullable<Payment['failureReason']>;

/** A refund as the protocol shows it; the amount is in minor units of the payment's currency. */
export const refundSchema = z.object({
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

const bookingSchema = z.object({
  payment: paymentSchema,
  charges: z.array(chargeSchema),
  /** Keyed hash of the request, by which a repeat is told from another request. */
  fingerprint: z.string(),
  capture: z.boolean(),
  returnUrl: z.string().nullable(),
  methodType: z.enum(['card', 'upi']),
  /** `lost`: charged, but neither a reply nor a webhook ever tells. */
  reply: z.enum(['payment', 'lost']),
  refundScript: refundScriptSchema.default('accepted'),
  /** When the payment is approved by itself, or null. */
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
  /** Asked about while nothing was booked: nothing ever will be. */
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
