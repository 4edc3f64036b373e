import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/events.ts';
import { REVERSALS } from '../../domain/stray-charge.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { DISPUTE_STAGES, type DisputeStage } from '../../domain/provider-outcome.ts';
import { pageQuery, text } from './common.ts';
import { lastError, paymentIntentResource } from './payment-intent-resource.ts';
import { providerAccountResource } from './provider-account.ts';
import { reconciliationDifferenceResource } from './reconciliation.ts';
import { refundResource } from './refund.ts';
import { savedMethodResource } from './saved-payment-method.ts';
import { transactionResource } from './transaction.ts';
import { webhookEndpointResource } from './webhook-endpoint.ts';
import { cardTestingResource } from './card-testing.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';
import { EVENT_TYPE_MEANINGS } from './event-types.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.',
  type: withValues('What happened.', EVENT_TYPE_MEANINGS),
  createdAt: 'When it happened; ISO 8601 in UTC, with milliseconds.',
  sequence: 'The number of the event within its merchant account: from 1, without gaps, in the order of publication.',
  data: 'The resource as it was after what happened; `object` tells its type.',
  failure:
    'Why the payment failed. Present only with `payment_intent.payment_failed`: the `lastError` of a payment intent does not have the ' +
    'refusal of a confirm for which no provider was asked.',
  dispute: 'What the provider reports. Present only with `payment_intent.disputed`.',
  strayCharge: 'The charge that was returned. Present only with `payment_intent.stray_charge_reversed`.',
};
const STRAY_CHARGE_MEMBERS = {
  attemptId: "The attempt that was charged; it is among the payment intent's `attempts`.",
  provider: 'The provider that charged it.',
  amount: "The amount that the provider had authorized or captured, in the currency's minor unit.",
  currency: 'The currency of the amount, as its ISO 4217 code.',
  reversedBy: withValues('How the money was returned.', {
    void: 'it was held only, and was released',
    refund: 'it was captured, and was refunded',
    hand: 'somebody returned it in another way, which support staff have recorded',
  }),
};

const DISPUTE_MEMBERS = {
  attemptId: "The attempt whose money is disputed; it is among the payment intent's `attempts`.",
  provider: 'The provider that reports it.',
  stage: withValues<DisputeStage>('How far the dispute is.', {
    fraud_warning: "the card's issuer calls the payment fraudulent, and no money has moved",
    inquiry: "the customer's bank asks about the payment, and no money has moved",
    chargeback: "the customer's bank takes the money back, or is about to",
    updated: 'something else has happened; `providerEvent` says what',
    won: 'it ended for the merchant; a card scheme may still reopen it',
    lost: 'it ended against the merchant',
  }),
  providerEvent: "The provider's own name of what happened: `NOTIFICATION_OF_FRAUD`.",
  providerReference: "The provider's own id of the dispute, to look it up there.",
  amount: "The disputed amount, in the currency's minor unit; absent where the provider does not say.",
  currency: 'The currency of the amount, as its ISO 4217 code.',
};

/** GET /events */
export const listEventsQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(EVENT_TYPES).optional().describe('Selects the events of this type.'),
  resourceId: text(64)
    .min(1)
    .optional()
    .describe(
      'Selects the events about the payment intent, refund, transaction, account at a provider, saved payment method, webhook endpoint or reconciliation difference with this id.',
    ),
  after: text(64)
    .min(1)
    .optional()
    .describe(
      'The id of an event: selects the later events, **oldest first**, so that nothing is missed while reading on.',
    ),
  before: text(64)
    .min(1)
    .optional()
    .describe(
      'The id of an event: selects the earlier events. To read beyond the last page, set it to the id of the last event.',
    ),
});

export type ListEvents = z.output<typeof listEventsQuery>;

/** The additional data of an event of the type `payment_intent.payment_failed`. */
const failure = lastError
  .omit({ at: true })
  .meta({ description: 'Only with `payment_intent.payment_failed`: why the payment failed.' });

/** The additional data of an event of the type `payment_intent.stray_charge_reversed`. */
const reversedStrayCharge = z
  .object(
    described(STRAY_CHARGE_MEMBERS, {
      attemptId: z.string(),
      provider: z.string(),
      amount: z.number(),
      currency: z.string(),
      reversedBy: z.enum(REVERSALS),
    }),
  )
  .meta({
    description:
      'Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended ' +
      'without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it.',
  });

/** The additional data of an event of the type `payment_intent.disputed`. */
const reportedDispute = z
  .object(
    described(DISPUTE_MEMBERS, {
      attemptId: z.string(),
      provider: z.string(),
      stage: z.enum(DISPUTE_STAGES),
      providerEvent: z.string(),
      providerReference: z.string(),
      amount: z.number().optional(),
      currency: z.string().optional(),
    }),
  )
  .meta({ description: 'Only with `payment_intent.disputed`: what the provider reports of the dispute.' });

/** The event in REST responses, on merchants' sockets and in webhooks; `data` is the resource at that time. */
export const eventResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('event'),
      type: z.enum(EVENT_TYPES),
      createdAt: z.iso.datetime({ precision: 3 }),
      environment: z.enum(ENVIRONMENTS),
      merchantId: z.string(),
      sequence: z.number(),
      data: z.discriminatedUnion('object', [
        paymentIntentResource,
        refundResource,
        transactionResource,
        providerAccountResource,
        reconciliationDifferenceResource,
        webhookEndpointResource,
        cardTestingResource,
        savedMethodResource,
      ]),
      failure: failure.optional(),
      strayCharge: reversedStrayCharge.optional(),
      dispute: reportedDispute.optional(),
    }),
  )
  .describe('What happened to a resource, and the resource as it was then.');

export type EventResource = z.infer<typeof eventResource>;
