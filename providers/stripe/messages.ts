import { z } from 'zod';
import { reportedText } from '../reported-values.ts';

const identifier = z.string().min(1).max(255);
const amount = z.int().nonnegative();
/** Seconds since 1970. */
const timestamp = z.int().nonnegative();
/** Three letters in lower case; not validated further: it is reported as Stripe has it. */
const currency = z.string().min(1).max(10);
const metadata = z.record(z.string(), z.string()).catch({});
const text = reportedText(200);
const code = text.nullish().catch(null);

/** As the card network says it; not every network's is as short. */
const networkCode = z.string().min(1).max(20).nullish().catch(null);

/** By which a card network knows a payment. */
const networkId = z.string().min(1).max(100);

/** Why a card was declined, in a PaymentIntent and in an answer with an error. */
const paymentErrorSchema = z.object({
  type: text.catch('unknown'),
  code,
  decline_code: code,
  advice_code: code.optional(),
  network_advice_code: code.optional(),
  network_decline_code: networkCode.optional(),
});
export type StripePaymentError = z.infer<typeof paymentErrorSchema>;

/** The card's details that may be shown. */
const cardSchema = z.object({
  brand: z.string().max(50).nullable(),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .nullable(),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2_000).max(2_100),
  /** Until when a hold can be captured; absent of money that is not held. */
  capture_before: timestamp.nullish().catch(null),
});

