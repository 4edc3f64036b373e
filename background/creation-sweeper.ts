import { PAYMENT_STATUSES, isTerminal } from '../domain/payment-state.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError, type PaymentWorkflows } from '../temporal/payment-workflows.ts';
import { sweep } from './sweep.ts';
import { WORKFLOW_INPUT_COLUMNS, toWorkflowInput, type WorkflowInputRow } from './workflow-input.ts';

export interface CreationSweeperDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'start'>;
}

/** Time the API has for starting the workflow itself. */
const GRACE_MS = 5 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

const OPEN_STATUSES = PAYMENT_STATUSES.filter((status) => !isTerminal(status));

type Row = WorkflowInputRow & { readonly createdAt: Date };

/**
 * Starts the workflow of every open intent whose creator died, or could not reach Temporal, before it had started it.
 * Starting is idempotent, so it does no harm where only the mark is missing, or where two sweepers meet.
 * @throws TemporalUnavailableError when there is no use in going on
 */
export async function sweepCreations(
  { database, workflows }: CreationSweeperDependencies,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(Date.now() - GRACE_MS);
  await sweep<Row>({
    readPage: (after) => readPage(database, before, after),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      await workflows.start(toWorkflowInput(row));
      await database.direct.execute`
        UPDATE payment_intent SET workflow_started_at = now() WHERE id = ${row.id} AND workflow_started_at IS NULL`;
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

/** Raw, as are the others that run at once: a statement that has to be planned here first holds a worker's start up. */
function readPage(database: Database, before: Date, after: Row | undefined): Promise<Row[]> {
  const beyond = after && Prisma.sql`AND (created_at, id) > (${after.createdAt}, ${after.id})`;
  return database.direct.query<Row[]>`
    SELECT ${WORKFLOW_INPUT_COLUMNS}, created_at AS "createdAt"
    FROM payment_intent
    WHERE workflow_started_at IS NULL AND status IN (${Prisma.join(OPEN_STATUSES)})
      AND created_at < ${before} ${beyond ?? Prisma.empty}
    ORDER BY created_at, id LIMIT ${PAGE_SIZE}`;
}
