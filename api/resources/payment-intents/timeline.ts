import { formatMoney } from '../../../domain/money.ts';
import type { Database } from '../../../prisma/client.ts';
import { type JsonResponse, jsonResponse } from '../../response.ts';
import type { Call } from '../api-operation.ts';
import type { TimelineLine } from '../../schemas/payment-intent-resource.ts';
import type { RefundRow } from '../../../prisma/queries/refund.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';

const MAXIMUM_LINES = 1_000;

interface TimelineRow {
  readonly at: Date;
  readonly kind: string;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** Set on events about a refund. */
  readonly refund: Pick<RefundRow, 'id' | 'amount_minor' | 'currency'> | null;
}

/** GET /payment-intents/{id}/timeline: every decision, attempt, timer and event, oldest first. */
export async function readTimeline(
  { database }: PaymentIntentDependencies,
  { principal, id }: Call<undefined, unknown>,
): Promise<JsonResponse> {
  const { intent } = await readIntent(database, principal, id);
  const rows = await selectTimeline(database, intent.id);
  return jsonResponse(200, rows.map(presentLine));
}

/** Within one version, timeline entries come before the events of the same step. */
function selectTimeline(database: Database, paymentIntentId: string): Promise<TimelineRow[]> {
  return database.direct.query<TimelineRow[]>`
    SELECT at, kind, summary, details, refund FROM (
      SELECT at, kind, summary, details, NULL::jsonb AS refund, version, 0 AS source, ordinal::bigint AS place
      FROM timeline_entry WHERE payment_intent_id = ${paymentIntentId}
      UNION ALL
      SELECT created_at, 'event', type, jsonb_build_object('eventId', id, 'failure', failure),
        snapshot->'refund', version, 1, insertion
      FROM event WHERE payment_intent_id = ${paymentIntentId}
    ) AS line
    ORDER BY version, source, place LIMIT ${MAXIMUM_LINES}`;
}

function presentLine({ at, kind, summary, details, refund }: TimelineRow): TimelineLine {
  const line = { at: at.toISOString(), kind };
  if (refund === null) return { ...line, summary, details };
  return {
    ...line,
    summary: summarizeRefund(summary, refund),
    details: { ...details, type: summary, refundId: refund.id },
  };
}

const REFUND_SUMMARIES: Readonly<Record<string, string>> = {
  'refund.created': 'begun',
  'refund.succeeded': 'given back',
  'refund.failed': 'failed',
};

function summarizeRefund(
  type: string,
  { amount_minor: amountMinor, currency }: NonNullable<TimelineRow['refund']>,
): string {
  return `Refund of ${formatMoney(amountMinor, currency)} ${REFUND_SUMMARIES[type] ?? type}`;
}
