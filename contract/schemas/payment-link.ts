import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  LONGEST_VALIDITY_MS,
  MAX_PAYMENTS_LIMITS,
  PAYMENT_LINK_STATUSES,
  type PaymentLinkStatus,
} from '../../domain/payment-link.ts';
import { FUTURE_USAGES, type FutureUsage } from '../../domain/saved-payment-method.ts';
import {
  amount,
  creationQuery,
  currency,
  customerId,
  metadata,
  pageQuery,
  reference,
  refinement,
  responseTime,
  shownText,
  timeText,
} from './common.ts';
import { createdBy } from './created-by.ts';
import { FUTURE_USAGE_MEANINGS } from './saved-payment-method.ts';
import { COMMON_MEMBERS, CREATED_BY, described, METADATA, REFERENCE, withValues } from './descriptions.ts';

const description = shownText(500);

const TOO_SOON = refinement({ fieldCode: 'min', message: 'Expected a time in the future; got one that is over.' });
const TOO_LATE = refinement({ fieldCode: 'max', message: 'Expected a time within ten years; got a later one.' });

const expiresAt = timeText
  .refine((time) => time.getTime() > Date.now(), TOO_SOON)
  .refine((time) => time.getTime() <= Date.now() + LONGEST_VALIDITY_MS, TOO_LATE);

const MEMBERS = {
  ...COMMON_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the payment link, which begins with `plink_`.',
  url:
    'The address of the payment page, for customers. Whoever has it can pay, and can read amount, description and reference. ' +
    'Null where the operator has set no public address of the API (`API_PUBLIC_URL`).',
  amount:
    "What each payment is for, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.",
  currency: 'The currency of the amount, as its ISO 4217 code: `EUR`.',
  description: 'What is paid for, up to 500 characters; customers read it. Null without one.',
  reference: `${REFERENCE} Payments of the link get it too.`,
  metadata: `${METADATA} Payments of the link get it too.`,
  active: 'Whether customers can pay. Set it to `false` to deactivate the link, and to `true` to activate it again.',
  status: withValues<PaymentLinkStatus>('Whether the link can be paid.', {
    active: 'it can',
    inactive: 'it was deactivated',
    expired: '`expiresAt` is over',
    used_up: 'as many payments have succeeded as `maxPayments` allows',
  }),
  maxPayments:
    'How many payments of the link may succeed; 1 makes a link that can be paid once. Null for any number. Payments that are ' +
    'refunded later count too.',
  customerId:
    'The id of the customer (`cus_…`) whose payments these are; null without one. Payments of the link get it too.',
  setupFutureUsage: withValues<FutureUsage>(
    'What the page offers to save the card for; the customer decides by a box that is empty at first. Null to offer nothing. It needs ' +
      '`customerId`.',
    FUTURE_USAGE_MEANINGS,
  ),
  allowSavedPaymentMethods:
    'Whether the page shows the saved cards of `customerId`, masked, and takes them. Send true only if nobody but this customer gets ' +
    'the address.',
  paidPayments: 'How many payments of the link have succeeded.',
  openPayments: 'How many payments customers have confirmed that have not ended, such as those in 3-D Secure.',
  expiresAt:
    'Until when payments can begin; ISO 8601 with a zone, within ten years. Null for no end. A payment that has begun can be ' +
    'completed within 30 minutes.',
};

const NO_CUSTOMER = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected the customer whose cards are saved or used; got nothing. Add customerId.',
});

/** POST /payment-links */
export const createPaymentLinkBody = z
  .strictObject(
    described(MEMBERS, {
      amount,
      currency,
      description: description.nullish(),
      reference: reference.nullish(),
      metadata: metadata.default({}),
      customerId: customerId.nullish(),
      setupFutureUsage: z.enum(FUTURE_USAGES).nullish(),
      allowSavedPaymentMethods: z.boolean().default(false),
      maxPayments: z
        .number()
        .int()
        .min(MAX_PAYMENTS_LIMITS.minimum)
        .max(MAX_PAYMENTS_LIMITS.maximum)
        .nullable()
        .default(1),
      expiresAt: expiresAt.nullish(),
    }),
  )
  .superRefine(({ customerId: customer, setupFutureUsage, allowSavedPaymentMethods }, context) => {
    if (customer == null && (setupFutureUsage != null || allowSavedPaymentMethods)) {
      context.addIssue({ code: 'custom', path: ['customerId'], ...NO_CUSTOMER });
    }
  })
  .describe('A payment link to create. Without `maxPayments` it can be paid once.');

export type CreatePaymentLink = z.output<typeof createPaymentLinkBody>;

/** PATCH /payment-links/{id}: what customers agree to pay stays as it is. */
export const updatePaymentLinkBody = z
  .strictObject(
    described(MEMBERS, {
      description: description.nullable().optional(),
      active: z.boolean().optional(),
    }),
  )
  .describe('What to change. Members that are left out stay unchanged; `null` clears the description.');

export type UpdatePaymentLink = z.output<typeof updatePaymentLinkBody>;

/** GET /payment-links */
export const listPaymentLinksQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  reference: reference.optional().describe('Selects what has this reference, compared exactly.'),
  active: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Selects the links that are active, or those that were deactivated.'),
});

export type ListPaymentLinks = z.output<typeof listPaymentLinksQuery>;

/** The payment link in every response. */
export const paymentLinkResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('payment_link'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      url: z.string().nullable(),
      amount: z.int(),
      currency: z.string(),
      description: z.string().nullable(),
      reference: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
      active: z.boolean(),
      status: z.enum(PAYMENT_LINK_STATUSES),
      customerId: z.string().nullable(),
      setupFutureUsage: z.enum(FUTURE_USAGES).nullable(),
      allowSavedPaymentMethods: z.boolean(),
      maxPayments: z.int().nullable(),
      paidPayments: z.int(),
      openPayments: z.int(),
      expiresAt: responseTime.nullable(),
      createdBy,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An address at which customers pay an amount, on a page of the engine.');

export type PaymentLinkResource = z.infer<typeof paymentLinkResource>;
