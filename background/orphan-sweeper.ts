import type { Logger } from 'pino';
import { STUCK_AFTER_MS } from '../domain/retry-plan.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { PaymentWorkflows } from '../temporal/payment-workflows.ts';
import type { WorkflowStanding, WorkflowStandings } from '../temporal/workflow-standings.ts';
import { loadOpenPayment } from './open-payment.ts';
import { restartRefunds, type RefundRestartDependencies } from './orphan-refunds.ts';
import { sweep } from './sweep.ts';

export interface OrphanSweeperDependencies extends RefundRestartDependencies {
  readonly database: Database;
  readonly standings: WorkflowStandings;
  readonly workflows: Pick<PaymentWorkflows, 'restart'>;
  readonly logger: Logger;
}

/** Rows that one sweep looks at. */
const PAGE_SIZE = 1_000;
/** Rows whose workflows Temporal's list is asked for together. */
const LISTED_TOGETHER = 200;
/** One row in so many is asked for by itself though the list says that it runs: the list might be wrong for ever. */
const TRUSTED_PASSES = 100;
/** Refunds that one sweep looks at: their workflows are asked for one by one. */
const REFUNDS_PAGE_SIZE = 200;
const CONCURRENCY = 10;
/** What was written a moment ago has a workflow that wrote it, and one that was restarted gets time to begin. */
const QUIET_MS = 3 * SECOND_MS;
/** After that a task that called a provider is in the history, or was lost. */
const CALLED_BEFORE_MS = 30 * SECOND_MS;
/** How much later than it should a workflow writes what is due. */
const OVERDUE_AFTER_MS = MINUTE_MS;

interface Row {
  readonly id: string;
  readonly version: number;
  readonly runId: string | null;
  /** Whether something that its workflow writes by itself has not come: the advisory of a stuck payment, the expiry. */
  readonly overdue: boolean;
  /** Whether a provider was called within a task of which it is not known that the history has it. */
  readonly called: boolean;
}

/**
 * Makes sweeps that find open intents and pending refunds whose workflow has ended without them, because somebody ended it
 * by hand, it failed or Temporal has lost it. A new workflow takes each over and first asks the provider what became of
 * it. Each sweep looks at the next rows, so that after some sweeps all have been looked at. Temporal is asked for many
 * workflows at once, so that a mass of open intents costs it and the worker next to nothing.
 */
export function createOrphanSweeper(dependencies: OrphanSweeperDependencies): (signal: AbortSignal) => Promise<void> {
  let lastPayment = '';
  let pass = 0;
  let lastRefund = '';
  return async (signal) => {
    const quietSince = new Date(Date.now() - QUIET_MS);
    const rows = await readOpen(dependencies.database, lastPayment, quietSince);
    const suspects = await findSuspects(dependencies.standings, rows, pass);
    await handleAll(suspects, (row) => restartOrphan(dependencies, row), signal);
    const isLast = rows.length < PAGE_SIZE;
    if (isLast) pass += 1;
    lastPayment = isLast ? '' : (rows.at(-1)?.id ?? '');
    lastRefund = await restartRefunds(
      dependencies,
      { after: lastRefund, quietSince, pageSize: REFUNDS_PAGE_SIZE },
      (each, restart) => handleAll(each, restart, signal),
    );
  };
}

/** The words of the condition are those of the partial index. */
function readOpen(database: Database, after: string, quietSince: Date): Promise<Row[]> {
  return database.direct.query<Row[]>(Prisma.sql`
    SELECT id, version, workflow_run_id AS "runId",
      (status = 'processing' AND advisory IS NULL AND updated_at < ${before(STUCK_AFTER_MS + OVERDUE_AFTER_MS)})
        OR (status = 'requires_payment_method' AND expires_at < ${before(OVERDUE_AFTER_MS)}) AS overdue,
      updated_at < ${before(CALLED_BEFORE_MS)} AND EXISTS (
        SELECT FROM payment_attempt WHERE payment_intent_id = payment_intent.id AND called_at_once) AS called
    FROM payment_intent
    WHERE status IN ('requires_payment_method', 'processing', 'requires_action', 'requires_capture')
      AND id > ${after} AND workflow_started_at < ${quietSince} AND updated_at < ${quietSince}
    ORDER BY id LIMIT ${PAGE_SIZE}`);
}

