import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const shortText = z.string().max(1000);

/** More events than Adyen puts into one request. */
const MAXIMUM_ITEMS = 100;

/** A webhook. Its items are read one by one, because Adyen puts events of every kind into one request. */
export const notificationSchema = z.object({
  notificationItems: z.array(z.unknown()).max(MAXIMUM_ITEMS),
});

/** What the signature covers, in whatever form Adyen sends it: reports have no reference, and an amount may be a text. */
const signedItemSchema = z.object({
  pspReference: shortText.nullish(),
  originalReference: shortText.nullish(),
  merchantAccountCode: shortText.nullish(),
  merchantReference: shortText.nullish(),
  amount: z
    .object({ value: z.union([z.number(), z.string().max(50)]).nullish(), currency: z.string().max(50).nullish() })
    .nullish(),
  eventCode: z.string().max(100).nullish(),
  success: z.union([z.boolean(), z.string().max(20)]).nullish(),
  additionalData: z.object({ hmacSignature: z.string().max(200) }),
});

/** One event of a webhook that the adapter can read. */
const notificationItemSchema = z.object({
  pspReference: shortText.min(1),
  originalReference: shortText.nullish(),
  merchantAccountCode: shortText,
  merchantReference: shortText.nullish().transform((reference) => reference ?? ''),
  amount: z.object({
    value: z.union([z.int(), z.string().regex(/^-?\d{1,15}$/)]).transform(Number),
    currency: shortText,
  }),
  eventCode: z.string().min(1).max(100),
  success: z
    .union([z.enum(['true', 'false']), z.boolean()])
    .transform((success) => (String(success) === 'true' ? 'true' : 'false')),
  /** When it happened; the signature does not cover this and the next members. */
  eventDate: shortText.nullish().catch(undefined),
  /** Of an authorization by card: its scheme, such as `visa`. */
  paymentMethod: shortText.nullish().catch(undefined),
  reason: shortText.nullish().catch(undefined),
  additionalData: z.object({
    /** Whether `CANCEL_OR_REFUND` canceled or refunded. */
    'modification.action': shortText.optional().catch(undefined),
    /** Of a dispute. Adyen sends no status of those in Brazil. */
    disputeStatus: shortText.optional().catch(undefined),
    defensePeriodEndsAt: shortText.optional().catch(undefined),
    defendable: z.union([shortText, z.boolean()]).transform(String).optional().catch(undefined),
    chargebackReasonCode: shortText.optional().catch(undefined),
    rfiReasonCode: shortText.optional().catch(undefined),
  }),
});

export type NotificationItem = z.infer<typeof notificationItemSchema>;

/** What the signature says of one item of a webhook. */
export type CheckedItem =
  | { readonly kind: 'signed'; readonly item: NotificationItem }
  /** Rightly signed, in a form that the adapter does not know. */
  | { readonly kind: 'unreadable'; readonly eventCode: string; readonly merchantReference: string; readonly id: string }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'forged' };

/** Checks the signature of one item, then reads it. @param key the account's HMAC key */
export function checkItem(value: unknown, key: Buffer): CheckedItem {
  const content = z.object({ NotificationRequestItem: z.unknown() }).safeParse(value).data?.NotificationRequestItem;
  const signed = signedItemSchema.safeParse(content);
  if (!signed.success) return { kind: 'unsigned' };
  if (!isRightlySigned(signed.data, key)) return { kind: 'forged' };
  const parsed = notificationItemSchema.safeParse(content);
  if (parsed.success) return { kind: 'signed', item: parsed.data };
  const { eventCode, merchantReference, pspReference, originalReference } = signed.data;
  return {
    kind: 'unreadable',
    eventCode: eventCode ?? 'without a code',
    merchantReference: merchantReference ?? '',
    id: isTokenReport(eventCode ?? '') ? (originalReference ?? '') : (pspReference ?? ''),
  };
}

/** Whether an event has a token as its own reference, which must not be stored. */
export function isTokenReport(eventCode: string): boolean {
  return eventCode === 'RECURRING_CONTRACT';
}

type SignedItem = z.infer<typeof signedItemSchema>;

/** Adyen's libraries join the values as they are; its description escapes them. Values of this engine need no escape. */
function isRightlySigned(item: SignedItem, key: Buffer): boolean {
  const values = signedValues(item);
  const escaped = values.map((value) => value.replaceAll('\\', '\\\\').replaceAll(':', '\\:'));
  const signature = Buffer.from(item.additionalData.hmacSignature, 'base64');
  const signedBy = (each: readonly string[]): Buffer => createHmac('sha256', key).update(each.join(':')).digest();
  return isEqual(signature, signedBy(values)) || isEqual(signature, signedBy(escaped));
}

/** What is missing is signed as an empty text. */
function signedValues(item: SignedItem): string[] {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item;
  return [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount?.value,
    amount?.currency,
    eventCode,
    success,
  ].map((value) => String(value ?? ''));
}

function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
