/** What must hold at the moment at which an attempt begins, besides the payment's own expiry. */
export interface AttemptOpening {
  /** The route has to be active, and to lead to this provider. */
  readonly routeId: string;
  /** If it is an account at a provider, that has to be active. */
  readonly provider: string;
  /** Until when the attempt may begin, ISO 8601 UTC. */
  readonly before: string;
  /** The payment method that refers to a saved card, which has to be usable; null where the attempt uses none. */
  readonly savedReferenceId: string | null;
}

/**
 * Why an attempt may not begin: the payment has expired; its confirm would begin too late; its saved card was removed or is invalid;
 * or its route, its account at the provider or its merchant account takes no payments any more.
 */
export const OPENING_REFUSALS = ['expired', 'too_late', 'saved_card_unusable', 'not_routable'] as const;
export type OpeningRefusal = (typeof OPENING_REFUSALS)[number];
