import { ApplicationFailure } from '@temporalio/activity';
import { transactionIdOf } from '../domain/ids.ts';
import { type IntentColumns, type PaymentChange, RECORD_OVERTAKEN } from '../domain/payment-change.ts';
import { type Attempt, isCalling } from '../domain/payment.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';

type KnownAttempt = Pick<
  Attempt,
  'id' | 'provider' | 'paymentMethodId' | 'outcome' | 'providerPaymentId' | 'calledAtOnce'
>;

/** What a workflow knows of its payment with a step: all that is not in it was written by steps that were lost. */
export interface KnownPayment extends Pick<PaymentChange, 'paymentIntentId' | 'fromVersion' | 'at' | 'columns'> {
  readonly attempts: readonly KnownAttempt[];
  readonly transactionCount: number;
  /** The step's last line in the payment's story. */
  readonly summary: string;
}

/** The row that a step found ahead of the version it applies to. */
export interface RowAhead {
  readonly version: number;
  readonly updatedAt: Date;
  /** Whether the step's own run wrote it. */
  readonly own: boolean;
  /** Where the story tells of this step already; null where it does not. */
  readonly toldAt: number | null;
  /** Whether its columns are those of the step. */
  readonly matches: boolean;
  /** Whether it knows of money, or of a call to a provider, that the step knows nothing of. */
  readonly knowsMore: boolean;
  /** Whether an attempt of the step has gone elsewhere than the step takes it to, or is not marked for the call it makes. */
  readonly contradicts: boolean;
}

/** Reads how a row stands to a step that does not apply to it. Undefined when the row is not ahead of the step. */
export async function readRowAhead(
  database: Database,
  known: KnownPayment,
  runId: string,
): Promise<RowAhead | undefined> {
  const { paymentIntentId, fromVersion, columns, summary } = known;
  const [row] = await database.direct.query<RowAhead[]>`
    SELECT version, updated_at AS "updatedAt", workflow_run_id IS NOT DISTINCT FROM ${runId} AS "own",
      (
        SELECT line.version FROM timeline_entry line
        WHERE line.payment_intent_id = intent.id AND line.version > ${fromVersion} AND line.summary = ${summary}
          AND line.details->>'lost' IS NULL AND NOT EXISTS (
            SELECT 1 FROM timeline_entry later WHERE later.payment_intent_id = line.payment_intent_id
              AND later.version = line.version AND later.ordinal > line.ordinal)
        ORDER BY line.version LIMIT 1
      ) AS "toldAt",
      ${columnsOfRow} IS NOT DISTINCT FROM ${columnsOf(columns)} AS "matches",
      EXISTS (
        SELECT 1 FROM payment_attempt WHERE payment_intent_id = intent.id AND id <> ALL(${idsOf(known)}::text[])
          AND (outcome IS NOT NULL OR provider_payment_id IS NOT NULL)
      ) OR EXISTS (
        SELECT 1 FROM payment_attempt WHERE payment_intent_id = intent.id AND id = ANY(${openIdsOf(known)}::text[])
          AND outcome IS NOT NULL
      ) OR EXISTS (
        SELECT 1 FROM transaction WHERE payment_intent_id = intent.id AND refund_id IS NULL
          AND id <> ALL(${transactionIdsOf(known)}::text[])
      ) OR EXISTS (
        SELECT 1 FROM payment_attempt WHERE payment_intent_id = intent.id AND called_at_once AND NOT ${isKnown(known)}
      ) AS "knowsMore",
      EXISTS (
        SELECT 1 FROM payment_attempt WHERE payment_intent_id = intent.id AND (
          called_at_once AND id = ANY(${idsOf(known)}::text[]) AND NOT ${isKnown(known)}
          OR id = ANY(${callingIdsOf(known)}::text[]) AND NOT (called_at_once AND ${isKnown(known)}))
      ) AS "contradicts"
    FROM payment_intent intent WHERE id = ${paymentIntentId} AND version > ${fromVersion}`;
  return row;
}

