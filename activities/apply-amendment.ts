import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../prisma/client.ts';
import { AMENDMENT_GONE } from '../domain/payment-change.ts';
import type { CaptureMethod, PaymentTerms } from '../domain/payment.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { assignColumns } from './change-statement.ts';
import {
  forgetLostSteps,
  isExpectedRow,
  type KnownPayment,
  readRowAhead,
  requireLost,
  type RowAhead,
} from './lost-steps.ts';
import type { AmendedTerms, Amendment } from './payment-activities.ts';

interface TermsRow {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly country: string | null;
  readonly captureMethod: CaptureMethod;
}

/**
 * Applies a waiting amendment to its intent and drops it, in one statement that a repeat leaves as it is. An amendment
 * that still waits is applied too where steps stand in its place that were written, but lost with their worker.
 * @param runId the workflow's run, which may replace what it wrote itself
 * @returns the terms that hold now, and the version that the step has given the row
 * @throws ApplicationFailure of the type `AMENDMENT_GONE` when it was purged before it was applied, or of the type
 *   `RECORD_OVERTAKEN` when another run has gone on with the payment
 */
export async function applyAmendment(database: Database, amendment: Amendment, runId: string): Promise<AmendedTerms> {
  const known: KnownPayment = { ...amendment, summary: '' };
  const applied = await apply(database, amendment, { known, runId });
  if (applied !== undefined) return applied;
  const row = await readRowAhead(database, known, runId);
  if (!(await isWaiting(database, amendment))) return termsOfApplied(database, amendment);
  if (row === undefined) throw new Error(`${amendment.paymentIntentId}: there is no row for the amendment`);
  requireLost(known, row);
  const replaced = await apply(database, amendment, { known, runId, row });
  if (replaced === undefined) throw new Error(`${amendment.amendmentId} does not apply: somebody else wrote the row`);
  return replaced;
}

async function apply(
  database: Database,
  amendment: Amendment,
  { known, runId, row }: { readonly known: KnownPayment; readonly runId: string; readonly row?: RowAhead },
): Promise<AmendedTerms | undefined> {
  const restored = row === undefined ? Prisma.empty : Prisma.sql`${assignColumns(amendment.columns)},`;
  const [applied] = await database.direct.query<(TermsRow & { version: number })[]>`
    WITH amendment AS (
      SELECT changes FROM payment_intent_amendment
      WHERE id = ${amendment.amendmentId} AND payment_intent_id = ${amendment.paymentIntentId}
    ), updated AS (
      UPDATE payment_intent SET ${restored}
        amount_minor = COALESCE((changes->>'amountMinor')::bigint, amount_minor),
        currency = COALESCE(changes->>'currency', currency),
        country = CASE WHEN changes ? 'country' THEN changes->>'country' ELSE country END,
        customer_id = CASE WHEN changes ? 'customerId' THEN changes->>'customerId' ELSE customer_id END,
        capture_method = COALESCE(changes->>'captureMethod', capture_method),
        description = CASE WHEN changes ? 'description' THEN changes->>'description' ELSE description END,
        return_url = CASE WHEN changes ? 'returnUrl' THEN changes->>'returnUrl' ELSE return_url END,
        metadata = COALESCE(changes->'metadata', metadata),
        version = payment_intent.version + 1,
        workflow_run_id = ${runId},
        updated_at = ${amendment.at}::timestamptz
      FROM amendment
      WHERE ${isExpectedRow(known, row)}
      RETURNING payment_intent.*, changes
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at)
      SELECT id, version, 1, 'amended',
        'Amended: ' || (SELECT string_agg(field, ', ' ORDER BY field) FROM jsonb_object_keys(changes) AS field),
        jsonb_build_object('amendmentId', ${amendment.amendmentId}::text), updated_at
      FROM updated
    ), dropped AS (
      DELETE FROM payment_intent_amendment USING updated WHERE payment_intent_amendment.id = ${amendment.amendmentId}
    )
    ${row === undefined ? Prisma.empty : forgetLostSteps(known, row)}
    SELECT version, amount_minor AS "amountMinor", currency, country, capture_method AS "captureMethod" FROM updated`;
  return applied === undefined ? undefined : { ...termsOf(applied), version: applied.version };
}

/** What holds after an amendment that is not there any more: it was applied by this step before, or it was purged. */
async function termsOfApplied(
  database: Database,
  { paymentIntentId, amendmentId, fromVersion }: Amendment,
): Promise<AmendedTerms> {
  const [told] = await database.direct.query<(TermsRow & { version: number })[]>`
    SELECT line.version, amount_minor AS "amountMinor", currency, country, capture_method AS "captureMethod"
    FROM payment_intent intent JOIN timeline_entry line ON line.payment_intent_id = intent.id
    WHERE intent.id = ${paymentIntentId} AND line.kind = 'amended' AND line.details->>'amendmentId' = ${amendmentId}`;
  if (told === undefined) {
    throw ApplicationFailure.nonRetryable(`amendment ${amendmentId} is not there any more`, AMENDMENT_GONE);
  }
  // Its line may be among those that a later decision has replaced: the terms hold all the same.
  return { ...termsOf(told), version: Math.max(told.version, fromVersion) };
}

async function isWaiting(database: Database, { amendmentId, paymentIntentId }: Amendment): Promise<boolean> {
  const waiting = await database.paymentIntentAmendment.count({ where: { id: amendmentId, paymentIntentId } });
  return waiting > 0;
}

function termsOf({ amountMinor, currency, country, captureMethod }: TermsRow): PaymentTerms {
  return { amountMinor: Number(amountMinor), currency, country, captureMethod };
}
