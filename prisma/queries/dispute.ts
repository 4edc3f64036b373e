import type {
  DisputeOperation,
  DisputeReason,
  DisputeStage,
  StoredDisputeStatus,
  StoredReport,
} from '../../domain/dispute.ts';
import type { DisputeEvidence, DisputeFileKind, DisputeFileType } from '../../domain/dispute-evidence.ts';
import { type Environment, ENVIRONMENTS, type PaymentError } from '../../domain/payment.ts';
import type { Actor } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import {
  type AccountScope,
  type CreationTimes,
  isKeptFromDeletion,
  isOwned,
  withValues,
} from '../fragments/conditions.ts';
import { disputeJson } from '../fragments/dispute-json.ts';
import { INSERT_AUDIT_EVENT } from '../fragments/insert-audit-event.ts';
import { INSERT_EVENT } from '../fragments/insert-event.ts';
import type { JsonRow, Narrowed } from '../fragments/json-row.ts';
import { jsonParameter } from '../fragments/payment-json.ts';
import { type Dispute, Prisma } from '../generated/client.ts';
import {
  boolean,
  bytes,
  double,
  integer,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  timestamp,
  uncheckedText,
} from '../connection/statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';

/** What `disputeJson` leaves out. */
type UnseenColumns = 'reports' | 'evidence' | 'nextDueAt' | 'operationCalledAt';

/** A dispute as JSON, without its reports and the merchant's answer, which events do not have. */
export type DisputeRow = Narrowed<
  JsonRow<Omit<Dispute, UnseenColumns>>,
  {
    readonly environment: Environment;
    readonly stage: DisputeStage;
    readonly status: StoredDisputeStatus;
    readonly reason: DisputeReason;
    readonly operation: DisputeOperation | null;
    readonly last_error: PaymentError | null;
  }
>;

