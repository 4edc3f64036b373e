import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/events.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, text } from './common.ts';
import { paymentIntentResource } from './payment-intent-resource.ts';
import { refundResource } from './refund.ts';
import { transactionResource } from './transaction.ts';
import { webhookEndpointResource } from './webhook-endpoint.ts';

/** GET /events */
export const listEventsQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(EVENT_TYPES).optional(),
  resourceId: text(64).min(1).optional(),
  /** The id of an event; only later events are listed, oldest first. */
  after: text(64).min(1).optional(),
});

export type ListEvents = z.output<typeof listEventsQuery>;

/** The additional data of an event of the type `payment_intent.stray_charge_reversed`. */
const reversedStrayCharge = z
  .object({
    /** The attempt that was charged; it is among those of the payment intent. */
    attemptId: z.string(),
    provider: z.string(),
    /** The authorized or captured amount that the provider reports, in minor units. */
    amount: z.number(),
    currency: z.string(),
    reversedBy: z.enum(['void', 'refund']),
  })
  .meta({
    description:
      'Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended ' +
      'without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it.',
  });

/** The event in REST responses, on merchants' sockets and in webhooks; `data` is the resource at that time. */
export const eventResource = z.object({
  id: z.string(),
  object: z.literal('event'),
  type: z.enum(EVENT_TYPES),
  createdAt: z.iso.datetime({ precision: 3 }),
  environment: z.enum(ENVIRONMENTS),
  merchantId: z.string(),
  /** From 1 within the merchant account, without gaps. */
  sequence: z.number(),
  data: z.discriminatedUnion('object', [
    paymentIntentResource,
    refundResource,
    transactionResource,
    webhookEndpointResource,
  ]),
  strayCharge: reversedStrayCharge.optional(),
});

export type EventResource = z.infer<typeof eventResource>;
