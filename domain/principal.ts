import type { Actor } from './audit.ts';
import type { Environment } from './payment.ts';

/** How an API key may be used, besides its scopes. A key that it makes or changes gets no wider limits. */
export interface KeyLimits {
  /** Whether it may act for its own account only, instead of any account of the merchant. */
  readonly accountBound: boolean;
  /** Whether only the addresses of the list may use it. */
  readonly ipRestricted: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  /** The only version of the signature that it takes; a key on version 2 makes no key on version 1. */
  readonly signatureVersion: number;
}

/** What a person has proved in a session. */
interface SessionProof {
  readonly gaveSecondFactor: boolean;
  readonly isRecentlyAuthenticated: boolean;
}

/** The authenticated sender of a request. */
export interface Principal {
  /** The API key; of a person or a checkout page, the id that stands for one. */
  readonly apiKeyId: string;
  /** Set for a person who is signed in to the dashboard. */
  readonly personId?: string;
  /** Set for the platform's staff, who act for no merchant: the person's e-mail address. */
  readonly staffEmail?: string;
  /** The sender as the audit log names it. */
  readonly actor: Actor;
  readonly merchantId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
  /** Attempts that new intents of this account may make. */
  readonly attemptBudget: number;
  /** Whether refunds and captures of this account need an idempotency key. */
  readonly requiresIdempotencyKeys: boolean;
  /** From which amount on people confirm refunds of this account, in minor units; null or absent for none. */
  readonly refundConfirmationMinor?: number | null;
  /** How the session of a person began; absent for keys, pages and the platform's staff. */
  readonly session?: SessionProof;
  readonly scopes: readonly string[];
  readonly keyLimits: KeyLimits;
  /** The only intent that a checkout page may read and confirm; absent for merchants' keys, which have scopes instead. */
  readonly onlyPaymentIntentId?: string;
  /** Whether that intent has ended, so that the page may only read it. */
  readonly isReadOnly?: boolean;
  /** Where that page is. */
  readonly pageAddress?: string;
  /** The browser of that page, as it names itself, cut to 512 characters. */
  readonly pageUserAgent?: string;
}
