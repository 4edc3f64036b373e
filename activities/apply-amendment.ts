import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../prisma/client.ts';
import { AMENDMENT_GONE } from '../domain/payment-change.ts';
import type { CaptureMethod, PaymentTerms } from '../domain/payment.ts';
import type { Amendment } from './payment-activities.ts';

interface TermsRow {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly country: string | null;
  readonly captureMethod: CaptureMethod;
}

/**
 * Applies a waiting amendment to its intent and drops it, in one statement that a repeat leaves as it is. An amendment
 * that still waits is applied too where a step stands in its place that was written, but lost with its worker.
 * @returns the terms that hold now
 * @throws ApplicationFailure of the type `AMENDMENT_GONE` when it was purged before it was applied
 */
export async function applyAmendment(database: Database, amendment: Amendment): Promise<PaymentTerms> {
  await database.$executeRaw`
    WITH amendment AS (
      SELECT changes FROM payment_intent_amendment
      WHERE id = ${amendment.amendmentId} AND payment_intent_id = ${amendment.paymentIntentId}
    ), updated AS (
      UPDATE payment_intent SET
        amount_minor = COALESCE((changes->>'amountMinor')::bigint, amount_minor),
        currency = COALESCE(changes->>'currency', currency),
        country = CASE WHEN changes ? 'country' THEN changes->>'country' ELSE country END,
        customer_id = CASE WHEN changes ? 'customerId' THEN changes->>'customerId' ELSE customer_id END,
        capture_method = COALESCE(changes->>'captureMethod', capture_method),
        description = CASE WHEN changes ? 'description' THEN changes->>'description' ELSE description END,
        return_url = CASE WHEN changes ? 'returnUrl' THEN changes->>'returnUrl' ELSE return_url END,
        metadata = COALESCE(changes->'metadata', metadata),
        version = ${amendment.fromVersion}::int + 1,
        updated_at = ${amendment.at}::timestamptz
      FROM amendment
      WHERE payment_intent.id = ${amendment.paymentIntentId} AND (version = ${amendment.fromVersion}
        OR (version = ${amendment.fromVersion}::int + 1 AND updated_at < ${amendment.at}::timestamptz))
      RETURNING payment_intent.id, version, updated_at, changes
    ), timeline AS (
      INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, at)
      SELECT id, version, 1 + (
          SELECT COALESCE(max(lost.ordinal), 0) FROM timeline_entry lost
          WHERE lost.payment_intent_id = updated.id AND lost.version = updated.version
        ), 'amended',
        'Amended: ' || (SELECT string_agg(field, ', ' ORDER BY field) FROM jsonb_object_keys(changes) AS field), updated_at
      FROM updated
    )
    DELETE FROM payment_intent_amendment USING updated WHERE payment_intent_amendment.id = ${amendment.amendmentId}`;
  const [row] = await database.$queryRaw<(TermsRow & { version: number; waiting: boolean })[]>`
    SELECT amount_minor AS "amountMinor", currency, country, capture_method AS "captureMethod", version,
      EXISTS (SELECT 1 FROM payment_intent_amendment waiting
        WHERE waiting.id = ${amendment.amendmentId} AND waiting.payment_intent_id = payment_intent.id) AS "waiting"
    FROM payment_intent WHERE id = ${amendment.paymentIntentId}`;
  if (row?.version === amendment.fromVersion && !row.waiting) {
    throw ApplicationFailure.nonRetryable(`amendment ${amendment.amendmentId} is not there any more`, AMENDMENT_GONE);
  }
  if (row?.version !== amendment.fromVersion + 1) {
    throw new Error(`${amendment.paymentIntentId}: amendment ${amendment.amendmentId} does not apply`);
  }
  const { amountMinor, currency, country, captureMethod } = row;
  return { amountMinor: Number(amountMinor), currency, country, captureMethod };
}
