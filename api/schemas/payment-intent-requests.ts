import { z } from 'zod';
import { CAPTURE_METHODS, REQUESTED_CANCELLATION_REASONS } from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  amount,
  amountRangeQuery,
  checkAmountRange,
  currency,
  customerId,
  requiringMember,
  metadata,
  metadataFilter,
  nullableCountry,
  pageQuery,
  reference,
  refinement,
  webAddress,
  text,
  timeText,
} from './common.ts';
import { paymentMethod } from './payment-method.ts';

const EXPIRY_SECONDS = { minimum: 60, maximum: DAY_MS / SECOND_MS, default: (30 * MINUTE_MS) / SECOND_MS } as const;

const description = text(1_000);
const last4 = z
  .string()
  .refine((value) => /^\d{4}$/.test(value), refinement({ fieldCode: 'invalid', message: 'Give the last four digits.' }))
  .meta({
    description: 'The last four digits of the card; of several that were tried, of the last one.',
    override: { pattern: '^\\d{4}$' },
  });
const captureMethod = z.enum(CAPTURE_METHODS);

/** POST /payment-intents */
export const createPaymentIntentBody = z
  .strictObject({
    amount,
    currency,
    reference: reference.nullish(),
    description: description.nullish(),
    customerId: customerId.nullish(),
    country: nullableCountry.optional(),
    captureMethod: captureMethod.default('automatic'),
    paymentMethod: paymentMethod.optional(),
    confirm: z.boolean().default(false),
    returnUrl: webAddress.nullish(),
    metadata: metadata.default({}),
    expiresInSeconds: z
      .number()
      .int()
      .min(EXPIRY_SECONDS.minimum)
      .max(EXPIRY_SECONDS.maximum)
      .default(EXPIRY_SECONDS.default),
  })
  .superRefine(({ confirm, paymentMethod: method }, context) => {
    if (!confirm || method !== undefined) return;
    const params = refinement({
      fieldCode: 'required',
      soleCode: 'MISSING_REQUIRED_FIELD',
      message: 'Expected a payment method, because confirm is true; got nothing. Add paymentMethod, or confirm later.',
    });
    context.addIssue({ code: 'custom', path: ['paymentMethod'], ...params });
  })
  .meta({
    override: {
      if: { properties: { confirm: { const: true } }, required: ['confirm'] },
      then: requiringMember('paymentMethod'),
    },
  });

export type CreatePaymentIntent = z.output<typeof createPaymentIntentBody>;

/** PATCH /payment-intents/{id}; null clears a field. */
export const updatePaymentIntentBody = z.strictObject({
  amount: amount.optional(),
  currency: currency.optional(),
  reference: reference.nullable().optional(),
  description: description.nullable().optional(),
  customerId: customerId.nullable().optional(),
  country: nullableCountry.optional(),
  captureMethod: captureMethod.optional(),
  returnUrl: webAddress.nullable().optional(),
  metadata: metadata.optional(),
});

export type UpdatePaymentIntent = z.output<typeof updatePaymentIntentBody>;

/** POST /payment-intents/{id}/payment-methods */
export const createPaymentMethodBody = z.strictObject({ paymentMethod });

export type CreatePaymentMethod = z.output<typeof createPaymentMethodBody>;

/** POST /payment-intents/{id}/confirm */
export const confirmPaymentIntentBody = z
  .strictObject({
    paymentMethod: paymentMethod.optional(),
    /** A payment method that was stored for this payment intent. */
    paymentMethodId: text(64).min(1).optional().meta({
      description: 'A payment method that was stored for this payment intent before, instead of `paymentMethod`.',
    }),
    /** Where the customer returns after a redirect; if omitted, the URL of the intent applies. */
    returnUrl: webAddress.optional(),
  })
  .superRefine(({ paymentMethod: method, paymentMethodId }, context) => {
    if (method === undefined || paymentMethodId === undefined) return;
    const params = refinement({ fieldCode: 'invalid', message: 'Give paymentMethod or paymentMethodId, not both.' });
    context.addIssue({ code: 'custom', path: ['paymentMethodId'], ...params });
  })
  .meta({ override: { not: { required: ['paymentMethod', 'paymentMethodId'] } } });

export type ConfirmPaymentIntent = z.output<typeof confirmPaymentIntentBody>;

/** POST /payment-intents/{id}/cancel */
export const cancelPaymentIntentBody = z.strictObject({
  reason: z.enum(REQUESTED_CANCELLATION_REASONS).default('requested_by_customer'),
});

export type CancelPaymentIntent = z.output<typeof cancelPaymentIntentBody>;

/** POST /payment-intents/{id}/capture; without an amount it captures all that is authorized. */
export const capturePaymentIntentBody = z.strictObject({ amount: amount.optional() });

export type CapturePaymentIntent = z.output<typeof capturePaymentIntentBody>;

/** GET /payment-intents */
export const listPaymentIntentsQuery = z
  .strictObject({
    ...pageQuery,
    id: text(200)
      .min(1)
      .optional()
      .meta({
        description:
          'An id of anything about the payment: of the payment intent, an attempt, a transaction, a refund or the customer, or ' +
          'the one that a provider gave the payment or a refund.',
      }),
    reference: reference.optional(),
    last4: last4.optional(),
    metadata: metadataFilter,
    status: z.enum(PAYMENT_STATUSES).optional(),
    customerId: customerId.optional(),
    currency: currency.optional(),
    ...amountRangeQuery,
    createdAfter: timeText.optional(),
    createdBefore: timeText.optional(),
  })
  .superRefine(checkAmountRange);

export type ListPaymentIntents = z.output<typeof listPaymentIntentsQuery>;
