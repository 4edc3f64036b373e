import { z } from 'zod';
import { CAPTURE_METHODS, REQUESTED_CANCELLATION_REASONS } from '../../domain/payment.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  amount,
  amountRangeQuery,
  checkAmountRange,
  creationQuery,
  currency,
  customerId,
  referenceQuery,
  requiringMember,
  metadata,
  nullableCountry,
  pageQuery,
  reference,
  refinement,
  returnAddress,
  text,
} from './common.ts';
import { FUTURE_USAGES, OFF_SESSION_REASONS } from '../../domain/saved-payment-method.ts';
import { mismatchMessage } from '../field-messages.ts';
import { paymentMethod, securityCode } from './payment-method.ts';
import { consent } from './saved-payment-method.ts';
import { described } from './descriptions.ts';
import { PAYMENT_INTENT_MEMBERS } from './payment-intent-members.ts';

const EXPIRY_SECONDS = { minimum: 60, maximum: DAY_MS / SECOND_MS, default: (30 * MINUTE_MS) / SECOND_MS } as const;

const description = text(1_000);
const last4 = z
  .string()
  .refine((value) => /^\d{4}$/.test(value), refinement({ fieldCode: 'invalid', message: 'Give the last four digits.' }))
  .meta({ override: { pattern: '^\\d{4}$' } });
const captureMethod = z.enum(CAPTURE_METHODS);

const MEMBERS = {
  ...PAYMENT_INTENT_MEMBERS,
  paymentMethod: 'How the customer pays. Card data is encrypted at once.',
  paymentMethodId:
    'The id of a saved payment method (`spm_…`) of the customer, with which the payment is confirmed at once.',
};

const NO_CUSTOMER = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected a customer, because setupFutureUsage is set; got nothing. Add customerId.',
});
const EARLY_CONSENT = refinement({
  fieldCode: 'invalid',
  message:
    'Expected consent with the confirm, because confirm is not true here; got it earlier. Send it with the confirm.',
});

const SAVED_ONLY = 'the id of a saved payment method (spm_…) in paymentMethodId';

interface SavedUse {
  readonly paymentMethodId?: string | undefined;
  readonly cvc?: string | undefined;
  readonly offSession?: string | undefined;
}

/** A security code, and a charge without the customer, are of a saved payment method, and not both at once. */
function checkSavedUse({ paymentMethodId, cvc, offSession }: SavedUse, context: z.RefinementCtx): void {
  const isSaved = paymentMethodId?.startsWith('spm_') === true;
  const refuse = (field: string, expected: string, advice: string) =>
    context.addIssue({
      code: 'custom',
      path: [field],
      ...refinement({
        fieldCode: 'invalid',
        soleCode: 'INVALID_PAYMENT_METHOD',
        message: mismatchMessage(expected, 'something else', advice),
      }),
    });
  if (cvc !== undefined && !isSaved) {
    refuse('cvc', `cvc together with ${SAVED_ONLY}`, 'Put the code of another card into paymentMethod.card.cvc.');
  }
  if (offSession === undefined) return;
  if (!isSaved)
    refuse('offSession', `offSession together with ${SAVED_ONLY}`, 'Leave offSession out if the customer is present.');
  if (cvc !== undefined) refuse('cvc', 'no cvc with offSession', 'Only a customer who is present has it.');
}

interface SavedOfCreation extends SavedUse {
  readonly confirm: boolean;
  readonly paymentMethod?: unknown;
  readonly setupFutureUsage?: unknown;
  readonly customerId?: string | null | undefined;
  readonly allowSavedPaymentMethods: boolean;
}

/** A new payment has no other payment methods than saved ones, which its confirm names. */
function checkSavedOfCreation(body: SavedOfCreation, context: z.RefinementCtx): void {
  const { confirm, paymentMethodId, customerId: customer, allowSavedPaymentMethods } = body;
  const issue = (field: string, params: object) => context.addIssue({ code: 'custom', path: [field], ...params });
  if (allowSavedPaymentMethods && customer == null) issue('customerId', NO_CUSTOMER_TO_VOUCH);
  if (paymentMethodId === undefined) return;
  if (body.paymentMethod !== undefined) issue('paymentMethodId', BOTH_METHODS);
  if (!confirm) issue('paymentMethodId', EARLY_METHOD_ID);
  else if (customer == null) issue('customerId', NO_CUSTOMER_TO_CHARGE);
  else if (!paymentMethodId.startsWith('spm_')) issue('paymentMethodId', NOT_SAVED);
  else if (body.setupFutureUsage != null) issue('setupFutureUsage', SAVED_ALREADY);
}