const chargeSchema = z.object({
  id: identifier,
  amount,
  currency,
  captured: z.boolean(),
  status: text,
  payment_method_details: z
    .object({ card: cardSchema.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** A PaymentIntent. Unknown fields are ignored. */
export const intentSchema = z.object({
  id: identifier,
  amount,
  amount_capturable: amount,
  amount_received: amount,
  currency,
  /** Stripe may add others. */
  status: text,
  metadata,
  last_payment_error: paymentErrorSchema.nullable(),
  next_action: z
    .object({
      type: z.string().max(200),
      redirect_to_url: z
        .object({ url: z.url({ protocol: /^https?$/ }).nullable() })
        .optional()
        .catch(undefined),
    })
    .nullable(),
  /** Only its id where the request did not ask for more. */
  latest_charge: z.union([identifier, chargeSchema]).nullable(),
});
export type StripeIntent = z.infer<typeof intentSchema>;

/**
 * A PaymentIntent in an event, which has the form of the webhook endpoint's API version: before 2022-11-15 there is no
 * `latest_charge`.
 */
export const reportedIntentSchema = intentSchema.extend({ latest_charge: identifier.nullish() });

/** Payments of other systems may be among them, so only the members that tell them apart are read. */
export const intentListSchema = z.object({
  data: z.array(z.object({ id: identifier, metadata })),
  has_more: z.boolean(),
});

export const methodSchema = z.object({ id: identifier });

export const customerSchema = z.object({ id: identifier });

/** A payment method, and for which customer Stripe keeps it; null for none. */
export const storedMethodSchema = z.object({
  id: identifier,
  customer: identifier.nullish(),
  card: z
    .object({ exp_month: z.int().min(1).max(12), exp_year: z.int().min(2_000).max(2_100) })
    .nullish()
    .catch(null),
});

/** A change of a payment method, in an event. */
export const changedMethodSchema = z.object({
  object: z.object({ customer: identifier.nullish().catch(null) }),
  /** Of one that was detached: the customer that it was detached from. */
  previous_attributes: z
    .object({ customer: identifier.nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** With which card a payment was made. */
export const paidWithSchema = z.object({
  id: identifier,
  metadata,
  payment_method: storedMethodSchema.nullable(),
  latest_charge: z
    .object({
      payment_method_details: z
        .object({
          card: z
            .object({
              network_transaction_id: networkId.nullish().catch(null),
              transaction_link_id: networkId.nullish().catch(null),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullable(),
});

export const refundSchema = z.object({
  id: identifier,
  amount,
  currency,
  created: timestamp,
  status: text.nullable(),
  failure_reason: text.nullish(),
  metadata: metadata.nullable(),
});
export type StripeRefund = z.infer<typeof refundSchema>;

export const refundListSchema = z.object({ data: z.array(refundSchema), has_more: z.boolean() });

/** A PaymentIntent in the list of an account, which has those of other systems too: only what is compared is read. */
export const listedIntentSchema = z.object({
  id: identifier,
  amount,
  amount_capturable: amount,
  amount_received: amount,
  currency,
  status: text,
  metadata,
  created: timestamp,
  last_payment_error: z.object({}).nullable(),
  latest_charge: z
    .object({
      created: timestamp,
      captured: z.boolean(),
      status: text,
      /** The latest ten. */
      refunds: refundListSchema.nullish(),
    })
    .nullable(),
});
export type StripeListedIntent = z.infer<typeof listedIntentSchema>;

export const listedIntentsSchema = z.object({ data: z.array(listedIntentSchema), has_more: z.boolean() });

/** An answer that refuses a request. */
export const refusalSchema = z.object({
  error: z.object({
    type: z.string().max(200),
    code,
    decline_code: code,
    advice_code: code.optional(),
    network_advice_code: code.optional(),
    network_decline_code: networkCode.optional(),
    param: text.nullish().catch(null),
    payment_intent: z.unknown().optional(),
  }),
});
export type StripeRefusal = z.infer<typeof refusalSchema>['error'];

/** An object that an event names without showing it. */
const relatedObjectSchema = z.object({ id: identifier, type: z.string().max(200) });

/** The members that every kind of event has. A thin one only names its object. */
export const eventSchema = z.object({
  id: identifier,
  type: z.string().max(200),
  livemode: z.boolean(),
  /** A thin event has a text. */
  created: timestamp.optional().catch(undefined),
  data: z
    .object({ object: z.unknown(), previous_attributes: z.unknown() })
    .partial({ previous_attributes: true })
    .optional()
    .catch(undefined),
  related_object: relatedObjectSchema.nullish().catch(undefined),
});
export type StripeEvent = z.infer<typeof eventSchema>;

const nameSchema = identifier.nullish().catch(undefined);

/** How an object names the payment that it is about, in events of every kind and API version. */
export const namesSchema = z.object({
  id: nameSchema,
  object: z.string().max(200).nullish().catch(undefined),
  metadata: metadata.nullish().catch(undefined),
  /** Of charges, refunds and disputes. */
  payment_intent: z.union([nameSchema, z.object({ id: identifier }).transform(({ id }) => id)]).catch(undefined),
});

/** The events of an account: only which payment each is about. */
export const listedEventsSchema = z.object({
  data: z.array(z.object({ id: identifier, created: timestamp, data: z.object({ object: namesSchema }) })),
  has_more: z.boolean(),
});
export type StripeListedEvent = z.infer<typeof listedEventsSchema>['data'][number];

/** An early fraud warning, and what every dispute has. */
export const warningSchema = z.object({ id: identifier });

/** A dispute. */
export const disputeSchema = warningSchema.extend({
  amount: amount.nullish().catch(undefined),
  currency: currency.nullish().catch(undefined),
  status: text.nullish().catch(undefined),
  reason: text.nullish().catch(undefined),
  network_reason_code: text.nullish().catch(undefined),
  evidence_details: z
    .object({ due_by: timestamp.nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
  payment_method_details: z
    .object({
      card: z
        .object({ network_reason_code: text.nullish().catch(undefined) })
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/** A dispute as Stripe answers with it. Each movement of its money is a balance transaction, of the account's own currency. */
export const readDisputeSchema = disputeSchema.extend({
  payment_intent: z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)]).nullish(),
  created: timestamp,
  balance_transactions: z
    .array(z.object({ amount: z.int(), created: timestamp }))
    .nullish()
    .catch(undefined),
});
export type StripeDispute = z.infer<typeof readDisputeSchema>;

export const listedDisputesSchema = z.object({ data: z.array(readDisputeSchema), has_more: z.boolean() });

/** Events about disputes, each with the dispute as it was then. */
export const disputeEventsSchema = z.object({
  data: z.array(
    z.object({
      id: identifier,
      type: z.string().max(200),
      created: timestamp,
      data: z.object({ object: z.unknown() }),
    }),
  ),
  has_more: z.boolean(),
});

/** An uploaded file. */
export const fileSchema = z.object({ id: identifier });

/** The hold that a `charge.expired` reports. */
export const expiredChargeSchema = chargeSchema.extend({ payment_intent: identifier.nullable(), metadata });