/** A file of the merchant's answer, without its content. */
export interface DisputeFileRow {
  readonly kind: DisputeFileKind;
  readonly contentType: DisputeFileType;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

/** A dispute as it is read for a response. */
export interface StoredDispute {
  readonly dispute: DisputeRow;
  readonly evidence: DisputeEvidence;
  readonly files: readonly DisputeFileRow[];
}

/** A dispute as it is read for a response, from a row that is called `r`. */
export const STORED_DISPUTE = returning<StoredDispute>({
  dispute: json<DisputeRow>(),
  evidence: json<DisputeEvidence>(),
  files: json<readonly DisputeFileRow[]>(),
})`${disputeJson('r')} AS dispute, r.evidence, (
    SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', f.kind, 'contentType', f.content_type, 'sizeBytes', f.size_bytes,
      'createdAt', f.created_at) ORDER BY f.kind), '[]'::jsonb)
    FROM dispute_file f WHERE f.dispute_id = r.id
  ) AS files`;

/** One dispute of an account. */
export function selectDispute(id: string, account: AccountScope): Statement<StoredDispute> {
  return returning(STORED_DISPUTE.columns)`
    SELECT ${STORED_DISPUTE.sql} FROM dispute r
    WHERE ${isOwned(id, account)}`;
}

/** Which of an account's disputes are listed. */
export interface AccountDisputeFilter extends CreationTimes {
  readonly status?: string | undefined;
  readonly stage?: string | undefined;
  readonly reason?: string | undefined;
  readonly provider?: string | undefined;
  readonly paymentIntentId?: string | undefined;
  /** ISO 8601 UTC */
  readonly respondByBefore?: string | undefined;
  readonly sort?: 'respond_by' | undefined;
}

/** Until when somebody has to answer; null where nobody has to. The index `dispute_answer_idx` has it. */
const answerBy = (row: string): string =>
  `(CASE WHEN ${row}status = 'needs_response' THEN COALESCE(${row}respond_by, 'infinity'::timestamptz) END)`;

/** The list of an account's disputes. */
export function accountDisputes(scope: AccountScope, filter: AccountDisputeFilter): ListedRows {
  const { paymentIntentId, status, stage, reason, provider, respondByBefore, sort, ...times } = filter;
  const listed = foundAccountRows('dispute', scope, {
    metadata: undefined,
    conditions: [
      ...withValues({ payment_intent_id: paymentIntentId, status, stage, reason, provider }),
      ...(respondByBefore === undefined ? [] : [Prisma.sql`respond_by < ${respondByBefore}::timestamptz`]),
    ],
    times,
  });
  // Of those that need no answer, the newest come first in either order.
  if (sort === undefined || (status !== undefined && status !== 'needs_response')) return listed;
  return { ...listed, order: { ...listed.order, first: answerBy }, dependsOnValues: true };
}

/** The reports of each dispute of a payment, and what cannot be refunded because of it. A payment has few disputes. */
export function selectDisputesOfPayment(paymentIntentId: string) {
  return returning({ id: text, blockedMinor: double, reports: json<readonly StoredReport[]>() })`
    SELECT id, amount_blocked_minor::float8 AS "blockedMinor", reports FROM dispute
    WHERE payment_intent_id = ${paymentIntentId}`;
}

/** The reports of disputes. */
export function selectReportsOfDisputes(ids: readonly string[]) {
  return returning({ id: text, reports: json<readonly StoredReport[]>() })`
    SELECT id, reports FROM dispute WHERE id = ANY (${[...ids]}::text[])`;
}

/** A dispute as its workflow reads it. */
export function selectDisputeForWork(id: string) {
  return returning({
    dispute: json<DisputeRow>(),
    evidence: json<DisputeEvidence>(),
    providerPaymentId: nullable(text),
    isCalled: boolean,
  })`
    SELECT ${disputeJson('dispute')} AS dispute, evidence, operation_called_at IS NOT NULL AS "isCalled",
      (SELECT a.provider_payment_id FROM payment_attempt a WHERE a.id = dispute.attempt_id) AS "providerPaymentId"
    FROM dispute WHERE id = ${id}`;
}

/** What a merchant requests about a dispute. */
export interface RequestedOperation {
  readonly disputeId: string;
  readonly account: AccountScope;
  readonly provider: string;
  readonly kind: DisputeOperation;
  readonly status: StoredDisputeStatus;
  readonly operationId: string;
  /** The person who requests it, for the audit log; null for an API key. */
  readonly author: { readonly merchantId: string; readonly actor: Actor } | null;
}

/** Whether the merchant can still answer: `r` is the dispute. */
const CAN_BE_ANSWERED = Prisma.sql`r.status = 'needs_response' AND r.operation IS NULL AND r.is_defendable IS NOT FALSE
      AND (r.respond_by IS NULL OR r.respond_by > now())`;
/** The money can be given up even where nothing can be said against it. */
const CAN_BE_ACCEPTED = Prisma.sql`r.status = 'needs_response' AND r.operation IS NULL
      AND (r.respond_by IS NULL OR r.respond_by > now())`;

/**
 * Records that the provider is to carry an operation out, with its event; no row where the dispute does not allow it. Of two requests
 * at once, the row lets one pass. From then on the provider is called, whatever happens to the process that writes it.
 */
export function requestOperation({
  disputeId,
  account,
  provider,
  kind,
  status,
  operationId,
  author,
}: RequestedOperation) {
  return returning({ id: text })`
    WITH requested AS (
      UPDATE dispute r SET status = ${status}, operation = ${kind}, operation_id = ${operationId}, operation_called_at = NULL,
        last_error = NULL, next_due_at = now() + interval '8 seconds', updated_at = now()
      WHERE ${isOwned(disputeId, account, 'r')} AND ${kind === 'submit' ? CAN_BE_ANSWERED : CAN_BE_ACCEPTED}
        AND ${isKeptFromDeletion(provider)}
      RETURNING r.*
    ), fact AS (
      ${INSERT_EVENT}
      SELECT ${newId('event')}, requested.merchant_account_id, requested.environment, 'dispute.updated', requested.id,
        requested.payment_intent_id, i.version, NULL::jsonb,
        jsonb_build_object('dispute', ${disputeJson('requested')}), requested.updated_at
      FROM requested JOIN payment_intent i ON i.id = requested.payment_intent_id
    )${insertAudit(kind, author)}
    SELECT id FROM requested`;
}

/** A further table expression, or nothing if no person requests the operation. */
function insertAudit(kind: DisputeOperation, author: RequestedOperation['author']): Prisma.Sql {
  if (author === null) return Prisma.empty;
  const { merchantId, actor } = author;
  return Prisma.sql`, audited AS (
      ${INSERT_AUDIT_EVENT}
      SELECT ${newId('auditEvent')}, ${merchantId}, environment, merchant_account_id, ${`dispute.${kind}_requested`}, id, ${actor.type},
        ${actor.id}, ${actor.address}, NULL, jsonb_build_object('id', id, 'object', 'dispute', 'paymentIntentId', payment_intent_id,
          'stage', stage, 'amount', amount_minor, 'currency', currency)
      FROM requested
    )`;
}

/**
 * Records that the provider is about to be called for an operation. It returns no row where the operation is not under way any more.
 * The first call is not made after the end of the time to answer.
 */
export function beginOperation(disputeId: string, operationId: string) {
  return returning({ wasCalled: boolean, isTooLate: boolean })`
    WITH before AS (
      SELECT id, operation_called_at IS NOT NULL AS was_called,
        operation_called_at IS NULL AND COALESCE(respond_by <= now(), false) AS is_too_late
      FROM dispute WHERE id = ${disputeId} AND operation IS NOT NULL AND operation_id = ${operationId}
      FOR UPDATE
    ), called AS (
      UPDATE dispute SET operation_called_at = now() FROM before
      WHERE dispute.id = before.id AND NOT before.was_called AND NOT before.is_too_late
    )
    SELECT was_called AS "wasCalled", is_too_late AS "isTooLate" FROM before`;
}

/** Records that the provider has done nothing for an operation, because it refused who called. */
export function undoBeginning(disputeId: string, operationId: string): Prisma.Sql {
  return Prisma.sql`
    UPDATE dispute SET operation_called_at = NULL
    WHERE id = ${disputeId} AND operation IS NOT NULL AND operation_id = ${operationId}`;
}

/** Changes the texts of an answer that is still a draft: null removes one. No row where it is no draft. */
export function updateEvidence(
  disputeId: string,
  account: AccountScope,
  changes: Readonly<Record<string, string | null | undefined>>,
) {
  return returning({ id: text })`
    UPDATE dispute r SET evidence = jsonb_strip_nulls(evidence || ${jsonParameter(changes)}::jsonb), updated_at = now()
    WHERE ${isOwned(disputeId, account, 'r')} AND ${CAN_BE_ANSWERED}
    RETURNING id`;
}

/** A file of an answer, encrypted. */
export interface StoredDisputeFile {
  readonly kind: DisputeFileKind;
  readonly contentType: DisputeFileType;
  readonly sizeBytes: number;
  readonly keyId: string;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/**
 * Stores a file of an answer that is still a draft, in place of an earlier one of its kind. No row where it is no draft, or its files
 * would be too large together. The row of the dispute is locked, so that two files at once are both counted.
 */
export function storeDisputeFile(
  disputeId: string,
  account: AccountScope,
  {
    kind,
    contentType,
    sizeBytes,
    keyId,
    ciphertext,
    maximumBytes,
  }: StoredDisputeFile & { readonly maximumBytes: number },
) {
  return returning({ otherBytes: integer, isStored: boolean })`
    WITH draft AS (
      SELECT r.id, r.merchant_account_id, r.environment FROM dispute r
      WHERE ${isOwned(disputeId, account, 'r')} AND ${CAN_BE_ANSWERED}
      FOR UPDATE
    ), others AS (
      SELECT draft.id, (
        SELECT COALESCE(sum(f.size_bytes), 0)::int FROM dispute_file f WHERE f.dispute_id = draft.id AND f.kind <> ${kind}
      ) AS bytes
      FROM draft
    ), stored AS (
      INSERT INTO dispute_file (dispute_id, kind, merchant_account_id, environment, content_type, size_bytes, key_id, ciphertext)
      SELECT draft.id, ${kind}, draft.merchant_account_id, draft.environment, ${contentType}, ${sizeBytes}::int, ${keyId}, ${ciphertext}
      FROM draft JOIN others ON others.id = draft.id AND others.bytes + ${sizeBytes}::int <= ${maximumBytes}::int
      ON CONFLICT (dispute_id, kind) DO UPDATE SET content_type = excluded.content_type, size_bytes = excluded.size_bytes,
        key_id = excluded.key_id, ciphertext = excluded.ciphertext, created_at = now()
      RETURNING dispute_id
    )
    SELECT others.bytes AS "otherBytes", EXISTS (SELECT FROM stored) AS "isStored" FROM others`;
}

/** Deletes a file of an answer that is still a draft. */
export function deleteDisputeFile(disputeId: string, account: AccountScope, kind: string) {
  return returning({ kind: text })`
    DELETE FROM dispute_file f USING dispute r
    WHERE f.dispute_id = r.id AND f.kind = ${kind} AND ${isOwned(disputeId, account, 'r')} AND ${CAN_BE_ANSWERED}
    RETURNING f.kind`;
}

/** The files of an answer, for the provider. */
export function selectDisputeFiles(disputeId: string) {
  return returning({
    kind: uncheckedText<DisputeFileKind>(),
    contentType: uncheckedText<DisputeFileType>(),
    merchantAccountId: text,
    environment: oneOf<Environment>(ENVIRONMENTS),
    keyId: text,
    ciphertext: bytes,
    createdAt: timestamp,
  })`
    SELECT kind, content_type AS "contentType", merchant_account_id AS "merchantAccountId", environment, key_id AS "keyId",
      ciphertext, created_at AS "createdAt"
    FROM dispute_file WHERE dispute_id = ${disputeId} ORDER BY kind`;
}
