import type { DisputeReason, DisputeStage, DisputeStatus, StoredReport } from '../../domain/dispute.ts';
import type { Environment } from '../../domain/payment.ts';
import { type AccountScope, type CreationTimes, isOwned } from '../fragments/conditions.ts';
import type { Dispute } from '../generated/client.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { double, json, returning, type Statement, text } from '../connection/statement.ts';
import { accountRows, type ListedRows } from './list.ts';

/** A dispute as JSON, without its reports. */
export type DisputeRow = Narrowed<
  Omit<JsonRow<Dispute>, 'reports'>,
  {
    readonly environment: Environment;
    readonly stage: DisputeStage;
    readonly status: DisputeStatus;
    readonly reason: DisputeReason;
  }
>;

/** A dispute as it is read for a response, from a row that is called `r`. */
export const STORED_DISPUTE = returning({ dispute: json<DisputeRow>() })`to_jsonb(r) - 'reports' AS dispute`;

/** One dispute of an account. */
export function selectDispute(id: string, account: AccountScope): Statement<{ dispute: DisputeRow }> {
  return returning(STORED_DISPUTE.columns)`
    SELECT ${STORED_DISPUTE.sql} FROM dispute r
    WHERE ${isOwned(id, account)}`;
}

/** Which of an account's disputes are listed. */
export interface AccountDisputeFilter extends CreationTimes {
  readonly status?: string | undefined;
  readonly stage?: string | undefined;
  readonly reason?: string | undefined;
  readonly paymentIntentId?: string | undefined;
}

/** The list of an account's disputes. */
export function accountDisputes(
  scope: AccountScope,
  { paymentIntentId, status, stage, reason, ...times }: AccountDisputeFilter,
): ListedRows {
  return accountRows('dispute', scope, { payment_intent_id: paymentIntentId, status, stage, reason }, times);
}

/** The reports of each dispute of a payment, and what cannot be refunded because of it. A payment has few disputes. */
export function selectDisputesOfPayment(paymentIntentId: string) {
  return returning({ id: text, blockedMinor: double, reports: json<readonly StoredReport[]>() })`
    SELECT id, amount_blocked_minor::float8 AS "blockedMinor", reports FROM dispute
    WHERE payment_intent_id = ${paymentIntentId}`;
}
