import type { ERROR_CATALOGUE, ErrorCode } from '../../domain/error-catalogue.ts';

type ErrorType = (typeof ERROR_CATALOGUE)[ErrorCode]['type'];

/** When each type of error happens. */
export const ERROR_TYPE_MEANINGS: Readonly<Record<ErrorType, string>> = {
  authentication_error: 'the API key, the signature or the time of the request is not accepted',
  permission_error: 'the API key may not do this',
  validation_error: 'the request is malformed, or a value in it is not valid',
  resource_error: 'the resource does not exist, or its state does not allow the operation',
  payment_error: 'the payment was refused or failed',
  refund_error: 'the refund was refused or failed',
  rate_limit_error: 'too many requests',
  provider_error: 'a provider failed',
  operational_error: 'no provider could carry out the payment, or a provider refused it for another reason',
  internal_error: 'the service failed or is overloaded',
};

/** When each code is returned, and what the client should do. */
export const ERROR_CODE_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'the header `Authorization` is missing, or has no API key that exists',
  INVALID_SIGNATURE:
    'the signature does not match the request, a header of it is missing, or the nonce was used before ' +
    '(`details.reason` is `nonce_used`); sign the bytes that are sent, and each try anew',
  TIMESTAMP_EXPIRED: '`X-Timestamp` is missing, malformed or more than 5 minutes off; set the clock',
  API_KEY_REVOKED: 'the API key was revoked; use another one',
  API_KEY_EXPIRED: 'the API key has expired; use another one',
  IP_NOT_WHITELISTED: "the request's address is not in the `ipAllowlist` of the API key",
  INSUFFICIENT_PERMISSIONS: 'the API key lacks the scope in `details.scope`',
  FORBIDDEN: 'the API key may not act for the account in `X-Merchant-ID`, or may not do this',
  MERCHANT_SUSPENDED: 'the merchant account is suspended',
  INVALID_REQUEST: 'the body is not JSON, or a field that every such request needs is missing',
  VALIDATION_ERROR: 'fields are not valid; `details.fields` lists them all',
  INVALID_AMOUNT: 'the amount is too small or too large; one that is no whole number gets `VALIDATION_ERROR`',
  INVALID_CURRENCY: 'the currency is not supported',
  INVALID_PAYMENT_METHOD:
    'there is no such payment method; use `card`, `upi` or `crypto`, or a `paymentMethodId` that is stored for this ' +
    'payment intent',
  MISSING_REQUIRED_FIELD:
    'a field that this request needs is missing; `details.field` names it. It may be the header `X-Idempotency-Key`, ' +
    'where the account demands one',
  RESOURCE_NOT_FOUND: 'the account has no resource of that id, or there is no such path',
  PAYMENT_INTENT_NOT_FOUND: 'the account has no payment intent of that id',
  TRANSACTION_NOT_FOUND: 'the account has no transaction of that id',
  CUSTOMER_NOT_FOUND: 'the account has no customer of that id',
  REFUND_NOT_FOUND: 'the account has no refund of that id',
  DUPLICATE_REQUEST:
    'the idempotency key belongs to another request, or to one that is still running; for the latter, send the same ' +
    'request again after `Retry-After`',
  STATE_CONFLICT: 'the state of the resource does not allow the operation, or another change came first; read it again',
  PAYMENT_FAILED: 'the payment could not be processed; confirm it again, with another payment method',
  PAYMENT_DECLINED: 'the provider declined the payment; ask the customer for another payment method',
  PAYMENT_EXPIRED: 'the payment intent was not paid in time; create another one',
  INSUFFICIENT_FUNDS: "the customer's account has insufficient funds; ask for another payment method",
  CARD_DECLINED: 'the card was declined; ask the customer for another one',
  FRAUD_DETECTED: 'the provider suspects fraud, and the payment has failed for good; do not tell the customer why',
  LIMIT_EXCEEDED: 'the amount is above a limit of the card or account; ask the customer for another payment method',
  REFUND_FAILED: 'the provider refused the refund; `details.refund` says what is known',
  REFUND_NOT_ALLOWED:
    'there is nothing captured to refund, or the account at the provider which captured it was deleted',
  REFUND_AMOUNT_EXCEEDED: 'less is left to refund; `details.refundableAmount` says how much',
  REFUND_WINDOW_CLOSED: 'the refund window of the account is over; `details.refundableUntil` says since when',
  CHANNEL_LIMIT_MIN_EXCEEDED: 'the amount is below `details.minimumAmount` of the payment method in this currency',
  CHANNEL_LIMIT_MAX_EXCEEDED: 'the amount is above `details.maximumAmount` of the payment method in this currency',
  RATE_LIMIT_EXCEEDED: 'too many requests, or too many declined cards; try again after `Retry-After`',
  TSP_ERROR: 'the provider answered with an error; try again later',
  TSP_TIMEOUT: 'the provider did not answer in time; try again with the same idempotency key',
  TSP_UNAVAILABLE: 'the provider is unavailable; try again with the same idempotency key',
  NO_TSP_AVAILABLE: 'no active payment route accepts the payment method and currency; check the payment routes',
  UNSUPPORTED_REGION: "no payment route accepts the customer's country",
  UNSUPPORTED_CURRENCY_PAIR: 'the provider does not exchange this currency and asset; choose another asset',
  PROVIDER_VALIDATION_ERROR: 'the provider refused the request; `details.providerResponse` has its answer',
  PROVIDER_UNAVAILABLE: 'no provider could be reached, and nothing was charged; confirm the payment again later',
  PAYMENT_STUCK:
    'the payment has been in its state for unusually long, and continues. No error response has this code: it is in ' +
    '`advisory` of the payment intent',
  PAYMENT_RETRIES_EXHAUSTED:
    'every attempt that the payment may make is used up, and it was canceled; create another payment intent',
  TSP_PAYMENT_FAILED: 'the provider reported that the payment failed for good; create another payment intent',
  CRYPTO_DEPOSIT_FAILED: 'the deposit failed or was not the right one; `details.reason` says why',
  METHOD_NOT_ALLOWED: 'the path does not take this method; the header `Allow` lists those that it takes',
  NOT_ACCEPTABLE: 'the header `Accept` allows neither `application/json` nor another media type that the resource has',
  INTERNAL_ERROR: 'a defect of the service; report it with `requestId`',
  SERVICE_UNAVAILABLE:
    'the service is overloaded or cannot reach a part of itself; try again after `Retry-After`, with the same ' +
    'idempotency key',
};
