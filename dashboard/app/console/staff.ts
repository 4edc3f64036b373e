import { RequestError, send } from '../core/request.ts';

/** One of the staff of the platform. */
export interface Staff {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** @throws RequestError for who is signed out, none of the staff, or lacks the second factor */
export async function readStaff(): Promise<Staff> {
  const { data } = (await send('/api/v1/platform/me')) as { data: Staff };
  return data;
}

/** The heading where a team, or the operator, demands a second factor. */
export const SECOND_FACTOR_DEMANDED = 'A second factor is demanded here';

/** Whether a person is asked for a second factor, which has to be set up or given. */
export function secondFactorStep(error: unknown): 'set up' | 'give' | null {
  if (!(error instanceof RequestError)) return null;
  if (error.reason === 'second_factor_not_set_up') return 'set up';
  return error.reason === 'second_factor_not_given' ? 'give' : null;
}

/** Whether the person of the session is one of the staff, with or without a second factor. */
export function isStaff(): Promise<boolean> {
  return readStaff().then(
    () => true,
    (error: unknown) => secondFactorStep(error) !== null,
  );
}

interface Suspension {
  readonly reason: string;
  readonly since: string;
}

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly suspension: Suspension | null;
  readonly createdAt: string;
}

/** A merchant with its accounts. */
export interface MerchantDetails extends Merchant {
  readonly people: number;
  readonly accounts: readonly {
    readonly id: string;
    readonly environment: string;
    readonly name: string;
    readonly status: string;
    readonly suspendedBy: string | null;
    readonly apiKeys: number;
    readonly payments: number;
  }[];
}

/** How attempts of all merchants at a provider ended. */
export interface AttemptCounts {
  readonly attempts: number;
  readonly approved: number;
  readonly unanswered: number;
  readonly latency: { readonly medianMs: number; readonly p95Ms: number } | null;
}

/** The health of a provider over all merchants and the last 24 hours. */
export interface PlatformHealth extends AttemptCounts {
  readonly id: string;
  readonly provider: string;
  readonly environment: string;
  readonly consecutiveFailures: number;
  readonly openUntil: string | null;
  readonly failingSince: string | null;
  readonly hours: readonly (AttemptCounts & { readonly startsAt: string })[];
}

/** What browsers reported that the policy of a payment page refused. */
export interface PolicyReport {
  readonly id: string;
  readonly page: string;
  readonly directive: string;
  readonly blocked: string;
  readonly isSerious: boolean;
  readonly reports: number;
  readonly firstDay: string;
  readonly lastAt: string;
}

/** A setting of the API, without its value. */
export interface Setting {
  readonly id: string;
  readonly isSet: boolean;
  readonly isSecret: boolean;
}

/** What one of the staff or an operator did. */
export interface PlatformEvent {
  readonly id: string;
  readonly action: string;
  readonly resource: { readonly id: string; readonly name: string };
  readonly actor: { readonly type: string; readonly id: string; readonly name: string; readonly address: string };
  readonly reason: string | null;
  readonly createdAt: string;
}
