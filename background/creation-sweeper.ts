import { PAYMENT_STATUSES, isTerminal } from '../domain/payment-state.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
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
      await database.paymentIntent.updateMany({
        where: { id: row.id, workflowStartedAt: null },
        data: { workflowStartedAt: new Date() },
      });
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

function readPage(database: Database, before: Date, after: Row | undefined): Promise<Row[]> {
  return database.paymentIntent.findMany({
    select: { ...WORKFLOW_INPUT_COLUMNS, createdAt: true },
    where: {
      workflowStartedAt: null,
      status: { in: OPEN_STATUSES },
      createdAt: { ...(after && { gte: after.createdAt }), lt: before },
      ...(after && {
        OR: [{ createdAt: { gt: after.createdAt } }, { createdAt: after.createdAt, id: { gt: after.id } }],
      }),
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: PAGE_SIZE,
  });
}
