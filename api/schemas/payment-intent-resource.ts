import { z } from 'zod';
import { CAPTURE_METHODS, ENVIRONMENTS } from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';

const time = z.iso.datetime({ precision: 3 });
const details = z.record(z.string(), z.unknown());

/** A payment method as people may see it. */
const maskedPaymentMethod = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('card'),
    brand: z.string(),
    last4: z.string(),
    expiryMonth: z.number(),
    expiryYear: z.number(),
  }),
  z.object({ type: z.literal('upi'), vpa: z.string() }),
  z.object({ type: z.literal('crypto'), asset: z.string(), network: z.string() }),
]);

const nextAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string() }),
  z.object({ type: z.literal('approve_in_app'), app: z.literal('upi') }),
  z.object({
    type: z.literal('crypto_deposit'),
    asset: z.string(),
    network: z.string(),
    address: z.string(),
    amount: z.string(),
    confirmationsRequired: z.number(),
  }),
]);

const attempt = z.object({
  id: z.string(),
  route: z.string(),
  provider: z.string(),
  tries: z.number(),
  outcome: z.string().nullable(),
  code: z.string().nullable(),
  startedAt: time,
  finishedAt: time.nullable(),
});

/** The payment intent as every response shows it. */
export const paymentIntentResource = z.object({
  id: z.string(),
  object: z.literal('payment_intent'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  amount: z.number(),
  currency: z.string(),
  amountCapturable: z.number(),
  amountCaptured: z.number(),
  amountRefunded: z.number(),
  status: z.enum(PAYMENT_STATUSES),
  description: z.string().nullable(),
  customerId: z.string().nullable(),
  country: z.string().nullable(),
  captureMethod: z.enum(CAPTURE_METHODS),
  paymentMethod: maskedPaymentMethod.nullable(),
  nextAction: nextAction.nullable(),
  provider: z.string().nullable(),
  attempts: z.array(attempt),
  lastError: z.object({ code: z.string(), message: z.string(), details: details.optional(), at: time }).nullable(),
  advisory: z.object({ code: z.literal('PAYMENT_STUCK'), since: time }).nullable(),
  cancellationReason: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
});

export type PaymentIntentResource = z.infer<typeof paymentIntentResource>;

/** What the creation answers with: the only time the client secret is shown. */
export const createdPaymentIntentResource = paymentIntentResource.extend({ clientSecret: z.string() });

/** One line of GET /payment-intents/{id}/timeline. */
export const timelineLine = z.object({
  at: time,
  kind: z.string(),
  summary: z.string(),
  details: details.nullable(),
});

export type TimelineLine = z.infer<typeof timelineLine>;
