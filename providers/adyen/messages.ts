import { z } from 'zod';
import type { CaptureMethod } from '../../domain/payment.ts';
import { isId } from '../../domain/ids.ts';
import { reportedText } from '../reported-values.ts';

const identifier = z.string().min(1).max(200);
const shortText = z.string().max(1000);

const amountSchema = z.object({ value: z.int().nonnegative(), currency: z.string().length(3) });

/** The reply to a payment request. Unknown fields are ignored. */
export const paymentReplySchema = z.object({
  resultCode: reportedText(100),
  pspReference: identifier.optional(),
  merchantReference: shortText.optional(),
  amount: amountSchema.nullish(),
  refusalReasonCode: reportedText(20).nullish(),
  /** What the customer has to do. */
  action: z
    .object({
      type: z.string().max(100),
      method: shortText.optional(),
      url: z.string().max(8_000).optional(),
    })
    .nullish()
    .catch(undefined),
  /** The card's details that may be shown. Accounts choose in Adyen's Customer Area which of them Adyen returns. */
  additionalData: z
    .object({
      cardSummary: z
        .string()
        .regex(/^\d{4}$/)
        .optional()
        .catch(undefined),
      expiryDate: z
        .string()
        .regex(/^(?:0?[1-9]|1[0-2])\/20\d{2}$/)
        .optional()
        .catch(undefined),
      paymentMethod: shortText.optional().catch(undefined),
      merchantAdviceCode: shortText.optional().catch(undefined),
      refusalReasonRaw: shortText.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export type PaymentReply = z.infer<typeof paymentReplySchema>;

/** The reply to the result of a customer. Only its reference tells to which payment the result belongs. */
export const detailsReplySchema = paymentReplySchema.extend({ merchantReference: identifier });

/** The reply to a cancellation or a capture, whose outcome a webhook brings. */
export const receivedSchema = z.object({ pspReference: identifier });

/** The reply to a refund request. */
export const refundReceivedSchema = receivedSchema.extend({ amount: amountSchema });

/** A card that Adyen keeps for a shopper. */
const storedCardSchema = z.object({
  id: identifier,
  firstPspReference: identifier.nullish().catch(null),
  lastFour: shortText.nullish().catch(null),
  networkTxReference: identifier.nullish().catch(null),
  expiryMonth: z.coerce.number().int().min(1).max(12).nullish().catch(null),
  /** Two digits. */
  expiryYear: z.coerce
    .number()
    .int()
    .min(0)
    .max(99)
    .transform((year) => 2_000 + year)
    .nullish()
    .catch(null),
});
export type AdyenStoredCard = z.infer<typeof storedCardSchema>;

export const storedCardsSchema = z.object({ storedPaymentMethods: z.array(storedCardSchema).nullish() });

/** What the service for disputes says of every request. */
export const disputeReplySchema = z.object({
  disputeServiceResult: z.object({ success: z.boolean(), errorMessage: shortText.nullish().catch(null) }),
});

/** With which reasons a dispute can be defended, and the documents that each takes. */
export const defenseReasonsSchema = disputeReplySchema.extend({
  defenseReasons: z
    .array(
      z.object({
        defenseReasonCode: identifier,
        defenseDocumentTypes: z
          .array(z.object({ defenseDocumentTypeCode: identifier, requirementLevel: reportedText(50) }))
          .nullish()
          .transform((types) => types ?? []),
      }),
    )
    .nullish()
    .transform((reasons) => reasons ?? []),
});
export type DefenseReason = z.infer<typeof defenseReasonsSchema>['defenseReasons'][number];

/** The reply that refuses a request. */
export const serviceErrorSchema = z.object({ errorCode: reportedText(50) });

interface ReferencedAttempt {
  readonly attemptId: string;
  readonly captureMethod: CaptureMethod;
  readonly amountMinor: number;
}

/**
 * The reference of an attempt at Adyen: its id, followed under manual capture by the authorized amount in minor units. A webhook
 * tells neither whether the money was captured with the authorization nor, after a capture, how much had been authorized; but it
 * returns this reference, and its signature covers it.
 */
export function paymentReferenceOf({ attemptId, captureMethod, amountMinor }: ReferencedAttempt): string {
  return captureMethod === 'manual' ? `${attemptId}-${amountMinor}` : attemptId;
}

/** @returns null where the reference is none of this engine; `heldMinor` is null under automatic capture */
export function parsePaymentReference(
  reference: string,
): { readonly attemptId: string; readonly heldMinor: number | null } | null {
  const [, attemptId = '', held] = /^(att_[0-9a-f]{32}_\d{1,4})(?:-(\d{1,15}))?$/.exec(reference) ?? [];
  if (!isId('attempt', attemptId)) return null;
  return { attemptId, heldMinor: held === undefined ? null : Number(held) };
}