const BOTH_METHODS = refinement({ fieldCode: 'invalid', message: 'Give paymentMethod or paymentMethodId, not both.' });
const EARLY_METHOD_ID = refinement({
  fieldCode: 'invalid',
  message:
    'Expected paymentMethodId with the confirm, because confirm is not true here; got it earlier. Send it with the confirm.',
});
const NO_CUSTOMER_TO_CHARGE = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected the customer of the saved payment method; got nothing. Add customerId.',
});
const NO_CUSTOMER_TO_VOUCH = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected a customer, because allowSavedPaymentMethods is true; got nothing. Add customerId.',
});
const NOT_SAVED = refinement({
  fieldCode: 'invalid',
  soleCode: 'INVALID_PAYMENT_METHOD',
  message: 'Expected the id of a saved payment method (spm_…); got another text. A new payment has no other ones.',
});
const SAVED_ALREADY = refinement({
  fieldCode: 'invalid',
  soleCode: 'INVALID_PAYMENT_METHOD',
  message:
    'Expected setupFutureUsage null, because the payment method is saved already; got another value. Leave it out.',
});

/** POST /payment-intents */
export const createPaymentIntentBody = z
  .strictObject(
    described(MEMBERS, {
      amount,
      currency,
      reference: reference.nullish(),
      description: description.nullish(),
      customerId: customerId.nullish(),
      country: nullableCountry.optional(),
      captureMethod: captureMethod.default('automatic'),
      paymentMethod: paymentMethod.optional(),
      paymentMethodId: text(64).min(1).optional(),
      cvc: securityCode.optional(),
      offSession: z.enum(OFF_SESSION_REASONS).optional(),
      allowSavedPaymentMethods: z.boolean().default(false),
      setupFutureUsage: z.enum(FUTURE_USAGES).nullish(),
      consent: consent.optional(),
      confirm: z.boolean().default(false),
      returnUrl: returnAddress.nullish(),
      metadata: metadata.default({}),
      expiresInSeconds: z
        .number()
        .int()
        .min(EXPIRY_SECONDS.minimum)
        .max(EXPIRY_SECONDS.maximum)
        .default(EXPIRY_SECONDS.default),
    }),
  )
  .superRefine((body, context) => {
    const { confirm, paymentMethod: method, setupFutureUsage, customerId: customer, consent: given } = body;
    if (setupFutureUsage != null && customer == null) {
      context.addIssue({ code: 'custom', path: ['customerId'], ...NO_CUSTOMER });
    }
    if (given !== undefined && !confirm) context.addIssue({ code: 'custom', path: ['consent'], ...EARLY_CONSENT });
    checkSavedUse(body, context);
    checkSavedOfCreation(body, context);
    if (!confirm || method !== undefined || body.paymentMethodId !== undefined) return;
    const params = refinement({
      fieldCode: 'required',
      soleCode: 'MISSING_REQUIRED_FIELD',
      message: 'Expected a payment method, because confirm is true; got nothing. Add paymentMethod, or confirm later.',
    });
    context.addIssue({ code: 'custom', path: ['paymentMethod'], ...params });
  })
  .meta({
    description: 'A payment intent to create.',
    override: {
      if: { properties: { confirm: { const: true } }, required: ['confirm'] },
      then: { anyOf: [requiringMember('paymentMethod'), requiringMember('paymentMethodId')] },
    },
  });

export type CreatePaymentIntent = z.output<typeof createPaymentIntentBody>;

/** PATCH /payment-intents/{id}; null clears a field. */
export const updatePaymentIntentBody = z
  .strictObject(
    described(MEMBERS, {
      amount: amount.optional(),
      currency: currency.optional(),
      reference: reference.nullable().optional(),
      description: description.nullable().optional(),
      customerId: customerId.nullable().optional(),
      country: nullableCountry.optional(),
      captureMethod: captureMethod.optional(),
      setupFutureUsage: z.enum(FUTURE_USAGES).nullable().optional(),
      returnUrl: returnAddress.nullable().optional(),
      metadata: metadata.optional(),
    }),
  )
  .describe(
    'What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole.',
  );

export type UpdatePaymentIntent = z.output<typeof updatePaymentIntentBody>;

const NOTHING_TO_STORE = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message: 'Expected a payment method; got nothing. Add paymentMethod, or paymentMethodId with the cvc of a saved one.',
});
const NO_CODE_TO_STORE = refinement({
  fieldCode: 'required',
  soleCode: 'MISSING_REQUIRED_FIELD',
  message:
    'Expected the security code of the saved payment method; got nothing. Add cvc, or confirm with the id of the saved one.',
});

