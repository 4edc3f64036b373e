import { newId } from '../../domain/new-id.ts';
import type { Advisory, Environment, PaymentError } from '../../domain/payment.ts';
import type { RefundOrigin, RefundReason, RefundStatus } from '../../domain/refund.ts';
import { advisoryJson } from '../fragments/advisory-reason.ts';
import { type AccountScope, type CreationTimes, isOwned, withValues } from '../fragments/conditions.ts';
import { Prisma, type Refund } from '../generated/client.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { json, nullable, returning, type Statement, timestamp } from '../connection/statement.ts';
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
    readonly advisory: Advisory | null;
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

/** Notes when the provider is first asked for a pending refund, and returns that time; no row where none is pending. */
export function beginRefund(refundId: string) {
  return returning({ requestedAt: nullable(timestamp) })`
    UPDATE refund SET requested_at = COALESCE(requested_at, clock_timestamp())
    WHERE id = ${refundId} AND status = 'pending' RETURNING requested_at AS "requestedAt"`;
}

/** Notes that the provider has accepted a refund which it has not ended yet. */
export function acceptRefund(refundId: string, providerRefundId: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE refund SET accepted_at = COALESCE(accepted_at, now()), provider_refund_id = ${providerRefundId}, updated_at = now()
    WHERE id = ${refundId} AND status = 'pending' AND accepted_at IS NULL`;
}

/** Gives a pending refund its advisory, once, with the event about it. */
export function raiseRefundAdvisory(refundId: string, advisory: Advisory): Prisma.Sql {
  return Prisma.sql`
    WITH updated AS (
      UPDATE refund SET advisory = ${advisoryJson(advisory, Prisma.sql`refund.provider`)}, updated_at = now()
      WHERE id = ${refundId} AND status = 'pending' AND advisory IS NULL
      RETURNING *
    )
    ${INSERT_EVENT}
    SELECT ${newId('event')}, updated.merchant_account_id, updated.environment, 'refund.waiting_for_provider', updated.id,
      updated.payment_intent_id, payment_intent.version, NULL::jsonb,
      jsonb_build_object('refund', to_jsonb(updated) - 'next_due_at'), updated.updated_at
    FROM updated JOIN payment_intent ON payment_intent.id = updated.payment_intent_id`;
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
