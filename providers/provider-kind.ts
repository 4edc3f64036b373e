import type { z } from 'zod';
import type { DepositStore } from '../domain/deposit.ts';
import type { DisputeEvidence } from '../domain/dispute-evidence.ts';
import type { Environment } from '../domain/payment.ts';
import type { KnownAccount } from '../domain/provider-account.ts';
import type { SettlementReportItem } from '../domain/settlement.ts';
import type { PaymentProvider, ProviderCapabilities } from './payment-provider.ts';

/** The options of an adapter for one account at a provider. */
export interface ProviderAccountSettings<Credentials> {
  /** The name under which routes, attempts and events know the account. */
  readonly name: string;
  readonly environment: Environment;
  readonly credentials: Credentials;
  /** Where the provider's API is, without a path; null for the vendor's own address of that environment. */
  readonly apiUrl: string | null;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
  /** The operator's limit of requests, as in `ProviderCapabilities`; absent for that of the kind. */
  readonly requestsPerSecond?: number;
}

/** Like `fetch`, but it may refuse addresses. */
export type CheckedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Dependencies that adapters of some kinds need besides the account. */
export interface ProviderDependencies {
  readonly deposits: DepositStore;
  /** Calls addresses that merchants have entered. Absent for accounts of the installation, whose operator is trusted. */
  readonly fetch?: CheckedFetch;
}

/** Why credentials are refused, for the merchant. */
export interface CredentialProblem {
  readonly member: string;
  readonly reason: string;
}

/** One of the credentials of a kind, as forms and documents show it. */
export interface Credential {
  /** For people, such as "API key". */
  readonly label: string;
  /** What it is, for merchants, in Markdown. */
  readonly meaning: string;
  /** Whether it is secret, so that nobody may read it again. */
  readonly isSecret?: true;
  readonly isOptional?: true;
  /** What is entered: a text, if it is left out. */
  readonly input?: (typeof CREDENTIAL_INPUTS)[number];
  /** For `choice`. */
  readonly choices?: readonly string[];
  /** For `json`. */
  readonly example?: string;
}

export const CREDENTIAL_INPUTS = ['text', 'number', 'switch', 'choice', 'json'] as const;

/** The offer of an account with these public credentials. */
export type CapabilitiesOf = (publicCredentials: KnownAccount['publicCredentials']) => ProviderCapabilities;

/** The evidence of an answer, as far as it is known before its files are opened. */
interface OfferedEvidence {
  readonly evidence: DisputeEvidence;
  readonly files: readonly { readonly contentType: string }[];
}

/** How answers to disputes are given at a kind of provider. */
export interface DisputeAnswers {
  /** Why the provider cannot take this evidence, and what to do instead; null where it can. */
  problemWith(offered: OfferedEvidence): string | null;
}

/** A provider that merchants can have accounts at: it describes itself, and makes its adapter. */
export interface ProviderKind<Credentials> {
  /** Its name for people. */
  readonly label: string;
  /** What accounts there are for, after the name. */
  readonly description: string;
  /** What a merchant enters. */
  readonly schema: z.ZodType<Credentials>;
  /** The members of the schema, in the order of a form. */
  readonly credentials: Readonly<Record<Extract<keyof Credentials, string>, Credential>>;
  readonly capabilities: ProviderCapabilities;
  /** What an account offers, where that depends on its credentials. */
  readonly capabilitiesOf?: CapabilitiesOf;
  /** Present where its adapter sends the answers of merchants to disputes. Elsewhere they answer in the provider's dashboard. */
  readonly disputeAnswers?: DisputeAnswers;
  /**
   * Reads a settlement report of an account, line by line, and calls nothing. What it cannot read is a problem, of which it gives
   * as many as there are; a report of another account is one. Absent where the provider has no such report.
   */
  readSettlementReport?(lines: AsyncIterable<string>, credentials: Credentials): AsyncIterable<SettlementReportItem>;
  /** The credential that is an address which the engine calls. Absent if the vendor's address is known. */
  readonly addressCredential?: Extract<keyof Credentials, string>;
  /** @throws Error where the kind needs dependencies and gets none */
  create(settings: ProviderAccountSettings<Credentials>, dependencies?: ProviderDependencies): PaymentProvider;
  /**
   * What is wrong with the credentials for the environment, as far as can be seen without a request. Absent if nothing can.
   * @returns null where nothing is, else which member is wrong, and why
   */
  problemIn?(credentials: Credentials, environment: Environment): CredentialProblem | null;
  /**
   * Makes a harmless request with the credentials.
   * @returns null where they work, else what is wrong with them, for the merchant
   * @throws ProviderOutageError where the provider gave no usable answer
   */
  check(
    settings: ProviderAccountSettings<Credentials>,
    signal: AbortSignal,
    dependencies?: ProviderDependencies,
  ): Promise<string | null>;
  /**
   * Whether new credentials may replace those of an account. Absent where any may.
   * @returns null where they may, else which member may not change, and why
   */
  mayReplace?(earlier: Credentials, next: Credentials): CredentialProblem | null;
}
