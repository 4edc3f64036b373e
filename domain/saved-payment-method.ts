/** How a customer lets a saved payment method be used: while present, or also when the merchant charges without the customer. */
export const FUTURE_USAGES = ['on_session', 'off_session'] as const;
export type FutureUsage = (typeof FUTURE_USAGES)[number];

/** Why a merchant charges a saved payment method without the customer: by an agreed schedule, or when something falls due. */
export const OFF_SESSION_REASONS = ['recurring', 'unscheduled'] as const;
export type OffSessionReason = (typeof OFF_SESSION_REASONS)[number];

/** How a payment uses a saved payment method: the customer pays with it, or the merchant charges it. */
export const SAVED_METHOD_USES = ['on_session', ...OFF_SESSION_REASONS] as const;
export type SavedMethodUse = (typeof SAVED_METHOD_USES)[number];

/** Whether nobody can be asked to do anything, because the merchant charges without the customer. */
export function isOffSession(use: SavedMethodUse | null | undefined): use is OffSessionReason {
  return use != null && use !== 'on_session';
}

/** Whether a provider wants the customer of an attempt that the merchant makes alone: nobody can act, so the attempt is closed. */
export function wantsAbsentCustomer(
  { savedUse }: { readonly savedUse?: SavedMethodUse | null },
  { kind }: { readonly kind: string },
): boolean {
  return kind === 'requires_action' && isOffSession(savedUse);
}

export const SAVED_METHOD_STATUSES = ['active', 'invalid', 'detached'] as const;
export type SavedMethodStatus = (typeof SAVED_METHOD_STATUSES)[number];

/** Why a saved payment method is invalid or detached. */
export const SAVED_METHOD_REASONS = [
  'issuer_refused',
  'token_disabled',
  'unused',
  'card_expired',
  'customer_deleted',
  'requested',
] as const;
export type SavedMethodReason = (typeof SAVED_METHOD_REASONS)[number];

/** `pending`: the provider has not issued its token yet. `disabled`: it has none, or none any more. */
export const CREDENTIAL_STATUSES = ['pending', 'active', 'disabled'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** What the customer has agreed to, and from where. */
export interface Consent {
  /** ISO 8601 UTC */
  readonly acceptedAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** What the customer was shown. */
  readonly text: string | null;
}

/** How many saved payment methods a customer may have. */
export const MAXIMUM_SAVED_METHODS = 50;

/** The currency whose cards are never stored by their number: the rules of its country forbid it. */
export const CURRENCY_WITHOUT_NUMBERS = 'INR';

/** When a card expires: at the end of its month. @param month from 1 */
export function cardExpiryOf(month: number, year: number): Date {
  return new Date(Date.UTC(year, month));
}

/** What is stored of the customers of one provider: its own ids of them, and tokens of their cards. */
export interface CustomersAtProvider {
  /** Null where none is stored. */
  find(customerId: string): Promise<string | null>;
  /**
   * Stores the id of a customer that the provider has created, before anything can charge.
   * @param replaces the stored id that the provider does not know any more; null where none was stored
   * @returns the id to use, which is another one if that was stored meanwhile
   */
  store(customerId: string, providerCustomerId: string, replaces: string | null): Promise<string>;
  /** Has the provider asked what has become of its token of the saved card of an attempt. */
  askAboutToken(attemptId: string): Promise<void>;
}
