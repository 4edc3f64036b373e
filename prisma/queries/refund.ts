import type { Environment, PaymentError } from '../../domain/payment.ts';
import type { RefundOrigin, RefundReason, RefundStatus } from '../../domain/refund.ts';
import { type AccountScope, type CreationTimes, isOwned, withValues } from '../conditions.ts';
import type { Refund } from '../generated/client.ts';
import type { JsonRow, Narrowed } from '../json-row.ts';
import { json, returning, type Statement } from '../statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';

/** A refund as JSON: what is read for responses, and the snapshot that events store. */
export type RefundRow = Narrowed<
  Omit<JsonRow<Refund>, 'next_due_at'>,
  {
    readonly environment: Environment;
    readonly status: RefundStatus;
    readonly reason: RefundReason | null;
    readonly origin: RefundOrigin;
    readonly metadata: Readonly<Record<string, string>>;
    readonly failure: PaymentError | null;
    /** Absent in snapshots of earlier versions. */
    readonly reference?: string | null;
  }
>;

/** A refund as it is read for a response, from a row that is called `r`. */
export const STORED_REFUND = returning({ refund: json<RefundRow>() })`to_jsonb(r) - 'next_due_at' AS refund`;

export type StoredRefund = { readonly refund: RefundRow };

/** One refund of an account. */
export function selectRefund(id: string, account: AccountScope): Statement<StoredRefund> {
  return returning(STORED_REFUND.columns)`
    SELECT ${STORED_REFUND.sql} FROM refund r
    WHERE ${isOwned(id, account)}`;
}

/** A refund of any account, if it has succeeded. */
export function selectSucceededRefund(id: string): Statement<StoredRefund> {
  return returning(STORED_REFUND.columns)`
    SELECT ${STORED_REFUND.sql} FROM refund r
    WHERE r.id = ${id} AND r.status = 'succeeded'`;
}

/** Which of an account's refunds are listed. */
export interface AccountRefundFilter extends CreationTimes {
  readonly paymentIntentId?: string | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The list of an account's refunds. */
export function accountRefunds(
  scope: AccountScope,
  { paymentIntentId, status, reference, metadata, ...times }: AccountRefundFilter,
): ListedRows {
  return foundAccountRows('refund', scope, {
    metadata,
    conditions: withValues({ reference, payment_intent_id: paymentIntentId, status }),
    times,
  });
}
