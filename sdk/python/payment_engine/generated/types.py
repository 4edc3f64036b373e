# Written by `npm run generate` from the OpenAPI document.
# SHA-256 of its schemas: a449aee2dfefaaedb9d7cbbc93aaa643a4ec367a867b29aab11fd54b28c7449e

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

ErrorCode: TypeAlias = Literal['UNAUTHORIZED', 'INVALID_SIGNATURE', 'TIMESTAMP_EXPIRED', 'API_KEY_REVOKED', 'API_KEY_EXPIRED', 'IP_NOT_WHITELISTED', 'INSUFFICIENT_PERMISSIONS', 'FORBIDDEN', 'MERCHANT_SUSPENDED', 'INVALID_REQUEST', 'VALIDATION_ERROR', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'MISSING_REQUIRED_FIELD', 'RESOURCE_NOT_FOUND', 'PAYMENT_INTENT_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'REFUND_NOT_FOUND', 'DUPLICATE_REQUEST', 'STATE_CONFLICT', 'PAYMENT_FAILED', 'PAYMENT_DECLINED', 'PAYMENT_EXPIRED', 'INSUFFICIENT_FUNDS', 'CARD_DECLINED', 'FRAUD_DETECTED', 'LIMIT_EXCEEDED', 'REFUND_FAILED', 'REFUND_NOT_ALLOWED', 'REFUND_AMOUNT_EXCEEDED', 'REFUND_WINDOW_CLOSED', 'CHANNEL_LIMIT_MIN_EXCEEDED', 'CHANNEL_LIMIT_MAX_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'TSP_ERROR', 'TSP_TIMEOUT', 'TSP_UNAVAILABLE', 'NO_TSP_AVAILABLE', 'UNSUPPORTED_REGION', 'UNSUPPORTED_CURRENCY_PAIR', 'PROVIDER_VALIDATION_ERROR', 'PROVIDER_UNAVAILABLE', 'PAYMENT_STUCK', 'PAYMENT_RETRIES_EXHAUSTED', 'TSP_PAYMENT_FAILED', 'CRYPTO_DEPOSIT_FAILED', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
"""
Every error code of the API, and why it is returned. `/docs/errors` says what to do about each.

- `UNAUTHORIZED`: `Authorization` is missing, was sent twice, is not `Bearer` and a key, or names a key or client secret that does not exist.
- `INVALID_SIGNATURE`: The signature is not that of this request. Most often the body was serialized twice, and the bytes that were signed are not the bytes that were sent. It also comes when the salt belongs to another key, when a key on version 2, as every new key is, is used with version 1, and when a nonce is used again (`details.reason: "nonce_used"`). A provider's webhook gets it where it lacks the provider's own signature.
- `TIMESTAMP_EXPIRED`: `X-Timestamp` is missing, is not a UTC time such as `2026-11-22T12:00:00Z`, or is more than 5 minutes off.
- `API_KEY_REVOKED`: Somebody revoked the key.
- `API_KEY_EXPIRED`: The key's `expiresAt` has passed. A rotation sets it: the old key expires when the overlap ends. Or the request came from a page with a client secret whose payment has ended: the secret can then only read the payment, for 24 hours more.
- `IP_NOT_WHITELISTED`: The key accepts requests only from the addresses of its `ipAllowlist`, and this one came from another address.
- `INSUFFICIENT_PERMISSIONS`: The key lacks the scope of the operation. `details.scope` names it, and so does the operation's description. Or a checkout page asked for more than its own payment.
- `FORBIDDEN`: The key may not act for the account in `X-Merchant-ID`, or a production key came over plain HTTP, or the operation does not exist for this key.
- `MERCHANT_SUSPENDED`: The merchant account is suspended. Every request that acts for it is refused; people in the dashboard can still read.
- `INVALID_REQUEST`: The request cannot be read: malformed JSON, a member that is there twice, a body that is not an object, another content type than `application/json`, a body that is too large. Or a required field is absent: then `details.field` names it.
- `VALIDATION_ERROR`: The request can be read, but values are wrong. `details.fields` has every field with its problem, unknown fields included.
- `INVALID_AMOUNT`: The amount is 0 or less, larger than the engine takes, or, in a capture, more than is authorized. An amount that is no whole number, such as `19.99` or `"1999"`, gets `VALIDATION_ERROR`.
- `INVALID_CURRENCY`: The currency is not one that the engine supports.
- `INVALID_PAYMENT_METHOD`: The engine has no payment method of this name, or `paymentMethodId` is not stored for this payment intent. Wrong values of a method, such as a card number whose check digit is wrong, an expiry in the past or a malformed UPI address, get `VALIDATION_ERROR`.
- `MISSING_REQUIRED_FIELD`: This request needs a field that others do not need, such as `paymentMethod` in the first confirm, or `X-Idempotency-Key` where the account demands it. `details.field` names it.
- `RESOURCE_NOT_FOUND`: There is no such resource in this account and environment, or no such path. A provider's webhook gets it where the address names no provider, or an account at a provider that was deleted.
- `PAYMENT_INTENT_NOT_FOUND`: The account has no payment intent with this id in this environment, or it is so old that it was deleted.
- `TRANSACTION_NOT_FOUND`: The account has no transaction with this id in this environment.
- `CUSTOMER_NOT_FOUND`: The account has no customer with this id, or the customer was deleted.
- `REFUND_NOT_FOUND`: The account has no refund with this id in this environment.
- `DUPLICATE_REQUEST`: The `X-Idempotency-Key` was used for another request, or the first request with it still runs.
- `STATE_CONFLICT`: The state of the resource does not allow the operation, for example a capture of a payment that is captured. `details` has the state.
- `PAYMENT_FAILED`: The provider could not process the payment, and did not say more.
- `PAYMENT_DECLINED`: The provider or the customer's bank declined the payment, or the customer did. Pages get this code for `FRAUD_DETECTED` too.
- `PAYMENT_EXPIRED`: The payment intent was not paid before its `expiresAt`. No attempt begins after it, so nothing was charged.
- `INSUFFICIENT_FUNDS`: The customer's account does not have the money.
- `CARD_DECLINED`: The card's issuer declined the payment and gave no reason that may be shown.
- `FRAUD_DETECTED`: The provider considers the payment fraudulent. The payment intent has failed for good.
- `LIMIT_EXCEEDED`: The amount is above a limit of the card or account, which the customer's bank sets.
- `REFUND_FAILED`: The provider refused the refund, or reports that it failed after it had succeeded. The amount can be refunded again.
- `REFUND_NOT_ALLOWED`: There is nothing to refund: the payment was not captured, or the transaction is not a capture. Or the account at the provider that captured it was deleted (`details.provider`). Or `details.reason` says why: `capture_reversed` if the provider reports that the captured money did not arrive after all, `disputed` if all that is left is disputed (`details.disputeId`): a chargeback returns the money as well, so that a refund would return it twice.
- `REFUND_AMOUNT_EXCEEDED`: The amount is more than what is left after earlier refunds, including those that are still pending, and after what is disputed.
- `REFUND_WINDOW_CLOSED`: The account's refund window (`refundWindowDays`) is over for this payment; `details.refundableUntil` says since when.
- `CHANNEL_LIMIT_MIN_EXCEEDED`: The amount is below the minimum of this payment method in this currency (`details.minimumAmount`).
- `CHANNEL_LIMIT_MAX_EXCEEDED`: The amount is above the maximum of this payment method in this currency (`details.maximumAmount`).
- `RATE_LIMIT_EXCEEDED`: Too many requests in a minute, with this API key, of this person or from this address; too many from this address at a time; too many cards that were declined, or left with 3-D Secure undone, within an hour; or too many CSV exports at once.
- `TSP_ERROR`: The provider answered a capture, cancel or refund with an error.
- `TSP_TIMEOUT`: The provider did not answer in time. What became of the request is not known yet.
- `TSP_UNAVAILABLE`: The provider cannot be reached at the moment.
- `NO_TSP_AVAILABLE`: No active payment route takes this payment method in this currency.
- `UNSUPPORTED_REGION`: Routes take the method and currency, but none takes the customer's country.
- `UNSUPPORTED_CURRENCY_PAIR`: No provider of the payment's routes takes the currency or the amount, such as KWD 1.005 at a provider that counts in steps of 0.010, or does not exchange the chosen crypto asset for the currency. Where that is known beforehand, no attempt is made: the message says what each provider takes, and `details.passedOver` has the routes with the reason.
- `PROVIDER_VALIDATION_ERROR`: The provider refused the request for a reason that the engine does not know. `details.providerResponse` has it.
- `PROVIDER_UNAVAILABLE`: No provider of the payment's routes could be reached in the time of the confirm: its first attempt begins within 20 s, further ones within 2 minutes. Nothing was charged. The `reason` `credentials_refused` in the details means that the provider refuses the credentials of its account: they have expired, were revoked, or lack a right.
- `PAYMENT_STUCK`: A provider has accepted the payment and does not say how it ended. It is an advisory on the payment and an event, not an error response. The engine goes on asking. The advisory has the `reason` `credentials_refused` if the provider refuses the credentials of its account, so that nobody can say how the payment ended.
- `PAYMENT_RETRIES_EXHAUSTED`: All attempts that the payment may make over its confirms are used up, so the intent was canceled.
- `TSP_PAYMENT_FAILED`: The provider reported that the payment failed for good. `details.providerResponse` has its reason.
- `CRYPTO_DEPOSIT_FAILED`: The deposit was too small, too large, in another asset, or taken back by the network. `details.reason` says which, and the other `details` how much came in.
- `METHOD_NOT_ALLOWED`: The path exists, but not with this method. The header `Allow` lists its methods.
- `NOT_ACCEPTABLE`: The `Accept` header allows no media type that the resource has. Every operation answers with `application/json`; the lists that can be exported have `text/csv` too.
- `INTERNAL_ERROR`: Something went wrong in the engine.
- `SERVICE_UNAVAILABLE`: The engine is overloaded, or a service that it needs is down: this request did nothing. If `details.paymentIntent` is there, the outcome is not known yet.
"""


ErrorType: TypeAlias = Literal['authentication_error', 'permission_error', 'validation_error', 'resource_error', 'payment_error', 'refund_error', 'rate_limit_error', 'provider_error', 'operational_error', 'internal_error']
"""
The type of the error, a group of codes.

- `authentication_error`: the API key, the signature or the time of the request is not accepted
- `permission_error`: the API key may not do this
- `validation_error`: the request is malformed, or a value in it is not valid
- `resource_error`: the resource does not exist, or its state does not allow the operation
- `payment_error`: the payment was refused or failed
- `refund_error`: the refund was refused or failed
- `rate_limit_error`: too many requests
- `provider_error`: a provider failed
- `operational_error`: no provider could carry out the payment, or a provider refused it for another reason
- `internal_error`: the service failed or is overloaded
"""


class FieldProblem(TypedDict):
    """
    What is wrong with one field.
    """

    field: str
    """
    The path of the field, such as `paymentMethod.card.number`.
    """
    message: str
    """
    What is wrong with it, for people, in English.
    """
    code: Literal['required', 'invalid', 'type', 'min', 'max', 'too_short', 'too_long', 'unknown']
    """
    What is wrong with it.

    - `required`: it is missing
    - `invalid`: its value is not valid
    - `type`: its value has the wrong type
    - `min`: the number or time is too small
    - `max`: the number or time is too large
    - `too_short`: the text or list is too short
    - `too_long`: the text or list is too long
    - `unknown`: there is no such field
    """


Currency: TypeAlias = str
"""
ISO 4217, upper case.
"""


NullableCountry: TypeAlias = str | None
"""
ISO 3166-1 alpha-2, upper case, or null.
"""


Country: TypeAlias = str
"""
ISO 3166-1 alpha-2, upper case.
"""


class Card(TypedDict):
    """
    A card. Its number and security code are encrypted at once, and returned by no response.
    """

    number: str
    """
    The card number: 12 to 19 digits with a valid check digit; spaces and dashes between them are ignored.
    """
    expiryMonth: int
    """
    The month in which the card expires, from 1 to 12.
    """
    expiryYear: int
    """
    The year in which the card expires, with four digits. A card is refused once its month has ended everywhere on earth.
    """
    cvc: str
    """
    The security code: 3 digits, or 4 for American Express; either for a card of an unknown brand. It is erased after the authorization.
    """
    holderName: NotRequired[str | None]
    """
    The name on the card, up to 255 characters; null or left out if it is not known.
    """


class ProviderToken(TypedDict):
    """
    A card that a provider took on a page of its own: instead of `card`, a token of the provider, which stands for it. The payment can only go to that provider. The token is encrypted at once, and returned by no response.
    """

    provider: str
    """
    The provider that issued the token: the id of an account at a provider (`/provider-accounts`), or a simulated provider of the sandbox, such as `alpha`.
    """
    token: str
    """
    The token. Of Stripe: a payment method (`pm_…`) or a confirmation token (`ctoken_…`). Of Adyen: `state.data.paymentMethod` of its page as JSON, or an object of `storedPaymentMethodId` and `shopperReference` as JSON. Of the simulator: a test token (`tok_…`).
    """


class CardPaymentMethod(TypedDict):
    """
    A card by its number, or by a token of a provider that stands for it.
    """

    type: Literal['card']
    """
    The payment method; the member of the same name has its data.
    """
    card: NotRequired[Card]
    """
    A card. Its number and security code are encrypted at once, and returned by no response.
    """
    providerToken: NotRequired[ProviderToken]
    """
    A card that a provider took on a page of its own: instead of `card`, a token of the provider, which stands for it. The payment can only go to that provider. The token is encrypted at once, and returned by no response.
    """


class Upi(TypedDict):
    """
    A payment by UPI, in INR: by the address of the customer, or by link or QR code.
    """

    vpa: NotRequired[str | None]
    """
    The virtual payment address of the customer, `name@bank`, whose app then asks for approval. Null or left out: the customer pays by the link in `nextAction`, or by scanning it as a QR code.
    """


class UpiPaymentMethod(TypedDict):
    """
    A payment by UPI, in INR: by the address of the customer, or by link or QR code.
    """

    type: Literal['upi']
    """
    The payment method; the member of the same name has its data.
    """
    upi: Upi
    """
    A payment by UPI, in INR: by the address of the customer, or by link or QR code.
    """


class Crypto(TypedDict):
    """
    A deposit of a cryptocurrency.
    """

    asset: Literal['BTC', 'ETH', 'USDC', 'USDT']
    """
    What is deposited: `BTC`, `ETH`, `USDC` or `USDT`.
    """
    network: Literal['bitcoin', 'ethereum', 'polygon', 'tron']
    """
    The network of the deposit. It must be one that the asset can be deposited on.
    """


class CryptoPaymentMethod(TypedDict):
    """
    A deposit of a cryptocurrency.
    """

    type: Literal['crypto']
    """
    The payment method; the member of the same name has its data.
    """
    crypto: Crypto
    """
    A deposit of a cryptocurrency.
    """


class Consent(TypedDict):
    """
    What the customer has agreed to, and from where.
    """

    acceptedAt: NotRequired[str]
    """
    When the customer agreed; ISO 8601 in UTC. Left out: now.
    """
    ipAddress: NotRequired[str | None]
    """
    The IP address from which the customer agreed; null if it is not known.
    """
    userAgent: NotRequired[str | None]
    """
    The customer's browser, as it names itself, up to 512 characters; null if it is not known.
    """
    text: NotRequired[str | None]
    """
    The text that the customer agreed to, up to 500 characters; null if it is not kept.
    """


class DepositedAsset(TypedDict):
    """
    An asset on the network on which it is deposited.
    """

    asset: Literal['BTC', 'ETH', 'USDC', 'USDT']
    """
    The asset, such as `USDC`.
    """
    network: Literal['bitcoin', 'ethereum', 'polygon', 'tron']
    """
    The network, such as `ethereum`.
    """


CardGroup: TypeAlias = str


class RouteSetCreation(TypedDict):
    """
    A route that the set adds.
    """

    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: NotRequired[list[Currency]]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: NotRequired[list[Country]]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: NotRequired[list[Country]]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: NotRequired[int | None]
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: NotRequired[int | None]
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: NotRequired[list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: NotRequired[list[CardGroup]]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: NotRequired[list[Literal['automatic', 'manual']]]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: NotRequired[list[Literal['customer', 'merchant']]]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: NotRequired[int]
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: NotRequired[int]
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000. 1 if neither it nor `sharePercent` is given.
    """
    active: NotRequired[bool]
    """
    Whether payments may take the route.
    """
    sharePercent: NotRequired[int]
    """
    Instead of `weight`: the share of payments that try the route first, in percent, 1 to 100. If one active route of a method has it, all active ones with equal `priority` need it, and together they have 100.
    """


class RouteSetUpdate(TypedDict):
    """
    A route of yours, and what the set changes in it.
    """

    id: str
    """
    The unique id of the payment route, which begins with `rt_`.
    """
    provider: NotRequired[str]
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: NotRequired[list[Currency]]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: NotRequired[list[Country]]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: NotRequired[list[Country]]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: NotRequired[int | None]
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: NotRequired[int | None]
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: NotRequired[list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: NotRequired[list[CardGroup]]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: NotRequired[list[Literal['automatic', 'manual']]]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: NotRequired[list[Literal['customer', 'merchant']]]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: NotRequired[int]
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: NotRequired[int]
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: NotRequired[bool]
    """
    Whether payments may take the route.
    """
    sharePercent: NotRequired[int]
    """
    Instead of `weight`: the share of payments that try the route first, in percent, 1 to 100. If one active route of a method has it, all active ones with equal `priority` need it, and together they have 100.
    """


SelectableEventType: TypeAlias = Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.amount_captured_changed', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.waiting_for_provider', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.refunded', 'payment_intent.stray_charge_reversed', 'payment_intent.fraud_warning', 'refund.created', 'refund.waiting_for_provider', 'refund.succeeded', 'refund.failed', 'transaction.created', 'payment_method.saved', 'payment_method.updated', 'payment_method.invalidated', 'payment_method.detached', 'dispute.created', 'dispute.updated', 'dispute.response_due', 'dispute.funds_withdrawn', 'dispute.funds_reinstated', 'dispute.closed', 'provider_account.credentials_refused', 'provider_account.credentials_accepted', 'reconciliation.difference_found', 'settlement.created', 'settlement.paid', 'settlement.failed', 'settlement.difference_found', 'card_testing.suspected', 'webhook_endpoint.failing', 'webhook_endpoint.recovered', 'webhook_endpoint.disabled']
"""
A type of events that an endpoint can select.

- `*`: every type
- `payment_intent.created`: a payment intent was created
- `payment_intent.processing`: a confirm was accepted, and providers are being called
- `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
- `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
- `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
- `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
- `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
- `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
- `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
- `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
- `payment_intent.expired`: the payment intent was not paid before `expiresAt`
- `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
- `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
- `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
- `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
- `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
- `refund.succeeded`: the provider refunded the money
- `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
- `transaction.created`: money moved or was held
- `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
- `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
- `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
- `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
- `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
- `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
- `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
- `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
- `dispute.funds_reinstated`: the provider has given the disputed amount back
- `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
- `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
- `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
- `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
- `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
- `settlement.paid`: a provider says that it has paid a settlement
- `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
- `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
- `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
- `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
- `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
- `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
"""


class Advisory(TypedDict):
    """
    A notice that does not change the state: the engine continues.
    """

    code: Literal['PAYMENT_STUCK', 'WAITING_FOR_PROVIDER']
    """
    What the notice says. More codes may be added.

    - `PAYMENT_STUCK`: the payment has been in `processing` for more than 90 seconds
    - `WAITING_FOR_PROVIDER`: an operation has waited for the answer of its provider for minutes
    """
    since: str
    """
    Since when the payment is in its state, or the operation waits; ISO 8601 in UTC.
    """
    operation: NotRequired[Literal['close', 'capture', 'void', 'refund', 'reversal']]
    """
    What waits for the provider. Present only with `WAITING_FOR_PROVIDER`.

    - `close`: an attempt is to be closed, because the payment expired or was canceled
    - `capture`: held money is to be captured
    - `void`: a hold is to be voided
    - `refund`: captured money is to be refunded
    - `reversal`: a stray charge is to be returned
    """
    reason: NotRequired[Literal['credentials_refused']]
    """
    Why the provider does not answer. Absent where that is not known; more reasons may be added.

    - `credentials_refused`: it refuses the credentials of its account, so that nobody can say how the payment ended; the engine goes on by itself once they work again
    """


class SettlementFee(TypedDict):
    """
    A part of a fee.
    """

    type: Literal['interchange', 'scheme', 'markup', 'provider', 'tax', 'other']
    """
    What the part is.

    - `interchange`: what the customer's bank gets
    - `scheme`: what the card network gets
    - `markup`: what the provider adds
    - `provider`: what the provider takes, where it does not say of what that consists
    - `tax`: tax on the fee
    - `other`: something else
    """
    amount: int
    """
    The part of the fee, in the currency's minor unit.
    """


class SettlementSide(TypedDict):
    """
    An amount on one side of an exception.
    """

    amount: int
    """
    The amount, in the currency's minor unit, with its sign.
    """
    currency: str
    """
    The currency, as its ISO 4217 code.
    """


class WebhookAttempt(TypedDict):
    """
    One request to an endpoint and its result.
    """

    number: int
    """
    The number of the attempt within its delivery, from 1.
    """
    startedAt: str
    """
    When the request was sent; ISO 8601 in UTC.
    """
    durationMs: int
    """
    How long the request took, in milliseconds.
    """
    statusCode: int | None
    """
    The HTTP status of the response; null if there was none.
    """
    error: Literal['timeout', 'connection_refused', 'connection_lost', 'host_not_found', 'address_not_allowed', 'certificate_not_valid', 'status_not_2xx'] | None
    """
    Why the attempt failed; null if the event was delivered.

    - `timeout`: no response within 15 seconds
    - `connection_refused`: nothing accepts connections at the address
    - `connection_lost`: the connection was closed before there was a response
    - `host_not_found`: the name of the host has no address
    - `address_not_allowed`: the address is not on the public internet
    - `certificate_not_valid`: the TLS certificate is not valid for the host
    - `status_not_2xx`: the response had another status than 2xx; redirects are not followed
    """
    responseBody: str | None
    """
    The first 4 KB of the response body, without card numbers, e-mail addresses and secrets of this engine; null if there was no response.
    """


class MaskedCard(TypedDict):
    """
    A card, of which only the last four digits are shown.
    """

    type: Literal['card']
    """
    The payment method.
    """
    brand: str
    """
    The brand of the card in lower case, such as `visa` or `american_express`; `unknown` if the number belongs to none, or while only the provider knows the card that its token stands for.
    """
    last4: str | None
    """
    The last four digits of the card number; null while only the provider knows the card.
    """
    expiryMonth: int | None
    """
    The month in which the card expires, from 1 to 12; null while only the provider knows the card.
    """
    expiryYear: int | None
    """
    The year in which the card expires, with four digits; null while only the provider knows the card.
    """


class MaskedUpi(TypedDict):
    """
    A UPI address, partly hidden.
    """

    type: Literal['upi']
    """
    The payment method.
    """
    vpa: str | None
    """
    The UPI address, of whose name only the first and last letter are shown: `s*****s@upi`; null where the customer pays by link or QR code.
    """


class MaskedCrypto(TypedDict):
    """
    A deposit of a cryptocurrency.
    """

    type: Literal['crypto']
    """
    The payment method.
    """
    asset: str
    """
    What is deposited, such as `USDC`.
    """
    network: str
    """
    The network of the deposit, such as `ethereum`.
    """


class RedirectAction(TypedDict):
    """
    The customer has to visit a page.
    """

    type: Literal['redirect']
    """
    What the customer has to do.

    - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
    - `approve_in_app`: approve the payment in the UPI app
    - `crypto_deposit`: send a deposit to an address
    """
    url: str
    """
    The page to send the customer to. It leads back to `returnUrl`, if there is one, with the id of the payment as the query parameter `paymentIntentId`.
    """
    warning: NotRequired[str]
    """
    Present only if the payment has no `returnUrl`, so that the customer would not come back.
    """


class ApproveInAppAction(TypedDict):
    """
    The customer has to approve the payment in an app.
    """

    type: Literal['approve_in_app']
    """
    What the customer has to do.

    - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
    - `approve_in_app`: approve the payment in the UPI app
    - `crypto_deposit`: send a deposit to an address
    """
    app: Literal['upi']
    """
    The kind of app in which the customer approves the payment.
    """
    link: NotRequired[str]
    """
    A link that opens a UPI app on a phone; elsewhere show it as a QR code. Left out if the provider gives none.
    """


class CryptoDepositAction(TypedDict):
    """
    The customer has to send a deposit.
    """

    type: Literal['crypto_deposit']
    """
    What the customer has to do.

    - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
    - `approve_in_app`: approve the payment in the UPI app
    - `crypto_deposit`: send a deposit to an address
    """
    asset: str
    """
    What to deposit, such as `USDC`.
    """
    network: str
    """
    The network on which to deposit it. A deposit on another network is lost.
    """
    address: str
    """
    The address to send the deposit to. It is for this payment only.
    """
    amount: str
    """
    How much to deposit: a decimal number in the asset's own unit, as a string, such as `19.99`.
    """
    confirmationsRequired: int
    """
    How many confirmations of the network the deposit needs before the payment succeeds.
    """
    expiresAt: NotRequired[str]
    """
    Until when the deposit must be in a block of the network; a later one does not pay. Left out if the provider sets no such time.
    """


class LastError(TypedDict):
    """
    Why the last confirm, capture or cancellation failed.
    """

    code: str
    """
    The error code, one of `ErrorCode`.
    """
    message: str
    """
    A message for people, in English.
    """
    details: NotRequired[dict[str, Any]]
    """
    What else is known of the error; the members depend on the code. A decline has `advice` (see `PaymentAttempt`), `networkCode` and `retryAfter` (ISO 8601 in UTC) where they are known. Pages get no `networkCode`, and no details after the advice `never`.
    """
    at: str
    """
    When the error happened; ISO 8601 in UTC.
    """


class LastDecline(TypedDict):
    """
    Why the last attempt that was declined or failed did not pay.
    """

    attemptId: str
    """
    The attempt; it is among the payment intent's `attempts`.
    """
    code: str | None
    """
    Why it did not pay, as a code of the error catalogue; null if that is not known.
    """
    message: str | None
    """
    The same for people; null if it is not known.
    """
    advice: Literal['never', 'later', 'elsewhere', 'authenticate', 'correct_data'] | None
    """
    What the decline tells you to do; null where there was none, or where the provider gave a reason that is not known.

    - `never`: do not send this card again: it is lost or closed, or the issuer forbids it. This payment does not take it again
    - `later`: the same card may be approved later, as `lastError.details.retryAfter` says if it is there
    - `elsewhere`: the same card may be approved at another provider
    - `authenticate`: the customer has to be authenticated; confirm with a `returnUrl`, the customer being present
    - `correct_data`: the customer has to correct what was entered, or has a new card
    """
    at: str
    """
    When the attempt ended; ISO 8601 in UTC.
    """


class UpdatePaymentIntentRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole.
    """

    amount: NotRequired[int]
    """
    What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: NotRequired[Currency]
    """
    The currency of all amounts of the payment, as its ISO 4217 code: `EUR`.
    """
    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    description: NotRequired[str | None]
    """
    A text of your own about the payment, up to 1,000 characters; null without one.
    """
    customerId: NotRequired[str | None]
    """
    The id of the customer (`cus_…`) who pays; null without one.
    """
    country: NotRequired[NullableCountry]
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored.
    """
    captureMethod: NotRequired[Literal['automatic', 'manual']]
    """
    When the money is taken.

    - `automatic`: at once
    - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
    """
    setupFutureUsage: NotRequired[Literal['on_session', 'off_session'] | None]
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
    """
    returnUrl: NotRequired[str | None]
    """
    Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """


class CancelPaymentIntentRequest(TypedDict):
    """
    Why the payment is canceled.
    """

    reason: NotRequired[Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned']]
    """
    Why the payment is canceled.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: it was the same payment as another
    - `fraudulent`: it is suspected of fraud
    - `abandoned`: the customer left
    """


class CapturePaymentIntentRequest(TypedDict):
    """
    How much to capture.
    """

    amount: NotRequired[int]
    """
    How much to capture, in the currency's minor unit, at most `amountCapturable`. Left out: all of it.
    """


class AskProviderRequest(TypedDict):
    """
    No data: an empty object, or no body at all.
    """


class ResolvePaymentIntentByHandRequest(TypedDict):
    """
    What you have found about the payment in the ledger of the provider.
    """

    outcome: Literal['charged', 'not_charged', 'reversed']
    """
    What has become of the payment at the provider.

    - `charged`: the provider has charged: the payment goes on as if it had said so
    - `not_charged`: the provider has not charged: the payment is canceled, and what was charged after all is returned
    - `reversed`: the provider reports another amount: the payment is canceled, and that amount is returned
    """
    note: str
    """
    What you have checked, and where; for the timeline and the audit log.
    """
    providerPaymentId: NotRequired[str]
    """
    The provider's id of the payment. Required with `charged`.
    """
    amount: NotRequired[int]
    """
    The amount that the provider reports, in the currency's minor unit. Only where it reports another one than it was asked for.
    """


class ResolveStrayChargeByHandRequest(TypedDict):
    """
    What has become of a stray charge.
    """

    attemptId: str
    """
    The attempt that was charged.
    """
    outcome: Literal['returned', 'not_charged']
    """
    What has become of the money.

    - `returned`: somebody has returned it to the customer
    - `not_charged`: the provider has charged nothing
    """
    note: str
    """
    What you have checked, and where; for the timeline and the audit log.
    """


class CreatePaymentLinkRequest(TypedDict):
    """
    A payment link to create. Without `maxPayments` it can be paid once.
    """

    amount: int
    """
    What each payment is for, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: Currency
    description: NotRequired[str | None]
    """
    What is paid for, up to 500 characters; customers read it. Null without one.
    """
    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. Payments of the link get it too.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. Payments of the link get it too.
    """
    customerId: NotRequired[str | None]
    """
    The id of the customer (`cus_…`) whose payments these are; null without one. Payments of the link get it too.
    """
    setupFutureUsage: NotRequired[Literal['on_session', 'off_session'] | None]
    """
    What the page offers to save the card for; the customer decides by a box that is empty at first. Null to offer nothing. It needs `customerId`.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer
    """
    allowSavedPaymentMethods: NotRequired[bool]
    """
    Whether the page shows the saved cards of `customerId`, masked, and takes them. Send true only if nobody but this customer gets the address.
    """
    maxPayments: NotRequired[int | None]
    """
    How many payments of the link may succeed; 1 makes a link that can be paid once. Null for any number. Payments that are refunded later count too.
    """
    expiresAt: NotRequired[str | None]
    """
    Until when payments can begin; ISO 8601 with a zone, within ten years. Null for no end. A payment that has begun can be completed within 30 minutes.
    """


class UpdatePaymentLinkRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; `null` clears the description.
    """

    description: NotRequired[str | None]
    """
    What is paid for, up to 500 characters; customers read it. Null without one.
    """
    active: NotRequired[bool]
    """
    Whether customers can pay. Set it to `false` to deactivate the link, and to `true` to activate it again.
    """


class CreateCustomerRequest(TypedDict):
    """
    All data of a customer. Members that are left out are empty.
    """

    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    name: NotRequired[str | None]
    """
    The customer's full name, up to 255 characters; null if it is not known.
    """
    email: NotRequired[str | None]
    """
    The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known.
    """
    phone: NotRequired[str | None]
    """
    The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known.
    """
    description: NotRequired[str | None]
    """
    A note of your own about the customer, up to 1,000 characters; null without one.
    """
    country: NotRequired[NullableCountry]
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """


class UpdateCustomerRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole.
    """

    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    name: NotRequired[str | None]
    """
    The customer's full name, up to 255 characters; null if it is not known.
    """
    email: NotRequired[str | None]
    """
    The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known.
    """
    phone: NotRequired[str | None]
    """
    The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known.
    """
    description: NotRequired[str | None]
    """
    A note of your own about the customer, up to 1,000 characters; null without one.
    """
    country: NotRequired[NullableCountry]
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """


class UpdateSavedPaymentMethodRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; `metadata` is replaced as a whole.
    """

    isDefault: NotRequired[bool]
    """
    Whether it is the customer's preferred one; at most one of them is.
    """
    expiryMonth: NotRequired[int]
    """
    The month in which the card expires, from 1 to 12; with `expiryYear`.
    """
    expiryYear: NotRequired[int]
    """
    The year in which the card expires, with four digits; with `expiryMonth`.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """


class BusinessProfile(TypedDict):
    """
    What customers see of the account.
    """

    name: NotRequired[str | None]
    """
    What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`.
    """
    color: NotRequired[str | None]
    """
    The colour of the button that pays, such as `#1d4f91`; null for that of the page.
    """
    logo: NotRequired[str | None]
    """
    The logo, as a PNG image in Base64: at most 64 KiB, and 512 pixels wide and high. Null removes it.
    """
    supportEmail: NotRequired[str | None]
    """
    The e-mail address to which customers can write; null without one.
    """
    supportPhone: NotRequired[str | None]
    """
    The telephone number that customers can call, such as `+49 30 901820`; null without one.
    """
    supportUrl: NotRequired[str | None]
    """
    The web page that helps customers, with http or https; null without one.
    """
    termsUrl: NotRequired[str | None]
    """
    The web page with the terms of the merchant, with http or https; null without one.
    """
    returnUrl: NotRequired[str | None]
    """
    Where customers can go on after they have paid, with http or https; null without one.
    """


class DeclineRetries(TypedDict):
    """
    Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.
    """

    enabled: NotRequired[bool]
    """
    Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow.
    """
    maxRetries: NotRequired[int]
    """
    How many further providers one confirm may ask after declines; 0 to 3.
    """
    issuerDeclines: NotRequired[bool]
    """
    Whether it also goes on where the issuer gives no reason, and not only after technical declines.
    """


class CreateMerchantAccountRequest(TypedDict):
    """
    A merchant account to create.
    """

    name: str
    """
    A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it.
    """
    retryBudget: NotRequired[int]
    """
    How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
    """
    refundWindowDays: NotRequired[int]
    """
    For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
    """
    requireIdempotencyKeys: NotRequired[bool]
    """
    Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`.
    """
    businessProfile: NotRequired[BusinessProfile]
    """
    What customers see of the account.
    """
    refundConfirmationAmount: NotRequired[int | None]
    """
    From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
    """
    declineRetries: NotRequired[DeclineRetries]
    """
    Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.
    """


class UpdateMerchantAccountRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged.
    """

    name: NotRequired[str]
    """
    A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it.
    """
    retryBudget: NotRequired[int]
    """
    How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
    """
    refundWindowDays: NotRequired[int]
    """
    For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
    """
    requireIdempotencyKeys: NotRequired[bool]
    """
    Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`.
    """
    businessProfile: NotRequired[BusinessProfile]
    """
    What customers see of the account.
    """
    refundConfirmationAmount: NotRequired[int | None]
    """
    From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
    """
    declineRetries: NotRequired[DeclineRetries]
    """
    Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.
    """


IpAllowlistItem: TypeAlias = str


class CreateApiKeyRequest(TypedDict):
    """
    An API key to create. Limits that are left out are those of the key that makes the request, except for `signatureVersion`, which is 2.
    """

    name: str
    """
    A name for people, such as what uses the key; 1 to 255 characters.
    """
    scopes: list[Literal['payment-intents:read', 'payment-intents:write', 'payment-links:read', 'payment-links:write', 'transactions:read', 'transactions:write', 'refunds:read', 'refunds:write', 'disputes:read', 'disputes:write', 'settlements:read', 'settlements:write', 'customers:read', 'customers:write', 'payment-methods:read', 'payment-methods:write', 'merchants:read', 'merchants:write', 'api-keys:read', 'api-keys:write', 'payment-routes:read', 'payment-routes:write', 'card-groups:read', 'card-groups:write', 'route-sets:read', 'route-sets:write', 'routing-settings:read', 'routing-settings:write', 'channel-limits:read', 'channel-limits:write', 'webhook-endpoints:read', 'webhook-endpoints:write', 'events:read', 'events:redeliver', 'audit-events:read', 'audit-events:write', 'requests:read', 'requests:write', 'provider-health:read', 'provider-health:write', 'provider-accounts:read', 'provider-accounts:write', 'statistics:read', 'statistics:write', 'reconciliation-runs:read', 'reconciliation-runs:write', 'test-clock:read', 'test-clock:write', 'support:read']]
    """
    What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds.
    """
    expiresAt: NotRequired[str | None]
    """
    When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
    """
    ipAllowlist: NotRequired[list[IpAllowlistItem]]
    """
    IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100.
    """
    ipRestricted: NotRequired[bool]
    """
    Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them.
    """
    accountBound: NotRequired[bool]
    """
    Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other.
    """
    signatureVersion: NotRequired[int]
    """
    The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
    """


class UpdateApiKeyRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; `null` removes the expiry.
    """

    name: NotRequired[str]
    """
    A name for people, such as what uses the key; 1 to 255 characters.
    """
    scopes: NotRequired[list[Literal['payment-intents:read', 'payment-intents:write', 'payment-links:read', 'payment-links:write', 'transactions:read', 'transactions:write', 'refunds:read', 'refunds:write', 'disputes:read', 'disputes:write', 'settlements:read', 'settlements:write', 'customers:read', 'customers:write', 'payment-methods:read', 'payment-methods:write', 'merchants:read', 'merchants:write', 'api-keys:read', 'api-keys:write', 'payment-routes:read', 'payment-routes:write', 'card-groups:read', 'card-groups:write', 'route-sets:read', 'route-sets:write', 'routing-settings:read', 'routing-settings:write', 'channel-limits:read', 'channel-limits:write', 'webhook-endpoints:read', 'webhook-endpoints:write', 'events:read', 'events:redeliver', 'audit-events:read', 'audit-events:write', 'requests:read', 'requests:write', 'provider-health:read', 'provider-health:write', 'provider-accounts:read', 'provider-accounts:write', 'statistics:read', 'statistics:write', 'reconciliation-runs:read', 'reconciliation-runs:write', 'test-clock:read', 'test-clock:write', 'support:read']]]
    """
    What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds.
    """
    expiresAt: NotRequired[str | None]
    """
    When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
    """
    ipAllowlist: NotRequired[list[IpAllowlistItem]]
    """
    IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100.
    """
    ipRestricted: NotRequired[bool]
    """
    Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them.
    """
    accountBound: NotRequired[bool]
    """
    Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other.
    """
    signatureVersion: NotRequired[int]
    """
    The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
    """


class RotateApiKeyRequest(TypedDict):
    """
    How the key is replaced.
    """

    overlapSeconds: NotRequired[int]
    """
    For how many seconds the old key stays valid beside the new one; 0 to 604800 (7 days).
    """
    signatureVersion: NotRequired[int]
    """
    The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
    """


class CreateProviderAccountRequest(TypedDict):
    """
    An account at a provider to create.
    """

    kind: Literal['simulator', 'stripe', 'adyen', 'cashfree', 'evm']
    """
    The provider that the account is at.

    - `simulator`: Simulator: every payment method, at the simulator of the sandbox
    - `stripe`: Stripe: cards at your own Stripe account
    - `adyen`: Adyen: cards at your own Adyen account
    - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
    - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
    """
    name: str
    """
    A name of your own for the account, up to 100 characters.
    """
    credentials: dict[str, Any]
    """
    What the provider knows the account by.

    - `simulator`: `apiKey` (the simulator's API key), `webhookSecret` (what it signs webhooks with: `whsec_` and base64)
    - `stripe`: `secretKey` (a secret or restricted key, `sk_…` or `rk_…`), `webhookSecret` (the signing secret of the webhook endpoint, `whsec_…`)
    - `adyen`: `apiKey` (the key of an API credential), `merchantAccount` (the name of the merchant account at Adyen), `liveUrlPrefix` (the prefix of the live addresses; required in production), `hmacKey` (the HMAC key of the Standard webhook, in hexadecimal digits)
    - `cashfree`: `clientId` (the app id), `clientSecret` (the secret key), `fallbackPhone` (ten digits, for payments without the phone number of a customer), `preauthorization` (`true` if Cashfree holds card payments for the account; otherwise `false`, or left out)
    - `evm`: `xpub` (the extended public key of an account of your wallet, `xpub…` at `m/44'/60'/n'`; never a private key), `rpcUrl` (the address of a node that answers JSON-RPC, `https://…`), `chainId` (the id of the chain, a number: 1 is Ethereum, 137 is Polygon; it cannot be changed later), `network` (`ethereum` or `polygon`; it cannot be changed later), `confirmations` (how many blocks must follow a deposit's own, a number), `requireFinality` (`true` if its block must also be final; otherwise `false`, or left out), `quoteSeconds` (how long a quote is valid, from 60 to 3600; 1200 if left out), `tokens` (a list of `{asset, contract, decimals, priceFeed: {address, maximumAgeSeconds}}`), `currencies` (price feeds `{address, maximumAgeSeconds}` by currency, besides USD; may be left out)
    """


class UpdateProviderAccountRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged.
    """

    name: NotRequired[str]
    """
    A name of your own for the account, up to 100 characters.
    """
    status: NotRequired[Literal['active', 'disabled']]
    """
    Whether it takes new payments.

    - `active`: it does
    - `disabled`: it does not; payments, captures and refunds that are under way are still completed there
    """


class RotateProviderAccountCredentialsRequest(TypedDict):
    """
    The credentials that replace all earlier ones.
    """

    credentials: dict[str, Any]
    """
    What the provider knows the account by.

    - `simulator`: `apiKey` (the simulator's API key), `webhookSecret` (what it signs webhooks with: `whsec_` and base64)
    - `stripe`: `secretKey` (a secret or restricted key, `sk_…` or `rk_…`), `webhookSecret` (the signing secret of the webhook endpoint, `whsec_…`)
    - `adyen`: `apiKey` (the key of an API credential), `merchantAccount` (the name of the merchant account at Adyen), `liveUrlPrefix` (the prefix of the live addresses; required in production), `hmacKey` (the HMAC key of the Standard webhook, in hexadecimal digits)
    - `cashfree`: `clientId` (the app id), `clientSecret` (the secret key), `fallbackPhone` (ten digits, for payments without the phone number of a customer), `preauthorization` (`true` if Cashfree holds card payments for the account; otherwise `false`, or left out)
    - `evm`: `xpub` (the extended public key of an account of your wallet, `xpub…` at `m/44'/60'/n'`; never a private key), `rpcUrl` (the address of a node that answers JSON-RPC, `https://…`), `chainId` (the id of the chain, a number: 1 is Ethereum, 137 is Polygon; it cannot be changed later), `network` (`ethereum` or `polygon`; it cannot be changed later), `confirmations` (how many blocks must follow a deposit's own, a number), `requireFinality` (`true` if its block must also be final; otherwise `false`, or left out), `quoteSeconds` (how long a quote is valid, from 60 to 3600; 1200 if left out), `tokens` (a list of `{asset, contract, decimals, priceFeed: {address, maximumAgeSeconds}}`), `currencies` (price feeds `{address, maximumAgeSeconds}` by currency, besides USD; may be left out)
    """
    overlapSeconds: NotRequired[int]
    """
    For how many seconds webhooks are accepted too that the provider signed with the earlier secret; 0 to 604800 (7 days). Set it to 0 if the secret has leaked. Calls use the new credentials at once.
    """


class CreatePaymentRouteRequest(TypedDict):
    """
    A payment route to create.
    """

    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: NotRequired[list[Currency]]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: NotRequired[list[Country]]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: NotRequired[list[Country]]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: NotRequired[int | None]
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: NotRequired[int | None]
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: NotRequired[list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: NotRequired[list[CardGroup]]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: NotRequired[list[Literal['automatic', 'manual']]]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: NotRequired[list[Literal['customer', 'merchant']]]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: NotRequired[int]
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: NotRequired[int]
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: NotRequired[bool]
    """
    Whether payments may take the route.
    """


class SimulatePaymentRoutesRequest(TypedDict):
    """
    A payment to simulate.
    """

    amount: int
    """
    The amount of the payment that is simulated, in the currency's minor unit.
    """
    currency: Currency
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that is simulated: `card`, `upi` or `crypto`.
    """
    captureMethod: NotRequired[Literal['automatic', 'manual']]
    """
    How the payment that is simulated would be captured: `automatic` or `manual`.
    """
    country: NotRequired[NullableCountry]
    """
    The country that was compared with the routes: the payment's own, else its customer's; null if neither is known.
    """
    customerId: NotRequired[str | None]
    """
    The id of a customer (`cus_…`), whose country is used if `country` is left out.
    """
    tokenProvider: NotRequired[str | None]
    """
    The provider that issued the token, of a payment by a provider's token; null or left out for every other payment.
    """
    deposited: NotRequired[DepositedAsset | None]
    """
    The asset that would be deposited, and its network, of a payment by `crypto`; null or left out for every other payment, or if every asset is meant.
    """
    cardBrand: NotRequired[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve'] | None]
    """
    The brand of the card, such as `visa`; null or left out where it is not known, as that of a token.
    """
    cardGroups: NotRequired[list[CardGroup]]
    """
    The ids of the groups of cards that the card belongs to; left out for none.
    """
    metadata: NotRequired[dict[str, str]]
    """
    The payment's metadata; left out for none.
    """
    offSession: NotRequired[bool]
    """
    Whether you would initiate the payment without the customer; false if left out.
    """


class UpdatePaymentRouteRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; lists are replaced as a whole.
    """

    provider: NotRequired[str]
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: NotRequired[list[Currency]]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: NotRequired[list[Country]]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: NotRequired[list[Country]]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: NotRequired[int | None]
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: NotRequired[int | None]
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: NotRequired[list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: NotRequired[list[CardGroup]]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: NotRequired[list[Literal['automatic', 'manual']]]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: NotRequired[list[Literal['customer', 'merchant']]]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: NotRequired[int]
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: NotRequired[int]
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: NotRequired[bool]
    """
    Whether payments may take the route.
    """


Prefix: TypeAlias = str


class CreateCardGroupRequest(TypedDict):
    """
    A group of cards to create.
    """

    name: str
    """
    What people know the group by, such as `Corporate cards`; up to 100 characters.
    """
    prefixes: list[Prefix]
    """
    The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole.
    """


class UpdateCardGroupRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged; the prefixes are replaced as a whole.
    """

    name: NotRequired[str]
    """
    What people know the group by, such as `Corporate cards`; up to 100 characters.
    """
    prefixes: NotRequired[list[Prefix]]
    """
    The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole.
    """


DeleteItem: TypeAlias = str


class CreateRouteSetRequest(TypedDict):
    """
    Changes of several routes, which apply together once the set is activated.
    """

    description: NotRequired[str | None]
    """
    What people know the set by, such as `80 % to beta`; null for nothing.
    """
    create: NotRequired[list[RouteSetCreation]]
    """
    Routes that the set has besides yours, at most 500.
    """
    update: NotRequired[list[RouteSetUpdate]]
    """
    Routes of yours that the set has in another form; members that are left out stay as they are now.
    """
    delete: NotRequired[list[DeleteItem]]
    """
    The ids of routes of yours that the set does not have.
    """


class ActivateRouteSetRequest(TypedDict):
    """
    Which routes you expect to replace.
    """

    currentRoutesVersion: NotRequired[str]
    """
    The routes that you expect to replace, by the `currentRoutesVersion` of the set; left out for any.
    """


class BackTestRouteSetRequest(TypedDict):
    """
    Which payments to plan again.
    """

    days: NotRequired[int]
    """
    The payments of how many days until now; 1 to 30.
    """
    limit: NotRequired[int]
    """
    How many payments at most, the newest; 1 to 2,000.
    """


class PutRoutingSettingRequest(TypedDict):
    """
    How routes of equal priority are ordered. What is left out gets its default.
    """

    ordering: Literal['weighted', 'approval_rate']
    """
    How routes of equal `priority` are ordered.

    - `weighted`: each payment draws the order, by `weight`
    - `approval_rate`: the provider with the highest approval rate first, but for the exploration
    """
    explorationShare: NotRequired[float]
    """
    Of the payments that could go to the provider with the highest rate, how many go to the others instead, so that their rates stay known; 0.05 to 0.5.
    """
    minimumAttempts: NotRequired[int]
    """
    Attempts of a provider below which its rate does not count, and its routes get their share by `weight`; 10 to 1,000.
    """
    windowHours: NotRequired[int]
    """
    After how many hours without an attempt a rate does not count any more; 1 to 168.
    """


class PutChannelLimitRequest(TypedDict):
    """
    The smallest and largest amount, both inclusive.
    """

    minimumAmount: int
    """
    The smallest amount that may be paid, in the currency's minor unit; payments below it get `CHANNEL_LIMIT_MIN_EXCEEDED`.
    """
    maximumAmount: int
    """
    The largest amount that may be paid, in the currency's minor unit; payments above it get `CHANNEL_LIMIT_MAX_EXCEEDED`.
    """


class CreateRefundRequest(TypedDict):
    """
    What to refund, and how much of it.
    """

    transactionId: NotRequired[str]
    """
    The id of the capture (`txn_…`) to refund. Send either this or `paymentIntentId`.
    """
    paymentIntentId: NotRequired[str]
    """
    The id of the payment intent (`pi_…`) to refund. Send either this or `transactionId`.
    """
    amount: NotRequired[int]
    """
    How much to refund, in the currency's minor unit. Left out: everything that is not refunded or disputed yet.
    """
    reason: NotRequired[Literal['requested_by_customer', 'duplicate', 'fraudulent', 'other'] | None]
    """
    Why the money is refunded; null if no reason was given.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: the customer paid twice
    - `fraudulent`: the payment is suspected of fraud
    - `other`: any other reason
    """
    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """


class ResolveRefundByHandRequest(TypedDict):
    """
    What you have found about the refund in the ledger of the provider.
    """

    outcome: Literal['refunded', 'not_refunded']
    """
    What has become of the refund at the provider.

    - `refunded`: the provider has refunded the money
    - `not_refunded`: it has not, and will not: the refund fails, and the amount can be refunded again
    """
    note: str
    """
    What you have checked, and where; for the timeline and the audit log.
    """
    providerRefundId: NotRequired[str]
    """
    The provider's id of the refund. Required with `refunded`.
    """
    amount: NotRequired[int]
    """
    The amount that the provider reports, in the currency's minor unit. Only where it reports another one than it was asked for.
    """


class Evidence(TypedDict):
    """
    The texts to change; null removes one, and what is left out stays.
    """

    explanation: NotRequired[str | None]
    """
    Why the payment is right, in your own words.
    """
    productDescription: NotRequired[str | None]
    """
    What was sold.
    """
    customerName: NotRequired[str | None]
    """
    The name of the customer.
    """
    customerEmailAddress: NotRequired[str | None]
    """
    The e-mail address of the customer.
    """
    customerPurchaseIp: NotRequired[str | None]
    """
    The IP address from which the customer ordered.
    """
    billingAddress: NotRequired[str | None]
    """
    The billing address of the customer.
    """
    shippingAddress: NotRequired[str | None]
    """
    Where the product was sent.
    """
    shippingCarrier: NotRequired[str | None]
    """
    Who delivered it, such as DHL.
    """
    shippingTrackingNumber: NotRequired[str | None]
    """
    The number by which the carrier finds the delivery.
    """
    shippingDate: NotRequired[str | None]
    """
    When it was sent.
    """
    serviceDate: NotRequired[str | None]
    """
    When the service was provided.
    """
    accessActivityLog: NotRequired[str | None]
    """
    Proof that the customer used a digital product, such as times and addresses of sign-ins.
    """
    refundPolicyDisclosure: NotRequired[str | None]
    """
    How the customer was shown the refund policy before the payment.
    """
    refundRefusalExplanation: NotRequired[str | None]
    """
    Why the customer is not entitled to a refund.
    """
    cancellationPolicyDisclosure: NotRequired[str | None]
    """
    How the customer was shown the cancellation policy before the payment.
    """
    cancellationRebuttal: NotRequired[str | None]
    """
    Why the subscription was not canceled in time.
    """
    duplicateChargeExplanation: NotRequired[str | None]
    """
    Why two payments that look alike are for different things.
    """


class UpdateDisputeRequest(TypedDict):
    """
    Changes the draft of the answer to a dispute.
    """

    evidence: Evidence
    """
    The texts to change; null removes one, and what is left out stays.
    """


class UploadDisputeFileRequest(TypedDict):
    """
    A file for the answer to a dispute.
    """

    kind: Literal['receipt', 'customer_communication', 'customer_signature', 'shipping_documentation', 'service_documentation', 'refund_policy', 'cancellation_policy', 'duplicate_charge_documentation', 'other']
    """
    What the file shows. A file takes the place of an earlier one of its kind.

    - `receipt`: the receipt or the invoice
    - `customer_communication`: what was written with the customer
    - `customer_signature`: the customer's signature
    - `shipping_documentation`: proof of the delivery
    - `service_documentation`: proof of the service
    - `refund_policy`: the refund policy
    - `cancellation_policy`: the cancellation policy
    - `duplicate_charge_documentation`: proof that two payments are for different things
    - `other`: anything else
    """
    contentType: Literal['application/pdf', 'image/png', 'image/jpeg']
    """
    The type of the file; its bytes have to be of this type.
    """
    content: str
    """
    The file in Base64; at most 2 MiB, and 4 MiB for all files of a dispute.
    """


class ConfirmSettlementRequest(TypedDict):
    """
    What the bank statement says of a settlement.
    """

    amount: int
    """
    The amount on the bank statement, in the currency's minor unit.
    """
    currency: Currency
    valueDate: str
    """
    The value date on the bank statement.
    """
    reference: NotRequired[str | None]
    """
    The reference on the bank statement; null without one.
    """


class ResolveSettlementEntryRequest(TypedDict):
    """
    Ends an exception, or opens it again. Money is never changed.
    """

    resolution: Literal['accepted', 'written_off'] | None
    """
    How the exception ends; null opens it again.

    - `accepted`: it is as it should be
    - `written_off`: the money is given up
    """
    note: NotRequired[str | None]
    """
    A note about it; null or nothing for none.
    """


class WebhookDelivery(TypedDict):
    """
    The delivery of one event to one endpoint, with every attempt.
    """

    id: str
    """
    The unique id of the delivery, which begins with `whd_`.
    """
    object: Literal['webhook_delivery']
    """
    The type of the object; always this value.
    """
    eventId: str
    """
    The id of the event (`evt_…`) that is delivered.
    """
    webhookEndpointId: str
    """
    The id of the webhook endpoint (`whe_…`) that it is delivered to.
    """
    status: Literal['pending', 'delivered', 'failed', 'canceled']
    """
    The state of the delivery.

    - `pending`: it is under way, or waits for its next attempt
    - `delivered`: the endpoint answered with a 2xx status
    - `failed`: every attempt failed
    - `canceled`: it was given up; `reason` says why
    """
    reason: Literal['attempts_used_up', 'endpoint_disabled', 'endpoint_deleted', 'event_not_kept', 'earlier_event_pending'] | None
    """
    Why it ended without success, or what it waits for; null otherwise.

    - `attempts_used_up`: every attempt failed
    - `endpoint_disabled`: the endpoint was disabled
    - `endpoint_deleted`: the endpoint was deleted
    - `event_not_kept`: the event was purged before it could be delivered
    - `earlier_event_pending`: an earlier event of the same payment has to be delivered first
    """
    attempts: list[WebhookAttempt]
    """
    Every request that was sent to the endpoint, oldest first.
    """
    nextAttemptAt: str | None
    """
    The time of the next attempt; null if none is planned.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    finishedAt: str | None
    """
    When the delivery ended; null while it is pending.
    """


class RedeliverMissedEventsRequest(TypedDict):
    """
    Which events to deliver again, and where.
    """

    webhookEndpointId: str
    """
    The id of the endpoint (`whe_…`) to deliver to, which must be enabled.
    """
    since: str
    """
    Redelivers events that happened at this time or later. ISO 8601 with a zone, such as `2026-11-28T06:00:00Z`.
    """


class RedeliverEventRequest(TypedDict):
    """
    Where to deliver the event.
    """

    webhookEndpointId: NotRequired[str]
    """
    The id of the endpoint (`whe_…`) to deliver to. Left out: every enabled endpoint that subscribes to events of this type.
    """


class CreateWebhookEndpointRequest(TypedDict):
    """
    A webhook endpoint to create.
    """

    url: str
    """
    The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
    """
    description: NotRequired[str | None]
    """
    A text of your own about the endpoint, up to 1,000 characters; null without one.
    """
    enabledEvents: NotRequired[list[SelectableEventType]]
    """
    The types of the events that are sent to the endpoint, each once; `*` for every type.

    - `*`: every type
    - `payment_intent.created`: a payment intent was created
    - `payment_intent.processing`: a confirm was accepted, and providers are being called
    - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
    - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
    - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
    - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
    - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
    - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
    - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
    - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
    - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
    - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
    - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
    - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
    - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
    - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
    - `refund.succeeded`: the provider refunded the money
    - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
    - `transaction.created`: money moved or was held
    - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
    - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
    - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
    - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
    - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
    - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
    - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
    - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
    - `dispute.funds_reinstated`: the provider has given the disputed amount back
    - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
    - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
    - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
    - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
    - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
    - `settlement.paid`: a provider says that it has paid a settlement
    - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
    - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
    - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
    - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
    - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
    - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
    """


class UpdateWebhookEndpointRequest(TypedDict):
    """
    What to change. Members that are left out stay unchanged.
    """

    url: NotRequired[str]
    """
    The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
    """
    description: NotRequired[str | None]
    """
    A text of your own about the endpoint, up to 1,000 characters; null without one.
    """
    enabledEvents: NotRequired[list[SelectableEventType]]
    """
    The types of the events that are sent to the endpoint, each once; `*` for every type.

    - `*`: every type
    - `payment_intent.created`: a payment intent was created
    - `payment_intent.processing`: a confirm was accepted, and providers are being called
    - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
    - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
    - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
    - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
    - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
    - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
    - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
    - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
    - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
    - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
    - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
    - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
    - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
    - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
    - `refund.succeeded`: the provider refunded the money
    - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
    - `transaction.created`: money moved or was held
    - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
    - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
    - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
    - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
    - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
    - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
    - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
    - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
    - `dispute.funds_reinstated`: the provider has given the disputed amount back
    - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
    - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
    - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
    - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
    - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
    - `settlement.paid`: a provider says that it has paid a settlement
    - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
    - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
    - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
    - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
    - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
    - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
    """
    active: NotRequired[bool]
    """
    Whether events are sent to the endpoint. Setting it to `true` enables an endpoint that was disabled.
    """


class RotateWebhookEndpointSecretRequest(TypedDict):
    """
    How the secret is replaced.
    """

    overlapSeconds: NotRequired[int]
    """
    For how many seconds webhooks are signed with both secrets; 0 to 604800 (7 days).
    """


class AdvanceTestClockRequest(TypedDict):
    """
    By how much the test clock is advanced.
    """

    seconds: int
    """
    By how much older the open payments of the account become: `90`, or `604800` for 7 days.
    """


class Pagination(TypedDict):
    """
    Which page of a list this is, and how long the list is.
    """

    page: int
    """
    The number of this page, from 1.
    """
    limit: int
    """
    How many elements a page has at most, from 1 to 100.
    """
    total: int
    """
    How many elements the list has in all.
    """
    totalPages: int
    """
    How many pages the list has in all.
    """
    totalIsEstimate: NotRequired[bool]
    """
    Present if the list is too long to count, so that `total` is an estimate.
    """


class UsableSavedPaymentMethod(TypedDict):
    """
    A saved card with which a payment's customer can pay.
    """

    id: str
    """
    The unique id of the saved payment method (`spm_…`). A confirm takes it as `paymentMethodId`.
    """
    object: Literal['usable_saved_payment_method']
    """
    The type of the object; always this value.
    """
    paymentMethod: MaskedCard
    isDefault: bool
    """
    Whether it is the customer's preferred one; at most one of them is.
    """


class TimelineLine(TypedDict):
    """
    One entry of a payment's timeline.
    """

    at: str
    """
    When it happened; ISO 8601 in UTC.
    """
    kind: str
    """
    What kind of entry it is. More kinds may be added.

    - `created`: the payment intent was created
    - `updated`: the payment intent was updated
    - `request`: a confirm, capture or cancellation was requested
    - `decision`: the engine chose routes, or decided what an outcome means
    - `attempt`: a provider was called, or answered
    - `inquiry`: a provider was asked what became of an attempt
    - `provider_event`: a provider reported something by webhook
    - `timer`: a time limit was reached
    - `event`: an event was published
    - `left_out`: the timeline is longer than 1,000 lines: earlier lines are left out here
    """
    summary: str
    """
    What happened, in one sentence for people.
    """
    details: dict[str, Any] | None
    """
    The data of the entry; the members depend on its kind. Null if there are none.
    """


class Consent1(TypedDict):
    """
    When, from where and to what the customer agreed; null where that was not recorded.
    """

    acceptedAt: str
    """
    When the customer agreed; ISO 8601 in UTC.
    """
    ipAddress: str | None
    """
    The IP address from which the customer agreed; null if it is not known.
    """
    userAgent: str | None
    """
    The customer's browser, as it names itself, up to 512 characters; null if it is not known.
    """
    text: str | None
    """
    The text that the customer agreed to, up to 500 characters; null if it is not kept.
    """


class Credential(TypedDict):
    provider: str | None
    """
    The provider that has the token; null for the card itself, which any provider can charge.
    """
    kind: Literal['card', 'provider_token']
    """
    What it is.

    - `card`: the card number, stored by this engine
    - `provider_token`: the provider's own token, which stands for the card there
    """
    status: Literal['pending', 'active', 'disabled']
    """
    Whether it can be used.

    - `pending`: the provider is being asked for its token
    - `active`: it can be used
    - `disabled`: the provider has issued none
    """


class SavedPaymentMethod(TypedDict):
    """
    A card that is kept for a customer.
    """

    id: str
    """
    The unique id of the saved payment method, which begins with `spm_`.
    """
    object: Literal['saved_payment_method']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    customerId: str
    """
    The id of the customer (`cus_…`) whose card it is.
    """
    status: Literal['active', 'invalid', 'detached']
    """
    Whether it can be used.

    - `active`: it can be used
    - `invalid`: it cannot be charged any more, unless the customer saves the card again
    - `detached`: it was removed, and its card number erased; this is final
    """
    statusReason: Literal['issuer_refused', 'token_disabled', 'unused', 'card_expired', 'customer_deleted', 'requested'] | None
    """
    Why it is invalid or detached; null while it is active.

    - `issuer_refused`: its issuer has refused a payment without the customer for good
    - `token_disabled`: no provider has a token for it any more, and its number is not stored
    - `unused`: it was not used for a long time
    - `card_expired`: the card expired months ago
    - `customer_deleted`: the customer was deleted
    - `requested`: it was removed by a request
    """
    paymentMethod: MaskedCard
    usage: Literal['on_session', 'off_session']
    """
    What the customer has agreed to.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer
    """
    consent: Consent1 | None
    """
    When, from where and to what the customer agreed; null where that was not recorded.
    """
    initialPaymentIntentId: str | None
    """
    The payment intent (`pi_…`) with which the customer agreed; null of an imported one.
    """
    hasNetworkTransactionId: bool
    """
    Whether the id is known by which card networks recognise the agreement.
    """
    credentials: list[Credential]
    """
    By what it can be charged, and where.
    """
    isDefault: bool
    """
    Whether it is the customer's preferred one; at most one of them is.
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    lastUsedAt: str
    """
    When it was last saved or charged; ISO 8601 in UTC.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class CreatedBy(TypedDict):
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """

    type: Literal['person', 'api_key']
    """
    What made it.

    - `person`: a person, in the dashboard
    - `api_key`: a request with an API key
    """
    id: str
    """
    The id of the person (`per_…`) or of the key (`key_…`).
    """


class IssuedApiKey(TypedDict):
    """
    A new API key with its secrets, which no other response has.
    """

    id: str
    """
    The unique id of the API key, which begins with `key_`. It is not a secret.
    """
    object: Literal['api_key']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The merchant account (`mer_…`) that the key belongs to, and acts for unless `X-Merchant-ID` names another.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment that the key works in: `sandbox` or `production`.
    """
    name: str
    """
    A name for people, such as what uses the key; 1 to 255 characters.
    """
    prefix: str
    """
    The first characters of the key, by which it can be recognised in a configuration.
    """
    status: Literal['active', 'expired', 'revoked']
    """
    Whether the key can be used.

    - `active`: it can
    - `expired`: `expiresAt` is past
    - `revoked`: it was revoked; nothing makes it valid again
    """
    scopes: list[str]
    """
    What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds.
    """
    ipRestricted: bool
    """
    Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them.
    """
    ipAllowlist: list[str]
    """
    IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100.
    """
    accountBound: bool
    """
    Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other.
    """
    signatureVersion: int
    """
    The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
    """
    expiresAt: str | None
    """
    When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
    """
    revokedAt: str | None
    """
    When the key was revoked; null if it was not.
    """
    replacedBy: str | None
    """
    The id of the key that replaced this one in a rotation; null if it was not rotated.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    lastUsedAt: str | None
    """
    When the last request was signed with the key, written once a minute at most; null if none was. Requests that were refused count.
    """
    lastUsedFrom: str | None
    """
    The IP address of that request.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    apiKey: str | None
    """
    The key itself, `svc_test_…` or `svc_live_…`: a secret that no other response has. See `notice` where it is null.
    """
    secretSalt: str | None
    """
    The secret that signs requests. No other response has it. See `notice` where it is null.
    """
    notice: NotRequired[str]
    """
    Why the secret is null: present only in a repeat by another API key, which does not get it.
    """


class Failure(TypedDict):
    """
    Why the payment failed. Present only with `payment_intent.payment_failed`: the `lastError` of a payment intent does not have the refusal of a confirm for which no provider was asked.
    """

    code: str
    """
    The error code, one of `ErrorCode`.
    """
    message: str
    """
    A message for people, in English.
    """
    details: NotRequired[dict[str, Any]]
    """
    What else is known of the error; the members depend on the code. A decline has `advice` (see `PaymentAttempt`), `networkCode` and `retryAfter` (ISO 8601 in UTC) where they are known. Pages get no `networkCode`, and no details after the advice `never`.
    """


class StrayCharge(TypedDict):
    """
    The charge that was returned. Present only with `payment_intent.stray_charge_reversed`.
    """

    attemptId: str
    """
    The attempt that was charged; it is among the payment intent's `attempts`.
    """
    provider: str
    """
    The provider that charged it.
    """
    amount: int
    """
    The amount that the provider had authorized or captured, in the currency's minor unit.
    """
    currency: str
    """
    The currency of the amount, as its ISO 4217 code.
    """
    reversedBy: Literal['void', 'refund', 'hand']
    """
    How the money was returned.

    - `void`: it was held only, and was released
    - `refund`: it was captured, and was refunded
    - `hand`: somebody returned it in another way, which support staff have recorded
    """


class FraudWarning(TypedDict):
    """
    The warning of the card's issuer. Present only with `payment_intent.fraud_warning`.
    """

    attemptId: str
    """
    The attempt that paid; it is among the payment intent's `attempts`.
    """
    provider: str
    """
    The provider that reports it.
    """
    providerEvent: str
    """
    The provider's own name of its event: `NOTIFICATION_OF_FRAUD`.
    """
    providerReference: str
    """
    The provider's own id of the warning, to look it up there.
    """


class PaymentMethodEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['payment_method.saved', 'payment_method.updated', 'payment_method.invalidated', 'payment_method.detached']
    """
    What happened.

    - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
    - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
    - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
    - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: SavedPaymentMethod


class Ours(TypedDict):
    """
    The payment or refund as the engine has it; null where it has none.
    """

    status: str
    """
    The state. Of a payment here: `open`, `uncharged`, `held`, `captured` or `voided`; at the provider: `open`, `declined`, `failed`, `held`, `captured` or `voided`. Of a refund: `pending`, `succeeded` or `failed`.
    """
    amount: int
    """
    The amount, in the currency's minor unit.
    """
    capturedAmount: int | None
    """
    What was captured of it, in the currency's minor unit; null for a refund.
    """
    currency: str
    """
    The currency of the amounts, as its ISO 4217 code.
    """


class Theirs(TypedDict):
    """
    The payment or refund as the provider lists it; null where it lists none.
    """

    status: str
    """
    The state. Of a payment here: `open`, `uncharged`, `held`, `captured` or `voided`; at the provider: `open`, `declined`, `failed`, `held`, `captured` or `voided`. Of a refund: `pending`, `succeeded` or `failed`.
    """
    amount: int
    """
    The amount, in the currency's minor unit.
    """
    capturedAmount: int | None
    """
    What was captured of it, in the currency's minor unit; null for a refund.
    """
    currency: str
    """
    The currency of the amounts, as its ISO 4217 code.
    """


class ReconciliationDifference(TypedDict):
    """
    A difference between a provider's list of payments and the engine's.
    """

    id: str
    """
    The unique id of the difference, which begins with `rec_`.
    """
    object: Literal['reconciliation_difference']
    """
    The type of the object; always this value.
    """
    reconciliationRunId: str
    """
    The id of the run that found it.
    """
    provider: str
    """
    The name of the provider.
    """
    kind: Literal['outcome_not_recorded', 'stray_charge', 'capture_not_recorded', 'hold_ended', 'refund_outcome_not_recorded', 'amount_differs', 'currency_differs', 'status_differs', 'refund_differs', 'unknown_payment', 'unknown_refund', 'missing_payment', 'missing_refund']
    """
    What differs.

    - `outcome_not_recorded`: the provider holds or captured the money, and the payment was still open; the payment learns it
    - `stray_charge`: the provider charged an attempt that had ended without a charge; the money is returned
    - `capture_not_recorded`: the provider captured what was only held here; the payment learns it
    - `hold_ended`: the provider holds nothing any more of what was held here; the payment learns it
    - `refund_outcome_not_recorded`: a refund has ended at the provider and was pending here, or has failed there after it had succeeded; the refund learns it
    - `amount_differs`: the amounts differ
    - `currency_differs`: the currencies differ
    - `status_differs`: the payment is in another state than at the provider
    - `refund_differs`: amount, currency or status of a refund differ
    - `unknown_payment`: the provider charged a payment that the engine does not know
    - `unknown_refund`: the provider refunded what the engine does not know
    - `missing_payment`: the provider does not list a payment that was charged here
    - `missing_refund`: the provider does not list a refund that succeeded here
    """
    action: Literal['repaired', 'reported']
    """
    What was done.

    - `repaired`: the payment or refund got the provider's outcome as by a webhook, and goes on by itself
    - `reported`: nothing was changed; somebody has to look at it
    """
    paymentIntentId: str | None
    """
    The id of the payment intent; null where there is none.
    """
    attemptId: str | None
    """
    The attempt; it is among the payment intent's `attempts`. Null where there is none.
    """
    refundId: str | None
    """
    The id of the refund; null where it is about none, or about one that the engine does not know.
    """
    providerPaymentId: str | None
    """
    The provider's id of the payment; null where none is known.
    """
    ours: Ours | None
    """
    The payment or refund as the engine has it; null where it has none.
    """
    theirs: Theirs | None
    """
    The payment or refund as the provider lists it; null where it lists none.
    """
    createdAt: str
    """
    When it was found; ISO 8601 in UTC, with milliseconds.
    """


class CardTesting(TypedDict):
    """
    So many declines that somebody may be testing stolen cards.
    """

    id: str
    """
    The id of the event that reports it.
    """
    object: Literal['card_testing']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    limit: Literal['bin', 'account']
    """
    The limit that was exceeded.

    - `bin`: that of cards whose numbers begin with the same 8 digits, in this account
    - `account`: that of all cards, in this account
    """
    declines: int
    """
    How many confirms were declined, or are under way, in the hour.
    """
    confirms: int
    """
    How many confirms there were in the hour.
    """
    limitPerHour: int
    """
    How many declines an hour the limit allows.
    """


class Failure1(TypedDict):
    """
    Why the run failed; null unless `status` is `failed`.
    """

    code: Literal['TSP_UNAVAILABLE', 'TSP_TIMEOUT', 'TSP_ERROR', 'CANNOT_LIST', 'INTERRUPTED', 'INTERNAL_ERROR']
    """
    What made it fail.

    - `TSP_UNAVAILABLE`: The provider could not be reached for an hour, or refused to answer. Test the credentials of an account of your own. The next run covers these payments too.
    - `TSP_TIMEOUT`: For an hour the provider did not answer in time. The next run covers these payments too.
    - `TSP_ERROR`: For an hour the provider answered with errors, or with what the engine cannot read. The next run covers these payments too.
    - `CANNOT_LIST`: The provider was disabled or removed during the run, or can no longer be asked for payments. Compare with its own reports.
    - `INTERRUPTED`: The run was ended before it had compared everything. The next run covers these payments too.
    - `INTERNAL_ERROR`: The engine could not compare these payments. The next run covers them too; if it fails as well, tell support the id of the run.
    """
    message: str
    """
    The same as a sentence that says what to do.
    """


ReconciliationReport = TypedDict(
    'ReconciliationReport',
    {
        'id': str,
        'object': Literal['reconciliation_run'],
        'merchantId': str,
        'environment': Literal['sandbox', 'production'],
        'provider': str,
        'status': Literal['running', 'completed', 'failed'],
        'failure': Failure1 | None,
        'from': str,
        'to': str,
        'compared': int,
        'repaired': int,
        'reported': int,
        'startedAt': str,
        'finishedAt': str | None,
        'differences': list[ReconciliationDifference],
    },
)


class RecentDeliveries(TypedDict):
    """
    The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 of a status. Null in events and in the audit log.
    """

    total: int
    """
    How many deliveries began.
    """
    delivered: int
    """
    How many of them were delivered.
    """


class WebhookEndpointWithSecret(TypedDict):
    """
    A webhook endpoint with its secret, which no other response has.
    """

    id: str
    """
    The unique id of the webhook endpoint, which begins with `whe_`.
    """
    object: Literal['webhook_endpoint']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    url: str
    """
    The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
    """
    description: str | None
    """
    A text of your own about the endpoint, up to 1,000 characters; null without one.
    """
    enabledEvents: list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.amount_captured_changed', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.waiting_for_provider', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.refunded', 'payment_intent.stray_charge_reversed', 'payment_intent.fraud_warning', 'refund.created', 'refund.waiting_for_provider', 'refund.succeeded', 'refund.failed', 'transaction.created', 'payment_method.saved', 'payment_method.updated', 'payment_method.invalidated', 'payment_method.detached', 'dispute.created', 'dispute.updated', 'dispute.response_due', 'dispute.funds_withdrawn', 'dispute.funds_reinstated', 'dispute.closed', 'provider_account.credentials_refused', 'provider_account.credentials_accepted', 'reconciliation.difference_found', 'settlement.created', 'settlement.paid', 'settlement.failed', 'settlement.difference_found', 'card_testing.suspected', 'webhook_endpoint.failing', 'webhook_endpoint.recovered', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    """
    The types of the events that are sent to the endpoint, each once; `*` for every type.

    - `*`: every type
    - `payment_intent.created`: a payment intent was created
    - `payment_intent.processing`: a confirm was accepted, and providers are being called
    - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
    - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
    - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
    - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
    - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
    - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
    - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
    - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
    - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
    - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
    - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
    - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
    - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
    - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
    - `refund.succeeded`: the provider refunded the money
    - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
    - `transaction.created`: money moved or was held
    - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
    - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
    - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
    - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
    - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
    - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
    - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
    - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
    - `dispute.funds_reinstated`: the provider has given the disputed amount back
    - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
    - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
    - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
    - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
    - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
    - `settlement.paid`: a provider says that it has paid a settlement
    - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
    - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
    - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
    - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
    - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
    - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
    """
    status: Literal['enabled', 'disabled']
    """
    Whether events are sent to the endpoint.

    - `enabled`: they are
    - `disabled`: they are not; `disabledReason` says why
    """
    disabledReason: Literal['by_merchant', 'gone', 'failing'] | None
    """
    Why it is disabled; null while it is enabled.

    - `by_merchant`: a request disabled it
    - `gone`: it answered with status 410
    - `failing`: every attempt failed for five days
    """
    disabledAt: str | None
    """
    When it was disabled; null while it is enabled.
    """
    failingSince: str | None
    """
    Since when every attempt has failed, if so many have that the endpoint counts as failing; null otherwise. Its events then wait, and one of them is sent now and then as a probe.
    """
    nextProbeAt: str | None
    """
    When the next probe of a failing endpoint is made, at the earliest; null unless it counts as failing.
    """
    pendingDeliveries: int | None
    """
    How many deliveries to the endpoint have not ended, at most 10,000; null in events and in the audit log.
    """
    oldestPendingAt: str | None
    """
    Since when the oldest of these has waited; null if there is none.
    """
    recentDeliveries: RecentDeliveries | None
    """
    The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 of a status. Null in events and in the audit log.
    """
    lastSuccessAt: str | None
    """
    When an event was last delivered; null if none was.
    """
    lastFailureAt: str | None
    """
    When an attempt last failed; null if none did.
    """
    lastFailure: str | None
    """
    A short description of the last failure, such as `status 500` or `timeout`; null if there was none.
    """
    previousSecretExpiresAt: str | None
    """
    Until when webhooks are signed with an earlier secret too, after rotations: each signs until its own overlap ends, this is the last end. Null if none signs.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    secret: str | None
    """
    The secret that signs webhooks, `whsec_…`, as Standard Webhooks has it. No other response has it. See `notice` where it is null.
    """
    notice: NotRequired[str]
    """
    Why the secret is null: present only in a repeat by another API key, which does not get it.
    """


class Health(TypedDict):
    """
    The process is up.
    """

    status: Literal['ok']
    """
    Always `ok`: with anything else the response is an error.
    """


class Readiness(TypedDict):
    """
    The process and what it depends on are up.
    """

    status: Literal['ok']
    """
    Always `ok`: with anything else the response is an error.
    """
    database: Literal['ok']
    """
    Always `ok`: PostgreSQL answers.
    """
    temporal: Literal['ok']
    """
    Always `ok`: Temporal answers.
    """


class WebhookReceipt(TypedDict):
    """
    The confirmation that a webhook was received.
    """

    received: bool
    """
    Always true: the event is stored, or it was stored before, or it concerns no payment of this engine.
    """


class ProviderAnswer(TypedDict):
    """
    What a provider answered.
    """

    object: Literal['provider_answer']
    """
    The type of the object; always this value.
    """
    answer: str
    """
    What the provider said, for people, in English. It counts as the provider's report.
    """


class ManualResolution(TypedDict):
    """
    What has become of a manual resolution.
    """

    object: Literal['manual_resolution']
    """
    The type of the object; always this value.
    """
    status: Literal['requested', 'resolved']
    """
    Whether it has taken effect.

    - `requested`: you are the first; it takes effect when another person sends the same
    - `resolved`: you are the second person; it has taken effect
    """
    answer: str
    """
    The same for people, in English.
    """


class PaymentLink(TypedDict):
    """
    An address at which customers pay an amount, on a page of the engine.
    """

    id: str
    """
    The unique id of the payment link, which begins with `plink_`.
    """
    object: Literal['payment_link']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    url: str | None
    """
    The address of the payment page, for customers. Whoever has it can pay, and can read amount, description and reference. Null where the operator has set no public address of the API (`API_PUBLIC_URL`).
    """
    amount: int
    """
    What each payment is for, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: str
    """
    The currency of the amount, as its ISO 4217 code: `EUR`.
    """
    description: str | None
    """
    What is paid for, up to 500 characters; customers read it. Null without one.
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. Payments of the link get it too.
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. Payments of the link get it too.
    """
    active: bool
    """
    Whether customers can pay. Set it to `false` to deactivate the link, and to `true` to activate it again.
    """
    status: Literal['active', 'inactive', 'expired', 'used_up']
    """
    Whether the link can be paid.

    - `active`: it can
    - `inactive`: it was deactivated
    - `expired`: `expiresAt` is over
    - `used_up`: as many payments have succeeded as `maxPayments` allows
    """
    customerId: str | None
    """
    The id of the customer (`cus_…`) whose payments these are; null without one. Payments of the link get it too.
    """
    setupFutureUsage: Literal['on_session', 'off_session'] | None
    """
    What the page offers to save the card for; the customer decides by a box that is empty at first. Null to offer nothing. It needs `customerId`.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer
    """
    allowSavedPaymentMethods: bool
    """
    Whether the page shows the saved cards of `customerId`, masked, and takes them. Send true only if nobody but this customer gets the address.
    """
    maxPayments: int | None
    """
    How many payments of the link may succeed; 1 makes a link that can be paid once. Null for any number. Payments that are refunded later count too.
    """
    paidPayments: int
    """
    How many payments of the link have succeeded.
    """
    openPayments: int
    """
    How many payments customers have confirmed that have not ended, such as those in 3-D Secure.
    """
    expiresAt: str | None
    """
    Until when payments can begin; ISO 8601 with a zone, within ten years. Null for no end. A payment that has begun can be completed within 30 minutes.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class Customer(TypedDict):
    """
    A customer who pays.
    """

    id: str
    """
    The unique id of the customer, which begins with `cus_`.
    """
    object: Literal['customer']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    name: str | None
    """
    The customer's full name, up to 255 characters; null if it is not known.
    """
    email: str | None
    """
    The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known.
    """
    phone: str | None
    """
    The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known.
    """
    description: str | None
    """
    A note of your own about the customer, up to 1,000 characters; null without one.
    """
    country: str | None
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own.
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class DeletedCustomer(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['customer']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class BusinessProfile2(TypedDict):
    """
    What customers see of the account.
    """

    name: str | None
    """
    What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`.
    """
    color: str | None
    """
    The colour of the button that pays, such as `#1d4f91`; null for that of the page.
    """
    logoPath: str | None
    """
    The path of the logo at the API's origin, without authentication; null without a logo.
    """
    supportEmail: str | None
    """
    The e-mail address to which customers can write; null without one.
    """
    supportPhone: str | None
    """
    The telephone number that customers can call, such as `+49 30 901820`; null without one.
    """
    supportUrl: str | None
    """
    The web page that helps customers, with http or https; null without one.
    """
    termsUrl: str | None
    """
    The web page with the terms of the merchant, with http or https; null without one.
    """
    returnUrl: str | None
    """
    Where customers can go on after they have paid, with http or https; null without one.
    """


class DeclineRetries2(TypedDict):
    """
    Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.
    """

    enabled: bool
    """
    Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow.
    """
    maxRetries: int
    """
    How many further providers one confirm may ask after declines; 0 to 3.
    """
    issuerDeclines: bool
    """
    Whether it also goes on where the issuer gives no reason, and not only after technical declines.
    """


class MerchantAccount(TypedDict):
    """
    An account of the merchant, such as one of its shops.
    """

    id: str
    """
    The unique id of the merchant account, which begins with `mer_`; `X-Merchant-ID` takes it.
    """
    object: Literal['merchant_account']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    name: str
    """
    A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it.
    """
    status: Literal['active', 'suspended']
    """
    Whether requests for the account are accepted.

    - `active`: they are
    - `suspended`: they are refused with `MERCHANT_SUSPENDED`; payments under way continue
    """
    suspendedBy: Literal['merchant', 'platform'] | None
    """
    Who suspended the account: `merchant` for a request with an API key, `platform` for the operator of the platform, who alone can activate it again. Null while it is active.
    """
    retryBudget: int
    """
    How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
    """
    refundWindowDays: int
    """
    For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
    """
    requireIdempotencyKeys: bool
    """
    Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`.
    """
    businessProfile: BusinessProfile2
    """
    What customers see of the account.
    """
    refundConfirmationAmount: int | None
    """
    From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
    """
    declineRetries: DeclineRetries2
    """
    Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class ApiKey(TypedDict):
    """
    An API key, without its secrets.
    """

    id: str
    """
    The unique id of the API key, which begins with `key_`. It is not a secret.
    """
    object: Literal['api_key']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The merchant account (`mer_…`) that the key belongs to, and acts for unless `X-Merchant-ID` names another.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment that the key works in: `sandbox` or `production`.
    """
    name: str
    """
    A name for people, such as what uses the key; 1 to 255 characters.
    """
    prefix: str
    """
    The first characters of the key, by which it can be recognised in a configuration.
    """
    status: Literal['active', 'expired', 'revoked']
    """
    Whether the key can be used.

    - `active`: it can
    - `expired`: `expiresAt` is past
    - `revoked`: it was revoked; nothing makes it valid again
    """
    scopes: list[str]
    """
    What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds.
    """
    ipRestricted: bool
    """
    Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them.
    """
    ipAllowlist: list[str]
    """
    IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100.
    """
    accountBound: bool
    """
    Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other.
    """
    signatureVersion: int
    """
    The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
    """
    expiresAt: str | None
    """
    When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
    """
    revokedAt: str | None
    """
    When the key was revoked; null if it was not.
    """
    replacedBy: str | None
    """
    The id of the key that replaced this one in a rotation; null if it was not rotated.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    lastUsedAt: str | None
    """
    When the last request was signed with the key, written once a minute at most; null if none was. Requests that were refused count.
    """
    lastUsedFrom: str | None
    """
    The IP address of that request.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class CreatedResource(TypedDict):
    """
    Something that goes on working when the person or the key that made it is gone.
    """

    id: str
    """
    The id of the resource.
    """
    object: Literal['created_resource']
    """
    The type of the object; always this value.
    """
    type: Literal['api_key', 'webhook_endpoint', 'provider_account', 'payment_route', 'payment_link']
    """
    What it is.

    - `api_key`: a live API key; revoking ends it
    - `webhook_endpoint`: an endpoint that is enabled; `active: false` disables it
    - `provider_account`: an account at a provider that is active; `status: 'disabled'` disables it
    - `payment_route`: an active route; `active: false` disables it
    - `payment_link`: an active payment link; `active: false` disables it
    """
    name: str
    """
    What people know it by: the name, the address of an endpoint, the provider of a route, the description or amount of a link.
    """
    merchantId: str | None
    """
    The merchant account (`mer_…`) that it belongs to; null for a route, which belongs to the whole merchant.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment that it works in.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """


class Capabilities(TypedDict):
    """
    What the provider can do; a route for anything else is skipped.
    """

    paymentMethods: list[Literal['card', 'upi', 'crypto']]
    """
    The payment methods that it takes.
    """
    captureMethods: list[Literal['automatic', 'manual']]
    """
    How payments can be captured there.
    """
    providerTokens: bool
    """
    Whether it takes its own tokens that stand for cards (`providerToken` of a payment method).
    """
    partialCapture: bool
    """
    Whether less than the authorized amount can be captured.
    """


class ProviderAccount(TypedDict):
    """
    An account of the merchant at a provider, without its secrets.
    """

    id: str
    """
    The unique id of the account, which begins with its kind. Routes name it as their provider.
    """
    object: Literal['provider_account']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    kind: Literal['simulator', 'stripe', 'adyen', 'cashfree', 'evm']
    """
    The provider that the account is at.

    - `simulator`: Simulator: every payment method, at the simulator of the sandbox
    - `stripe`: Stripe: cards at your own Stripe account
    - `adyen`: Adyen: cards at your own Adyen account
    - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
    - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
    """
    name: str
    """
    A name of your own for the account, up to 100 characters.
    """
    status: Literal['active', 'disabled']
    """
    Whether it takes new payments.

    - `active`: it does
    - `disabled`: it does not; payments, captures and refunds that are under way are still completed there
    """
    credentialNames: list[str]
    """
    The names of the credentials that are set.
    """
    publicCredentials: dict[str, str]
    """
    Those credentials that are no secret, with their values as texts, lists and objects as JSON. No response has the others.
    """
    credentialsUpdatedAt: str
    """
    When the credentials were last replaced.
    """
    credentialsRefusedSince: str | None
    """
    Since when the provider refuses the credentials, so that payments there fail: they have expired, were revoked, or lack a right. Null where it does not, as far as calls have shown. It is null again once the provider has accepted them in a test or in the same kind of call, such as a refund.
    """
    webhookPath: str
    """
    Where the provider posts its webhooks: this path, at the address of the API. Enter it in the provider's dashboard. A chain (`evm`) sends none.
    """
    capabilities: Capabilities
    """
    What the provider can do; a route for anything else is skipped.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class Credential1(TypedDict):
    name: str
    """
    The name of the credential in `credentials` of an account.
    """
    label: str
    """
    Its name for people.
    """
    meaning: str
    """
    What it is, in Markdown.
    """
    isSecret: bool
    """
    Whether no response has it again.
    """
    isOptional: bool
    """
    Whether it may be left out.
    """
    input: Literal['text', 'number', 'switch', 'choice', 'json']
    """
    How it is entered.

    - `text`: as a text
    - `number`: as a number
    - `switch`: as true or false
    - `choice`: as one of `choices`
    - `json`: as a list or an object, in JSON
    """
    choices: list[str]
    """
    What can be chosen; empty for other inputs.
    """
    example: str | None
    """
    An example of a list or an object; null for other inputs.
    """


class Kind(TypedDict):
    kind: Literal['simulator', 'stripe', 'adyen', 'cashfree', 'evm']
    """
    The provider that the account is at.

    - `simulator`: Simulator: every payment method, at the simulator of the sandbox
    - `stripe`: Stripe: cards at your own Stripe account
    - `adyen`: Adyen: cards at your own Adyen account
    - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
    - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
    """
    label: str
    """
    The name of the provider, for people.
    """
    description: str
    """
    What accounts there are for.
    """
    credentials: list[Credential1]
    """
    What to enter, in the order of a form.
    """


class ProviderKinds(TypedDict):
    """
    The providers at which the merchant account can have accounts, in the environment of the key.
    """

    object: Literal['provider_kinds']
    """
    The type of the object; always this value.
    """
    kinds: list[Kind]
    """
    The providers, each with the credentials of an account.
    """


class ProviderAccountTest(TypedDict):
    """
    Whether the credentials of an account at a provider work.
    """

    object: Literal['provider_account_test']
    """
    The type of the object; always this value.
    """
    providerAccountId: str
    """
    The id of the account that was tested.
    """
    ok: bool
    """
    Whether the provider accepted the credentials.
    """
    reason: str | None
    """
    What is wrong with them, for people, in English; null if they work.
    """


class DeletedProviderAccount(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['provider_account']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class PaymentRoute(TypedDict):
    """
    A way for payments to a provider, and which payments may take it.
    """

    id: str
    """
    The unique id of the payment route, which begins with `rt_`.
    """
    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: list[str]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: list[str]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: list[str]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: int | None
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: int | None
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: list[str]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: dict[str, str]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: list[Literal['automatic', 'manual']]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: list[Literal['customer', 'merchant']]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: int
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: int
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: bool
    """
    Whether payments may take the route.
    """
    sharePercent: float | None
    """
    The share of payments that try the route first, in percent: among the active routes of the method with equal `priority`, of the payments that all of them take; null while the route is not active. It follows from the weights; set it with `/route-sets`.
    """
    object: Literal['payment_route']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class Place(TypedDict):
    """
    Why the route has its place among those of equal priority, where `/routing-settings` orders them by approval rate; else left out.
    """

    by: Literal['approval_rate', 'exploration', 'weight']
    """
    What decided the place.

    - `approval_rate`: the approval rates of the providers
    - `exploration`: it was drawn to keep the rates of the other providers known
    - `weight`: it was drawn by weight, because its provider has too few attempts for a rate
    """
    approvalRate: float | None
    """
    The approval rate of the provider, from 0 to 1; null below the minimum of attempts.
    """
    attempts: int
    """
    How many attempts of the provider were measured.
    """


class Route(TypedDict):
    routeId: str
    """
    The id of the payment route (`rt_…`).
    """
    provider: str
    """
    The provider that the route leads to.
    """
    priority: int
    """
    The place of the route: lower numbers are tried first.
    """
    weight: int
    """
    The share of the route among those of equal priority.
    """
    circuitOpen: bool
    """
    Whether the provider has failed repeatedly of late, so that its routes are tried last.
    """
    place: NotRequired[Place]
    """
    Why the route has its place among those of equal priority, where `/routing-settings` orders them by approval rate; else left out.
    """


class PassedOverItem(TypedDict):
    routeId: str
    """
    The id of the payment route (`rt_…`).
    """
    provider: str
    """
    The provider that the route leads to.
    """
    reason: Literal['inactive', 'method', 'currency', 'amount', 'card_brand', 'card_group', 'metadata', 'capture_method', 'initiator', 'other_provider_token', 'provider_not_configured', 'other_merchant_account', 'provider_account_disabled', 'method_not_offered', 'provider_token_not_offered', 'capture_method_not_offered', 'asset_not_offered', 'currency_not_offered', 'amount_not_offered', 'amount_outside_limits', 'no_stored_credential', 'country']
    """
    The first reason for which the route is not tried.

    - `inactive`: it is not active
    - `method`: it is for another payment method
    - `currency`: it does not accept the currency
    - `amount`: it does not accept the amount
    - `card_brand`: it does not accept the brand of the card
    - `card_group`: it accepts cards of other groups
    - `metadata`: it accepts payments with other metadata
    - `capture_method`: it does not accept the capture method
    - `initiator`: it does not accept payments of this initiator
    - `other_provider_token`: it does not lead to the provider whose token the payment method is
    - `provider_not_configured`: its provider takes no payments of this environment
    - `other_merchant_account`: it leads to another merchant account's account at its provider
    - `provider_account_disabled`: it leads to an account at its provider that is disabled
    - `method_not_offered`: its provider does not take the payment method
    - `provider_token_not_offered`: its provider takes no tokens
    - `capture_method_not_offered`: its provider does not take the capture method
    - `currency_not_offered`: its provider does not take the currency
    - `amount_not_offered`: its provider has no unit for the amount
    - `asset_not_offered`: its provider does not take the asset on its network
    - `amount_outside_limits`: its provider takes no such amount
    - `no_stored_credential`: its provider has nothing by which a saved card is charged without the customer
    - `country`: it does not accept the country
    """
    takes: NotRequired[str]
    """
    What the provider takes instead, in English; left out where the provider is not the reason.
    """


class Refusal(TypedDict):
    """
    The error with which a confirm would be refused; null if it would not be.
    """

    code: Literal['CHANNEL_LIMIT_MIN_EXCEEDED', 'CHANNEL_LIMIT_MAX_EXCEEDED', 'NO_TSP_AVAILABLE', 'UNSUPPORTED_REGION', 'UNSUPPORTED_CURRENCY_PAIR', 'LIMIT_EXCEEDED']
    """
    The error code of the confirm.
    """
    message: str
    """
    A message for people, in English.
    """
    details: NotRequired[dict[str, Any]]
    """
    What else is known of the error, such as the limit that is exceeded.
    """


class PaymentRouteSimulation(TypedDict):
    """
    Which routes a payment would take.
    """

    object: Literal['payment_route_simulation']
    """
    The type of the object; always this value.
    """
    amount: int
    """
    The amount of the payment that is simulated, in the currency's minor unit.
    """
    currency: str
    """
    The currency of the payment that is simulated, as its ISO 4217 code.
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that is simulated: `card`, `upi` or `crypto`.
    """
    captureMethod: Literal['automatic', 'manual']
    """
    How the payment that is simulated would be captured: `automatic` or `manual`.
    """
    country: str | None
    """
    The country that was compared with the routes: the payment's own, else its customer's; null if neither is known.
    """
    routes: list[Route]
    """
    The routes in the order in which they would be tried.
    """
    passedOver: list[PassedOverItem]
    """
    The routes that would not be tried, with the reason.
    """
    refusal: Refusal | None
    """
    The error with which a confirm would be refused; null if it would not be.
    """


class DeletedPaymentRoute(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['payment_route']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class CardGroup5(TypedDict):
    """
    Cards that routes treat alike, by the first digits of their numbers.
    """

    id: str
    """
    The unique id of the group, which begins with `crdg_`.
    """
    object: Literal['card_group']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    name: str
    """
    What people know the group by, such as `Corporate cards`; up to 100 characters.
    """
    prefixes: list[str]
    """
    The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class DeletedCardGroup(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['card_group']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class RouteSet(TypedDict):
    """
    All routes of a merchant at one time, without the routes themselves.
    """

    id: str
    """
    The unique id of the set, which begins with `rset_`.
    """
    object: Literal['route_set']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    description: str | None
    """
    What people know the set by, such as `80 % to beta`; null for nothing.
    """
    routeCount: int
    """
    How many routes the set has.
    """
    routesVersion: str
    """
    A name for exactly these routes: two sets with the same routes have the same.
    """
    isActive: bool
    """
    Whether payments take exactly these routes now.
    """
    activatedAt: str | None
    """
    When the set was last activated; null if it never was.
    """
    replacedSetId: str | None
    """
    The id of the set with the routes from before its last activation: activate that one to return to them. Null if it was never activated.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """


class Route1(TypedDict):
    """
    A route as a set of routes has it.
    """

    id: str
    """
    The unique id of the payment route, which begins with `rt_`.
    """
    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: list[str]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: list[str]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: list[str]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: int | None
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: int | None
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: list[str]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: dict[str, str]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: list[Literal['automatic', 'manual']]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: list[Literal['customer', 'merchant']]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: int
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: int
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: bool
    """
    Whether payments may take the route.
    """
    sharePercent: float | None
    """
    The share of payments that try the route first, in percent: among the active routes of the method with equal `priority`, of the payments that all of them take; null while the route is not active. It follows from the weights; set it with `/route-sets`.
    """


class Before(TypedDict):
    """
    The route as it is now; null if it would be added.
    """

    id: str
    """
    The unique id of the payment route, which begins with `rt_`.
    """
    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: list[str]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: list[str]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: list[str]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: int | None
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: int | None
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: list[str]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: dict[str, str]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: list[Literal['automatic', 'manual']]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: list[Literal['customer', 'merchant']]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: int
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: int
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: bool
    """
    Whether payments may take the route.
    """


class After(TypedDict):
    """
    The route as the set has it; null if it would be taken away.
    """

    id: str
    """
    The unique id of the payment route, which begins with `rt_`.
    """
    provider: str
    """
    The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`).
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that takes the route: `card`, `upi` or `crypto`.
    """
    currencies: list[str]
    """
    The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
    """
    countries: list[str]
    """
    The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
    """
    excludedCountries: list[str]
    """
    Customers' countries that the route does not accept, although `countries` would.
    """
    amountMin: int | None
    """
    The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    amountMax: int | None
    """
    The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
    """
    cardBrands: list[Literal['visa', 'mastercard', 'american_express', 'diners_club', 'discover', 'elo', 'hiper', 'hipercard', 'jcb', 'maestro', 'mir', 'naranja', 'rupay', 'troy', 'unionpay', 'verve']]
    """
    The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
    """
    cardGroups: list[str]
    """
    The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
    """
    metadata: dict[str, str]
    """
    Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts.
    """
    captureMethods: list[Literal['automatic', 'manual']]
    """
    The capture methods that the route accepts, `automatic` or `manual`; empty for both.
    """
    initiators: list[Literal['customer', 'merchant']]
    """
    Who initiates the payments that the route accepts; empty for both.

    - `customer`: the customer, who is present
    - `merchant`: the merchant, without the customer (off-session)
    """
    priority: int
    """
    The place of the route: lower numbers are tried first; 0 to 1,000,000.
    """
    weight: int
    """
    Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
    """
    active: bool
    """
    Whether payments may take the route.
    """


class Change(TypedDict):
    routeId: str
    """
    The id of the payment route (`rt_…`).
    """
    change: Literal['created', 'updated', 'deleted']
    """
    What would become of the route.

    - `created`: it would be added
    - `updated`: it would be changed
    - `deleted`: it would be taken away
    """
    before: Before | None
    """
    The route as it is now; null if it would be added.
    """
    after: After | None
    """
    The route as the set has it; null if it would be taken away.
    """


class CreateRouteSetResult(TypedDict):
    """
    All routes of a merchant at one time.
    """

    id: str
    """
    The unique id of the set, which begins with `rset_`.
    """
    object: Literal['route_set']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    description: str | None
    """
    What people know the set by, such as `80 % to beta`; null for nothing.
    """
    routeCount: int
    """
    How many routes the set has.
    """
    routesVersion: str
    """
    A name for exactly these routes: two sets with the same routes have the same.
    """
    isActive: bool
    """
    Whether payments take exactly these routes now.
    """
    activatedAt: str | None
    """
    When the set was last activated; null if it never was.
    """
    replacedSetId: str | None
    """
    The id of the set with the routes from before its last activation: activate that one to return to them. Null if it was never activated.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    routes: list[Route1]
    """
    All routes of the set, in the order in which they are tried.
    """
    currentRoutesVersion: str
    """
    The `routesVersion` of the routes that payments take now, with which `changes` compares. Send it to `/activate`, so that the activation is refused if somebody has changed a route meanwhile.
    """
    changes: list[Change]
    """
    What its activation would change in the routes that payments take now; empty if nothing.
    """


class Provider(TypedDict):
    provider: str
    """
    The provider.
    """
    actualPayments: int
    """
    How many payments went to it first.
    """
    proposedPayments: int
    """
    How many would go to it first.
    """
    approvalRate: float | None
    """
    Of its first attempts among these payments, how many were approved, from 0 to 1, without declines for want of money or for wrong data; null below 10.
    """
    attempts: int
    """
    How many attempts were measured for it.
    """


Move = TypedDict(
    'Move',
    {
        'from': str,
        'to': str,
        'payments': int,
    },
)


class Refusal1(TypedDict):
    code: str
    """
    The error code.
    """
    payments: int
    """
    How many payments that would be.
    """


RouteBackTest = TypedDict(
    'RouteBackTest',
    {
        'object': Literal['route_back_test'],
        'routeSetId': str,
        'from': str,
        'to': str,
        'payments': int,
        'isComplete': bool,
        'approved': int,
        'expectedApproved': float,
        'unrated': int,
        'providers': list[Provider],
        'moves': list[Move],
        'refusals': list[Refusal1],
    },
)


class Rate(TypedDict):
    provider: str
    """
    The provider.
    """
    approvalRate: float
    """
    Of the first attempts of payments, how many were approved, from 0 to 1; newer ones count more.
    """
    attempts: int
    """
    How many attempts were measured.
    """


class RoutingSetting(TypedDict):
    """
    How routes of equal priority of a payment method are ordered.
    """

    id: str
    """
    The payment method that the setting is for.
    """
    object: Literal['routing_setting']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that the setting is for: `card`, `upi` or `crypto`.
    """
    ordering: Literal['weighted', 'approval_rate']
    """
    How routes of equal `priority` are ordered.

    - `weighted`: each payment draws the order, by `weight`
    - `approval_rate`: the provider with the highest approval rate first, but for the exploration
    """
    explorationShare: float
    """
    Of the payments that could go to the provider with the highest rate, how many go to the others instead, so that their rates stay known; 0.05 to 0.5.
    """
    minimumAttempts: int
    """
    Attempts of a provider below which its rate does not count, and its routes get their share by `weight`; 10 to 1,000.
    """
    windowHours: int
    """
    After how many hours without an attempt a rate does not count any more; 1 to 168.
    """
    rates: list[Rate]
    """
    The rates of the account that are measured for payments of any currency and country, while `ordering` is `approval_rate`, highest first.
    """
    updatedAt: str | None
    """
    When it was last set; null where it never was, and the defaults hold.
    """


class ChannelLimit(TypedDict):
    """
    The smallest and largest amount of a payment method in a currency.
    """

    id: str
    """
    Payment method and currency, which name the limit: `card:EUR`.
    """
    object: Literal['channel_limit']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    paymentMethod: Literal['card', 'upi', 'crypto']
    """
    The payment method that the limit is for: `card`, `upi` or `crypto`.
    """
    currency: str
    """
    The currency that the limit is for, as its ISO 4217 code: `EUR`.
    """
    minimumAmount: int
    """
    The smallest amount that may be paid, in the currency's minor unit; payments below it get `CHANNEL_LIMIT_MIN_EXCEEDED`.
    """
    maximumAmount: int
    """
    The largest amount that may be paid, in the currency's minor unit; payments above it get `CHANNEL_LIMIT_MAX_EXCEEDED`.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class DeletedChannelLimit(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['channel_limit']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class Failure2(TypedDict):
    """
    Why the refund failed; null unless `status` is `failed`.
    """

    code: str
    """
    The error code, one of `ErrorCode`.
    """
    message: str
    """
    A message for people, in English.
    """
    details: NotRequired[dict[str, Any]]
    """
    What else is known of the failure; the members depend on the code.
    """


class Refund(TypedDict):
    """
    Captured money that is given back, in whole or in part.
    """

    id: str
    """
    The unique id of the refund, which begins with `re_`.
    """
    object: Literal['refund']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    paymentIntentId: str
    """
    The id of the payment intent (`pi_…`) whose money is refunded.
    """
    transactionId: str
    """
    The id of the capture (`txn_…`) whose money is refunded.
    """
    amount: int
    """
    How much is refunded, in the currency's minor unit. If the provider refunds another amount, support staff may record that one by hand.
    """
    currency: str
    """
    The currency of the amount, as its ISO 4217 code: `EUR`.
    """
    status: Literal['pending', 'succeeded', 'failed']
    """
    The state of the refund.

    - `pending`: the provider has not answered yet; an event reports the outcome
    - `succeeded`: the provider refunded the money
    - `failed`: the provider refused; `failure` says why, and the amount can be refunded again
    """
    reason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'other'] | None
    """
    Why the money is refunded; null if no reason was given.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: the customer paid twice
    - `fraudulent`: the payment is suspected of fraud
    - `other`: any other reason
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    provider: str
    """
    The provider that makes the refund: the one that took the money.
    """
    origin: Literal['engine', 'provider']
    """
    Who made the refund.

    - `engine`: it was requested by this API or in the dashboard
    - `provider`: it was made in the provider's dashboard or by the provider, and nobody requested it here
    """
    failure: Failure2 | None
    """
    Why the refund failed; null unless `status` is `failed`.
    """
    advisory: Advisory | None
    """
    The notice that the refund waits for its provider for unusually long; null if it does not.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.
    """


class File(TypedDict):
    kind: Literal['receipt', 'customer_communication', 'customer_signature', 'shipping_documentation', 'service_documentation', 'refund_policy', 'cancellation_policy', 'duplicate_charge_documentation', 'other']
    """
    What the file shows.

    - `receipt`: the receipt or the invoice
    - `customer_communication`: what was written with the customer
    - `customer_signature`: the customer's signature
    - `shipping_documentation`: proof of the delivery
    - `service_documentation`: proof of the service
    - `refund_policy`: the refund policy
    - `cancellation_policy`: the cancellation policy
    - `duplicate_charge_documentation`: proof that two payments are for different things
    - `other`: anything else
    """
    contentType: Literal['application/pdf', 'image/png', 'image/jpeg']
    """
    The type of the file.
    """
    sizeBytes: int
    """
    The size of the file in bytes.
    """
    createdAt: str
    """
    When it was uploaded; ISO 8601 in UTC, with milliseconds.
    """


class Evidence1(TypedDict):
    """
    The merchant's answer, a draft until it is submitted. Null in events, because it tells much of the customer.
    """

    explanation: str | None
    """
    Why the payment is right, in your own words.
    """
    productDescription: str | None
    """
    What was sold.
    """
    customerName: str | None
    """
    The name of the customer.
    """
    customerEmailAddress: str | None
    """
    The e-mail address of the customer.
    """
    customerPurchaseIp: str | None
    """
    The IP address from which the customer ordered.
    """
    billingAddress: str | None
    """
    The billing address of the customer.
    """
    shippingAddress: str | None
    """
    Where the product was sent.
    """
    shippingCarrier: str | None
    """
    Who delivered it, such as DHL.
    """
    shippingTrackingNumber: str | None
    """
    The number by which the carrier finds the delivery.
    """
    shippingDate: str | None
    """
    When it was sent.
    """
    serviceDate: str | None
    """
    When the service was provided.
    """
    accessActivityLog: str | None
    """
    Proof that the customer used a digital product, such as times and addresses of sign-ins.
    """
    refundPolicyDisclosure: str | None
    """
    How the customer was shown the refund policy before the payment.
    """
    refundRefusalExplanation: str | None
    """
    Why the customer is not entitled to a refund.
    """
    cancellationPolicyDisclosure: str | None
    """
    How the customer was shown the cancellation policy before the payment.
    """
    cancellationRebuttal: str | None
    """
    Why the subscription was not canceled in time.
    """
    duplicateChargeExplanation: str | None
    """
    Why two payments that look alike are for different things.
    """
    files: list[File]
    """
    The files of the answer, at most one of each kind.
    """


class LastError1(TypedDict):
    """
    Why the last submission or acceptance failed; null if it did not. It can be requested again.
    """

    code: str
    """
    The code of the error catalogue.
    """
    message: str
    """
    What went wrong, and what to do.
    """
    details: NotRequired[dict[str, Any]]
    """
    What else is known, such as the answer of the provider.
    """


class Dispute(TypedDict):
    """
    A customer's bank asks about a payment, or takes its money back.
    """

    id: str
    """
    The unique id of the dispute, which begins with `dp_`.
    """
    object: Literal['dispute']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    paymentIntentId: str
    """
    The id of the payment intent (`pi_…`) that is disputed.
    """
    attemptId: str
    """
    The id of the attempt (`att_…`) whose money is disputed.
    """
    customerId: str | None
    """
    The id of the customer (`cus_…`) of the payment; null without one.
    """
    provider: str
    """
    The provider that reports it.
    """
    providerReference: str
    """
    The provider's own id of the dispute, to look it up there.
    """
    amount: int | None
    """
    The disputed amount, in the currency's minor unit; null where the provider does not say.
    """
    currency: str | None
    """
    The currency of the amount, as its ISO 4217 code; null without an amount.
    """
    stage: Literal['inquiry', 'chargeback', 'pre_arbitration', 'arbitration']
    """
    How far it is; a stage only rises.

    - `inquiry`: the customer's bank asks about the payment, and no money has moved
    - `chargeback`: the customer's bank takes the money back
    - `pre_arbitration`: the bank does not accept the answer to the chargeback
    - `arbitration`: the card scheme decides
    """
    status: Literal['needs_response', 'under_review', 'won', 'lost', 'closed', 'submitting', 'accepting']
    """
    Who has to act, or how it ended.

    - `needs_response`: the merchant can answer, until `respondBy`
    - `submitting`: the evidence is on its way to the provider, which has not answered yet
    - `accepting`: the provider is told that the money is given up, and has not answered yet
    - `under_review`: the bank or the scheme examines the merchant's answer
    - `won`: it ended for the merchant; a scheme may open it again
    - `lost`: it ended against the merchant
    - `closed`: it ended without a decision, as an inquiry does that no chargeback follows
    """
    reason: Literal['fraudulent', 'unrecognized', 'duplicate', 'product_not_received', 'product_unacceptable', 'credit_not_processed', 'subscription_canceled', 'amount_differs', 'authorization', 'processing_error', 'general']
    """
    Why the customer disputes the payment.

    - `fraudulent`: the customer did not make the payment
    - `unrecognized`: the customer does not recognise it
    - `duplicate`: it was paid twice
    - `product_not_received`: what was paid for did not arrive
    - `product_unacceptable`: what arrived is not what was ordered
    - `credit_not_processed`: a refund that was promised did not arrive
    - `subscription_canceled`: the subscription had been canceled
    - `amount_differs`: another amount was agreed
    - `authorization`: the bank had not authorized it, or not as it was taken
    - `processing_error`: it was processed wrongly
    - `general`: another reason, or none that the provider says
    """
    networkReasonCode: str | None
    """
    The card network's own code of the reason, such as `10.4`; null where the provider does not say.
    """
    respondBy: str | None
    """
    Until when the merchant can answer; null where the provider does not say.
    """
    isDefendable: bool | None
    """
    Whether the merchant can answer at all; null where the provider does not say.
    """
    answeredIn: Literal['api', 'provider_dashboard']
    """
    Where the merchant answers.

    - `api`: here: the engine sends the answer to the provider
    - `provider_dashboard`: in the provider's own dashboard, because the engine can send this provider no answer
    """
    amountWithdrawn: int
    """
    What the provider has taken for the dispute and not given back, in the currency's minor unit. It says nothing about who wins.
    """
    amountBlocked: int
    """
    How much of the capture cannot be refunded because of the dispute: what was taken, and while a chargeback is open or lost, all that is disputed.
    """
    evidence: Evidence1 | None
    """
    The merchant's answer, a draft until it is submitted. Null in events, because it tells much of the customer.
    """
    evidenceSubmittedAt: str | None
    """
    When the provider took the evidence; null before.
    """
    lastError: LastError1 | None
    """
    Why the last submission or acceptance failed; null if it did not. It can be requested again.
    """
    outcomeAt: str | None
    """
    When it ended at the provider; null while it is open.
    """
    createdAt: str
    """
    When the engine first heard of it.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.
    """


class Entries(TypedDict):
    """
    How many entries it has.
    """

    total: int
    """
    All of them.
    """
    matched: int
    """
    Those that agree with the transactions.
    """
    exceptions: int
    """
    Those that do not, and that nobody has resolved.
    """


class Bank(TypedDict):
    """
    What the bank statement says of it; null until somebody has said so.
    """

    amount: int
    """
    The amount on the bank statement, in the currency's minor unit.
    """
    currency: str
    """
    The currency of the amount, as its ISO 4217 code.
    """
    valueDate: str
    """
    The value date on the bank statement.
    """
    reference: str | None
    """
    The reference on the bank statement; null without one.
    """
    confirmedAt: str
    """
    When it was said; ISO 8601 in UTC, with milliseconds.
    """


class Settlement(TypedDict):
    """
    What a provider pays to the merchant's bank in one transfer.
    """

    id: str
    """
    The unique id of the settlement, which begins with `stl_`.
    """
    object: Literal['settlement']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    provider: str
    """
    The provider that pays.
    """
    providerReference: str
    """
    The provider's own id of the settlement, to look it up there.
    """
    status: Literal['open', 'paid', 'failed', 'returned']
    """
    What has become of the payment to the bank.

    - `open`: the provider has not paid it yet
    - `paid`: the provider says that it has paid
    - `failed`: the payment to the bank failed
    - `returned`: the bank has sent the money back
    """
    currency: str
    """
    The currency of the settlement, as its ISO 4217 code.
    """
    grossAmount: int
    """
    The sum of the payments, in the currency's minor unit.
    """
    refundAmount: int
    """
    The sum of the refunds, in the currency's minor unit; usually negative.
    """
    disputeAmount: int
    """
    What disputes took and gave back, in the currency's minor unit; usually negative.
    """
    otherAmount: int
    """
    The sum of everything else but fees and taxes, such as reserves and corrections, in the currency's minor unit.
    """
    feeAmount: int
    """
    What the provider keeps, without taxes, in the currency's minor unit; positive.
    """
    taxAmount: int
    """
    The taxes on the fees, in the currency's minor unit; positive.
    """
    netAmount: int
    """
    What the provider says that it pays, in the currency's minor unit. Where accounts share the provider, the sum of the account's own entries. It is `grossAmount` + `refundAmount` + `disputeAmount` + `otherAmount` − `feeAmount` − `taxAmount` + `unexplainedAmount`.
    """
    unexplainedAmount: int
    """
    The part of the net amount that no entry explains, in the currency's minor unit; 0 where everything adds up.
    """
    arrivalDate: str | None
    """
    When the money arrives at the bank, as a date; null where the provider does not say.
    """
    bankReference: str | None
    """
    How the payment is called on the bank statement, such as a UTR or trace id; null where the provider does not say.
    """
    source: Literal['api', 'report', 'upload']
    """
    From where the engine knows it.

    - `api`: the provider's list of settlements
    - `report`: a report that the provider offered
    - `upload`: a report that was uploaded
    """
    entries: Entries
    """
    How many entries it has.
    """
    bank: Bank | None
    """
    What the bank statement says of it; null until somebody has said so.
    """
    settledAt: str | None
    """
    When the engine first saw that it was paid; null before.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class Details(TypedDict):
    """
    Both sides of an exception; null otherwise.
    """

    ours: SettlementSide | None
    """
    The engine's transaction; null where there is none.
    """
    theirs: SettlementSide | None
    """
    The provider's line; null where there is none.
    """
    settledBy: NotRequired[str]
    """
    Of a duplicate: the provider's id of the line that has settled the transaction.
    """
    differs: NotRequired[Literal['amount', 'net', 'fee_details']]
    """
    Of an amount that differs: which one.

    - `amount`: the amount of the transaction
    - `net`: the net, which is not the amount without the fee
    - `fee_details`: the parts of the fee, which are not the fee
    """


class SettlementEntry(TypedDict):
    """
    A line of a settlement, or a transaction that is expected in one.
    """

    id: str
    """
    The unique id of the entry, which begins with `ste_`.
    """
    object: Literal['settlement_entry']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    settlementId: str | None
    """
    The id of the settlement (`stl_…`); null of what is expected or missing.
    """
    provider: str
    """
    The provider that settles it.
    """
    type: Literal['payment', 'refund', 'chargeback', 'chargeback_reversal', 'fee', 'adjustment', 'reserve', 'fx', 'transfer', 'other']
    """
    What it is.

    - `payment`: a captured payment
    - `refund`: a refund
    - `chargeback`: money that a dispute took
    - `chargeback_reversal`: money that was given back after a dispute
    - `fee`: a fee that is of no single payment
    - `adjustment`: a correction
    - `reserve`: money that the provider keeps back, or releases
    - `fx`: an exchange of currencies
    - `transfer`: the payment to the bank itself
    - `other`: something else; `providerType` names it
    """
    providerType: str | None
    """
    The provider's own name of the type; null of what is expected or missing.
    """
    providerReference: str | None
    """
    The provider's own id of the line; null of what is expected or missing.
    """
    transactionId: str | None
    """
    The id of the transaction (`txn_…`) that it settles; null without one.
    """
    refundId: str | None
    """
    The id of the refund (`re_…`) that it settles; null without one.
    """
    disputeId: str | None
    """
    The id of the dispute (`dp_…`) that it belongs to; null without one.
    """
    paymentIntentId: str | None
    """
    The id of the payment intent (`pi_…`) that it belongs to; null without one.
    """
    amount: int
    """
    The amount, in the currency's minor unit: positive where it is for the merchant.
    """
    fee: int | None
    """
    What the provider keeps of it, in the currency's minor unit; null while it is not settled.
    """
    feeDetails: list[SettlementFee]
    """
    Of what the fee consists, as far as the provider says it.
    """
    net: int | None
    """
    The amount without the fee, in the currency's minor unit; null while it is not settled.
    """
    currency: str
    """
    The currency of the amounts, as its ISO 4217 code.
    """
    originalAmount: int | None
    """
    The amount in the currency of the payment, in its minor unit; null where it is the same currency.
    """
    originalCurrency: str | None
    """
    The currency of the payment, as its ISO 4217 code; null where it is the same.
    """
    exchangeRate: str | None
    """
    The rate of the exchange as a decimal number; null where nothing was exchanged.
    """
    occurredAt: str
    """
    When it happened, as the provider says; ISO 8601 in UTC, with milliseconds.
    """
    availableOn: str | None
    """
    When the money is available, as a date; null where the provider does not say.
    """
    match: Literal['matched', 'expected', 'missing', 'unknown', 'amount_differs', 'currency_differs', 'duplicate']
    """
    Whether it agrees with the transactions. All but `matched` and `expected` are exceptions.

    - `matched`: it agrees with the transaction, or has no counterpart, as a fee of the month has none
    - `expected`: a transaction that the provider has not settled yet, and still may
    - `missing`: a transaction that the provider should have settled by now
    - `unknown`: a line of the provider that belongs to no transaction
    - `amount_differs`: the amounts differ, or the line does not add up; `details` says which
    - `currency_differs`: the currencies differ
    - `duplicate`: another line has settled the transaction already
    """
    details: Details | None
    """
    Both sides of an exception; null otherwise.
    """
    resolution: Literal['accepted', 'written_off'] | None
    """
    How somebody has ended the exception; null while nobody has.

    - `accepted`: it is as it should be
    - `written_off`: the money is given up
    """
    note: str | None
    """
    What was noted about it; null without a note.
    """
    resolvedAt: str | None
    """
    When the exception was ended; null before.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class Transaction(TypedDict):
    """
    Money that moved or was held.
    """

    id: str
    """
    The unique id of the transaction, which begins with `txn_`.
    """
    object: Literal['transaction']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    paymentIntentId: str
    """
    The id of the payment intent (`pi_…`) that it belongs to.
    """
    attemptId: str
    """
    The id of the attempt (`att_…`) that it belongs to.
    """
    refundId: str | None
    """
    The id of the refund (`re_…`) that it belongs to; null unless `type` is `refund`, or `void` of a refund.
    """
    type: Literal['authorization', 'capture', 'void', 'refund', 'capture_reversal', 'chargeback', 'chargeback_reversal']
    """
    What happened to the money.

    - `authorization`: it is held
    - `capture`: it was taken
    - `void`: it was held, and is released; or, with a `refundId`, a refund failed after it had succeeded, and is canceled
    - `refund`: it was given back
    - `capture_reversal`: it had been taken, and did not arrive after all
    - `chargeback`: the provider has taken it for a dispute
    - `chargeback_reversal`: the provider has given it back after a dispute
    """
    amount: int
    """
    The amount, in the currency's minor unit; never negative.
    """
    currency: str
    """
    The currency of the amount, as its ISO 4217 code: `EUR`.
    """
    provider: str
    """
    The provider that holds, took or returned the money.
    """
    providerReference: str
    """
    The provider's own id of the payment, the refund or the dispute, to look it up there.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    amountRefunded: NotRequired[int]
    """
    Of a capture: how much of it was refunded, in the currency's minor unit. Absent for other types.
    """
    amountRefundable: NotRequired[int]
    """
    Of a capture: how much of it can still be refunded, in the currency's minor unit; pending refunds and what is disputed are subtracted. Absent for other types.
    """
    fee: int | None
    """
    What the provider keeps of it, in the minor unit of `settlementCurrency`; null until the provider has settled it.
    """
    net: int | None
    """
    What arrives of it, in the minor unit of `settlementCurrency`: negative where money goes; null until the provider has settled it.
    """
    settlementCurrency: str | None
    """
    The currency of `fee` and `net`, as its ISO 4217 code; null until the provider has settled it.
    """
    settlementId: str | None
    """
    The id of the settlement (`stl_…`) that it is in; null until it is known.
    """
    settledAt: str | None
    """
    When the engine first saw that the settlement was paid; null before.
    """


class WebhookMissedRedelivery(TypedDict):
    """
    How many of the events that an endpoint has missed are delivered again.
    """

    object: Literal['webhook_missed_redelivery']
    """
    The type of the object; always this value.
    """
    webhookEndpointId: str
    """
    The id of the endpoint (`whe_…`) to deliver to, which must be enabled.
    """
    redelivered: int
    """
    How many events are delivered again.
    """
    isComplete: bool
    """
    Whether no further event was missed since then. If not, and some were redelivered, repeat the request with another idempotency key for the next ones.
    """


class WebhookRedelivery(TypedDict):
    """
    The deliveries of an event that are under way now.
    """

    object: Literal['webhook_redelivery']
    """
    The type of the object; always this value.
    """
    eventId: str
    """
    The id of the event (`evt_…`) that is delivered.
    """
    deliveries: list[WebhookDelivery]
    """
    The deliveries that are under way now, one for each endpoint.
    """


class Actor(TypedDict):
    """
    Who made the change.
    """

    type: Literal['api_key', 'person', 'anonymous', 'operator', 'platform', 'system']
    """
    What kind of actor it is.

    - `api_key`: the holder of an API key, by a request
    - `person`: a person who is signed in to the dashboard
    - `anonymous`: somebody at the sign-in who did not prove to be the person
    - `operator`: an operator of the platform, by a command
    - `platform`: the staff of the platform
    - `system`: the engine itself
    """
    id: str
    """
    The id of the API key or the person, the operator's user name, `platform`, `anonymous`, or the engine's process.
    """
    name: str | None
    """
    The name of the API key; the person's name or, without one, the e-mail address; the operator's user name. Null for the platform, the engine and who is anonymous, and where the person or key does not exist any more.
    """
    address: str
    """
    The client's IP address, the operator's host, `internal`, or `temporal`: what support staff do about a payment reaches its workflow, which records it, without an address.
    """


class AuditEvent(TypedDict):
    """
    One change of a setting: who made it, and the resource before and after.
    """

    id: str
    """
    The unique id of the entry, which begins with `aud_`.
    """
    object: Literal['audit_event']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str | None
    """
    The merchant account (`mer_…`) that the resource belongs to; null where it belongs to the merchant, as payment routes and channel limits do.
    """
    action: Literal['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.revoked', 'merchant_account.created', 'merchant_account.updated', 'merchant_account.suspended', 'merchant_account.activated', 'payment_route.created', 'payment_route.updated', 'payment_route.deleted', 'card_group.created', 'card_group.updated', 'card_group.deleted', 'route_set.created', 'route_set.activated', 'routing_setting.updated', 'channel_limit.created', 'channel_limit.updated', 'channel_limit.deleted', 'webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.disabled', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.deleted', 'provider_account.created', 'provider_account.updated', 'provider_account.credentials_rotated', 'test_clock.advanced', 'provider_account.deleted', 'payment_link.created', 'payment_link.updated', 'payment_intent.updated', 'payment_intent.provider_asked', 'payment_intent.resolution_requested', 'payment_intent.resolved_by_hand', 'payment_intent.capture_requested', 'payment_intent.cancel_requested', 'refund.created', 'dispute.submit_requested', 'dispute.accept_requested', 'settlement.bank_confirmed', 'settlement_entry.resolved', 'team.updated', 'team_member.joined', 'team_member.updated', 'team_member.removed', 'team_member.signed_in', 'team_member.sign_in_failed', 'team_member.locked_out', 'team_member.session_ended', 'team_member.password_changed', 'team_member.password_reset_requested', 'team_member.second_factor_enabled', 'team_member.second_factor_disabled', 'team_member.recovery_codes_created', 'invitation.created', 'invitation.resent', 'invitation.deleted']
    """
    What was done to which kind of resource, such as `api_key.revoked`.
    """
    resourceId: str
    """
    The id of the resource that was changed.
    """
    actor: Actor
    """
    Who made the change.
    """
    before: dict[str, Any] | None
    """
    The resource before the change, without secrets; null for a creation.
    """
    after: dict[str, Any] | None
    """
    The resource after the change, without secrets; null for a deletion. Of a sign-in: how it went, and the `userAgent` of the browser.
    """
    createdAt: str
    """
    When the change was made; ISO 8601 in UTC, with milliseconds.
    """


class Request(TypedDict):
    """
    A request to the API, and how it was answered.
    """

    id: str
    """
    The id of the request: the header `X-Request-Id` of its response, which the client may have chosen.
    """
    object: Literal['request']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that the request acted for.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key: `sandbox` or `production`.
    """
    apiKeyId: str
    """
    The id of the API key (`key_…`) that signed the request, or that of the payment intent (`pi_…`) whose checkout page sent it.
    """
    address: str
    """
    The IP address of the client, as `TRUST_PROXY` lets proxies say it.
    """
    method: str
    """
    The HTTP method, such as `POST`.
    """
    path: str
    """
    The path, without the query: `/api/v1/payment-intents`.
    """
    status: int
    """
    The HTTP status of the response.
    """
    code: str | None
    """
    The error code of the response, one of `ErrorCode`; null if it was a success.
    """
    durationMs: int
    """
    How long the response took, in milliseconds.
    """
    requestBody: Any
    """
    The JSON body of the request without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON.
    """
    responseBody: Any
    """
    The JSON body of the response without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON.
    """
    createdAt: str
    """
    When the request arrived; ISO 8601 in UTC, with milliseconds.
    """


class Latency(TypedDict):
    """
    How long attempts took from their start to their outcome, tries and waits for the customer included; null without attempts.
    """

    medianMs: int
    """
    The median, in milliseconds.
    """
    p95Ms: int
    """
    The 95th percentile, in milliseconds.
    """


class Circuit(TypedDict):
    """
    The circuit breaker of the environment, which all accounts share.
    """

    state: Literal['closed', 'open', 'half_open']
    """
    The state of the circuit breaker.

    - `closed`: the provider is asked as the routes say
    - `open`: the provider is asked last, after failures or slow answers
    - `half_open`: the provider is asked again after failures
    """
    openUntil: str | None
    """
    When an open circuit ends; ISO 8601 in UTC. Null if it is not open.
    """
    failingSince: str | None
    """
    Since when the provider has given no usable answer within 5 s; ISO 8601 in UTC. Null if its last answer was usable and in time.
    """


class ProviderHealth(TypedDict):
    """
    The health of a provider: the account's attempts of the last hour, and the circuit breaker.
    """

    id: str
    """
    The name of the provider, which names its health.
    """
    provider: str
    """
    The name of the provider.
    """
    object: Literal['provider_health']
    """
    The type of the object; always this value.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key: `sandbox` or `production`.
    """
    windowSeconds: int
    """
    How far back the account's payment intents are counted, in seconds.
    """
    attempts: int
    """
    How many attempts have ended, without those that were canceled.
    """
    approved: int
    """
    How many of these attempts the provider approved.
    """
    unanswered: int
    """
    How many of these attempts ended without a usable answer, so that nothing was charged.
    """
    successRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    latency: Latency | None
    """
    How long attempts took from their start to their outcome, tries and waits for the customer included; null without attempts.
    """
    circuit: Circuit
    """
    The circuit breaker of the environment, which all accounts share.
    """


class Total(TypedDict):
    """
    The figures of the whole time.
    """

    paymentsCreated: int
    """
    How many payment intents were created.
    """
    paymentsSucceeded: int
    """
    How many payment intents succeeded, whenever they were created.
    """
    attempts: int
    """
    How many attempts ended, without those that were canceled: the sum of the next four.
    """
    approved: int
    """
    How many attempts the provider approved.
    """
    declined: int
    """
    How many attempts were declined.
    """
    failed: int
    """
    How many attempts failed.
    """
    notCharged: int
    """
    How many attempts ended without a usable answer, so that nothing was charged.
    """
    approvalRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    captures: int
    """
    How many captures were made.
    """
    amountCaptured: int
    """
    The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
    """
    refunds: int
    """
    How many refunds succeeded, whenever their payments were captured.
    """
    amountRefunded: int
    """
    The sum of these refunds, in the currency's minor unit.
    """
    refundsFailed: int
    """
    How many refunds failed. One that failed after it had succeeded counts among both.
    """


class Series(TypedDict):
    startsAt: str
    """
    When the interval begins; ISO 8601 in UTC.
    """
    paymentsCreated: int
    """
    How many payment intents were created.
    """
    paymentsSucceeded: int
    """
    How many payment intents succeeded, whenever they were created.
    """
    attempts: int
    """
    How many attempts ended, without those that were canceled: the sum of the next four.
    """
    approved: int
    """
    How many attempts the provider approved.
    """
    declined: int
    """
    How many attempts were declined.
    """
    failed: int
    """
    How many attempts failed.
    """
    notCharged: int
    """
    How many attempts ended without a usable answer, so that nothing was charged.
    """
    approvalRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    captures: int
    """
    How many captures were made.
    """
    amountCaptured: int
    """
    The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
    """
    refunds: int
    """
    How many refunds succeeded, whenever their payments were captured.
    """
    amountRefunded: int
    """
    The sum of these refunds, in the currency's minor unit.
    """
    refundsFailed: int
    """
    How many refunds failed. One that failed after it had succeeded counts among both.
    """


class ByProviderItem(TypedDict):
    provider: str
    """
    The provider's name.
    """
    attempts: int
    """
    How many attempts ended, without those that were canceled: the sum of the next four.
    """
    approved: int
    """
    How many attempts the provider approved.
    """
    declined: int
    """
    How many attempts were declined.
    """
    failed: int
    """
    How many attempts failed.
    """
    notCharged: int
    """
    How many attempts ended without a usable answer, so that nothing was charged.
    """
    approvalRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    captures: int
    """
    How many captures were made.
    """
    amountCaptured: int
    """
    The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
    """
    refunds: int
    """
    How many refunds succeeded, whenever their payments were captured.
    """
    amountRefunded: int
    """
    The sum of these refunds, in the currency's minor unit.
    """
    refundsFailed: int
    """
    How many refunds failed. One that failed after it had succeeded counts among both.
    """


class ByPaymentMethodItem(TypedDict):
    paymentMethod: str | None
    """
    The type of the payment method, such as `card`; null if unknown.
    """
    attempts: int
    """
    How many attempts ended, without those that were canceled: the sum of the next four.
    """
    approved: int
    """
    How many attempts the provider approved.
    """
    declined: int
    """
    How many attempts were declined.
    """
    failed: int
    """
    How many attempts failed.
    """
    notCharged: int
    """
    How many attempts ended without a usable answer, so that nothing was charged.
    """
    approvalRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    captures: int
    """
    How many captures were made.
    """
    amountCaptured: int
    """
    The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
    """
    refunds: int
    """
    How many refunds succeeded, whenever their payments were captured.
    """
    amountRefunded: int
    """
    The sum of these refunds, in the currency's minor unit.
    """
    refundsFailed: int
    """
    How many refunds failed. One that failed after it had succeeded counts among both.
    """


class ByCountryItem(TypedDict):
    country: str | None
    """
    The country of the payment; null where it names none.
    """
    attempts: int
    """
    How many attempts ended, without those that were canceled: the sum of the next four.
    """
    approved: int
    """
    How many attempts the provider approved.
    """
    declined: int
    """
    How many attempts were declined.
    """
    failed: int
    """
    How many attempts failed.
    """
    notCharged: int
    """
    How many attempts ended without a usable answer, so that nothing was charged.
    """
    approvalRate: float | None
    """
    The part of the attempts that were approved, from 0 to 1; null without attempts.
    """
    captures: int
    """
    How many captures were made.
    """
    amountCaptured: int
    """
    The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
    """
    refunds: int
    """
    How many refunds succeeded, whenever their payments were captured.
    """
    amountRefunded: int
    """
    The sum of these refunds, in the currency's minor unit.
    """
    refundsFailed: int
    """
    How many refunds failed. One that failed after it had succeeded counts among both.
    """


class FailuresByCodeItem(TypedDict):
    code: str | None
    """
    The error code; null where there is none.
    """
    attempts: int
    """
    How many attempts ended with it.
    """


Statistics = TypedDict(
    'Statistics',
    {
        'object': Literal['statistics'],
        'merchantId': str,
        'environment': Literal['sandbox', 'production'],
        'currency': str | None,
        'currencies': list[str],
        'interval': Literal['hour', 'day'],
        'from': str,
        'to': str,
        'asOf': str,
        'total': Total,
        'series': list[Series],
        'byProvider': list[ByProviderItem],
        'byPaymentMethod': list[ByPaymentMethodItem],
        'byCountry': list[ByCountryItem],
        'failuresByCode': list[FailuresByCodeItem],
    },
)


class Threshold(TypedDict):
    network: Literal['visa', 'mastercard']
    """
    The card scheme.
    """
    programme: str
    """
    What the scheme calls it.
    """
    rate: float
    """
    From which share of the payments of a month on the scheme acts, from 0 to 1.
    """
    minimumDisputes: int
    """
    How many disputes of a month there are at least before it acts.
    """
    countsFraudWarnings: bool
    """
    Whether warnings of fraud count as well.
    """


class Month(TypedDict):
    startsAt: str
    """
    When the month begins; ISO 8601 in UTC.
    """
    payments: int
    """
    How many captures were made: what card schemes compare disputes with.
    """
    chargebackRate: float | None
    """
    The chargebacks for each capture of the same time; null without captures.
    """
    inquiries: int
    """
    How many new disputes began as inquiries.
    """
    chargebacks: int
    """
    How many became chargebacks, from the beginning or after an inquiry.
    """
    won: int
    """
    How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
    """
    lost: int
    """
    How many were lost, whenever they began.
    """
    closed: int
    """
    How many ended without a decision.
    """
    winRate: float | None
    """
    The part of the decided ones that were won, from 0 to 1; null where none was decided.
    """
    fraudWarnings: int
    """
    How many payments the issuers of cards have called fraudulent.
    """


class ByProviderItem1(TypedDict):
    provider: str
    """
    The provider's name.
    """
    payments: int
    """
    How many captures were made: what card schemes compare disputes with.
    """
    chargebackRate: float | None
    """
    The chargebacks for each capture of the same time; null without captures.
    """
    inquiries: int
    """
    How many new disputes began as inquiries.
    """
    chargebacks: int
    """
    How many became chargebacks, from the beginning or after an inquiry.
    """
    won: int
    """
    How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
    """
    lost: int
    """
    How many were lost, whenever they began.
    """
    closed: int
    """
    How many ended without a decision.
    """
    winRate: float | None
    """
    The part of the decided ones that were won, from 0 to 1; null where none was decided.
    """


class ByReasonItem(TypedDict):
    reason: Literal['fraudulent', 'unrecognized', 'duplicate', 'product_not_received', 'product_unacceptable', 'credit_not_processed', 'subscription_canceled', 'amount_differs', 'authorization', 'processing_error', 'general']
    """
    Why customers dispute payments.
    """
    inquiries: int
    """
    How many new disputes began as inquiries.
    """
    chargebacks: int
    """
    How many became chargebacks, from the beginning or after an inquiry.
    """
    won: int
    """
    How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
    """
    lost: int
    """
    How many were lost, whenever they began.
    """
    closed: int
    """
    How many ended without a decision.
    """
    winRate: float | None
    """
    The part of the decided ones that were won, from 0 to 1; null where none was decided.
    """


DisputeStatistics = TypedDict(
    'DisputeStatistics',
    {
        'object': Literal['dispute_statistics'],
        'merchantId': str,
        'environment': Literal['sandbox', 'production'],
        'from': str,
        'to': str,
        'asOf': str,
        'thresholds': list[Threshold],
        'months': list[Month],
        'byProvider': list[ByProviderItem1],
        'byReason': list[ByReasonItem],
    },
)


class Failure3(TypedDict):
    """
    Why the run failed; null unless `status` is `failed`.
    """

    code: Literal['TSP_UNAVAILABLE', 'TSP_TIMEOUT', 'TSP_ERROR', 'CANNOT_LIST', 'INTERRUPTED', 'INTERNAL_ERROR']
    """
    What made it fail.

    - `TSP_UNAVAILABLE`: The provider could not be reached for an hour, or refused to answer. Test the credentials of an account of your own. The next run covers these payments too.
    - `TSP_TIMEOUT`: For an hour the provider did not answer in time. The next run covers these payments too.
    - `TSP_ERROR`: For an hour the provider answered with errors, or with what the engine cannot read. The next run covers these payments too.
    - `CANNOT_LIST`: The provider was disabled or removed during the run, or can no longer be asked for payments. Compare with its own reports.
    - `INTERRUPTED`: The run was ended before it had compared everything. The next run covers these payments too.
    - `INTERNAL_ERROR`: The engine could not compare these payments. The next run covers them too; if it fails as well, tell support the id of the run.
    """
    message: str
    """
    The same as a sentence that says what to do.
    """


ReconciliationRun = TypedDict(
    'ReconciliationRun',
    {
        'id': str,
        'object': Literal['reconciliation_run'],
        'merchantId': str,
        'environment': Literal['sandbox', 'production'],
        'provider': str,
        'status': Literal['running', 'completed', 'failed'],
        'failure': Failure3 | None,
        'from': str,
        'to': str,
        'compared': int,
        'repaired': int,
        'reported': int,
        'startedAt': str,
        'finishedAt': str | None,
    },
)


class WebhookEndpoint(TypedDict):
    """
    An address that events are posted to, without its secret.
    """

    id: str
    """
    The unique id of the webhook endpoint, which begins with `whe_`.
    """
    object: Literal['webhook_endpoint']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    url: str
    """
    The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
    """
    description: str | None
    """
    A text of your own about the endpoint, up to 1,000 characters; null without one.
    """
    enabledEvents: list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.amount_captured_changed', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.waiting_for_provider', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.refunded', 'payment_intent.stray_charge_reversed', 'payment_intent.fraud_warning', 'refund.created', 'refund.waiting_for_provider', 'refund.succeeded', 'refund.failed', 'transaction.created', 'payment_method.saved', 'payment_method.updated', 'payment_method.invalidated', 'payment_method.detached', 'dispute.created', 'dispute.updated', 'dispute.response_due', 'dispute.funds_withdrawn', 'dispute.funds_reinstated', 'dispute.closed', 'provider_account.credentials_refused', 'provider_account.credentials_accepted', 'reconciliation.difference_found', 'settlement.created', 'settlement.paid', 'settlement.failed', 'settlement.difference_found', 'card_testing.suspected', 'webhook_endpoint.failing', 'webhook_endpoint.recovered', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    """
    The types of the events that are sent to the endpoint, each once; `*` for every type.

    - `*`: every type
    - `payment_intent.created`: a payment intent was created
    - `payment_intent.processing`: a confirm was accepted, and providers are being called
    - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
    - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
    - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
    - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
    - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
    - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
    - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
    - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
    - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
    - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
    - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
    - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
    - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
    - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
    - `refund.succeeded`: the provider refunded the money
    - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
    - `transaction.created`: money moved or was held
    - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
    - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
    - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
    - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
    - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
    - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
    - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
    - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
    - `dispute.funds_reinstated`: the provider has given the disputed amount back
    - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
    - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
    - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
    - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
    - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
    - `settlement.paid`: a provider says that it has paid a settlement
    - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
    - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
    - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
    - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
    - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
    - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
    """
    status: Literal['enabled', 'disabled']
    """
    Whether events are sent to the endpoint.

    - `enabled`: they are
    - `disabled`: they are not; `disabledReason` says why
    """
    disabledReason: Literal['by_merchant', 'gone', 'failing'] | None
    """
    Why it is disabled; null while it is enabled.

    - `by_merchant`: a request disabled it
    - `gone`: it answered with status 410
    - `failing`: every attempt failed for five days
    """
    disabledAt: str | None
    """
    When it was disabled; null while it is enabled.
    """
    failingSince: str | None
    """
    Since when every attempt has failed, if so many have that the endpoint counts as failing; null otherwise. Its events then wait, and one of them is sent now and then as a probe.
    """
    nextProbeAt: str | None
    """
    When the next probe of a failing endpoint is made, at the earliest; null unless it counts as failing.
    """
    pendingDeliveries: int | None
    """
    How many deliveries to the endpoint have not ended, at most 10,000; null in events and in the audit log.
    """
    oldestPendingAt: str | None
    """
    Since when the oldest of these has waited; null if there is none.
    """
    recentDeliveries: RecentDeliveries | None
    """
    The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 of a status. Null in events and in the audit log.
    """
    lastSuccessAt: str | None
    """
    When an event was last delivered; null if none was.
    """
    lastFailureAt: str | None
    """
    When an attempt last failed; null if none did.
    """
    lastFailure: str | None
    """
    A short description of the last failure, such as `status 500` or `timeout`; null if there was none.
    """
    previousSecretExpiresAt: str | None
    """
    Until when webhooks are signed with an earlier secret too, after rotations: each signs until its own overlap ends, this is the last end. Null if none signs.
    """
    createdBy: CreatedBy | None
    """
    Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """


class WebhookTest(TypedDict):
    """
    A test event that is being delivered.
    """

    object: Literal['webhook_test']
    """
    The type of the object; always this value.
    """
    eventId: str
    """
    The id of the test event (`evt_…`); `GET /events/{id}/deliveries` has the result.
    """
    webhookEndpointId: str
    """
    The id of the endpoint (`whe_…`) that it is sent to.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """


class DeletedWebhookEndpoint(TypedDict):
    """
    The confirmation that it is deleted.
    """

    id: str
    """
    The id of what was deleted.
    """
    object: Literal['webhook_endpoint']
    """
    The type of the object; always this value.
    """
    deleted: bool
    """
    Always true: it no longer exists.
    """


class TestClock(TypedDict):
    """
    The test clock of a sandbox account: by how much older its payments were made.
    """

    object: Literal['test_clock']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox']
    """
    Always `sandbox`: production has no test clocks.
    """
    status: Literal['ready', 'advancing']
    """
    How far the open payments are.

    - `ready`: every open payment has followed the clock
    - `advancing`: open payments are being made older; read the clock again until it is `ready`
    """
    advancedSeconds: int
    """
    By how much the clock was advanced in all.
    """
    advancedAt: str | None
    """
    When it was advanced last; ISO 8601 in UTC. Null if it never was.
    """


class ListPaymentIntentsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    reference: NotRequired[str]
    """
    Selects what has this reference, compared exactly.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    amountMin: NotRequired[int]
    """
    Selects amounts from this one on, in the currency's minor unit.
    """
    amountMax: NotRequired[int]
    """
    Selects amounts up to and including this one, in the currency's minor unit.
    """
    id: NotRequired[str]
    """
    Selects the payment intents that this id belongs to: their own id, or that of an attempt, a transaction, a refund or a customer, or one that a provider gave a payment or a refund.
    """
    last4: NotRequired[str]
    """
    Selects by the last four digits of a card: of the last one, or of any that was tried.
    """
    errorCode: NotRequired[str]
    """
    Selects the payment intents that have failed with this code: of an attempt, or of a `lastError` that they have or had.
    """
    status: NotRequired[Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']]
    """
    Selects the payment intents in this state.
    """
    customerId: NotRequired[str]
    """
    Selects the payment intents of the customer with this id.
    """
    currency: NotRequired[Currency]
    """
    Selects the payment intents in this currency.
    """
    paymentLinkId: NotRequired[str]
    """
    Selects the payment intents that the page of the payment link with this id (`plink_…`) has opened.
    """
    retried: NotRequired[Literal['true', 'false']]
    """
    Selects the payment intents of which a confirm has gone on after a decline, at another provider or with 3-D Secure (`true`), or none has (`false`).
    """


class ListPaymentLinksQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    reference: NotRequired[str]
    """
    Selects what has this reference, compared exactly.
    """
    active: NotRequired[Literal['true', 'false']]
    """
    Selects the links that are active, or those that were deactivated.
    """


class ListCustomersQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    reference: NotRequired[str]
    """
    Selects what has this reference, compared exactly.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times.
    """
    email: NotRequired[str]
    """
    Selects the customers with this e-mail address, compared without case.
    """


class ListSavedPaymentMethodsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    customerId: NotRequired[str]
    """
    Selects the saved payment methods of the customer with this id.
    """
    status: NotRequired[Literal['active', 'invalid', 'detached']]
    """
    Selects those in this state.
    """


class ListMerchantAccountsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListApiKeysQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListApiKeyCreatedResourcesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListProviderAccountsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    kind: NotRequired[Literal['simulator', 'stripe', 'adyen', 'cashfree', 'evm']]
    """
    Selects the accounts at this provider.
    """
    status: NotRequired[Literal['active', 'disabled']]
    """
    Selects the accounts with this status.
    """


class ListPaymentRoutesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    provider: NotRequired[str]
    """
    Selects the routes to this provider.
    """
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    """
    Selects the routes of this payment method.
    """
    currency: NotRequired[Currency]
    """
    Selects the routes that accept this currency.
    """
    country: NotRequired[Country]
    """
    Selects the routes that accept this country.
    """
    active: NotRequired[Literal['true', 'false']]
    """
    Selects the routes that are active (`true`) or not (`false`).
    """


class ListCardGroupsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListRouteSetsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListChannelLimitsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    """
    Selects the limits of this payment method.
    """
    currency: NotRequired[Currency]
    """
    Selects the limits in this currency.
    """


class ListRefundsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    reference: NotRequired[str]
    """
    Selects what has this reference, compared exactly.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times.
    """
    paymentIntentId: NotRequired[str]
    """
    Selects the refunds of the payment intent with this id.
    """
    status: NotRequired[Literal['pending', 'succeeded', 'failed']]
    """
    Selects the refunds in this state.
    """


class ListDisputesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    status: NotRequired[Literal['needs_response', 'under_review', 'won', 'lost', 'closed', 'submitting', 'accepting']]
    """
    Selects the disputes with this status.
    """
    stage: NotRequired[Literal['inquiry', 'chargeback', 'pre_arbitration', 'arbitration']]
    """
    Selects the disputes at this stage.
    """
    reason: NotRequired[Literal['fraudulent', 'unrecognized', 'duplicate', 'product_not_received', 'product_unacceptable', 'credit_not_processed', 'subscription_canceled', 'amount_differs', 'authorization', 'processing_error', 'general']]
    """
    Selects the disputes for this reason.
    """
    provider: NotRequired[str]
    """
    Selects the disputes at this provider.
    """
    respondByBefore: NotRequired[str]
    """
    Selects the disputes that can be answered until a time before this one; ISO 8601 with time zone.
    """
    paymentIntentId: NotRequired[str]
    """
    Selects the disputes of the payment intent with this id.
    """
    sort: NotRequired[Literal['respond_by']]
    """
    The order; newest first without it, as in a CSV file. It takes `page`.

    - `respond_by`: the disputes that need an answer come first, in the order in which their time to answer ends; the others follow, newest first
    """


class ListSettlementsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    provider: NotRequired[str]
    """
    Selects the settlements of this provider.
    """
    status: NotRequired[Literal['open', 'paid', 'failed', 'returned']]
    """
    Selects the settlements with this status.
    """
    currency: NotRequired[Currency]
    """
    Selects the settlements in this currency, by its ISO 4217 code.
    """


class ListSettlementEntriesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    settlementId: NotRequired[str]
    """
    Selects the entries of the settlement with this id.
    """
    match: NotRequired[Literal['matched', 'expected', 'missing', 'unknown', 'amount_differs', 'currency_differs', 'duplicate']]
    """
    Selects the entries that match in this way.
    """
    type: NotRequired[Literal['payment', 'refund', 'chargeback', 'chargeback_reversal', 'fee', 'adjustment', 'reserve', 'fx', 'transfer', 'other']]
    """
    Selects the entries of this type.
    """
    transactionId: NotRequired[str]
    """
    Selects the entries of the transaction with this id.
    """


class ListTransactionsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    paymentIntentId: NotRequired[str]
    """
    Selects the transactions of the payment intent with this id.
    """
    type: NotRequired[Literal['authorization', 'capture', 'void', 'refund', 'capture_reversal', 'chargeback', 'chargeback_reversal']]
    """
    Selects the transactions of this type.
    """


class ListEventsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    type: NotRequired[Literal['payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.amount_captured_changed', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.waiting_for_provider', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.refunded', 'payment_intent.stray_charge_reversed', 'payment_intent.fraud_warning', 'refund.created', 'refund.waiting_for_provider', 'refund.succeeded', 'refund.failed', 'transaction.created', 'payment_method.saved', 'payment_method.updated', 'payment_method.invalidated', 'payment_method.detached', 'dispute.created', 'dispute.updated', 'dispute.response_due', 'dispute.funds_withdrawn', 'dispute.funds_reinstated', 'dispute.closed', 'provider_account.credentials_refused', 'provider_account.credentials_accepted', 'reconciliation.difference_found', 'settlement.created', 'settlement.paid', 'settlement.failed', 'settlement.difference_found', 'card_testing.suspected', 'webhook_endpoint.failing', 'webhook_endpoint.recovered', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    """
    Selects the events of this type.
    """
    resourceId: NotRequired[str]
    """
    Selects the events about the payment intent, refund, transaction, dispute, account at a provider, saved payment method, webhook endpoint, reconciliation difference, settlement or entry of one with this id.
    """
    after: NotRequired[str]
    """
    The id of an event: selects the later events, **oldest first**, so that nothing is missed while reading on.
    """
    before: NotRequired[str]
    """
    The id of an event: selects the earlier events. To read beyond the last page, set it to the id of the last event.
    """


class ListEventDeliveriesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListAuditEventsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    action: NotRequired[Literal['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.revoked', 'merchant_account.created', 'merchant_account.updated', 'merchant_account.suspended', 'merchant_account.activated', 'payment_route.created', 'payment_route.updated', 'payment_route.deleted', 'card_group.created', 'card_group.updated', 'card_group.deleted', 'route_set.created', 'route_set.activated', 'routing_setting.updated', 'channel_limit.created', 'channel_limit.updated', 'channel_limit.deleted', 'webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.disabled', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.deleted', 'provider_account.created', 'provider_account.updated', 'provider_account.credentials_rotated', 'test_clock.advanced', 'provider_account.deleted', 'payment_link.created', 'payment_link.updated', 'payment_intent.updated', 'payment_intent.provider_asked', 'payment_intent.resolution_requested', 'payment_intent.resolved_by_hand', 'payment_intent.capture_requested', 'payment_intent.cancel_requested', 'refund.created', 'dispute.submit_requested', 'dispute.accept_requested', 'settlement.bank_confirmed', 'settlement_entry.resolved', 'team.updated', 'team_member.joined', 'team_member.updated', 'team_member.removed', 'team_member.signed_in', 'team_member.sign_in_failed', 'team_member.locked_out', 'team_member.session_ended', 'team_member.password_changed', 'team_member.password_reset_requested', 'team_member.second_factor_enabled', 'team_member.second_factor_disabled', 'team_member.recovery_codes_created', 'invitation.created', 'invitation.resent', 'invitation.deleted']]
    """
    Selects the changes of this kind.
    """
    resourceId: NotRequired[str]
    """
    Selects the changes of the resource with this id.
    """
    actorId: NotRequired[str]
    """
    Selects the changes by the API key or the person with this id, or by the operator with this user name.
    """


class ListRequestsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    createdFrom: NotRequired[str]
    """
    Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`.
    """
    createdAfter: NotRequired[str]
    """
    Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    createdBefore: NotRequired[str]
    """
    Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded.
    """
    status: NotRequired[int]
    """
    Selects the requests that got this HTTP status.
    """
    code: NotRequired[str]
    """
    Selects the requests that got this error code.
    """
    path: NotRequired[str]
    """
    Selects the requests of this path, compared exactly, without the query.
    """


class ListProviderHealthQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


GetStatisticsQuery = TypedDict(
    'GetStatisticsQuery',
    {
        'currency': NotRequired[Currency],
        'from': NotRequired[str],
        'to': NotRequired[str],
        'interval': NotRequired[Literal['hour', 'day']],
    },
)


class GetDisputeStatisticsQuery(TypedDict):
    months: NotRequired[int]
    """
    How many calendar months of UTC, the running one included.
    """


class ListReconciliationRunsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    provider: NotRequired[str]
    """
    Selects the runs of this provider.
    """
    status: NotRequired[Literal['running', 'completed', 'failed']]
    """
    Selects the runs with this status.
    """


class ListWebhookEndpointsQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """


class ListWebhookEndpointDeliveriesQuery(TypedDict):
    page: NotRequired[int]
    """
    The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead.
    """
    limit: NotRequired[int]
    """
    How many elements a page has, from 1 to 100.
    """
    startingAfter: NotRequired[str]
    """
    The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`.
    """
    status: NotRequired[Literal['pending', 'delivered', 'failed', 'canceled']]
    """
    Selects the deliveries with this status; `pending` where it is left out.
    """


PaymentMethod: TypeAlias = CardPaymentMethod | UpiPaymentMethod | CryptoPaymentMethod
"""
How the customer pays. Card data is encrypted at once.
"""


MaskedPaymentMethod: TypeAlias = MaskedCard | MaskedUpi | MaskedCrypto
"""
A masked payment method.
"""


NextAction: TypeAlias = RedirectAction | ApproveInAppAction | CryptoDepositAction
"""
What the customer has to do before the payment continues.
"""


class PaymentAttempt(TypedDict):
    """
    One route tried for one intent.
    """

    id: str
    """
    The unique id of the attempt, which begins with `att_`. It is the provider's idempotency key.
    """
    route: str
    """
    The id of the payment route (`rt_…`) that the attempt took.
    """
    provider: str
    """
    The provider that was called.
    """
    paymentMethod: MaskedPaymentMethod | None
    """
    What this attempt was to be paid with, masked: another one than that of the payment where several were tried.
    """
    tries: int
    """
    How many calls were made to the provider, repeats included.
    """
    outcome: Literal['approved', 'declined', 'failed', 'not_charged', 'canceled'] | None
    """
    How the attempt ended; null while it is open.

    - `approved`: the provider authorized the money
    - `declined`: the provider refused it, but another card or method may work
    - `failed`: the provider refused it for good
    - `not_charged`: the provider could not be reached, and has confirmed that it charged nothing
    - `canceled`: the attempt was given up before the provider charged anything
    """
    code: str | None
    """
    The error code of an attempt that did not succeed; null otherwise.
    """
    advice: Literal['never', 'later', 'elsewhere', 'authenticate', 'correct_data'] | None
    """
    What the decline tells you to do; null where there was none, or where the provider gave a reason that is not known.

    - `never`: do not send this card again: it is lost or closed, or the issuer forbids it. This payment does not take it again
    - `later`: the same card may be approved later, as `lastError.details.retryAfter` says if it is there
    - `elsewhere`: the same card may be approved at another provider
    - `authenticate`: the customer has to be authenticated; confirm with a `returnUrl`, the customer being present
    - `correct_data`: the customer has to correct what was entered, or has a new card
    """
    networkCode: str | None
    """
    The card network's own code of the decline, such as `05`; null where the provider does not pass it on.
    """
    startedAt: str
    """
    When the attempt began; ISO 8601 in UTC.
    """
    finishedAt: str | None
    """
    When the attempt ended; ISO 8601 in UTC. Null while it is open.
    """


class CreatePaymentIntentRequest(TypedDict):
    """
    A payment intent to create.
    """

    amount: int
    """
    What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: Currency
    reference: NotRequired[str | None]
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    description: NotRequired[str | None]
    """
    A text of your own about the payment, up to 1,000 characters; null without one.
    """
    customerId: NotRequired[str | None]
    """
    The id of the customer (`cus_…`) who pays; null without one.
    """
    country: NotRequired[NullableCountry]
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored.
    """
    captureMethod: NotRequired[Literal['automatic', 'manual']]
    """
    When the money is taken.

    - `automatic`: at once
    - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
    """
    paymentMethod: NotRequired[PaymentMethod]
    paymentMethodId: NotRequired[str]
    """
    The id of a saved payment method (`spm_…`) of the customer, with which the payment is confirmed at once.
    """
    cvc: NotRequired[str]
    """
    The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization.
    """
    offSession: NotRequired[Literal['recurring', 'unscheduled']]
    """
    Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.

    - `recurring`: by an agreed schedule, such as a subscription
    - `unscheduled`: when something falls due, such as a top-up
    """
    allowSavedPaymentMethods: NotRequired[bool]
    """
    Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example.
    """
    setupFutureUsage: NotRequired[Literal['on_session', 'off_session'] | None]
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
    """
    consent: NotRequired[Consent]
    """
    What the customer has agreed to, and from where. A confirm by your server needs it if `setupFutureUsage` is `off_session`. Of a page only its `text` counts: address, browser and time are those of its request.
    """
    confirm: NotRequired[bool]
    """
    Whether to confirm the payment at once with `paymentMethod`, or the saved one of `paymentMethodId`; it then needs one of them.
    """
    returnUrl: NotRequired[str | None]
    """
    Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so.
    """
    metadata: NotRequired[dict[str, str]]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    expiresInSeconds: NotRequired[int]
    """
    After how many seconds the payment expires unless it is paid or being processed; 60 to 86,400 (one day). 1,800 (30 minutes) if it is left out.
    """


class CreatePaymentMethodRequest(TypedDict):
    """
    A payment method to store for the payment intent, or the security code of a saved one.
    """

    paymentMethod: NotRequired[PaymentMethod]
    paymentMethodId: NotRequired[str]
    """
    The id of a saved payment method (`spm_…`) of the payment's customer, to be stored with its `cvc`. Send either this or `paymentMethod`.
    """
    cvc: NotRequired[str]
    """
    The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization.
    """


class ConfirmPaymentIntentRequest(TypedDict):
    """
    How the customer pays.
    """

    paymentMethod: NotRequired[PaymentMethod]
    """
    How the customer pays. Card data is encrypted at once. Left out: the payment method that the payment was created with.
    """
    paymentMethodId: NotRequired[str]
    """
    The id of a payment method (`pm_…`) that was stored for this payment intent, or of a saved one (`spm_…`) of its customer. Send either this or `paymentMethod`.
    """
    cvc: NotRequired[str]
    """
    The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization.
    """
    offSession: NotRequired[Literal['recurring', 'unscheduled']]
    """
    Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.

    - `recurring`: by an agreed schedule, such as a subscription
    - `unscheduled`: when something falls due, such as a top-up A page cannot send it.
    """
    returnUrl: NotRequired[str]
    """
    Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so. Left out: that of the payment.
    """
    setupFutureUsage: NotRequired[Literal['on_session', 'off_session'] | None]
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent` Left out by your server: that of the payment. Left out by a page: nothing is saved.
    """
    consent: NotRequired[Consent]
    """
    What the customer has agreed to, and from where. A confirm by your server needs it if `setupFutureUsage` is `off_session`. Of a page only its `text` counts: address, browser and time are those of its request.
    """


class PaymentIntent(TypedDict):
    """
    What is to be paid, with its state and everything tried so far.
    """

    id: str
    """
    The unique id of the payment intent, which begins with `pi_`.
    """
    object: Literal['payment_intent']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    amount: int
    """
    What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: str
    """
    The currency of all amounts of the payment, as its ISO 4217 code: `EUR`.
    """
    amountCapturable: int
    """
    How much is held and can be captured, in the currency's minor unit.
    """
    amountCaptured: int
    """
    How much was captured, in the currency's minor unit; refunds do not reduce it.
    """
    amountRefunded: int
    """
    How much of the captured amount was refunded, in the currency's minor unit.
    """
    amountDisputed: int
    """
    How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
    """
    status: Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']
    """
    The state of the payment.

    - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
    - `processing`: a provider is being called, or the outcome is awaited
    - `requires_action`: the customer has to act, as `nextAction` says
    - `requires_capture`: the money is held; capture or cancel it
    - `succeeded`: the money was captured
    - `failed`: refused for good; create another payment intent to try again
    - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
    - `expired`: not paid before `expiresAt`
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    description: str | None
    """
    A text of your own about the payment, up to 1,000 characters; null without one.
    """
    customerId: str | None
    """
    The id of the customer (`cus_…`) who pays; null without one.
    """
    country: str | None
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored.
    """
    captureMethod: Literal['automatic', 'manual']
    """
    When the money is taken.

    - `automatic`: at once
    - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
    """
    paymentMethod: MaskedPaymentMethod | None
    """
    The payment method of the last confirm, masked; null before the first.
    """
    setupFutureUsage: Literal['on_session', 'off_session'] | None
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
    """
    allowSavedPaymentMethods: bool
    """
    Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example.
    """
    savedPaymentMethodId: str | None
    """
    The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none.
    """
    offSession: Literal['recurring', 'unscheduled'] | None
    """
    Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.

    - `recurring`: by an agreed schedule, such as a subscription
    - `unscheduled`: when something falls due, such as a top-up
    """
    nextAction: NextAction | None
    """
    What the customer has to do before the payment continues; null unless `status` is `requires_action`.
    """
    provider: str | None
    """
    The provider of the last attempt; null before the first.
    """
    attempts: list[PaymentAttempt]
    """
    Every route that was tried for the payment, over all its confirms, oldest first.
    """
    lastError: LastError | None
    """
    Why the last confirm, capture or cancellation failed; null if it did not.
    """
    lastDecline: LastDecline | None
    """
    Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null.
    """
    advisory: Advisory | None
    """
    A notice that the payment takes unusually long; null otherwise. It does not change the state.
    """
    cancellationReason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned', 'requested_by_operator', 'retries_exhausted', 'authorization_lapsed'] | None
    """
    Why the payment was canceled; null unless `status` is `canceled`.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: it was the same payment as another
    - `fraudulent`: it is suspected of fraud
    - `abandoned`: the customer left
    - `requested_by_operator`: the platform canceled it
    - `retries_exhausted`: every attempt that it may make was used up
    - `authorization_lapsed`: the money was held for too long without a capture, and is released
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    disputeIds: list[str]
    """
    The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none.
    """
    disputedAt: str | None
    """
    When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
    """
    captureBefore: str | None
    """
    Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
    """
    expiresAt: str | None
    """
    When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.
    """


class CreatedPaymentIntent(TypedDict):
    """
    A payment intent with its client secret.
    """

    id: str
    """
    The unique id of the payment intent, which begins with `pi_`.
    """
    object: Literal['payment_intent']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    amount: int
    """
    What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: str
    """
    The currency of all amounts of the payment, as its ISO 4217 code: `EUR`.
    """
    amountCapturable: int
    """
    How much is held and can be captured, in the currency's minor unit.
    """
    amountCaptured: int
    """
    How much was captured, in the currency's minor unit; refunds do not reduce it.
    """
    amountRefunded: int
    """
    How much of the captured amount was refunded, in the currency's minor unit.
    """
    amountDisputed: int
    """
    How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
    """
    status: Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']
    """
    The state of the payment.

    - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
    - `processing`: a provider is being called, or the outcome is awaited
    - `requires_action`: the customer has to act, as `nextAction` says
    - `requires_capture`: the money is held; capture or cancel it
    - `succeeded`: the money was captured
    - `failed`: refused for good; create another payment intent to try again
    - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
    - `expired`: not paid before `expiresAt`
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    description: str | None
    """
    A text of your own about the payment, up to 1,000 characters; null without one.
    """
    customerId: str | None
    """
    The id of the customer (`cus_…`) who pays; null without one.
    """
    country: str | None
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored.
    """
    captureMethod: Literal['automatic', 'manual']
    """
    When the money is taken.

    - `automatic`: at once
    - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
    """
    paymentMethod: MaskedPaymentMethod | None
    """
    The payment method of the last confirm, masked; null before the first.
    """
    setupFutureUsage: Literal['on_session', 'off_session'] | None
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
    """
    allowSavedPaymentMethods: bool
    """
    Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example.
    """
    savedPaymentMethodId: str | None
    """
    The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none.
    """
    offSession: Literal['recurring', 'unscheduled'] | None
    """
    Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.

    - `recurring`: by an agreed schedule, such as a subscription
    - `unscheduled`: when something falls due, such as a top-up
    """
    nextAction: NextAction | None
    """
    What the customer has to do before the payment continues; null unless `status` is `requires_action`.
    """
    provider: str | None
    """
    The provider of the last attempt; null before the first.
    """
    attempts: list[PaymentAttempt]
    """
    Every route that was tried for the payment, over all its confirms, oldest first.
    """
    lastError: LastError | None
    """
    Why the last confirm, capture or cancellation failed; null if it did not.
    """
    lastDecline: LastDecline | None
    """
    Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null.
    """
    advisory: Advisory | None
    """
    A notice that the payment takes unusually long; null otherwise. It does not change the state.
    """
    cancellationReason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned', 'requested_by_operator', 'retries_exhausted', 'authorization_lapsed'] | None
    """
    Why the payment was canceled; null unless `status` is `canceled`.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: it was the same payment as another
    - `fraudulent`: it is suspected of fraud
    - `abandoned`: the customer left
    - `requested_by_operator`: the platform canceled it
    - `retries_exhausted`: every attempt that it may make was used up
    - `authorization_lapsed`: the money was held for too long without a capture, and is released
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    disputeIds: list[str]
    """
    The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none.
    """
    disputedAt: str | None
    """
    When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
    """
    captureBefore: str | None
    """
    Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
    """
    expiresAt: str | None
    """
    When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.
    """
    clientSecret: str
    """
    The secret for the checkout page of this payment, which may read, confirm and follow it. Do not log or store it.
    """


class StoredPaymentMethod(TypedDict):
    """
    A payment method that is stored for one payment intent.
    """

    id: str
    """
    The unique id of the payment method, which begins with `pm_`. A confirm takes it as `paymentMethodId`.
    """
    object: Literal['payment_method']
    """
    The type of the object; always this value.
    """
    paymentIntentId: str
    """
    The id of the payment intent (`pi_…`) that it is stored for; no other takes it.
    """
    paymentMethod: MaskedPaymentMethod


class PaymentIntentEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.amount_captured_changed', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.waiting_for_provider', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.refunded', 'payment_intent.stray_charge_reversed', 'payment_intent.fraud_warning']
    """
    What happened.

    - `payment_intent.created`: a payment intent was created
    - `payment_intent.processing`: a confirm was accepted, and providers are being called
    - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
    - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
    - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
    - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
    - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
    - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
    - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
    - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
    - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
    - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
    - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
    - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: PaymentIntent
    failure: NotRequired[Failure]
    """
    Why the payment failed. Present only with `payment_intent.payment_failed`: the `lastError` of a payment intent does not have the refusal of a confirm for which no provider was asked.
    """
    strayCharge: NotRequired[StrayCharge]
    """
    The charge that was returned. Present only with `payment_intent.stray_charge_reversed`.
    """
    fraudWarning: NotRequired[FraudWarning]
    """
    The warning of the card's issuer. Present only with `payment_intent.fraud_warning`.
    """


class RefundEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['refund.created', 'refund.waiting_for_provider', 'refund.succeeded', 'refund.failed']
    """
    What happened.

    - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
    - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
    - `refund.succeeded`: the provider refunded the money
    - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: Refund


class TransactionEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['transaction.created']
    """
    What happened.

    - `transaction.created`: money moved or was held
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: Transaction


class DisputeEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['dispute.created', 'dispute.updated', 'dispute.response_due', 'dispute.funds_withdrawn', 'dispute.funds_reinstated', 'dispute.closed']
    """
    What happened.

    - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
    - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
    - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
    - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
    - `dispute.funds_reinstated`: the provider has given the disputed amount back
    - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: Dispute


class ProviderAccountEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['provider_account.credentials_refused', 'provider_account.credentials_accepted']
    """
    What happened.

    - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
    - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: ProviderAccount


class ReconciliationEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['reconciliation.difference_found']
    """
    What happened.

    - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: ReconciliationDifference


class SettlementEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['settlement.created', 'settlement.paid', 'settlement.failed', 'settlement.difference_found']
    """
    What happened.

    - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
    - `settlement.paid`: a provider says that it has paid a settlement
    - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
    - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: Settlement | SettlementEntry
    """
    The settlement; with `settlement.difference_found` the entry.
    """


class CardTestingEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['card_testing.suspected']
    """
    What happened.

    - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: CardTesting


class WebhookEndpointEvent(TypedDict):
    """
    What happened to a resource, and the resource as it was then.
    """

    id: str
    """
    The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event.
    """
    object: Literal['event']
    """
    The type of the object; always this value.
    """
    type: Literal['webhook_endpoint.failing', 'webhook_endpoint.recovered', 'webhook_endpoint.disabled', 'webhook_endpoint.test']
    """
    What happened.

    - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
    - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
    - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
    - `webhook_endpoint.test`: a test that was requested; it goes to its endpoint only, whatever that subscribes to
    """
    createdAt: str
    """
    When it happened; ISO 8601 in UTC, with milliseconds.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    sequence: int
    """
    The number of the event within its merchant account: from 1, without gaps, in the order of publication.
    """
    data: WebhookEndpoint


class FailedPaymentIntent(TypedDict):
    """
    A payment intent after a failure; if the failed request created it, with its client secret.
    """

    id: str
    """
    The unique id of the payment intent, which begins with `pi_`.
    """
    object: Literal['payment_intent']
    """
    The type of the object; always this value.
    """
    merchantId: str
    """
    The id of the merchant account (`mer_…`) that owns it.
    """
    environment: Literal['sandbox', 'production']
    """
    The environment of the API key it was created with.

    - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
    - `production`: real providers and real money; keys begin with `svc_live_`
    """
    amount: int
    """
    What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
    """
    currency: str
    """
    The currency of all amounts of the payment, as its ISO 4217 code: `EUR`.
    """
    amountCapturable: int
    """
    How much is held and can be captured, in the currency's minor unit.
    """
    amountCaptured: int
    """
    How much was captured, in the currency's minor unit; refunds do not reduce it.
    """
    amountRefunded: int
    """
    How much of the captured amount was refunded, in the currency's minor unit.
    """
    amountDisputed: int
    """
    How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
    """
    status: Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']
    """
    The state of the payment.

    - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
    - `processing`: a provider is being called, or the outcome is awaited
    - `requires_action`: the customer has to act, as `nextAction` says
    - `requires_capture`: the money is held; capture or cancel it
    - `succeeded`: the money was captured
    - `failed`: refused for good; create another payment intent to try again
    - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
    - `expired`: not paid before `expiresAt`
    """
    reference: str | None
    """
    Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused.
    """
    description: str | None
    """
    A text of your own about the payment, up to 1,000 characters; null without one.
    """
    customerId: str | None
    """
    The id of the customer (`cus_…`) who pays; null without one.
    """
    country: str | None
    """
    Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored.
    """
    captureMethod: Literal['automatic', 'manual']
    """
    When the money is taken.

    - `automatic`: at once
    - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
    """
    paymentMethod: MaskedPaymentMethod | None
    """
    The payment method of the last confirm, masked; null before the first.
    """
    setupFutureUsage: Literal['on_session', 'off_session'] | None
    """
    What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.

    - `on_session`: to pay again while the customer is present
    - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
    """
    allowSavedPaymentMethods: bool
    """
    Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example.
    """
    savedPaymentMethodId: str | None
    """
    The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none.
    """
    offSession: Literal['recurring', 'unscheduled'] | None
    """
    Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.

    - `recurring`: by an agreed schedule, such as a subscription
    - `unscheduled`: when something falls due, such as a top-up
    """
    nextAction: NextAction | None
    """
    What the customer has to do before the payment continues; null unless `status` is `requires_action`.
    """
    provider: str | None
    """
    The provider of the last attempt; null before the first.
    """
    attempts: list[PaymentAttempt]
    """
    Every route that was tried for the payment, over all its confirms, oldest first.
    """
    lastError: LastError | None
    """
    Why the last confirm, capture or cancellation failed; null if it did not.
    """
    lastDecline: LastDecline | None
    """
    Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null.
    """
    advisory: Advisory | None
    """
    A notice that the payment takes unusually long; null otherwise. It does not change the state.
    """
    cancellationReason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned', 'requested_by_operator', 'retries_exhausted', 'authorization_lapsed'] | None
    """
    Why the payment was canceled; null unless `status` is `canceled`.

    - `requested_by_customer`: the customer asked for it
    - `duplicate`: it was the same payment as another
    - `fraudulent`: it is suspected of fraud
    - `abandoned`: the customer left
    - `requested_by_operator`: the platform canceled it
    - `retries_exhausted`: every attempt that it may make was used up
    - `authorization_lapsed`: the money was held for too long without a capture, and is released
    """
    metadata: dict[str, str]
    """
    Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused.
    """
    disputeIds: list[str]
    """
    The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none.
    """
    disputedAt: str | None
    """
    When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
    """
    captureBefore: str | None
    """
    Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
    """
    expiresAt: str | None
    """
    When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
    """
    createdAt: str
    """
    When it was created; ISO 8601 in UTC, with milliseconds.
    """
    updatedAt: str
    """
    When it last changed; ISO 8601 in UTC, with milliseconds.
    """
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource.
    """
    clientSecret: NotRequired[str]
    """
    The secret for the checkout page of this payment, which may read, confirm and follow it. Do not log or store it.
    """


class ErrorDetails(TypedDict):
    """
    Details of the error; the members depend on the code.
    """

    fields: NotRequired[list[FieldProblem]]
    """
    Every field that failed validation.
    """
    field: NotRequired[str]
    """
    The one field that is missing.
    """
    reason: NotRequired[str]
    """
    The exact cause in one word, such as `nonce_used`.
    """
    scope: NotRequired[str]
    """
    The scope that the API key lacks.
    """
    limit: NotRequired[int]
    """
    How many requests a minute are allowed.
    """
    remaining: NotRequired[int]
    """
    How many requests are left in the current minute.
    """
    resetAt: NotRequired[str]
    """
    When the current minute ends; ISO 8601 in UTC.
    """
    minimumAmount: NotRequired[int]
    """
    The smallest amount of the payment method, in the currency's minor unit.
    """
    maximumAmount: NotRequired[int]
    """
    The largest amount of the payment method, in the currency's minor unit.
    """
    paymentIntent: NotRequired[FailedPaymentIntent]
    """
    The payment intent after the failure.
    """
    refund: NotRequired[Refund]
    """
    The refund after the failure.
    """


Event: TypeAlias = PaymentIntentEvent | RefundEvent | TransactionEvent | DisputeEvent | PaymentMethodEvent | ProviderAccountEvent | ReconciliationEvent | SettlementEvent | CardTestingEvent | WebhookEndpointEvent
"""
What happened to a resource, and the resource as it was then. `type` tells which.
"""


class ApiError(TypedDict):
    """
    What went wrong.
    """

    code: ErrorCode
    message: str
    """
    What went wrong, for people, in English. The text may change.
    """
    type: ErrorType
    details: NotRequired[ErrorDetails]
    """
    What else is known of the error.
    """
    requestId: str
    """
    The id of the request, for support; the same as the header `X-Request-Id`.
    """
