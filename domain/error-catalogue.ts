/** The values of `error.type`. */
type ErrorType =
  | 'authentication_error'
  | 'permission_error'
  | 'validation_error'
  | 'resource_error'
  | 'payment_error'
  | 'refund_error'
  | 'rate_limit_error'
  | 'provider_error'
  | 'operational_error'
  | 'internal_error';

interface CatalogueEntry {
  /** HTTP status of a response that carries the code. */
  readonly status: number;
  readonly type: ErrorType;
  /** Whether the same request may succeed if sent again after 1 s, 2 s, 4 s. */
  readonly transient: boolean;
  /** The default message for people. */
  readonly message: string;
}

const entry = (status: number, type: ErrorType, message: string, transient = false): CatalogueEntry => ({
  status,
  type,
  transient,
  message,
});

const notFound = (what: string, id?: string): CatalogueEntry =>
  entry(
    404,
    'resource_error',
    `No ${what} has this id${id === undefined ? '' : ` (${id})`} in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.`,
  );

/** Every error code, in HTTP responses and in `payment-failed` events. */
export const ERROR_CATALOGUE = {
  UNAUTHORIZED: entry(
    401,
    'authentication_error',
    'Expected the header `Authorization: Bearer <API key>` with a key that exists (svc_test_… in the sandbox, svc_live_… in production).',
  ),
  INVALID_SIGNATURE: entry(
    401,
    'authentication_error',
    'Expected X-Secret-Salt with the salt of the API key, and X-Signature with the HMAC-SHA256, in hex, of X-Timestamp followed by the bytes of the body, keyed with that salt. Sign the bytes that you send, unchanged.',
  ),
  TIMESTAMP_EXPIRED: entry(
    401,
    'authentication_error',
    "The timestamp is missing, malformed or outside the allowed window: expected X-Timestamp with a UTC time such as 2026-11-22T12:00:00Z, at most 5 minutes from the server's.",
  ),
  API_KEY_REVOKED: entry(401, 'authentication_error', 'The API key has been revoked. Use another key of the account.'),
  API_KEY_EXPIRED: entry(
    401,
    'authentication_error',
    'The API key has expired, or was rotated and its overlap has ended. Use the key that replaced it, or another key of the account.',
  ),
  IP_NOT_WHITELISTED: entry(
    403,
    'permission_error',
    'The request came from an address that is not on the list of this API key. Send it from a listed one, or add the address to ipAllowlist of the key.',
  ),
  INSUFFICIENT_PERMISSIONS: entry(
    403,
    'permission_error',
    'The API key lacks the scope that this operation needs. Use a key that has it, or add it to the scopes of this one.',
  ),
  FORBIDDEN: entry(403, 'permission_error', 'Access denied.'),
  MERCHANT_SUSPENDED: entry(
    403,
    'permission_error',
    'The merchant account is suspended, so that it takes no requests. If the merchant suspended it, a key of another of its accounts can activate it again; otherwise only the platform can.',
  ),

  INVALID_REQUEST: entry(400, 'validation_error', 'The request is malformed.'),
  VALIDATION_ERROR: entry(422, 'validation_error', 'One or more fields failed validation.'),
  INVALID_AMOUNT: entry(422, 'validation_error', 'The amount is invalid or out of range.'),
  INVALID_CURRENCY: entry(422, 'validation_error', 'The currency is not supported.'),
  INVALID_PAYMENT_METHOD: entry(422, 'validation_error', 'The payment method is not available.'),
  MISSING_REQUIRED_FIELD: entry(400, 'validation_error', 'A field this operation needs is missing.'),

  RESOURCE_NOT_FOUND: notFound('resource'),
  PAYMENT_INTENT_NOT_FOUND: notFound('payment intent', 'pi_…'),
  TRANSACTION_NOT_FOUND: notFound('transaction', 'txn_…'),
  CUSTOMER_NOT_FOUND: notFound('customer', 'cus_…'),
  REFUND_NOT_FOUND: notFound('refund', 're_…'),
  DUPLICATE_REQUEST: entry(
    409,
    'resource_error',
    'The idempotency key belongs to another request, or to one that is still running.',
  ),
  STATE_CONFLICT: entry(409, 'resource_error', 'The resource is in a state that does not allow this operation.'),

  PAYMENT_FAILED: entry(
    400,
    'payment_error',
    'The payment could not be processed. Pay again, or with another payment method.',
  ),
  PAYMENT_DECLINED: entry(
    400,
    'payment_error',
    'The payment was declined by the provider. Pay with another payment method.',
  ),
  PAYMENT_EXPIRED: entry(409, 'payment_error', 'The payment intent has expired. Create a new one to pay.'),
  INSUFFICIENT_FUNDS: entry(
    400,
    'payment_error',
    'The account has insufficient funds. Pay with another card or payment method.',
  ),
  CARD_DECLINED: entry(400, 'payment_error', 'The card was declined. Pay with another card or payment method.'),
  FRAUD_DETECTED: entry(400, 'payment_error', 'The payment was refused as suspicious.'),
  LIMIT_EXCEEDED: entry(
    422,
    'payment_error',
    'The payment exceeds a limit of the payment method. Pay less, or with another payment method.',
  ),

  REFUND_FAILED: entry(
    400,
    'refund_error',
    'The refund could not be processed: no money was returned. Create another refund, or return the money in another way.',
  ),
  REFUND_NOT_ALLOWED: entry(
    409,
    'refund_error',
    'Only captured money can be refunded, by the id of its payment intent or capture.',
  ),
  REFUND_AMOUNT_EXCEEDED: entry(422, 'refund_error', 'The refund exceeds the amount that is left to refund.'),
  REFUND_WINDOW_CLOSED: entry(409, 'refund_error', 'The time in which the transaction could be refunded is over.'),

  CHANNEL_LIMIT_MIN_EXCEEDED: entry(
    422,
    'validation_error',
    'The amount is below the minimum of the selected payment method.',
  ),
  CHANNEL_LIMIT_MAX_EXCEEDED: entry(
    422,
    'validation_error',
    'The amount is above the maximum of the selected payment method.',
  ),

  RATE_LIMIT_EXCEEDED: entry(
    429,
    'rate_limit_error',
    'Too many requests. Send again after the seconds in Retry-After, and fewer at a time.',
    true,
  ),

  TSP_ERROR: entry(
    502,
    'provider_error',
    'The provider returned an error. Repeat the request with the same idempotency key.',
  ),
  TSP_TIMEOUT: entry(
    502,
    'provider_error',
    'The provider did not answer in time. Repeat the request with the same idempotency key after 1, 2 and 4 s.',
    true,
  ),
  TSP_UNAVAILABLE: entry(
    502,
    'provider_error',
    'The provider is unavailable. Repeat the request with the same idempotency key after 1, 2 and 4 s.',
    true,
  ),

  NO_TSP_AVAILABLE: entry(
    503,
    'operational_error',
    'No active payment route can fulfil the request. Simulate the payment (POST /api/v1/payment-routes/simulate) to see why, and change the routes, or the payment.',
  ),
  UNSUPPORTED_REGION: entry(
    400,
    'operational_error',
    "No provider supports the customer's country. Offer another payment method.",
  ),
  UNSUPPORTED_CURRENCY_PAIR: entry(
    400,
    'operational_error',
    'The provider does not support this pair of currencies. Create the payment intent in another currency.',
  ),
  PROVIDER_VALIDATION_ERROR: entry(
    400,
    'operational_error',
    'The provider refused the request for a reason that is not known here: see details.providerResponse.',
  ),
  PROVIDER_UNAVAILABLE: entry(
    502,
    'operational_error',
    'No provider could be reached; the payment was not charged. Confirm it again later.',
  ),
  PAYMENT_STUCK: entry(
    200,
    'operational_error',
    'The payment is taking longer than usual and is still being processed.',
  ),
  PAYMENT_RETRIES_EXHAUSTED: entry(
    400,
    'operational_error',
    'Every attempt this payment may make is used up; the intent was canceled. Create a new payment intent, for another payment method.',
  ),
  TSP_PAYMENT_FAILED: entry(
    400,
    'operational_error',
    'The provider reported that the payment failed for good. Create a new payment intent to pay again.',
  ),
  CRYPTO_DEPOSIT_FAILED: entry(
    400,
    'operational_error',
    'The crypto deposit failed. Keep the transaction hash, and ask support about what was sent.',
  ),

  METHOD_NOT_ALLOWED: entry(
    405,
    'resource_error',
    'The resource does not take this method; the Allow header lists those that it takes.',
  ),
  NOT_ACCEPTABLE: entry(
    406,
    'validation_error',
    'The Accept header allows no media type that the resource has. Leave it out, or allow application/json.',
  ),
  INTERNAL_ERROR: entry(
    500,
    'internal_error',
    'Something went wrong on our side. Repeat the request with the same idempotency key; if it fails again, tell support its requestId.',
  ),
  SERVICE_UNAVAILABLE: entry(
    503,
    'internal_error',
    'The service cannot answer right now. Repeat the request, with the same idempotency key, after the seconds in Retry-After.',
    true,
  ),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Whether a string is a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}

/**
 * Ends a message for developers with the address of its code's page, relative to the API. Messages that shops may show to their
 * customers, about why a payment was declined, get no address.
 */
export function withHelp(code: ErrorCode, message: string): string {
  return ERROR_CATALOGUE[code].type === 'payment_error' ? message : `${message} See /docs/errors#${code}.`;
}
