import { z } from 'zod';
import {
  ATTEMPT_OUTCOMES,
  CANCELLATION_REASONS,
  CAPTURE_METHODS,
  ENVIRONMENTS,
  UPI_LINK,
} from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { workflowUrl } from './common.ts';

const time = z.iso.datetime({ precision: 3 });
const details = z.record(z.string(), z.unknown());
const currency = z.string().regex(/^[A-Z]{3}$/);
const country = z.string().regex(/^[A-Z]{2}$/);
const amount = z.int().min(0);

/** A masked payment method. */
const maskedPaymentMethod = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('card'),
        brand: z.string(),
        last4: z.string().regex(/^\d{4}$/),
        expiryMonth: z.int().min(1).max(12),
        expiryYear: z.int(),
      })
      .meta({ id: 'MaskedCard' }),
    z
      .object({
        type: z.literal('upi'),
        vpa: z.string().nullable().meta({ description: 'Null where the customer pays by link or QR code.' }),
      })
      .meta({ id: 'MaskedUpi' }),
    z.object({ type: z.literal('crypto'), asset: z.string(), network: z.string() }).meta({ id: 'MaskedCrypto' }),
  ])
  .meta({ id: 'MaskedPaymentMethod', description: 'A masked payment method.' });

const nextAction = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('redirect'), url: z.url() }).meta({ id: 'RedirectAction' }),
    z
      .object({
        type: z.literal('approve_in_app'),
        app: z.literal('upi'),
        link: z.string().regex(UPI_LINK).optional().meta({
          description:
            'Opens a UPI app on a phone; elsewhere show it as a QR code. Absent where the provider gives none.',
        }),
      })
      .meta({ id: 'ApproveInAppAction' }),
    z
      .object({
        type: z.literal('crypto_deposit'),
        asset: z.string(),
        network: z.string(),
        address: z.string(),
        amount: z
          .string()
          .regex(/^\d+(\.\d+)?$/)
          .meta({ description: "Decimal, in the asset's own precision." }),
        confirmationsRequired: z.int().min(0),
      })
      .meta({ id: 'CryptoDepositAction' }),
  ])
  .meta({ id: 'NextAction', description: 'What the customer has to do before the payment continues.' });

const attempt = z
  .object({
    id: z.string(),
    route: z.string(),
    provider: z.string(),
    tries: z.int().min(0),
    outcome: z.enum(ATTEMPT_OUTCOMES).nullable(),
    code: z.string().nullable(),
    startedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'PaymentAttempt', description: 'One route tried for one intent.' });

const lastError = z
  .object({ code: z.string(), message: z.string(), details: details.optional(), at: time })
  .meta({ id: 'LastError' });

const advisory = z
  .object({ code: z.literal('PAYMENT_STUCK'), since: time })
  .meta({ id: 'Advisory', description: 'A notice that does not change the state: the payment continues.' });

/** The payment intent in every response. */
export const paymentIntentResource = z
  .object({
    id: z.string(),
    object: z.literal('payment_intent'),
    merchantId: z.string(),
    environment: z.enum(ENVIRONMENTS),
    amount,
    currency,
    amountCapturable: amount,
    amountCaptured: amount,
    amountRefunded: amount,
    status: z.enum(PAYMENT_STATUSES),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    customerId: z.string().nullable(),
    country: country.nullable(),
    captureMethod: z.enum(CAPTURE_METHODS),
    paymentMethod: maskedPaymentMethod.nullable(),
    nextAction: nextAction.nullable(),
    provider: z.string().nullable(),
    attempts: z.array(attempt),
    lastError: lastError.nullable(),
    advisory: advisory.nullable(),
    cancellationReason: z.enum(CANCELLATION_REASONS).nullable(),
    metadata: z.record(z.string(), z.string()),
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
    workflowUrl,
  })
  .meta({ id: 'PaymentIntent' });

export type PaymentIntentResource = z.infer<typeof paymentIntentResource>;

/** The response to a creation, the only one with the client secret. */
export const createdPaymentIntentResource = paymentIntentResource.extend({ clientSecret: z.string() }).meta({
  id: 'CreatedPaymentIntent',
  description: 'The only response with the client secret.',
});

/** A payment method that was stored for a payment intent, and not confirmed yet. */
export const paymentMethodResource = z
  .object({
    id: z.string(),
    object: z.literal('payment_method'),
    paymentIntentId: z.string(),
    paymentMethod: maskedPaymentMethod,
  })
  .meta({ id: 'StoredPaymentMethod', description: 'A payment method that is stored for one payment intent.' });

export type PaymentMethodResource = z.infer<typeof paymentMethodResource>;

/** One entry of GET /payment-intents/{id}/timeline. */
export const timelineLine = z
  .object({ at: time, kind: z.string(), summary: z.string(), details: details.nullable() })
  .meta({ id: 'TimelineLine' });

export type TimelineLine = z.infer<typeof timelineLine>;
