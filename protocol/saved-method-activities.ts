import type { SavedMethodInput } from './messages.ts';

/** What was done with the providers' tokens of a saved payment method. */
export interface MaintainedCredentials {
  readonly kind: 'completed' | 'removed';
  /** The providers that were asked. */
  readonly providers: readonly string[];
}

/** The activities of a saved payment method's workflow. */
export interface SavedMethodActivities {
  /** Reads the tokens that providers have issued, or removes them; repeated until every provider has answered. */
  maintainCredentials(input: SavedMethodInput): Promise<MaintainedCredentials>;
}
