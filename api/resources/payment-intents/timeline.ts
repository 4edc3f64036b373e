import { actorAtStart } from '../../../domain/audit.ts';
import { formatMoney } from '../../../domain/money.ts';
import type { Principal } from '../../../domain/principal.ts';
import { readActorNames } from '../audit-events/actor-names.ts';
import { type JsonResponse, jsonResponse } from '../../../http/response.ts';
import type { Call } from '../api-operation.ts';
import type { TimelineLine } from '../../../contract/schemas/payment-intent-resource.ts';
import { selectTimeline } from '../../../prisma/queries/payment-intent.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import { type PaymentIntentDependencies, readIntent } from './stored-intent.ts';

/** Of a longer timeline the beginning is left out, because the last lines explain the present state. */
export const MAXIMUM_LINES = 1_000;

type TimelineRow = RowOf<ReturnType<typeof selectTimeline>>;

/** GET /payment-intents/{id}/timeline: every decision, attempt, timer and event, oldest first. */
export async function readTimeline(
  { database }: Pick<PaymentIntentDependencies, 'database'>,
  { principal, id }: Pick<Call<undefined, unknown>, 'principal' | 'id'>,
): Promise<JsonResponse> {
  const { intent } = await readIntent(database, principal, id);
  const newestFirst = await database.direct.rows(selectTimeline(intent.id, principal, MAXIMUM_LINES + 1));
  const lines = await withNames(database, principal, newestFirst.slice(0, MAXIMUM_LINES).reverse().map(presentLine));
  return jsonResponse(200, newestFirst.length > MAXIMUM_LINES ? [omissionLine(lines), ...lines] : lines);
}

/** What support staff requested over the API begins with their ids, because a history has no names: it is shown with these. */
async function withNames(
  database: PaymentIntentDependencies['database'],
  { merchantId }: Principal,
  lines: readonly TimelineLine[],
): Promise<readonly TimelineLine[]> {
  const actors = lines.flatMap(({ kind, summary }) => (kind === 'request' ? [actorAtStart(summary)] : []));
  const named = actors.filter((actor) => actor !== null);
  if (named.length === 0) return lines;
  const nameOf = await readActorNames(database, merchantId, named);
  return lines.map((line) => {
    const actor = line.kind === 'request' ? actorAtStart(line.summary) : null;
    const name = actor === null ? null : nameOf(actor);
    return actor === null || name === null ? line : { ...line, summary: name + line.summary.slice(actor.length) };
  });
}

/** The line in place of the earlier ones that are left out. */
function omissionLine([first]: readonly TimelineLine[]): TimelineLine {
  const summary = `Earlier lines are left out: these are the last ${MAXIMUM_LINES}`;
  return { at: first?.at ?? '', kind: 'left_out', summary, details: null };
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
