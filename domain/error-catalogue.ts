/** The values of `error.type`. */
export type ErrorType =
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
  readonly transient?: true;
  /** The default message for people. */
  readonly message: string;
  /** Why it happens, in Markdown; links are relative to `docs`. */
  readonly why: string;
  /** What whoever gets it can do. */
  readonly whatToDo: string;
}

const ENTRIES = {
  UNAUTHORIZED: {
    status: 401,
    type: 'authentication_error',
    message:
      'Expected the header `Authorization: Bearer <API key>` with a key that exists (svc_test_… in the sandbox, svc_live_… in production).',
    why: '`Authorization` is missing, was sent twice, is not `Bearer` and a key, or names a key or client secret that does not exist.',
    whatToDo:
      'Send the key as it was issued. A sandbox key begins with `svc_test_`, a production key with `svc_live_`: take the one of the installation that you call.',
  },
  INVALID_SIGNATURE: {
    status: 401,
    type: 'authentication_error',
    message:
      'Expected X-Secret-Salt with the salt of the API key, and X-Signature with the HMAC-SHA256, in hex, of X-Timestamp followed by the bytes of the body, keyed with that salt. Sign the bytes that you send, unchanged.',
    why: 'The signature is not that of this request. Most often the body was serialized twice, and the bytes that were signed are not the bytes that were sent. It also comes when the salt belongs to another key, when a key on version 2, as every new key is, is used with version 1, and when a nonce is used again (`details.reason: "nonce_used"`). A provider\'s webhook gets it where it lacks the provider\'s own signature.',
    whatToDo:
      "Serialize the body once, sign that text and send that text. Compare each step with the signature calculator at `/docs/signature-calculator`. Sign each retry anew. For a provider's webhook, compare the secret at the provider with that of the [account](providers/README.md).",
  },
  TIMESTAMP_EXPIRED: {
    status: 401,
    type: 'authentication_error',
    message:
      "The timestamp is missing, malformed or outside the allowed window: expected X-Timestamp with a UTC time such as 2026-11-22T12:00:00Z, at most 5 minutes from the server's.",
    why: '`X-Timestamp` is missing, is not a UTC time such as `2026-11-22T12:00:00Z`, or is more than 5 minutes off.',
    whatToDo:
      'Take the time when you send the request, not when you build it, and sign each retry anew. Synchronize the clock of your server.',
  },
  API_KEY_REVOKED: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key has been revoked. Use another key of the account.',
    why: 'Somebody revoked the key.',
    whatToDo: 'Use another key of the account. The [audit log](api.md#audit-log) says who revoked it and when.',
  },
  API_KEY_EXPIRED: {
    status: 401,
    type: 'authentication_error',
    message:
      'The API key has expired, or was rotated and its overlap has ended. Use the key that replaced it, or another key of the account.',
    why: "The key's `expiresAt` has passed. A rotation sets it: the old key expires when the overlap ends. Or the request came from a page with a client secret whose payment has ended: the secret can then only read the payment, for 24 hours more.",
    whatToDo:
      'Use the key that replaced it, or another key of the account. Rotate keys before they expire: the overlap keeps both valid for a while. A page shows the outcome of its payment; to pay again, create another payment intent, and give the page its client secret.',
  },
  IP_NOT_WHITELISTED: {
    status: 403,
    type: 'permission_error',
    message:
      'The request came from an address that is not on the list of this API key. Send it from a listed one, or add the address to ipAllowlist of the key.',
    why: 'The key accepts requests only from the addresses of its `ipAllowlist`, and this one came from another address.',
    whatToDo:
      'Send the request from a server on the list, or add the public address of the server to the list with another key.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    type: 'permission_error',
    message:
      'The API key lacks the scope that this operation needs. Use a key that has it, or add it to the scopes of this one.',
    why: "The key lacks the scope of the operation. `details.scope` names it, and so does the operation's description. Or a checkout page asked for more than [its own payment](api.md#what-a-checkout-page-may-do).",
    whatToDo:
      'Use a key with that scope, or add the scope with a key that has it. A request that a page may not send must come from your server.',
  },
  FORBIDDEN: {
    status: 403,
    type: 'permission_error',
    message: 'Access denied.',
    why: 'The key may not act for the account in `X-Merchant-ID`, or a production key came over plain HTTP, or the operation does not exist for this key.',
    whatToDo: "Check the account's id, use HTTPS, and read the message: it says what was expected.",
  },
  MERCHANT_SUSPENDED: {
    status: 403,
    type: 'permission_error',
    message:
      'The merchant account is suspended, so that it takes no requests. If the merchant suspended it, a key of another of its accounts can activate it again; otherwise only the platform can.',
    why: 'The merchant account is suspended. Every request that acts for it is refused; people in the dashboard can still read.',
    whatToDo:
      'Stop sending payments. The [audit log](api.md#audit-log) of the merchant says who suspended the account. If the merchant did, a key of another account of the merchant can activate it again. If the platform did, or the merchant has no other active account, only the platform can.',
  },

  INVALID_REQUEST: {
    status: 400,
    type: 'validation_error',
    message: 'The request is malformed.',
    why: 'The request cannot be read: malformed JSON, a member that is there twice, a body that is not an object, another content type than `application/json`, a body that is too large. Or a required field is absent: then `details.field` names it.',
    whatToDo: "Send what the operation's description asks for. `details.reason` says what was wrong in one word.",
  },
  VALIDATION_ERROR: {
    status: 422,
    type: 'validation_error',
    message: 'One or more fields failed validation.',
    why: 'The request can be read, but values are wrong. `details.fields` has every field with its problem, unknown fields included.',
    whatToDo: 'Correct all listed fields. If they come from a form of yours, show each message beside its input.',
  },
  INVALID_AMOUNT: {
    status: 422,
    type: 'validation_error',
    message: 'The amount is invalid or out of range.',
    why: 'The amount is 0 or less, larger than the engine takes, or, in a capture, more than is authorized. An amount that is no whole number, such as `19.99` or `"1999"`, gets `VALIDATION_ERROR`.',
    whatToDo: 'Send 19.99 EUR as `1999`, 500 JPY as `500`, and 1.500 KWD as `1500`.',
  },
  INVALID_CURRENCY: {
    status: 422,
    type: 'validation_error',
    message: 'The currency is not supported.',
    why: 'The currency is not one that the engine supports.',
    whatToDo: 'Send its ISO 4217 code in capitals, such as `EUR`. The reference lists all of them.',
  },
  INVALID_PAYMENT_METHOD: {
    status: 422,
    type: 'validation_error',
    message: 'The payment method is not available.',
    why: 'The engine has no payment method of this name, or `paymentMethodId` is not stored for this payment intent. Wrong values of a method, such as a card number whose check digit is wrong, an expiry in the past or a malformed UPI address, get `VALIDATION_ERROR`.',
    whatToDo:
      'Send `card`, `upi` or `crypto`, or the id that storing the method gave for this payment intent. `details.fields` names the field.',
  },
  MISSING_REQUIRED_FIELD: {
    status: 400,
    type: 'validation_error',
    message: 'A field this operation needs is missing.',
    why: 'This request needs a field that others do not need, such as `paymentMethod` in the first confirm, or `X-Idempotency-Key` where the account demands it. `details.field` names it.',
    whatToDo: 'Add the field.',
  },

  RESOURCE_NOT_FOUND: {
    status: 404,
    type: 'resource_error',
    message:
      'No resource has this id in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.',
    why: "There is no such resource in this account and environment, or no such path. A provider's webhook gets it where the address names no provider, or an account at a provider that was deleted.",
    whatToDo:
      'Check the id and the path. A resource of another account needs its `X-Merchant-ID`; one of production needs a production key.',
  },
  PAYMENT_INTENT_NOT_FOUND: {
    status: 404,
    type: 'resource_error',
    message:
      'No payment intent has this id (pi_…) in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.',
    why: 'The account has no payment intent with this id in this environment, or it is so old that it was deleted.',
    whatToDo: 'Check the id, the account and the environment of the key.',
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    type: 'resource_error',
    message:
      'No transaction has this id (txn_…) in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.',
    why: 'The account has no transaction with this id in this environment.',
    whatToDo: 'Transaction ids begin with `txn_`. List those of a payment with its `paymentIntentId`.',
  },
  CUSTOMER_NOT_FOUND: {
    status: 404,
    type: 'resource_error',
    message:
      'No customer has this id (cus_…) in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.',
    why: 'The account has no customer with this id, or the customer was deleted.',
    whatToDo: 'Check the id, or create the customer again.',
  },
  REFUND_NOT_FOUND: {
    status: 404,
    type: 'resource_error',
    message:
      'No refund has this id (re_…) in the merchant account and environment of the API key. Check the id, and that key and X-Merchant-ID are those of its account.',
    why: 'The account has no refund with this id in this environment.',
    whatToDo:
      'Check the id. A refund whose creation got no response is found again by repeating the creation with the same `X-Idempotency-Key`.',
  },
  DUPLICATE_REQUEST: {
    status: 409,
    type: 'resource_error',
    message: 'The idempotency key belongs to another request, or to one that is still running.',
    why: 'The `X-Idempotency-Key` was used for another request, or the first request with it still runs.',
    whatToDo:
      'If it still runs, the response has `Retry-After`: repeat the same request then. Otherwise use one key for each thing that you want done once, such as the number of an order.',
  },
  STATE_CONFLICT: {
    status: 409,
    type: 'resource_error',
    message: 'The resource is in a state that does not allow this operation.',
    why: 'The state of the resource does not allow the operation, for example a capture of a payment that is captured. `details` has the state.',
    whatToDo: 'Read the resource, and go on from its state. [Payment states](states.md) shows what each allows.',
  },

  PAYMENT_FAILED: {
    status: 400,
    type: 'payment_error',
    message: 'The payment could not be processed. Pay again, or with another payment method.',
    why: 'The provider could not process the payment, and did not say more.',
    whatToDo:
      'Nothing was charged by this attempt. Read the payment: in `requires_payment_method` the customer may try again, or pay another way.',
  },
  PAYMENT_DECLINED: {
    status: 400,
    type: 'payment_error',
    message: 'The payment was declined by the provider. Pay with another payment method.',
    why: "The provider or the customer's bank declined the payment, or the customer did. Pages get this code for `FRAUD_DETECTED` too.",
    whatToDo: 'Let the customer choose another payment method. Do not repeat the attempt by yourself.',
  },
  PAYMENT_EXPIRED: {
    status: 409,
    type: 'payment_error',
    message: 'The payment intent has expired. Create a new one to pay.',
    why: 'The payment intent was not paid before its `expiresAt`. No attempt begins after it, so nothing was charged.',
    whatToDo: 'Create a new payment intent if the customer still wants to pay.',
  },
  INSUFFICIENT_FUNDS: {
    status: 400,
    type: 'payment_error',
    message: 'The account has insufficient funds. Pay with another card or payment method.',
    why: "The customer's account does not have the money.",
    whatToDo: 'Let the customer pay another way, or later.',
  },
  CARD_DECLINED: {
    status: 400,
    type: 'payment_error',
    message: 'The card was declined. Pay with another card or payment method.',
    why: "The card's issuer declined the payment and gave no reason that may be shown.",
    whatToDo:
      'Follow `details.advice` ([Advice of a decline](api.md#advice-of-a-decline)). Without it, let the customer use another card. The ' +
      'issuer tells its customer the reason. With `details.reason` `declined_before`, this payment has got the advice `never` for the ' +
      'same card already, and no provider was called.',
  },
  FRAUD_DETECTED: {
    status: 400,
    type: 'payment_error',
    message: 'The payment was refused as suspicious.',
    why: 'The provider considers the payment fraudulent. The payment intent has failed for good.',
    whatToDo:
      'Do not deliver, and do not tell the customer why: a page gets `PAYMENT_DECLINED` instead. Review the order manually.',
  },
  LIMIT_EXCEEDED: {
    status: 422,
    type: 'payment_error',
    message: 'The payment exceeds a limit of the payment method. Pay less, or with another payment method.',
    why: "The amount is above a limit of the card or account, which the customer's bank sets.",
    whatToDo: 'Let the customer pay another way or in parts, or ask the bank for a higher limit.',
  },

  REFUND_FAILED: {
    status: 400,
    type: 'refund_error',
    message:
      'The refund could not be processed: no money was returned. Create another refund, or return the money in another way.',
    why: 'The provider refused the refund, or reports that it failed [after it had succeeded](states.md#a-refund-that-fails-after-it-had-succeeded). The amount can be refunded again.',
    whatToDo:
      'Read `failure` of the refund (`details.refund`). Try later once, then ask support with the `requestId`; or pay the customer back another way.',
  },
  REFUND_NOT_ALLOWED: {
    status: 409,
    type: 'refund_error',
    message: 'Only captured money can be refunded, by the id of its payment intent or capture.',
    why: 'There is nothing to refund: the payment was not captured, or the transaction is not a capture. Or the account at the provider that captured it was deleted (`details.provider`). Or `details.reason` says why: `capture_reversed` if the provider reports that the captured money did not arrive after all, `disputed` if all that is left is disputed (`details.disputeId`): a chargeback returns the money as well, so that a refund would return it twice.',
    whatToDo:
      "Read the dispute (GET /api/v1/disputes): what it gives back can be refunded again. Cancel a payment that is only authorized. Refund the capture, not the authorization. Without the account, return the money in the provider's dashboard.",
  },
  REFUND_AMOUNT_EXCEEDED: {
    status: 422,
    type: 'refund_error',
    message: 'The refund exceeds the amount that is left to refund.',
    why: 'The amount is more than what is left after earlier refunds, including those that are still pending, and after what is disputed.',
    whatToDo:
      'Refund at most what is left (`details.refundableAmount`). Without an amount, a refund takes all that is left.',
  },
  REFUND_WINDOW_CLOSED: {
    status: 409,
    type: 'refund_error',
    message: 'The time in which the transaction could be refunded is over.',
    why: "The account's refund window (`refundWindowDays`) is over for this payment; `details.refundableUntil` says since when.",
    whatToDo:
      'Pay the customer back another way, or extend the window of the account if the provider still takes refunds.',
  },

  CHANNEL_LIMIT_MIN_EXCEEDED: {
    status: 422,
    type: 'validation_error',
    message: 'The amount is below the minimum of the selected payment method.',
    why: 'The amount is below the minimum of this payment method in this currency (`details.minimumAmount`).',
    whatToDo: 'Offer the method only above its minimum, or change the limit (`/channel-limits`).',
  },
  CHANNEL_LIMIT_MAX_EXCEEDED: {
    status: 422,
    type: 'validation_error',
    message: 'The amount is above the maximum of the selected payment method.',
    why: 'The amount is above the maximum of this payment method in this currency (`details.maximumAmount`).',
    whatToDo: 'Offer another method for such amounts, or change the limit (`/channel-limits`).',
  },

  RATE_LIMIT_EXCEEDED: {
    status: 429,
    type: 'rate_limit_error',
    transient: true,
    message: 'Too many requests. Send again after the seconds in Retry-After, and fewer at a time.',
    why: 'Too many requests in a minute, with this API key, of this person or from this address; too many from this address at a time; too many cards that were declined, or left with 3-D Secure undone, within an hour; or too many CSV exports at once.',
    whatToDo:
      'Wait for the seconds of `Retry-After`. Spread batches; `X-RateLimit-Remaining` says how much is left. Many declines in a row may be somebody who tests stolen cards in your checkout.',
  },

  TSP_ERROR: {
    status: 502,
    type: 'provider_error',
    message: 'The provider returned an error. Repeat the request with the same idempotency key.',
    why: 'The provider answered a capture, cancel or refund with an error.',
    whatToDo:
      'Read the resource before you try again: the engine goes on asking the provider what became of the request.',
  },
  TSP_TIMEOUT: {
    status: 502,
    type: 'provider_error',
    transient: true,
    message:
      'The provider did not answer in time. Repeat the request with the same idempotency key after 1, 2 and 4 s.',
    why: 'The provider did not answer in time. What became of the request is not known yet.',
    whatToDo:
      'Repeat the request with the same `X-Idempotency-Key`: it goes on with the same operation. Do not make a second payment or refund.',
  },
  TSP_UNAVAILABLE: {
    status: 502,
    type: 'provider_error',
    transient: true,
    message: 'The provider is unavailable. Repeat the request with the same idempotency key after 1, 2 and 4 s.',
    why: 'The provider cannot be reached at the moment.',
    whatToDo: 'Repeat the request with the same `X-Idempotency-Key` after the pause in `Retry-After`.',
  },

  NO_TSP_AVAILABLE: {
    status: 503,
    type: 'operational_error',
    message:
      'No active payment route can fulfil the request. Simulate the payment (POST /api/v1/payment-routes/simulate) to see why, and change the routes, or the payment.',
    why: 'No active payment route takes this payment method in this currency.',
    whatToDo:
      'Ask `/payment-routes/simulate` why each route is skipped, then change the routes. If routes are in order, try again shortly.',
  },
  UNSUPPORTED_REGION: {
    status: 400,
    type: 'operational_error',
    message: "No provider supports the customer's country. Offer another payment method.",
    why: "Routes take the method and currency, but none takes the customer's country.",
    whatToDo: 'Check `country`, or add a route for it. Offer methods only where a route takes them.',
  },
  UNSUPPORTED_CURRENCY_PAIR: {
    status: 400,
    type: 'operational_error',
    message: 'The provider does not support this pair of currencies. Create the payment intent in another currency.',
    why: "No provider of the payment's routes takes the currency or the amount, such as KWD 1.005 at a provider that counts in steps of 0.010, or does not exchange the chosen crypto asset for the currency. Where that is known beforehand, no attempt is made: the message says what each provider takes, and `details.passedOver` has the routes with the reason.",
    whatToDo: 'Use an amount or a currency that the message names, or let the customer choose another payment method.',
  },
  PROVIDER_VALIDATION_ERROR: {
    status: 400,
    type: 'operational_error',
    message: 'The provider refused the request for a reason that is not known here: see details.providerResponse.',
    why: 'The provider refused the request for a reason that the engine does not know. `details.providerResponse` has it.',
    whatToDo: 'Give the `requestId` to support. The same request gets the same answer.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 502,
    type: 'operational_error',
    message: 'No provider could be reached; the payment was not charged. Confirm it again later.',
    why: "No provider of the payment's routes could be reached in the time of the confirm: its first attempt begins within 20 s, further ones within 2 minutes. Nothing was charged. The `reason` `credentials_refused` in the details means that the provider refuses the credentials of its account: they have expired, were revoked, or lack a right.",
    whatToDo:
      'Let the customer try again in a minute: the payment intent waits in `requires_payment_method`. Replace credentials that are refused.',
  },
  PAYMENT_STUCK: {
    status: 200,
    type: 'operational_error',
    message: 'The payment is taking longer than usual and is still being processed.',
    why: 'A provider has accepted the payment and does not say how it ended. It is an advisory on the payment and an event, not an error response. The engine goes on asking. The advisory has the `reason` `credentials_refused` if the provider refuses the credentials of its account, so that nobody can say how the payment ended.',
    whatToDo:
      'Wait for `payment_intent.succeeded` or `payment_intent.payment_failed`. Do not make a second payment for the order: the first one may still succeed.',
  },
  PAYMENT_RETRIES_EXHAUSTED: {
    status: 400,
    type: 'operational_error',
    message:
      'Every attempt this payment may make is used up; the intent was canceled. Create a new payment intent, for another payment method.',
    why: 'All attempts that the payment may make over its confirms are used up, so the intent was canceled.',
    whatToDo:
      'Create a new payment intent if the customer still wants to pay. `retryBudget` of the account sets how many attempts there are.',
  },
  TSP_PAYMENT_FAILED: {
    status: 400,
    type: 'operational_error',
    message: 'The provider reported that the payment failed for good. Create a new payment intent to pay again.',
    why: 'The provider reported that the payment failed for good. `details.providerResponse` has its reason.',
    whatToDo: 'Create a new payment intent if the customer still wants to pay.',
  },
  CRYPTO_DEPOSIT_FAILED: {
    status: 400,
    type: 'operational_error',
    message: 'The crypto deposit failed. Keep the transaction hash, and ask support about what was sent.',
    why: 'The deposit was too small, too large, in another asset, or taken back by the network. `details.reason` says which, and the other `details` how much came in.',
    whatToDo:
      "Tell the customer what came in and keep the transaction's id: money that did arrive has to be returned by the provider's support, or by whoever holds the wallet.",
  },

  METHOD_NOT_ALLOWED: {
    status: 405,
    type: 'resource_error',
    message: 'The resource does not take this method; the Allow header lists those that it takes.',
    why: 'The path exists, but not with this method. The header `Allow` lists its methods.',
    whatToDo: 'Use one of them. Updates are PATCH, not PUT, except for customers and channel limits.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    type: 'validation_error',
    message: 'The Accept header allows no media type that the resource has. Leave it out, or allow application/json.',
    why: 'The `Accept` header allows no media type that the resource has. Every operation answers with `application/json`; the lists that can be exported have `text/csv` too.',
    whatToDo:
      'Leave the header out, or send `Accept: application/json`. Parameters such as `charset` make no difference, and weights (`q`) count.',
  },
  INTERNAL_ERROR: {
    status: 500,
    type: 'internal_error',
    message:
      'Something went wrong on our side. Repeat the request with the same idempotency key; if it fails again, tell support its requestId.',
    why: 'Something went wrong in the engine.',
    whatToDo:
      'Repeat the request with the same `X-Idempotency-Key`: the engine goes on with the same operation. If it fails again, give the `requestId` to support.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    type: 'internal_error',
    transient: true,
    message:
      'The service cannot answer right now. Repeat the request, with the same idempotency key, after the seconds in Retry-After.',
    why: 'The engine is overloaded, or a service that it needs is down: this request did nothing. If `details.paymentIntent` is there, the outcome is not known yet.',
    whatToDo:
      'Repeat it unchanged, with the same `X-Idempotency-Key`, after the seconds in `Retry-After`. A repeat goes on with the same operation.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ENTRIES;

/** Every error code, in HTTP responses and in `payment-failed` events. `docs/errors.md` is written from it. */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = ENTRIES;

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
