import { z } from 'zod';
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  CANCELLATION_REASONS,
  CAPTURE_METHODS,
  ENVIRONMENTS,
  UPI_LINK,
} from '../../domain/payment.ts';
import { DECLINE_ADVICE, type DeclineAdvice } from '../../domain/decline-advice.ts';
import { PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { advisory } from './advisory.ts';
import { workflowUrl } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';
import { FUTURE_USAGES, OFF_SESSION_REASONS } from '../../domain/saved-payment-method.ts';
import { PAYMENT_INTENT_MEMBERS } from './payment-intent-members.ts';

const time = z.iso.datetime({ precision: 3 });
const details = z.record(z.string(), z.unknown());
const currency = z.string().regex(/^[A-Z]{3}$/);
const country = z.string().regex(/^[A-Z]{2}$/);
const amount = z.int().min(0);

const MASKED_MEMBERS = {
  type: 'The payment method.',
  brand:
    'The brand of the card in lower case, such as `visa` or `american_express`; `unknown` if the number belongs to none, or ' +
    'while only the provider knows the card that its token stands for.',
  last4: 'The last four digits of the card number; null while only the provider knows the card.',
  expiryMonth: 'The month in which the card expires, from 1 to 12; null while only the provider knows the card.',
  expiryYear: 'The year in which the card expires, with four digits; null while only the provider knows the card.',
  vpa: 'The UPI address, of whose name only the first and last letter are shown: `s*****s@upi`; null where the customer pays by link or QR code.',
  asset: 'What is deposited, such as `USDC`.',
  network: 'The network of the deposit, such as `ethereum`.',
};

const ACTION_MEMBERS = {
  type: withValues('What the customer has to do.', {
    redirect: 'visit a page of the provider or the bank, such as for 3-D Secure',
    approve_in_app: 'approve the payment in the UPI app',
    crypto_deposit: 'send a deposit to an address',
  }),
  url:
    'The page to send the customer to. It leads back to `returnUrl`, if there is one, with the id of the payment as the query ' +
    'parameter `paymentIntentId`.',
  warning: 'Present only if the payment has no `returnUrl`, so that the customer would not come back.',
  app: 'The kind of app in which the customer approves the payment.',
  link: 'A link that opens a UPI app on a phone; elsewhere show it as a QR code. Left out if the provider gives none.',
  asset: 'What to deposit, such as `USDC`.',
  network: 'The network on which to deposit it. A deposit on another network is lost.',
  address: 'The address to send the deposit to. It is for this payment only.',
  amount: "How much to deposit: a decimal number in the asset's own unit, as a string, such as `19.99`.",
  confirmationsRequired: 'How many confirmations of the network the deposit needs before the payment succeeds.',
  expiresAt:
    'Until when the deposit must be in a block of the network; a later one does not pay. Left out if the provider sets no such time.',
};

const ADVICE = withValues<DeclineAdvice>(
  'What the decline tells you to do; null where there was none, or where the provider gave a reason that is not known.',
  {
    never:
      'do not send this card again: it is lost or closed, or the issuer forbids it. This payment does not take it again',
    later: 'the same card may be approved later, as `lastError.details.retryAfter` says if it is there',
    elsewhere: 'the same card may be approved at another provider',
    authenticate: 'the customer has to be authenticated; confirm with a `returnUrl`, the customer being present',
    correct_data: 'the customer has to correct what was entered, or has a new card',
  },
);

const ATTEMPT_MEMBERS = {
  id: "The unique id of the attempt, which begins with `att_`. It is the provider's idempotency key.",
  route: 'The id of the payment route (`rt_…`) that the attempt took.',
  paymentMethod:
    'What this attempt was to be paid with, masked: another one than that of the payment where several were tried.',
  provider: 'The provider that was called.',
  tries: 'How many calls were made to the provider, repeats included.',
  outcome: withValues<AttemptOutcome>('How the attempt ended; null while it is open.', {
    approved: 'the provider authorized the money',
    declined: 'the provider refused it, but another card or method may work',
    failed: 'the provider refused it for good',
    not_charged: 'the provider could not be reached, and has confirmed that it charged nothing',
    canceled: 'the attempt was given up before the provider charged anything',
  }),
  code: 'The error code of an attempt that did not succeed; null otherwise.',
  advice: ADVICE,
  networkCode: "The card network's own code of the decline, such as `05`; null where the provider does not pass it on.",
  startedAt: 'When the attempt began; ISO 8601 in UTC.',
  finishedAt: 'When the attempt ended; ISO 8601 in UTC. Null while it is open.',
};

const ERROR_MEMBERS = {
  code: 'The error code, one of `ErrorCode`.',
  message: 'A message for people, in English.',
  details:
    'What else is known of the error; the members depend on the code. A decline has `advice` (see `PaymentAttempt`), `networkCode` ' +
    'and `retryAfter` (ISO 8601 in UTC) where they are known. Pages get no `networkCode`, and no details after the advice `never`.',
  at: 'When the error happened; ISO 8601 in UTC.',
};

const LAST_DECLINE_MEMBERS = {
  attemptId: "The attempt; it is among the payment intent's `attempts`.",
  code: 'Why it did not pay, as a code of the error catalogue; null if that is not known.',
  message: 'The same for people; null if it is not known.',
  advice: ADVICE,
  at: 'When the attempt ended; ISO 8601 in UTC.',
};

const TIMELINE_MEMBERS = {
  at: 'When it happened; ISO 8601 in UTC.',
  kind: withValues('What kind of entry it is. More kinds may be added.', {
    created: 'the payment intent was created',
    updated: 'the payment intent was updated',
    request: 'a confirm, capture or cancellation was requested',
    decision: 'the engine chose routes, or decided what an outcome means',
    attempt: 'a provider was called, or answered',
    inquiry: 'a provider was asked what became of an attempt',
    provider_event: 'a provider reported something by webhook',
    timer: 'a time limit was reached',
    event: 'an event was published',
    left_out: 'the timeline is longer than 1,000 lines: earlier lines are left out here',
  }),
  summary: 'What happened, in one sentence for people.',
  details: 'The data of the entry; the members depend on its kind. Null if there are none.',
};

const PAYMENT_METHOD_MEMBERS = {
  object: COMMON_MEMBERS.object,
  id: 'The unique id of the payment method, which begins with `pm_`. A confirm takes it as `paymentMethodId`.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) that it is stored for; no other takes it.',
  paymentMethod: 'The payment method, masked.',
};

const USABLE_MEMBERS = {
  object: COMMON_MEMBERS.object,
  id: 'The unique id of the saved payment method (`spm_…`). A confirm takes it as `paymentMethodId`.',
  paymentMethod: 'The card, masked.',
  isDefault: "Whether it is the customer's preferred one; at most one of them is.",
};

/** A masked card. */
export const maskedCard = z
  .object(
    described(MASKED_MEMBERS, {
      type: z.literal('card'),
      brand: z.string(),
      last4: z
        .string()
        .regex(/^\d{4}$/)
        .nullable(),
      expiryMonth: z.int().min(1).max(12).nullable(),
      expiryYear: z.int().nullable(),
    }),
  )
  .meta({ id: 'MaskedCard', description: 'A card, of which only the last four digits are shown.' });

/** A masked payment method. */
const maskedPaymentMethod = z
  .discriminatedUnion('type', [
    maskedCard,
    z
      .object(described(MASKED_MEMBERS, { type: z.literal('upi'), vpa: z.string().nullable() }))
      .meta({ id: 'MaskedUpi', description: 'A UPI address, partly hidden.' }),
    z
      .object(described(MASKED_MEMBERS, { type: z.literal('crypto'), asset: z.string(), network: z.string() }))
      .meta({ id: 'MaskedCrypto', description: 'A deposit of a cryptocurrency.' }),
  ])
  .meta({ id: 'MaskedPaymentMethod', description: 'A masked payment method.' });

const nextAction = z
  .discriminatedUnion('type', [
    z
      .object(described(ACTION_MEMBERS, { type: z.literal('redirect'), url: z.url(), warning: z.string().optional() }))
      .meta({ id: 'RedirectAction', description: 'The customer has to visit a page.' }),
    z
      .object(
        described(ACTION_MEMBERS, {
          type: z.literal('approve_in_app'),
          app: z.literal('upi'),
          link: z.string().regex(UPI_LINK).optional(),
        }),
      )
      .meta({ id: 'ApproveInAppAction', description: 'The customer has to approve the payment in an app.' }),
    z
      .object(
        described(ACTION_MEMBERS, {
          type: z.literal('crypto_deposit'),
          asset: z.string(),
          network: z.string(),
          address: z.string(),
          amount: z.string().regex(/^\d+(\.\d+)?$/),
          confirmationsRequired: z.int().min(0),
          expiresAt: time.optional(),
        }),
      )
      .meta({ id: 'CryptoDepositAction', description: 'The customer has to send a deposit.' }),
  ])
  .meta({ id: 'NextAction', description: 'What the customer has to do before the payment continues.' });

const attempt = z
  .object(
    described(ATTEMPT_MEMBERS, {
      id: z.string(),
      route: z.string(),
      provider: z.string(),
      paymentMethod: maskedPaymentMethod.nullable(),
      tries: z.int().min(0),
      outcome: z.enum(ATTEMPT_OUTCOMES).nullable(),
      code: z.string().nullable(),
      advice: z.enum(DECLINE_ADVICE).nullable(),
      networkCode: z.string().nullable(),
      startedAt: time,
      finishedAt: time.nullable(),
    }),
  )
  .meta({ id: 'PaymentAttempt', description: 'One route tried for one intent.' });

export const lastError = z
  .object(described(ERROR_MEMBERS, { code: z.string(), message: z.string(), details: details.optional(), at: time }))
  .meta({ id: 'LastError', description: 'Why the last confirm, capture or cancellation failed.' });

const lastDecline = z
  .object(
    described(LAST_DECLINE_MEMBERS, {
      attemptId: z.string(),
      code: z.string().nullable(),
      message: z.string().nullable(),
      advice: z.enum(DECLINE_ADVICE).nullable(),
      at: time,
    }),
  )
  .meta({ id: 'LastDecline', description: 'Why the last attempt that was declined or failed did not pay.' });

/** The payment intent in every response. */
export const paymentIntentResource = z
  .object(
    described(
      { ...COMMON_MEMBERS, ...PAYMENT_INTENT_MEMBERS },
      {
        id: z.string(),
        object: z.literal('payment_intent'),
        merchantId: z.string(),
        environment: z.enum(ENVIRONMENTS),
        amount,
        currency,
        amountCapturable: amount,
        amountCaptured: amount,
        amountRefunded: amount,
        amountDisputed: amount,
        status: z.enum(PAYMENT_STATUSES),
        reference: z.string().nullable(),
        description: z.string().nullable(),
        customerId: z.string().nullable(),
        country: country.nullable(),
        captureMethod: z.enum(CAPTURE_METHODS),
        paymentMethod: maskedPaymentMethod.nullable(),
        setupFutureUsage: z.enum(FUTURE_USAGES).nullable(),
        allowSavedPaymentMethods: z.boolean(),
        savedPaymentMethodId: z.string().nullable(),
        offSession: z.enum(OFF_SESSION_REASONS).nullable(),
        nextAction: nextAction.nullable(),
        provider: z.string().nullable(),
        attempts: z.array(attempt),
        lastError: lastError.nullable(),
        lastDecline: lastDecline.nullable(),
        advisory: advisory.nullable(),
        cancellationReason: z.enum(CANCELLATION_REASONS).nullable(),
        metadata: z.record(z.string(), z.string()),
        disputeIds: z.array(z.string()),
        disputedAt: time.nullable(),
        captureBefore: time.nullable(),
        expiresAt: time.nullable(),
        createdAt: time,
        updatedAt: time,
        workflowUrl,
      },
    ),
  )
  .meta({ id: 'PaymentIntent', description: 'What is to be paid, with its state and everything tried so far.' });

export type PaymentIntentResource = z.infer<typeof paymentIntentResource>;

const clientSecret = z
  .string()
  .describe(
    'The secret for the checkout page of this payment, which may read, confirm and follow it. Do not log or store it.',
  );

/** The response to a creation. */
export const createdPaymentIntentResource = paymentIntentResource
  .extend({ clientSecret })
  .meta({ id: 'CreatedPaymentIntent', description: 'A payment intent with its client secret.' });

/** The payment intent in an error. A creation may fail after the intent was stored; its error then has the client secret. */
export const failedPaymentIntentResource = paymentIntentResource
  .extend({ clientSecret: clientSecret.optional() })
  .meta({
    id: 'FailedPaymentIntent',
    description: 'A payment intent after a failure; if the failed request created it, with its client secret.',
  });

/** A payment method that was stored for a payment intent, and not confirmed yet. */
export const paymentMethodResource = z
  .object(
    described(PAYMENT_METHOD_MEMBERS, {
      id: z.string(),
      object: z.literal('payment_method'),
      paymentIntentId: z.string(),
      paymentMethod: maskedPaymentMethod,
    }),
  )
  .meta({ id: 'StoredPaymentMethod', description: 'A payment method that is stored for one payment intent.' });

/** One element of GET /payment-intents/{id}/saved-payment-methods. */
export const usableSavedMethod = z
  .object(
    described(USABLE_MEMBERS, {
      id: z.string(),
      object: z.literal('usable_saved_payment_method'),
      paymentMethod: maskedCard,
      isDefault: z.boolean(),
    }),
  )
  .meta({ id: 'UsableSavedPaymentMethod', description: "A saved card with which a payment's customer can pay." });

export type UsableSavedMethod = z.infer<typeof usableSavedMethod>;

export type PaymentMethodResource = z.infer<typeof paymentMethodResource>;

/** One entry of GET /payment-intents/{id}/timeline. */
export const timelineLine = z
  .object(described(TIMELINE_MEMBERS, { at: time, kind: z.string(), summary: z.string(), details: details.nullable() }))
  .meta({ id: 'TimelineLine', description: "One entry of a payment's timeline." });

export type TimelineLine = z.infer<typeof timelineLine>;
