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

/** Every error code, in HTTP responses and in `payment-failed` events. */
export const ERROR_CATALOGUE = {
  UNAUTHORIZED: entry(401, 'authentication_error', 'The API key is missing or invalid.'),
  INVALID_SIGNATURE: entry(401, 'authentication_error', 'The request signature or secret salt is missing or wrong.'),
  TIMESTAMP_EXPIRED: entry(
    401,
    'authentication_error',
    'The request timestamp is missing, malformed or outside the allowed window of 5 minutes.',
  ),
  API_KEY_REVOKED: entry(401, 'authentication_error', 'The API key has been revoked.'),
  API_KEY_EXPIRED: entry(401, 'authentication_error', 'The API key has expired.'),
  IP_NOT_WHITELISTED: entry(403, 'permission_error', 'The source address is not on the list of this API key.'),
  INSUFFICIENT_PERMISSIONS: entry(403, 'permission_error', 'The API key lacks the scope this operation needs.'),
  FORBIDDEN: entry(403, 'permission_error', 'Access denied.'),
  MERCHANT_SUSPENDED: entry(403, 'permission_error', 'The merchant account is suspended.'),

  INVALID_REQUEST: entry(400, 'validation_error', 'The request is malformed.'),
  VALIDATION_ERROR: entry(422, 'validation_error', 'One or more fields failed validation.'),
  INVALID_AMOUNT: entry(422, 'validation_error', 'The amount is invalid or out of range.'),
  INVALID_CURRENCY: entry(422, 'validation_error', 'The currency is not supported.'),
  INVALID_PAYMENT_METHOD: entry(422, 'validation_error', 'The payment method is not available.'),
  MISSING_REQUIRED_FIELD: entry(400, 'validation_error', 'A field this operation needs is missing.'),

  RESOURCE_NOT_FOUND: entry(404, 'resource_error', 'The resource does not exist.'),
  PAYMENT_INTENT_NOT_FOUND: entry(404, 'resource_error', 'The payment intent does not exist.'),
  TRANSACTION_NOT_FOUND: entry(404, 'resource_error', 'The transaction does not exist.'),
  CUSTOMER_NOT_FOUND: entry(404, 'resource_error', 'The customer does not exist.'),
  REFUND_NOT_FOUND: entry(404, 'resource_error', 'The refund does not exist.'),
  DUPLICATE_REQUEST: entry(
    409,
    'resource_error',
    'The idempotency key belongs to another request, or to one that is still running.',
  ),
  STATE_CONFLICT: entry(409, 'resource_error', 'The resource is in a state that does not allow this operation.'),

  PAYMENT_FAILED: entry(400, 'payment_error', 'The payment could not be processed.'),
  PAYMENT_DECLINED: entry(400, 'payment_error', 'The payment was declined by the provider.'),
  PAYMENT_EXPIRED: entry(409, 'payment_error', 'The payment intent has expired.'),
  INSUFFICIENT_FUNDS: entry(400, 'payment_error', 'The account has insufficient funds.'),
  CARD_DECLINED: entry(400, 'payment_error', 'The card was declined.'),
  FRAUD_DETECTED: entry(400, 'payment_error', 'The payment was refused as suspicious.'),
  LIMIT_EXCEEDED: entry(422, 'payment_error', 'The payment exceeds a limit of the payment method.'),

  REFUND_FAILED: entry(400, 'refund_error', 'The refund could not be processed.'),
  REFUND_NOT_ALLOWED: entry(409, 'refund_error', 'The transaction cannot be refunded.'),
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

  RATE_LIMIT_EXCEEDED: entry(429, 'rate_limit_error', 'Too many requests.', true),

  TSP_ERROR: entry(502, 'provider_error', 'The provider returned an error.'),
  TSP_TIMEOUT: entry(502, 'provider_error', 'The provider did not answer in time.', true),
  TSP_UNAVAILABLE: entry(502, 'provider_error', 'The provider is unavailable.', true),

  NO_TSP_AVAILABLE: entry(503, 'operational_error', 'No active payment route can fulfil the request.'),
  UNSUPPORTED_REGION: entry(400, 'operational_error', "No provider supports the customer's country."),
  UNSUPPORTED_CURRENCY_PAIR: entry(400, 'operational_error', 'The provider does not support this pair of currencies.'),
  PROVIDER_VALIDATION_ERROR: entry(
    400,
    'operational_error',
    'The provider refused the request for a reason that is not known here.',
  ),
  PROVIDER_UNAVAILABLE: entry(502, 'operational_error', 'No provider could be reached; the payment was not charged.'),
  PAYMENT_STUCK: entry(
    200,
    'operational_error',
    'The payment is taking longer than usual and is still being processed.',
  ),
  PAYMENT_RETRIES_EXHAUSTED: entry(
    400,
    'operational_error',
    'Every attempt this payment may make is used up; the intent was canceled.',
  ),
  TSP_PAYMENT_FAILED: entry(400, 'operational_error', 'The provider reported that the payment failed for good.'),
  CRYPTO_DEPOSIT_FAILED: entry(400, 'operational_error', 'The crypto deposit failed.'),

  METHOD_NOT_ALLOWED: entry(405, 'resource_error', 'The resource does not take this method.'),
  INTERNAL_ERROR: entry(500, 'internal_error', 'Something went wrong on our side.'),
  SERVICE_UNAVAILABLE: entry(503, 'internal_error', 'The service cannot answer right now; try again shortly.', true),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Whether a string is a code of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}
