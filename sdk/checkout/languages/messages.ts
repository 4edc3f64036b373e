import type { FutureUsage } from '../types.ts';

/** What customers read, in one language. */
export interface Messages {
  /** The name of the card fields as a whole. */
  readonly cardDetails: string;
  readonly number: string;
  /** With the form in which it is typed, month first, two digits each. */
  readonly expiry: string;
  readonly code: string;
  /** What the customer agrees to when a card is saved, with `{merchant}`. */
  readonly consents: Readonly<Record<FutureUsage, string>>;
  readonly problems: Readonly<Record<CardProblem, string>>;
  /** By the code of an error, or by the reason of a declined card. */
  readonly failures: Readonly<Record<FailureName, string>>;
}

/** What can be wrong with a card before it is sent. `code_length` has `{digits}` in its text. */
export type CardProblem =
  | 'number_missing'
  | 'number_incomplete'
  | 'number_invalid'
  | 'expiry_missing'
  | 'expiry_invalid'
  | 'expired'
  | 'code_missing'
  | 'code_length';

export type FailureName =
  | 'expired_card'
  | 'authentication_failed'
  | 'authentication_required'
  | 'CARD_DECLINED'
  | 'INSUFFICIENT_FUNDS'
  | 'PAYMENT_DECLINED'
  | 'LIMIT_EXCEEDED'
  | 'PAYMENT_EXPIRED'
  | 'PAYMENT_RETRIES_EXHAUSTED'
  | 'PROVIDER_UNAVAILABLE'
  | 'PAYMENT_FAILED'
  | 'TSP_PAYMENT_FAILED'
  | 'NO_TSP_AVAILABLE'
  | 'CHANNEL_LIMIT_MIN_EXCEEDED'
  | 'CHANNEL_LIMIT_MAX_EXCEEDED'
  | 'CRYPTO_DEPOSIT_FAILED'
  | 'SERVICE_UNAVAILABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'NETWORK_ERROR'
  | 'CARD_FIELDS_INVALID'
  | 'CARD_FIELDS_UNAVAILABLE';
