import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { REVERSALS } from '../../domain/stray-charge.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, text } from './common.ts';
import { disputeResource } from './dispute.ts';
import { lastError, paymentIntentResource } from './payment-intent-resource.ts';
import { providerAccountResource } from './provider-account.ts';
import { reconciliationDifferenceResource } from './reconciliation.ts';
import { refundResource } from './refund.ts';
import { savedMethodResource } from './saved-payment-method.ts';
import { settlementEntryResource, settlementResource } from './settlement.ts';
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
  fraudWarning: "The warning of the card's issuer. Present only with `payment_intent.fraud_warning`.",
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

const FRAUD_WARNING_MEMBERS = {
  attemptId: "The attempt that paid; it is among the payment intent's `attempts`.",
  provider: 'The provider that reports it.',
  providerEvent: "The provider's own name of its event: `NOTIFICATION_OF_FRAUD`.",
  providerReference: "The provider's own id of the warning, to look it up there.",
};

/** GET /events */
export const listEventsQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(EVENT_TYPES).optional().describe('Selects the events of this type.'),
  resourceId: text(64)
    .min(1)
    .optional()
    .describe(
      'Selects the events about the payment intent, refund, transaction, dispute, account at a provider, saved payment method, webhook endpoint, reconciliation difference, settlement or entry of one with this id.',
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
      amount: z.int(),
      currency: z.string(),
      reversedBy: z.enum(REVERSALS),
    }),
  )
  .meta({
    description:
      'Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended ' +
      'without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it.',
  });

/** The additional data of an event of the type `payment_intent.fraud_warning`. */
const fraudWarning = z
  .object(
    described(FRAUD_WARNING_MEMBERS, {
      attemptId: z.string(),
      provider: z.string(),
      providerEvent: z.string(),
      providerReference: z.string(),
    }),
  )
  .meta({ description: "Only with `payment_intent.fraud_warning`: the warning of the card's issuer." });

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
      sequence: z.int(),
      data: z.discriminatedUnion('object', [
        paymentIntentResource,
        refundResource,
        transactionResource,
        disputeResource,
        providerAccountResource,
        reconciliationDifferenceResource,
        webhookEndpointResource,
        cardTestingResource,
        savedMethodResource,
        settlementResource,
        settlementEntryResource,
      ]),
      failure: failure.optional(),
      strayCharge: reversedStrayCharge.optional(),
      fraudWarning: fraudWarning.optional(),
    }),
  )
  .describe('What happened to a resource, and the resource as it was then.');

export type EventResource = z.infer<typeof eventResource>;

/** What the events of each kind are about, by the first part of their types, and what only they have. */
const KINDS = {
  payment_intent: { name: 'PaymentIntentEvent', data: paymentIntentResource },
  refund: { name: 'RefundEvent', data: refundResource },
  transaction: { name: 'TransactionEvent', data: transactionResource },
  dispute: { name: 'DisputeEvent', data: disputeResource },
  payment_method: { name: 'PaymentMethodEvent', data: savedMethodResource },
  provider_account: { name: 'ProviderAccountEvent', data: providerAccountResource },
  reconciliation: { name: 'ReconciliationEvent', data: reconciliationDifferenceResource },
  settlement: {
    name: 'SettlementEvent',
    data: z
      .discriminatedUnion('object', [settlementResource, settlementEntryResource])
      .describe('The settlement; with `settlement.difference_found` the entry.'),
  },
  card_testing: { name: 'CardTestingEvent', data: cardTestingResource },
  webhook_endpoint: { name: 'WebhookEndpointEvent', data: webhookEndpointResource },
} as const;
type EventKind = keyof typeof KINDS;

/** What an event is about. */
export function kindOfEvent(type: EventType): EventKind {
  return eventKind.parse(type.slice(0, type.indexOf('.')));
}

const eventKind = z.enum(Object.keys(KINDS) as [EventKind, ...EventKind[]]);
const { failure: _failure, strayCharge: _strayCharge, fraudWarning: _warning, ...sharedMembers } = eventResource.shape;

/** The name of the component with the events of a kind. */
export function eventComponentOf(kind: EventKind): string {
  return KINDS[kind].name;
}

function meaningsOf(types: readonly EventType[]): Readonly<Record<string, string>> {
  return Object.fromEntries(types.map((type) => [type, EVENT_TYPE_MEANINGS[type]]));
}

function eventsOf(kind: EventKind) {
  const { name, data } = KINDS[kind];
  const types = EVENT_TYPES.filter((type) => kindOfEvent(type) === kind);
  const members = kind === 'payment_intent' ? eventResource.shape : sharedMembers;
  return z
    .object({ ...members, type: z.enum(types).describe(withValues('What happened.', meaningsOf(types))), data })
    .meta({ id: name, description: 'What happened to a resource, and the resource as it was then.' });
}

const [firstKind, ...otherKinds] = eventKind.options;

/** Every event, told apart by its type: what a client reads of the API, from a webhook and from a socket. */
export const anyEvent = z
  .discriminatedUnion('type', [eventsOf(firstKind ?? 'payment_intent'), ...otherKinds.map(eventsOf)])
  .meta({
    id: 'Event',
    description: 'What happened to a resource, and the resource as it was then. `type` tells which.',
  });
