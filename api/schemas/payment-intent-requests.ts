import { z } from 'zod';
import { CAPTURE_METHODS, REQUESTED_CANCELLATION_REASONS } from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  amount,
  creationQuery,
  currency,
  customerId,
  requiringMember,
  metadata,
  nullableCountry,
  pageQuery,
  refinement,
  webAddress,
  text,
} from './common.ts';
import { paymentMethod } from './payment-method.ts';
import { described } from './descriptions.ts';
import { PAYMENT_INTENT_MEMBERS } from './payment-intent-members.ts';

const EXPIRY_SECONDS = { minimum: 60, maximum: DAY_MS / SECOND_MS, default: (30 * MINUTE_MS) / SECOND_MS } as const;

const description = text(1_000);
const captureMethod = z.enum(CAPTURE_METHODS);

const MEMBERS = {
  ...PAYMENT_INTENT_MEMBERS,
  paymentMethod: 'How the customer pays. Card data is encrypted at once.',
};

/** POST /payment-intents */
export const createPaymentIntentBody = z
  .strictObject(
    described(MEMBERS, {
      amount,
      currency,
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
    }),
  )
  .superRefine(({ confirm, paymentMethod: method }, context) => {
    if (!confirm || method !== undefined) return;
    const params = refinement({ fieldCode: 'required', soleCode: 'MISSING_REQUIRED_FIELD' });
    context.addIssue({ code: 'custom', path: ['paymentMethod'], ...params });
  })
  .meta({
    description: 'A payment intent to create.',
    override: {
      if: { properties: { confirm: { const: true } }, required: ['confirm'] },
      then: requiringMember('paymentMethod'),
    },
  });

export type CreatePaymentIntent = z.output<typeof createPaymentIntentBody>;

/** PATCH /payment-intents/{id}; null clears a field. */
export const updatePaymentIntentBody = z
  .strictObject(
    described(MEMBERS, {
      amount: amount.optional(),
      currency: currency.optional(),
      description: description.nullable().optional(),
      customerId: customerId.nullable().optional(),
      country: nullableCountry.optional(),
      captureMethod: captureMethod.optional(),
      returnUrl: webAddress.nullable().optional(),
      metadata: metadata.optional(),
    }),
  )
  .describe(
    'What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole.',
  );

export type UpdatePaymentIntent = z.output<typeof updatePaymentIntentBody>;

/** POST /payment-intents/{id}/confirm */
export const confirmPaymentIntentBody = z
  .strictObject(
    described(
      {
        paymentMethod: `${MEMBERS.paymentMethod} Left out: the payment method that the payment was created with.`,
        returnUrl: `${MEMBERS.returnUrl} Left out: that of the payment.`,
      },
      {
        paymentMethod: paymentMethod.optional(),
        returnUrl: webAddress.optional(),
      },
    ),
  )
  .describe('How the customer pays.');

export type ConfirmPaymentIntent = z.output<typeof confirmPaymentIntentBody>;

/** POST /payment-intents/{id}/cancel */
export const cancelPaymentIntentBody = z
  .strictObject(
    described(MEMBERS, {
      reason: z.enum(REQUESTED_CANCELLATION_REASONS).default('requested_by_customer'),
    }),
  )
  .describe('Why the payment is canceled.');

export type CancelPaymentIntent = z.output<typeof cancelPaymentIntentBody>;

/** POST /payment-intents/{id}/capture; without an amount it captures all that is authorized. */
export const capturePaymentIntentBody = z
  .strictObject({
    amount: amount
      .optional()
      .describe("How much to capture, in the currency's minor unit, at most `amountCapturable`. Left out: all of it."),
  })
  .describe('How much to capture.');

export type CapturePaymentIntent = z.output<typeof capturePaymentIntentBody>;

/** GET /payment-intents */
export const listPaymentIntentsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  status: z.enum(PAYMENT_STATUSES).optional().describe('Selects the payment intents in this state.'),
  customerId: customerId.optional().describe('Selects the payment intents of the customer with this id.'),
  currency: currency.optional().describe('Selects the payment intents in this currency.'),
});

export type ListPaymentIntents = z.output<typeof listPaymentIntentsQuery>;