function before(ageMs: number): Date {
  return new Date(Date.now() - ageMs);
}

/**
 * Those that are overdue or may know less than is recorded, that do not seem to run, or in another run than the one that
 * wrote them, and a share of those that do.
 */
async function findSuspects(
  standings: Pick<WorkflowStandings, 'runningAmong'>,
  rows: readonly Row[],
  pass: number,
): Promise<readonly Row[]> {
  const suspects: Row[] = [];
  for (let start = 0; start < rows.length; start += LISTED_TOGETHER) {
    const together = rows.slice(start, start + LISTED_TOGETHER);
    const running = await standings.runningAmong(together.map(({ id }) => id));
    suspects.push(
      ...together.filter(({ id, runId, overdue, called }, index) => {
        const listedRun = running.get(id);
        const isTrusted = (index + pass) % TRUSTED_PASSES !== 0;
        const isSuspect = overdue || called || listedRun === undefined || !isTrusted;
        return isSuspect || (runId !== null && runId !== listedRun);
      }),
    );
  }
  return suspects;
}

async function handleAll<Each>(
  rows: readonly Each[],
  handle: (row: Each) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await sweep<Each>({
    readPage: (after) => Promise.resolve(after === undefined ? [...rows] : []),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle,
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

async function restartOrphan(dependencies: OrphanSweeperDependencies, row: Row): Promise<void> {
  const { database, standings, workflows, logger } = dependencies;
  const standing = await standings.standingOf(row.id);
  if (standing.kind === 'running') {
    const isAbreast = await endWhereBehind(dependencies, row, standing);
    return isAbreast && row.called ? forgetCalls(database, row) : undefined;
  }
  const input = await loadOpenPayment(database, row.id);
  if (input === null) return;
  const restarted = await workflows.restart({ ...input, restartedAfter: standing.as });
  if (restarted)
    logger.warn({ paymentIntentId: row.id, endedAs: standing.as }, 'took over a payment without a workflow');
}

/** The history has the calls that were made until then: what follows may go by it. */
async function forgetCalls(database: Database, { id, version }: Row): Promise<void> {
  await database.direct.execute`
    UPDATE payment_attempt SET called_at_once = false FROM payment_intent intent
    WHERE payment_intent_id = ${id} AND called_at_once AND intent.id = payment_intent_id AND intent.version = ${version}`;
}

/**
 * A workflow that was reset knows less than its row, and may wait for what has happened long ago. So does one whose task
 * Temporal has lost: a task that only an update asked for is kept in the server's memory, and what its steps have written
 * outlives the server. Whoever sent the update mostly sends it again; if nobody does, what is due never comes, and what a
 * provider says about an attempt is not understood.
 * @returns whether it is known to know all that is recorded
 */
async function endWhereBehind(
  { standings, logger }: OrphanSweeperDependencies,
  row: Row,
  { runId, hasBegun, isBusy }: Extract<WorkflowStanding, { kind: 'running' }>,
): Promise<boolean> {
  const wasReset = row.runId !== null && row.runId !== runId;
  const maybeBehind = (row.overdue || row.called) && !isBusy;
  if (!wasReset && !maybeBehind) return false;
  if (hasBegun && (await standings.versionKnown(row.id)) >= row.version) return true;
  await standings.end(row.id, runId, 'It knows less than is recorded; another run takes over');
  logger.warn({ paymentIntentId: row.id, runId }, 'ended a run that knew less than is recorded');
  return false;
}
