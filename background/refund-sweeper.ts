import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import type { Refund } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import { toRefundInput } from './refund-input.ts';
import { sweep } from './sweep.ts';

export interface RefundSweeperDependencies {
  readonly database: Database;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start'>;
}

/** Time the API has for starting the workflow itself. */
const GRACE_MS = 5 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

/**
 * Starts the workflow of every refund whose creator died, or could not reach Temporal, before it had started it. Starting
 * is idempotent, so it does no harm where only the mark is missing, or where two sweepers meet.
 * @throws TemporalUnavailableError when there is no use in going on
 */
export async function sweepRefunds(
  { database, refundWorkflows }: RefundSweeperDependencies,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(Date.now() - GRACE_MS);
  await sweep<Refund>({
    readPage: (after) => readPage(database, before, after),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      await refundWorkflows.start(toRefundInput(row));
      await database.refund.updateMany({
        where: { id: row.id, workflowStartedAt: null },
        data: { workflowStartedAt: new Date() },
      });
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

function readPage(database: Database, before: Date, after: Refund | undefined): Promise<Refund[]> {
  return database.refund.findMany({
    where: {
      workflowStartedAt: null,
      status: 'pending',
      createdAt: { ...(after && { gte: after.createdAt }), lt: before },
      ...(after && {
        OR: [{ createdAt: { gt: after.createdAt } }, { createdAt: after.createdAt, id: { gt: after.id } }],
      }),
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: PAGE_SIZE,
  });
}