/**
 * Whether the row ahead holds steps that this run wrote in a task which the history never got, so that what is decided now
 * replaces them. Unless it was called at once, a provider is called when the task is in the history. So the other attempts
 * are intentions that nobody acted upon, and go.
 * @throws ApplicationFailure of the type `RECORD_OVERTAKEN` when the row is ahead for another reason
 */
export function requireLost(known: KnownPayment, row: RowAhead): void {
  if (row.own && !row.knowsMore && row.updatedAt < new Date(known.at)) return;
  const { paymentIntentId, fromVersion } = known;
  throw ApplicationFailure.nonRetryable(
    `${paymentIntentId}: version ${row.version}, expected version ${fromVersion}: another run has gone on with it, or has to`,
    RECORD_OVERTAKEN,
  );
}

/** Further parts of a statement whose part `updated` writes a step over lost ones: what only they knew is forgotten. */
export function forgetLostSteps(known: KnownPayment, row: RowAhead): Prisma.Sql {
  return Prisma.sql`
    , forgotten AS (
      DELETE FROM payment_attempt USING updated
      WHERE payment_attempt.payment_intent_id = updated.id AND payment_attempt.id <> ALL(${idsOf(known)}::text[])
    ), lost AS (
      UPDATE timeline_entry SET details = COALESCE(details, '{}'::jsonb) || '{"lost": true}'::jsonb FROM updated
      WHERE timeline_entry.payment_intent_id = updated.id
        AND timeline_entry.version > ${known.fromVersion} AND timeline_entry.version <= ${row.version}
    )`;
}

/** Holds for the row that a step applies to: the version it knows, or the lost one that it replaces. */
export function isExpectedRow(known: KnownPayment, lost: RowAhead | undefined): Prisma.Sql {
  const isIntent = Prisma.sql`payment_intent.id = ${known.paymentIntentId}`;
  return lost === undefined
    ? Prisma.sql`${isIntent} AND version = ${known.fromVersion}`
    : Prisma.sql`${isIntent} AND version = ${lost.version} AND updated_at = ${lost.updatedAt}`;
}

const columnsOfRow = Prisma.sql`(status, provider, cancellation_reason, amount_capturable_minor, amount_captured_minor,
  last_error->>'code', advisory IS NULL, next_action)`;

function columnsOf(columns: IntentColumns): Prisma.Sql {
  const { status, provider, cancellationReason, amountCapturableMinor, amountCapturedMinor } = columns;
  return Prisma.sql`(${status}, ${provider}, ${cancellationReason}, ${amountCapturableMinor}::bigint,
    ${amountCapturedMinor}::bigint, ${columns.lastError?.code ?? null}, ${columns.advisory === null},
    ${json(columns.nextAction)}::jsonb)`;
}

function idsOf({ attempts }: KnownPayment): string[] {
  return attempts.map(({ id }) => id);
}

/** Holds for an attempt in the table that the step knows as it is there. */
function isKnown({ attempts }: KnownPayment): Prisma.Sql {
  return Prisma.sql`(id, provider, payment_method_id) IN (SELECT * FROM unnest(
    ${attempts.map(({ id }) => id)}::text[], ${attempts.map(({ provider }) => provider)}::text[],
    ${attempts.map(({ paymentMethodId }) => paymentMethodId)}::text[]))`;
}

/** Attempts whose provider is called within the task, as soon as the step is written. */
function callingIdsOf({ attempts }: KnownPayment): string[] {
  return attempts.filter(isCalling).map(({ id }) => id);
}

/** Attempts that the step takes to be without an answer yet. */
function openIdsOf({ attempts }: KnownPayment): string[] {
  return attempts.filter(({ outcome }) => outcome === null).map(({ id }) => id);
}

function transactionIdsOf({ paymentIntentId, transactionCount }: KnownPayment): string[] {
  return Array.from({ length: transactionCount }, (_, index) => transactionIdOf(paymentIntentId, index + 1));
}

/** A value as a parameter that is cast to jsonb. */
export function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
