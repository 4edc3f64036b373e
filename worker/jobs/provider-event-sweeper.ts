import { PAYMENT_STATUSES, isTerminal } from '../../domain/payment-state.ts';
import type { ProviderEvent, RefundProviderEvent } from '../../domain/provider-outcome.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { STRAY_CHARGE_REPORTED_AGAIN } from '../../prisma/queries/stray-charge.ts';
import { type SignalResult, TemporalUnavailableError } from '../../workflows/client/temporal-errors.ts';
import type { PaymentWorkflows } from '../../workflows/client/payment-workflows.ts';
import type { RefundWorkflows } from '../../workflows/client/refund-workflows.ts';
import { sweep } from './sweep.ts';

export interface ProviderEventSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent'>;
}

/** Time the API has for delivering the event itself. */
const GRACE_MS = 2 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

const TERMINAL_STATUSES: readonly string[] = PAYMENT_STATUSES.filter(isTerminal);

interface Row {
  readonly provider: string;
  readonly event_id: string;
  readonly payment_intent_id: string;
  readonly refund_id: string | null;
  readonly event: unknown;
  readonly received_at: Date;
  readonly status: string;
}

/**
 * Delivers provider events that no workflow has received yet, oldest first. Events of unknown intents are skipped until they
 * are purged; events of an intent without a workflow wait until it is started.
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepProviderEvents(
  dependencies: ProviderEventSweeperDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const before = new Date(Date.now() - GRACE_MS);
  await markKnownEvents(database, before);
  await sweep<Row>({
    readPage: (after) => readPage(database, before, after),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const answer = await deliver(dependencies, row);
      if (isSettled(answer, row)) await markDelivered(database, row);
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

function deliver({ workflows, refundWorkflows }: ProviderEventSweeperDependencies, row: Row): Promise<SignalResult> {
  const { event } = row;
  if (isProviderEvent(event)) return workflows.deliverProviderEvent(row.payment_intent_id, event);
  if (isRefundEvent(event)) return refundWorkflows.deliverRefundEvent(event.refundId, event);
  throw new TypeError(`provider event ${row.provider} ${row.event_id} has no known form`);
}

/**
 * Marks events as delivered that only repeat a recorded outcome: the attempt or refund has ended. Two kinds are delivered all
 * the same: a charge for an attempt that ended without one or after its hold was voided; and the capture or void of a hold,
 * while the intent is in `requires_capture`.
 */
async function markKnownEvents(database: Database, before: Date): Promise<void> {
  await database.direct.execute`
    UPDATE provider_event SET delivered_at = now()
    FROM payment_attempt JOIN payment_intent ON payment_intent.id = payment_attempt.payment_intent_id
    WHERE delivered_at IS NULL AND received_at < ${before} AND payment_attempt.id = event->>'attemptId'
      AND outcome IS NOT NULL AND (event->'outcome'->>'kind' <> 'approved' OR outcome = 'approved')
      AND (payment_intent.status <> 'canceled' OR event->'outcome'->>'captured' IS DISTINCT FROM 'true')
      AND NOT (outcome = 'approved' AND payment_intent.status = 'requires_capture'
        AND (event->'outcome'->>'kind' = 'not_charged' OR event->'outcome'->>'captured' = 'true'))`;
  await database.direct.execute`
    UPDATE provider_event SET delivered_at = now() FROM refund
    WHERE delivered_at IS NULL AND received_at < ${before} AND refund.id = refund_id AND refund.status <> 'pending'`;
}

/** An event about an intent that has ended needs no delivery, even if Temporal no longer remembers the workflow. */
function isSettled(answer: SignalResult, { refund_id, status }: Row): boolean {
  return answer !== 'not_started' || (refund_id === null && TERMINAL_STATUSES.includes(status));
}

function readPage(database: Database, before: Date, after: Row | undefined): Promise<Row[]> {
  const fromHere =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (received_at, provider_event.provider, event_id)
          > (${after.received_at}, ${after.provider}, ${after.event_id})`;
  return database.direct.query<Row[]>`
    SELECT provider_event.provider, event_id, payment_intent_id, refund_id, event, received_at, payment_intent.status
    FROM provider_event
    JOIN payment_intent ON payment_intent.id = provider_event.payment_intent_id
    WHERE delivered_at IS NULL AND received_at < ${before} ${fromHere}
    ORDER BY received_at, provider_event.provider, event_id
    LIMIT ${PAGE_SIZE}`;
}

/** Marks an event as delivered. Where it reports a stray charge, this records it too, because the workflow may have ended. */
async function markDelivered(database: Database, row: Row): Promise<void> {
  await database.direct.execute`
    WITH marked AS (
      UPDATE provider_event SET delivered_at = now()
      WHERE provider = ${row.provider} AND event_id = ${row.event_id} AND delivered_at IS NULL
      RETURNING provider, event
    )
    INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider)
    SELECT attempt.id, intent.id, intent.merchant_account_id, intent.environment, attempt.provider
    FROM marked JOIN payment_attempt attempt ON attempt.id = marked.event->>'attemptId'
      AND attempt.provider = marked.provider
    JOIN payment_intent intent ON intent.id = attempt.payment_intent_id
      AND (attempt.outcome <> 'approved'
        OR (intent.status = 'canceled' AND marked.event->'outcome'->>'captured' = 'true'))
    WHERE marked.event->'outcome'->>'kind' = 'approved'
    ${STRAY_CHARGE_REPORTED_AGAIN}`;
}

/** The API wrote the row from a verified, translated event; this catches rows of another version. */
function isProviderEvent(value: unknown): value is ProviderEvent {
  return (
    hasStrings(value, ['provider', 'eventId', 'attemptId']) && 'outcome' in value && hasStrings(value.outcome, ['kind'])
  );
}

function isRefundEvent(value: unknown): value is RefundProviderEvent {
  return (
    hasStrings(value, ['provider', 'eventId', 'refundId']) &&
    'refundOutcome' in value &&
    hasStrings(value.refundOutcome, ['kind'])
  );
}

function hasStrings<Key extends string>(value: unknown, keys: readonly Key[]): value is Record<Key, string> {
  if (typeof value !== 'object' || value === null) return false;
  const entries = new Map(Object.entries(value));
  return keys.every((key) => typeof entries.get(key) === 'string');
}
