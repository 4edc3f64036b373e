import type { Database } from '../../prisma/client.ts';
import { type Answer, answerWith } from '../answer.ts';
import type { Call } from '../endpoint.ts';
import type { TimelineLine } from '../schemas/payment-intent-resource.ts';
import type { PaymentIntentDependencies } from './dependencies.ts';
import { readIntent } from './read-intents.ts';

const MAXIMUM_LINES = 1_000;

interface TimelineRow {
  readonly at: Date;
  readonly kind: string;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** GET /payment-intents/{id}/timeline: every decision, attempt, timer and event, oldest first. */
export async function readTimeline(
  { database }: PaymentIntentDependencies,
  { access, id }: Call<undefined, unknown>,
): Promise<Answer> {
  const { intent } = await readIntent(database, access, id);
  const rows = await selectTimeline(database, intent.id);
  return answerWith(200, rows.map(presentLine));
}

/** Within one version the story comes before the events that it led to. */
function selectTimeline(database: Database, paymentIntentId: string): Promise<TimelineRow[]> {
  return database.$queryRaw<TimelineRow[]>`
    SELECT at, kind, summary, details FROM (
      SELECT at, kind, summary, details, version, 0 AS source, ordinal::bigint AS place
      FROM timeline_entry WHERE payment_intent_id = ${paymentIntentId}
      UNION ALL
      SELECT created_at, 'event', type, jsonb_build_object('eventId', id, 'failure', failure), version, 1, insertion
      FROM event WHERE payment_intent_id = ${paymentIntentId}
    ) AS line
    ORDER BY version, source, place LIMIT ${MAXIMUM_LINES}`;
}

function presentLine({ at, kind, summary, details }: TimelineRow): TimelineLine {
  return { at: at.toISOString(), kind, summary, details };
}
