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
  /** Id of an event: only later ones, and oldest first. */
  after: text(64).min(1).optional(),
});

export type ListEvents = z.output<typeof listEventsQuery>;

/** A fact as every channel tells it; `data` is the resource as it was. */
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
});

export type EventResource = z.infer<typeof eventResource>;
