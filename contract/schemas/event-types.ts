import type { EventType } from '../../domain/events.ts';

/** What each type of event says. */
export const EVENT_TYPE_MEANINGS: Readonly<Record<EventType, string>> = {
  'payment_intent.created': 'a payment intent was created',
  'payment_intent.processing': 'a confirm was accepted, and providers are being called',
  'payment_intent.requires_action': 'the customer has to act; `nextAction` says what to do',
  'payment_intent.amount_capturable': 'money is held and can be captured; `amountCapturable` says how much',
  'payment_intent.succeeded': 'the payment was captured, in rare cases again after its capture had failed',
  'payment_intent.amount_captured_changed':
    'the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays ' +
    '`succeeded`, and `amountCaptured` is the new sum',
  'payment_intent.payment_failed':
    'a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes ' +
    '`failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again',
  'payment_intent.stuck':
    'the payment has been processing for unusually long, and continues; `advisory` says since when',
  'payment_intent.waiting_for_provider':
    'an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when',
  'payment_intent.canceled': 'the payment intent was canceled; `cancellationReason` says why',
  'payment_intent.expired': 'the payment intent was not paid before `expiresAt`',
  'payment_intent.refunded':
    'the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum',
  'payment_intent.stray_charge_reversed':
    'a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`',
  'payment_intent.fraud_warning':
    "the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback",
  'refund.created':
    'a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)',
  'refund.waiting_for_provider':
    'the refund has waited for its provider for unusually long, and continues; `advisory` says since when',
  'refund.succeeded': 'the provider refunded the money',
  'refund.failed': 'the refund failed, in rare cases after it had succeeded; `failure` says why',
  'transaction.created': 'money moved or was held',
  'payment_method.saved': 'a card was saved for a customer, by a payment that was approved; or saved again',
  'payment_method.updated': 'a saved payment method was changed, or a provider has issued a token for it',
  'payment_method.invalidated': 'a saved payment method cannot be charged any more; `statusReason` says why',
  'payment_method.detached': 'a saved payment method was removed, and its card number erased; `statusReason` says why',
  'dispute.created': "the customer's bank asks about a payment, or takes its money back; `stage` says how far it is",
  'dispute.updated':
    'the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more',
  'dispute.response_due': 'the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when',
  'dispute.funds_withdrawn': 'the provider has taken the disputed amount; it cannot be refunded any more',
  'dispute.funds_reinstated': 'the provider has given the disputed amount back',
  'dispute.closed': 'a dispute has ended; `status` says how. A card scheme may open one again that was won',
  'provider_account.credentials_refused':
    'a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when',
  'provider_account.credentials_accepted': 'a provider accepts the credentials of an account again',
  'reconciliation.difference_found':
    "a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how",
  'settlement.created': "a provider pays to the merchant's bank, and all entries of the settlement are known",
  'settlement.paid': 'a provider says that it has paid a settlement',
  'settlement.failed': 'the payment of a settlement to the bank failed, or the bank has returned it',
  'settlement.difference_found':
    'an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more',
  'card_testing.suspected':
    'so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. ' +
    'Look at the newest declines, and protect your checkout page',
  'webhook_endpoint.failing':
    'so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes',
  'webhook_endpoint.recovered': 'a failing webhook endpoint took an event again, and gets those that have waited',
  'webhook_endpoint.disabled': 'the engine disabled a webhook endpoint; `disabledReason` says why',
  'webhook_endpoint.test': 'a test that was requested; it goes to its endpoint only, whatever that subscribes to',
};
