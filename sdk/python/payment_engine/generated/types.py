# Written by `npm run generate-client` from the OpenAPI document.
# SHA-256 of its schemas: e4be0f413b3870099ca9c15a1cca5d70383f6795060e49ecf3cfd40a5aa88c6b

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Card(TypedDict):
    number: str
    expiryMonth: int
    expiryYear: int
    cvc: str
    holderName: NotRequired[str | None]


class CardPaymentMethod(TypedDict):
    type: Literal['card']
    card: Card


class Upi(TypedDict):
    vpa: NotRequired[str | None]
    """
    Asks the customer in their app. Without it, the customer pays by the link in `nextAction`, or by scanning it as a QR code.
    """


class UpiPaymentMethod(TypedDict):
    type: Literal['upi']
    upi: Upi


class Crypto(TypedDict):
    asset: Literal['BTC', 'ETH', 'USDC', 'USDT']
    network: Literal['bitcoin', 'ethereum', 'polygon', 'tron']


class CryptoPaymentMethod(TypedDict):
    type: Literal['crypto']
    crypto: Crypto


PaymentMethod: TypeAlias = CardPaymentMethod | UpiPaymentMethod | CryptoPaymentMethod


ErrorCode: TypeAlias = Literal['UNAUTHORIZED', 'INVALID_SIGNATURE', 'TIMESTAMP_EXPIRED', 'API_KEY_REVOKED', 'API_KEY_EXPIRED', 'IP_NOT_WHITELISTED', 'INSUFFICIENT_PERMISSIONS', 'FORBIDDEN', 'MERCHANT_SUSPENDED', 'INVALID_REQUEST', 'VALIDATION_ERROR', 'INVALID_AMOUNT', 'INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'MISSING_REQUIRED_FIELD', 'RESOURCE_NOT_FOUND', 'PAYMENT_INTENT_NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'REFUND_NOT_FOUND', 'DUPLICATE_REQUEST', 'STATE_CONFLICT', 'PAYMENT_FAILED', 'PAYMENT_DECLINED', 'PAYMENT_EXPIRED', 'INSUFFICIENT_FUNDS', 'CARD_DECLINED', 'FRAUD_DETECTED', 'LIMIT_EXCEEDED', 'REFUND_FAILED', 'REFUND_NOT_ALLOWED', 'REFUND_AMOUNT_EXCEEDED', 'REFUND_WINDOW_CLOSED', 'CHANNEL_LIMIT_MIN_EXCEEDED', 'CHANNEL_LIMIT_MAX_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'TSP_ERROR', 'TSP_TIMEOUT', 'TSP_UNAVAILABLE', 'NO_TSP_AVAILABLE', 'UNSUPPORTED_REGION', 'UNSUPPORTED_CURRENCY_PAIR', 'PROVIDER_VALIDATION_ERROR', 'PROVIDER_UNAVAILABLE', 'PAYMENT_STUCK', 'PAYMENT_RETRIES_EXHAUSTED', 'TSP_PAYMENT_FAILED', 'CRYPTO_DEPOSIT_FAILED', 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
"""
Every error code of the API.
"""


ErrorType: TypeAlias = Literal['authentication_error', 'permission_error', 'validation_error', 'resource_error', 'payment_error', 'refund_error', 'rate_limit_error', 'provider_error', 'operational_error', 'internal_error']
"""
The type of the error, a group of codes.
"""


class FieldProblem(TypedDict):
    """
    What is wrong with one field.
    """

    field: str
    message: str
    code: Literal['required', 'invalid', 'type', 'min', 'max', 'too_short', 'too_long', 'unknown']


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


class MaskedCard(TypedDict):
    type: Literal['card']
    brand: str
    last4: str
    expiryMonth: int
    expiryYear: int


class MaskedUpi(TypedDict):
    type: Literal['upi']
    vpa: str | None
    """
    Null where the customer pays by link or QR code.
    """


class MaskedCrypto(TypedDict):
    type: Literal['crypto']
    asset: str
    network: str


class RedirectAction(TypedDict):
    type: Literal['redirect']
    url: str


class ApproveInAppAction(TypedDict):
    type: Literal['approve_in_app']
    app: Literal['upi']
    link: NotRequired[str]
    """
    Opens a UPI app on a phone; elsewhere show it as a QR code. Absent where the provider gives none.
    """


class CryptoDepositAction(TypedDict):
    type: Literal['crypto_deposit']
    asset: str
    network: str
    address: str
    amount: str
    """
    Decimal, in the asset's own precision.
    """
    confirmationsRequired: int


class PaymentAttempt(TypedDict):
    """
    One route tried for one intent.
    """

    id: str
    route: str
    provider: str
    tries: int
    outcome: Literal['approved', 'declined', 'failed', 'not_charged', 'canceled'] | None
    code: str | None
    startedAt: str
    finishedAt: str | None


class LastError(TypedDict):
    code: str
    message: str
    details: NotRequired[dict[str, Any]]
    at: str


class Advisory(TypedDict):
    """
    A notice that does not change the state: the payment continues.
    """

    code: Literal['PAYMENT_STUCK']
    since: str


class WebhookAttempt(TypedDict):
    """
    One request to an endpoint and its result.
    """

    number: int
    startedAt: str
    durationMs: int
    statusCode: int | None
    error: Literal['timeout', 'connection_refused', 'connection_lost', 'host_not_found', 'address_not_allowed', 'certificate_not_valid', 'status_not_2xx'] | None
    responseBody: str | None


class CreatePaymentIntentRequest(TypedDict):
    amount: int
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """
    currency: Currency
    reference: NotRequired[str | None]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    description: NotRequired[str | None]
    customerId: NotRequired[str | None]
    country: NotRequired[NullableCountry]
    captureMethod: NotRequired[Literal['automatic', 'manual']]
    paymentMethod: NotRequired[PaymentMethod]
    confirm: NotRequired[bool]
    returnUrl: NotRequired[str | None]
    metadata: NotRequired[dict[str, str]]
    expiresInSeconds: NotRequired[int]


class AmendPaymentIntentRequest(TypedDict):
    amount: NotRequired[int]
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """
    currency: NotRequired[Currency]
    reference: NotRequired[str | None]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    description: NotRequired[str | None]
    customerId: NotRequired[str | None]
    country: NotRequired[NullableCountry]
    captureMethod: NotRequired[Literal['automatic', 'manual']]
    returnUrl: NotRequired[str | None]
    metadata: NotRequired[dict[str, str]]


class CreatePaymentMethodRequest(TypedDict):
    paymentMethod: PaymentMethod


class ConfirmPaymentIntentRequest(TypedDict):
    paymentMethod: NotRequired[PaymentMethod]
    paymentMethodId: NotRequired[str]
    """
    A payment method that was stored for this payment intent before, instead of `paymentMethod`.
    """
    returnUrl: NotRequired[str]


class CancelPaymentIntentRequest(TypedDict):
    reason: NotRequired[Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned']]


class CapturePaymentIntentRequest(TypedDict):
    amount: NotRequired[int]
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """


class CreateCustomerRequest(TypedDict):
    reference: NotRequired[str | None]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    name: NotRequired[str | None]
    email: NotRequired[str | None]
    phone: NotRequired[str | None]
    description: NotRequired[str | None]
    country: NotRequired[NullableCountry]
    metadata: NotRequired[dict[str, str]]


class UpdateCustomerRequest(TypedDict):
    reference: NotRequired[str | None]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    name: NotRequired[str | None]
    email: NotRequired[str | None]
    phone: NotRequired[str | None]
    description: NotRequired[str | None]
    country: NotRequired[NullableCountry]
    metadata: NotRequired[dict[str, str]]


class CreateMerchantAccountRequest(TypedDict):
    name: str
    retryBudget: NotRequired[int]
    refundWindowDays: NotRequired[int]
    requireIdempotencyKeys: NotRequired[bool]


class UpdateMerchantAccountRequest(TypedDict):
    name: NotRequired[str]
    retryBudget: NotRequired[int]
    refundWindowDays: NotRequired[int]
    requireIdempotencyKeys: NotRequired[bool]


class SuspendMerchantAccountRequest(TypedDict):
    pass


IpAllowlistItem: TypeAlias = str


class CreateApiKeyRequest(TypedDict):
    name: str
    scopes: list[Literal['payment-intents:read', 'payment-intents:write', 'transactions:read', 'transactions:write', 'refunds:read', 'refunds:write', 'customers:read', 'customers:write', 'merchants:read', 'merchants:write', 'api-keys:read', 'api-keys:write', 'payment-routes:read', 'payment-routes:write', 'channel-limits:read', 'channel-limits:write', 'webhook-endpoints:read', 'webhook-endpoints:write', 'events:read', 'events:write', 'audit-events:read', 'audit-events:write', 'requests:read', 'requests:write', 'provider-health:read', 'provider-health:write', 'support:read']]
    expiresAt: NotRequired[str | None]
    ipAllowlist: NotRequired[list[IpAllowlistItem]]
    ipRestricted: NotRequired[bool]
    accountBound: NotRequired[bool]
    signatureVersion: NotRequired[int]


class UpdateApiKeyRequest(TypedDict):
    name: NotRequired[str]
    scopes: NotRequired[list[Literal['payment-intents:read', 'payment-intents:write', 'transactions:read', 'transactions:write', 'refunds:read', 'refunds:write', 'customers:read', 'customers:write', 'merchants:read', 'merchants:write', 'api-keys:read', 'api-keys:write', 'payment-routes:read', 'payment-routes:write', 'channel-limits:read', 'channel-limits:write', 'webhook-endpoints:read', 'webhook-endpoints:write', 'events:read', 'events:write', 'audit-events:read', 'audit-events:write', 'requests:read', 'requests:write', 'provider-health:read', 'provider-health:write', 'support:read']]]
    expiresAt: NotRequired[str | None]
    ipAllowlist: NotRequired[list[IpAllowlistItem]]
    ipRestricted: NotRequired[bool]
    accountBound: NotRequired[bool]
    signatureVersion: NotRequired[int]


class RotateApiKeyRequest(TypedDict):
    overlapSeconds: NotRequired[int]
    signatureVersion: NotRequired[int]


class CreatePaymentRouteRequest(TypedDict):
    provider: str
    paymentMethod: Literal['card', 'upi', 'crypto']
    currencies: NotRequired[list[Currency]]
    countries: NotRequired[list[Country]]
    excludedCountries: NotRequired[list[Country]]
    priority: NotRequired[int]
    weight: NotRequired[int]
    active: NotRequired[bool]


class SimulatePaymentRoutesRequest(TypedDict):
    amount: int
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """
    currency: Currency
    paymentMethod: Literal['card', 'upi', 'crypto']
    country: NotRequired[NullableCountry]
    customerId: NotRequired[str | None]


class UpdatePaymentRouteRequest(TypedDict):
    provider: NotRequired[str]
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    currencies: NotRequired[list[Currency]]
    countries: NotRequired[list[Country]]
    excludedCountries: NotRequired[list[Country]]
    priority: NotRequired[int]
    weight: NotRequired[int]
    active: NotRequired[bool]


class PutChannelLimitRequest(TypedDict):
    minimumAmount: int
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """
    maximumAmount: int
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """


class Failure(TypedDict):
    code: str
    message: str
    details: NotRequired[dict[str, Any]]


class Refund(TypedDict):
    id: str
    object: Literal['refund']
    merchantId: str
    environment: Literal['sandbox', 'production']
    paymentIntentId: str
    transactionId: str
    amount: float
    currency: str
    status: Literal['pending', 'succeeded', 'failed']
    reason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'other'] | None
    reference: str | None
    metadata: dict[str, str]
    provider: str
    failure: Failure | None
    createdAt: str
    updatedAt: str
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource.
    """


class CreateRefundRequest(TypedDict):
    transactionId: NotRequired[str]
    paymentIntentId: NotRequired[str]
    amount: NotRequired[int]
    """
    Whole number in the currency's minor unit: 1999 for 19.99 EUR.
    """
    reason: NotRequired[Literal['requested_by_customer', 'duplicate', 'fraudulent', 'other'] | None]
    reference: NotRequired[str | None]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    metadata: NotRequired[dict[str, str]]


class Transaction(TypedDict):
    id: str
    object: Literal['transaction']
    merchantId: str
    environment: Literal['sandbox', 'production']
    paymentIntentId: str
    attemptId: str
    refundId: str | None
    type: Literal['authorization', 'capture', 'void', 'refund']
    amount: float
    currency: str
    provider: str
    providerReference: str
    createdAt: str
    amountRefunded: NotRequired[float]
    amountRefundable: NotRequired[float]


class WebhookDelivery(TypedDict):
    id: str
    object: Literal['webhook_delivery']
    eventId: str
    webhookEndpointId: str
    status: Literal['pending', 'delivered', 'failed', 'canceled']
    reason: Literal['attempts_used_up', 'endpoint_disabled', 'endpoint_deleted', 'event_not_kept', 'earlier_event_pending'] | None
    attempts: list[WebhookAttempt]
    nextAttemptAt: str | None
    createdAt: str
    finishedAt: str | None


class RedeliverEventRequest(TypedDict):
    webhookEndpointId: NotRequired[str]


class WebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    merchantId: str
    environment: Literal['sandbox', 'production']
    url: str
    description: str | None
    enabledEvents: list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    status: Literal['enabled', 'disabled']
    disabledReason: Literal['by_merchant', 'gone', 'failing'] | None
    disabledAt: str | None
    lastSuccessAt: str | None
    lastFailureAt: str | None
    lastFailure: str | None
    previousSecretExpiresAt: str | None
    createdAt: str
    updatedAt: str


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    description: NotRequired[str | None]
    enabledEvents: NotRequired[list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled']]]


class UpdateWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    description: NotRequired[str | None]
    enabledEvents: NotRequired[list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled']]]
    active: NotRequired[bool]


class RotateWebhookEndpointSecretRequest(TypedDict):
    overlapSeconds: NotRequired[int]


class Pagination(TypedDict):
    page: int
    limit: int
    total: int
    totalPages: int
    totalIsEstimate: NotRequired[bool]
    """
    Present if the list is too long to count, so that `total` is an estimate.
    """


class TimelineLine(TypedDict):
    at: str
    kind: str
    summary: str
    details: dict[str, Any] | None


class IssuedApiKey(TypedDict):
    id: str
    object: Literal['api_key']
    merchantId: str
    environment: Literal['sandbox', 'production']
    name: str
    prefix: str
    status: Literal['active', 'expired', 'revoked']
    scopes: list[str]
    ipRestricted: bool
    ipAllowlist: list[str]
    accountBound: bool
    signatureVersion: float
    expiresAt: str | None
    revokedAt: str | None
    replacedBy: str | None
    createdAt: str
    updatedAt: str
    apiKey: str | None
    secretSalt: str | None
    notice: NotRequired[str]


class WebhookEndpointWithSecret(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    merchantId: str
    environment: Literal['sandbox', 'production']
    url: str
    description: str | None
    enabledEvents: list[Literal['*', 'payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    status: Literal['enabled', 'disabled']
    disabledReason: Literal['by_merchant', 'gone', 'failing'] | None
    disabledAt: str | None
    lastSuccessAt: str | None
    lastFailureAt: str | None
    lastFailure: str | None
    previousSecretExpiresAt: str | None
    createdAt: str
    updatedAt: str
    secret: str | None
    notice: NotRequired[str]


class Health(TypedDict):
    status: Literal['ok']


class Readiness(TypedDict):
    status: Literal['ok']
    database: Literal['ok']
    temporal: Literal['ok']


class WebhookReceipt(TypedDict):
    received: bool


class Customer(TypedDict):
    id: str
    object: Literal['customer']
    merchantId: str
    environment: Literal['sandbox', 'production']
    reference: str | None
    name: str | None
    email: str | None
    phone: str | None
    description: str | None
    country: str | None
    metadata: dict[str, str]
    createdAt: str
    updatedAt: str


class DeletedCustomer(TypedDict):
    id: str
    object: Literal['customer']
    deleted: bool


class MerchantAccount(TypedDict):
    id: str
    object: Literal['merchant_account']
    environment: Literal['sandbox', 'production']
    name: str
    status: Literal['active', 'suspended']
    suspendedBy: Literal['merchant', 'platform'] | None
    retryBudget: float
    refundWindowDays: float
    requireIdempotencyKeys: bool
    createdAt: str
    updatedAt: str


class ApiKey(TypedDict):
    id: str
    object: Literal['api_key']
    merchantId: str
    environment: Literal['sandbox', 'production']
    name: str
    prefix: str
    status: Literal['active', 'expired', 'revoked']
    scopes: list[str]
    ipRestricted: bool
    ipAllowlist: list[str]
    accountBound: bool
    signatureVersion: float
    expiresAt: str | None
    revokedAt: str | None
    replacedBy: str | None
    createdAt: str
    updatedAt: str


class PaymentRoute(TypedDict):
    id: str
    object: Literal['payment_route']
    environment: Literal['sandbox', 'production']
    provider: str
    paymentMethod: Literal['card', 'upi', 'crypto']
    currencies: list[str]
    countries: list[str]
    excludedCountries: list[str]
    priority: float
    weight: float
    active: bool
    createdAt: str
    updatedAt: str


class Route(TypedDict):
    routeId: str
    provider: str
    priority: float
    weight: float
    circuitOpen: bool


class PassedOverItem(TypedDict):
    routeId: str
    provider: str
    reason: Literal['inactive', 'method', 'currency', 'provider_not_configured', 'country']


class Refusal(TypedDict):
    code: Literal['CHANNEL_LIMIT_MIN_EXCEEDED', 'CHANNEL_LIMIT_MAX_EXCEEDED', 'NO_TSP_AVAILABLE', 'UNSUPPORTED_REGION']
    message: str
    details: NotRequired[dict[str, Any]]


class PaymentRouteSimulation(TypedDict):
    object: Literal['payment_route_simulation']
    amount: float
    currency: str
    paymentMethod: Literal['card', 'upi', 'crypto']
    country: str | None
    routes: list[Route]
    passedOver: list[PassedOverItem]
    refusal: Refusal | None


class DeletedPaymentRoute(TypedDict):
    id: str
    object: Literal['payment_route']
    deleted: bool


class ChannelLimit(TypedDict):
    id: str
    object: Literal['channel_limit']
    environment: Literal['sandbox', 'production']
    paymentMethod: Literal['card', 'upi', 'crypto']
    currency: str
    minimumAmount: float
    maximumAmount: float
    createdAt: str
    updatedAt: str


class DeletedChannelLimit(TypedDict):
    id: str
    object: Literal['channel_limit']
    deleted: bool


class StrayCharge(TypedDict):
    """
    Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it.
    """

    attemptId: str
    provider: str
    amount: float
    currency: str
    reversedBy: Literal['void', 'refund']


class WebhookRedelivery(TypedDict):
    object: Literal['webhook_redelivery']
    eventId: str
    deliveries: list[WebhookDelivery]


class Actor(TypedDict):
    type: Literal['api_key', 'operator', 'system']
    id: str
    address: str


class AuditEvent(TypedDict):
    id: str
    object: Literal['audit_event']
    environment: Literal['sandbox', 'production']
    merchantId: str | None
    action: Literal['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.revoked', 'merchant_account.created', 'merchant_account.updated', 'merchant_account.suspended', 'merchant_account.activated', 'payment_route.created', 'payment_route.updated', 'payment_route.deleted', 'channel_limit.created', 'channel_limit.updated', 'channel_limit.deleted', 'webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.disabled', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.deleted', 'payment_intent.provider_asked', 'payment_intent.settled']
    resourceId: str
    actor: Actor
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    createdAt: str


class Request(TypedDict):
    id: str
    object: Literal['request']
    merchantId: str
    environment: Literal['sandbox', 'production']
    apiKeyId: str
    method: str
    path: str
    status: float
    code: str | None
    durationMs: float
    requestBody: Any
    """
    The JSON without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or no JSON.
    """
    responseBody: Any
    """
    The JSON without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or no JSON.
    """
    createdAt: str


class Latency(TypedDict):
    medianMs: float
    p95Ms: float


class Circuit(TypedDict):
    state: Literal['closed', 'open', 'half_open']
    openUntil: str | None
    failingSince: str | None


class ProviderHealth(TypedDict):
    provider: str
    object: Literal['provider_health']
    environment: Literal['sandbox', 'production']
    windowSeconds: float
    attempts: float
    approved: float
    unanswered: float
    successRate: float | None
    latency: Latency | None
    circuit: Circuit


class WebhookTest(TypedDict):
    object: Literal['webhook_test']
    eventId: str
    webhookEndpointId: str
    createdAt: str


class DeletedWebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    deleted: bool


class ListPaymentIntentsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    id: NotRequired[str]
    """
    An id of anything about the payment: of the payment intent, an attempt, a transaction, a refund or the customer, or the one that a provider gave the payment or a refund.
    """
    reference: NotRequired[str]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    last4: NotRequired[str]
    """
    The last four digits of the card; of several that were tried, of the last one.
    """
    metadata: NotRequired[dict[str, str]]
    """
    `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly.
    """
    status: NotRequired[Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']]
    customerId: NotRequired[str]
    currency: NotRequired[Currency]
    amountMin: NotRequired[int]
    """
    The smallest amount, in minor units.
    """
    amountMax: NotRequired[int]
    """
    The largest amount, in minor units.
    """
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]


class ListCustomersQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    reference: NotRequired[str]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    metadata: NotRequired[dict[str, str]]
    """
    `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly.
    """
    email: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]


class ListMerchantAccountsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]


class ListApiKeysQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]


class ListPaymentRoutesQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    provider: NotRequired[str]
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    currency: NotRequired[Currency]
    country: NotRequired[Country]
    active: NotRequired[Literal['true', 'false']]


class ListChannelLimitsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    paymentMethod: NotRequired[Literal['card', 'upi', 'crypto']]
    currency: NotRequired[Currency]


class ListRefundsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    paymentIntentId: NotRequired[str]
    reference: NotRequired[str]
    """
    The merchant's own number, such as that of the order: up to 100 printable ASCII characters.
    """
    metadata: NotRequired[dict[str, str]]
    """
    `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly.
    """
    status: NotRequired[Literal['pending', 'succeeded', 'failed']]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]


class ListTransactionsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    paymentIntentId: NotRequired[str]
    type: NotRequired[Literal['authorization', 'capture', 'void', 'refund']]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]


class ListEventsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    type: NotRequired[Literal['payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled', 'webhook_endpoint.test']]
    resourceId: NotRequired[str]
    after: NotRequired[str]


class ListEventDeliveriesQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]


class ListAuditEventsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    action: NotRequired[Literal['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.revoked', 'merchant_account.created', 'merchant_account.updated', 'merchant_account.suspended', 'merchant_account.activated', 'payment_route.created', 'payment_route.updated', 'payment_route.deleted', 'channel_limit.created', 'channel_limit.updated', 'channel_limit.deleted', 'webhook_endpoint.created', 'webhook_endpoint.updated', 'webhook_endpoint.disabled', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.deleted', 'payment_intent.provider_asked', 'payment_intent.settled']]
    resourceId: NotRequired[str]


class ListRequestsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]
    status: NotRequired[int]
    code: NotRequired[str]
    path: NotRequired[str]
    createdAfter: NotRequired[str]
    createdBefore: NotRequired[str]


class ListProviderHealthQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]


class ListWebhookEndpointsQuery(TypedDict):
    page: NotRequired[int]
    """
    From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`.
    """
    limit: NotRequired[int]


MaskedPaymentMethod: TypeAlias = MaskedCard | MaskedUpi | MaskedCrypto
"""
A masked payment method.
"""


NextAction: TypeAlias = RedirectAction | ApproveInAppAction | CryptoDepositAction
"""
What the customer has to do before the payment continues.
"""


class CreatedPaymentIntent(TypedDict):
    """
    The only response with the client secret.
    """

    id: str
    object: Literal['payment_intent']
    merchantId: str
    environment: Literal['sandbox', 'production']
    amount: int
    currency: str
    amountCapturable: int
    amountCaptured: int
    amountRefunded: int
    status: Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']
    reference: str | None
    description: str | None
    customerId: str | None
    country: str | None
    captureMethod: Literal['automatic', 'manual']
    paymentMethod: MaskedPaymentMethod | None
    nextAction: NextAction | None
    provider: str | None
    attempts: list[PaymentAttempt]
    lastError: LastError | None
    advisory: Advisory | None
    cancellationReason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned', 'requested_by_operator', 'retries_exhausted', 'authorization_lapsed'] | None
    metadata: dict[str, str]
    expiresAt: str
    createdAt: str
    updatedAt: str
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource.
    """
    clientSecret: str


class StoredPaymentMethod(TypedDict):
    """
    A payment method that is stored for one payment intent.
    """

    id: str
    object: Literal['payment_method']
    paymentIntentId: str
    paymentMethod: MaskedPaymentMethod


class PaymentIntent(TypedDict):
    id: str
    object: Literal['payment_intent']
    merchantId: str
    environment: Literal['sandbox', 'production']
    amount: int
    currency: str
    amountCapturable: int
    amountCaptured: int
    amountRefunded: int
    status: Literal['requires_payment_method', 'processing', 'requires_action', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']
    reference: str | None
    description: str | None
    customerId: str | None
    country: str | None
    captureMethod: Literal['automatic', 'manual']
    paymentMethod: MaskedPaymentMethod | None
    nextAction: NextAction | None
    provider: str | None
    attempts: list[PaymentAttempt]
    lastError: LastError | None
    advisory: Advisory | None
    cancellationReason: Literal['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned', 'requested_by_operator', 'retries_exhausted', 'authorization_lapsed'] | None
    metadata: dict[str, str]
    expiresAt: str
    createdAt: str
    updatedAt: str
    workflowUrl: NotRequired[str]
    """
    The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource.
    """


class Event(TypedDict):
    id: str
    object: Literal['event']
    type: Literal['payment_intent.created', 'payment_intent.processing', 'payment_intent.requires_action', 'payment_intent.amount_capturable', 'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.stuck', 'payment_intent.canceled', 'payment_intent.expired', 'payment_intent.stray_charge_reversed', 'refund.created', 'refund.succeeded', 'refund.failed', 'transaction.created', 'webhook_endpoint.disabled', 'webhook_endpoint.test']
    createdAt: str
    environment: Literal['sandbox', 'production']
    merchantId: str
    sequence: float
    data: PaymentIntent | Refund | Transaction | WebhookEndpoint
    strayCharge: NotRequired[StrayCharge]
    """
    Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it.
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
    The exact cause, in one word.
    """
    scope: NotRequired[str]
    """
    The scope that the API key lacks.
    """
    limit: NotRequired[int]
    """
    Requests a minute.
    """
    remaining: NotRequired[int]
    resetAt: NotRequired[str]
    minimumAmount: NotRequired[int]
    maximumAmount: NotRequired[int]
    paymentIntent: NotRequired[PaymentIntent]
    """
    The payment intent after the failure.
    """
    refund: NotRequired[Refund]
    """
    The refund after the failure.
    """


class ApiError(TypedDict):
    code: ErrorCode
    message: str
    """
    A message for people.
    """
    type: ErrorType
    details: NotRequired[ErrorDetails]
    requestId: str
    """
    The same as the header X-Request-Id.
    """
