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
  declineCode: z.enum(['card_declined', 'insufficient_funds', 'do_not_honor', 'limit_exceeded']).optional(),
  failureReason: z.enum(['fraud_suspected', 'processing_failed']).optional(),
  action: actionSchema.optional(),
  createdAt: z.string(),
});
export type Payment = z.infer<typeof paymentSchema>;
export type DeclineCode = NonNullable<Payment['declineCode']>;
export type FailureReason = NonNullable<Payment['failureReason']>;

/** Money that moved or was held: an automatic capture is one `capture`. */
const chargeSchema = z.object({
  type: z.enum(['authorization', 'capture', 'void']),
  amount: z.int(),
  at: z.string(),
});
export type Charge = z.infer<typeof chargeSchema>;

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
  /** When the payment is approved by itself, or null. */
  settlesAt: z.string().nullable(),
});
export type Booking = z.infer<typeof bookingSchema>;

/** Everything known about one idempotency key. */
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

/** A webhook to be sent; `body` is sent byte for byte. */
const outgoingEventSchema = z.object({ id: z.string(), body: z.string(), createdAt: z.string() });
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;

/** One line of the journal: what became true at one moment. */
export const journalRecordSchema = z.object({
  entry: entrySchema.optional(),
  event: outgoingEventSchema.optional(),
  /** Id of an event that needs no more sending. */
  finishedEvent: z.string().optional(),
});
export type JournalRecord = z.infer<typeof journalRecordSchema>;

/** Whether money can still move without a new request. */
export function isFinalEntry(entry: Entry): boolean {
  if (entry.booking === null) return true;
  return !['authorized', 'requires_action', 'pending'].includes(entry.booking.payment.status);
}