/** POST /payment-intents/{id}/payment-methods */
export const createPaymentMethodBody = z
  .strictObject(
    described(
      {
        paymentMethod: MEMBERS.paymentMethod,
        paymentMethodId:
          "The id of a saved payment method (`spm_…`) of the payment's customer, to be stored with its `cvc`. Send either this or `paymentMethod`.",
        cvc: MEMBERS.cvc,
      },
      {
        paymentMethod: paymentMethod.optional(),
        paymentMethodId: text(64).min(1).optional(),
        cvc: securityCode.optional(),
      },
    ),
  )
  .superRefine((body, context) => {
    const { paymentMethod: method, paymentMethodId, cvc } = body;
    const issue = (field: string, params: object) => context.addIssue({ code: 'custom', path: [field], ...params });
    checkSavedUse(body, context);
    if (method !== undefined && paymentMethodId !== undefined) issue('paymentMethodId', BOTH_METHODS);
    else if (method === undefined && paymentMethodId === undefined) issue('paymentMethod', NOTHING_TO_STORE);
    else if (paymentMethodId !== undefined && cvc === undefined) issue('cvc', NO_CODE_TO_STORE);
  })
  .meta({
    description: 'A payment method to store for the payment intent, or the security code of a saved one.',
    override: {
      if: requiringMember('paymentMethodId'),
      then: { ...requiringMember('cvc'), not: requiringMember('paymentMethod') },
      else: requiringMember('paymentMethod'),
    },
  });

export type CreatePaymentMethod = z.output<typeof createPaymentMethodBody>;

/** POST /payment-intents/{id}/confirm */
export const confirmPaymentIntentBody = z
  .strictObject(
    described(
      {
        paymentMethod: `${MEMBERS.paymentMethod} Left out: the payment method that the payment was created with.`,
        paymentMethodId:
          'The id of a payment method (`pm_…`) that was stored for this payment intent, or of a saved one (`spm_…`) of its customer. Send either this or `paymentMethod`.',
        cvc: MEMBERS.cvc,
        offSession: `${MEMBERS.offSession} A page cannot send it.`,
        returnUrl: `${MEMBERS.returnUrl} Left out: that of the payment.`,
        setupFutureUsage: `${MEMBERS.setupFutureUsage} Left out by your server: that of the payment. Left out by a page: nothing is saved.`,
        consent: MEMBERS.consent,
      },
      {
        paymentMethod: paymentMethod.optional(),
        paymentMethodId: text(64).min(1).optional(),
        cvc: securityCode.optional(),
        offSession: z.enum(OFF_SESSION_REASONS).optional(),
        returnUrl: returnAddress.optional(),
        setupFutureUsage: z.enum(FUTURE_USAGES).nullable().optional(),
        consent: consent.optional(),
      },
    ),
  )
  .superRefine((body, context) => {
    const { paymentMethod: method, paymentMethodId } = body;
    checkSavedUse(body, context);
    if (method === undefined || paymentMethodId === undefined) return;
    context.addIssue({ code: 'custom', path: ['paymentMethodId'], ...BOTH_METHODS });
  })
  .meta({
    description: 'How the customer pays.',
    override: { if: requiringMember('paymentMethodId'), then: { not: requiringMember('paymentMethod') } },
  });

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
export const listPaymentIntentsQuery = z
  .strictObject({
    ...pageQuery,
    ...referenceQuery,
    ...creationQuery,
    ...amountRangeQuery,
    id: text(200)
      .min(1)
      .optional()
      .describe(
        'Selects the payment intents that this id belongs to: their own id, or that of an attempt, a transaction, a refund or ' +
          'a customer, or one that a provider gave a payment or a refund.',
      ),
    last4: last4
      .optional()
      .describe('Selects by the last four digits of a card: of the last one, or of any that was tried.'),
    errorCode: text(64)
      .min(1)
      .optional()
      .describe(
        'Selects the payment intents that have failed with this code: of an attempt, or of a `lastError` that they have or had.',
      ),
    status: z.enum(PAYMENT_STATUSES).optional().describe('Selects the payment intents in this state.'),
    customerId: customerId.optional().describe('Selects the payment intents of the customer with this id.'),
    currency: currency.optional().describe('Selects the payment intents in this currency.'),
    paymentLinkId: text(64)
      .min(1)
      .optional()
      .describe('Selects the payment intents that the page of the payment link with this id (`plink_…`) has opened.'),
    retried: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .describe(
        'Selects the payment intents of which a confirm has gone on after a decline, at another provider or with 3-D Secure (`true`), or ' +
          'none has (`false`).',
      ),
  })
  .superRefine(checkAmountRange);

export type ListPaymentIntents = z.output<typeof listPaymentIntentsQuery>;
