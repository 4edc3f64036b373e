import type { CancellationReason, CaptureMethod } from '../../domain/payment.ts';
import type { FutureUsage, OffSessionReason } from '../../domain/saved-payment-method.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { METADATA, REFERENCE, withValues } from './descriptions.ts';

/** What each state of a payment intent means. */
const STATUS_MEANINGS: Readonly<Record<PaymentStatus, string>> = {
  requires_payment_method: 'not confirmed yet, or the last confirm failed; confirm it with a payment method',
  processing: 'a provider is being called, or the outcome is awaited',
  requires_action: 'the customer has to act, as `nextAction` says',
  requires_capture: 'the money is held; capture or cancel it',
  succeeded: 'the money was captured',
  failed: 'refused for good; create another payment intent to try again',
  canceled: 'canceled, by you or by the engine; `cancellationReason` says why',
  expired: 'not paid before `expiresAt`',
};

const CANCELLATION_MEANINGS: Readonly<Record<CancellationReason, string>> = {
  requested_by_customer: 'the customer asked for it',
  duplicate: 'it was the same payment as another',
  fraudulent: 'it is suspected of fraud',
  abandoned: 'the customer left',
  requested_by_operator: 'the platform canceled it',
  retries_exhausted: 'every attempt that it may make was used up',
  authorization_lapsed: 'the money was held for too long without a capture, and is released',
};

/** Descriptions of the members of payment intents, in requests and responses. */
export const PAYMENT_INTENT_MEMBERS = {
  id: 'The unique id of the payment intent, which begins with `pi_`.',
  amount:
    "What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.",
  currency: 'The currency of all amounts of the payment, as its ISO 4217 code: `EUR`.',
  amountCapturable: "How much is held and can be captured, in the currency's minor unit.",
  amountCaptured: "How much was captured, in the currency's minor unit; refunds do not reduce it.",
  amountDisputed:
    "How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.",
  amountRefunded: "How much of the captured amount was refunded, in the currency's minor unit.",
  status: withValues('The state of the payment.', STATUS_MEANINGS),
  reference: REFERENCE,
  description: 'A text of your own about the payment, up to 1,000 characters; null without one.',
  customerId: 'The id of the customer (`cus_…`) who pays; null without one.',
  country:
    'Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not ' +
    "known; the country of `customerId` is then used, and without either, the routes' countries are ignored.",
  captureMethod: withValues<CaptureMethod>('When the money is taken.', {
    automatic: 'at once',
    manual:
      'when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same',
  }),
  paymentMethod: 'The payment method of the last confirm, masked; null before the first.',
  setupFutureUsage: withValues<FutureUsage>(
    'What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the ' +
      "customer's agreement: a page saves a card only if its confirm sends this value too.",
    {
      on_session: 'to pay again while the customer is present',
      off_session:
        'also for payments that you make without the customer; a confirm by your server then needs `consent`',
    },
  ),
  savedPaymentMethodId:
    'The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none.',
  allowSavedPaymentMethods:
    'Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that ' +
    'whoever gets the client secret is this customer: signed in at your shop, for example.',
  offSession: withValues<OffSessionReason>(
    'Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null ' +
      'if the customer is present.',
    {
      recurring: 'by an agreed schedule, such as a subscription',
      unscheduled: 'when something falls due, such as a top-up',
    },
  ),
  cvc:
    'The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is ' +
    'erased after the authorization.',
  consent:
    'What the customer has agreed to, and from where. A confirm by your server needs it if `setupFutureUsage` is `off_session`. Of a ' +
    'page only its `text` counts: address, browser and time are those of its request.',
  nextAction: 'What the customer has to do before the payment continues; null unless `status` is `requires_action`.',
  provider: 'The provider of the last attempt; null before the first.',
  attempts: 'Every route that was tried for the payment, over all its confirms, oldest first.',
  lastError: 'Why the last confirm, capture or cancellation failed; null if it did not.',
  lastDecline:
    'Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is ' +
    'canceled or succeeds. Null if none was. Pages always get null.',
  advisory: 'A notice that the payment takes unusually long; null otherwise. It does not change the state.',
  cancellationReason: withValues(
    'Why the payment was canceled; null unless `status` is `canceled`.',
    CANCELLATION_MEANINGS,
  ),
  metadata: METADATA,
  disputeIds:
    'The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none.',
  disputedAt: 'When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.',
  captureBefore:
    'Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and ' +
    'the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.',
  expiresAt:
    'When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is ' +
    'held, and when the payment has succeeded, failed or was canceled.',
  confirm:
    'Whether to confirm the payment at once with `paymentMethod`, or the saved one of `paymentMethodId`; it then needs one of them.',
  returnUrl:
    'Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to ' +
    '2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a ' +
    'page does not come back; `nextAction.warning` then says so.',
  reason: withValues('Why the payment is canceled.', {
    requested_by_customer: CANCELLATION_MEANINGS.requested_by_customer,
    duplicate: CANCELLATION_MEANINGS.duplicate,
    fraudulent: CANCELLATION_MEANINGS.fraudulent,
    abandoned: CANCELLATION_MEANINGS.abandoned,
  }),
  expiresInSeconds:
    'After how many seconds the payment expires unless it is paid or being processed; 60 to 86,400 (one day). ' +
    '1,800 (30 minutes) if it is left out.',
};
