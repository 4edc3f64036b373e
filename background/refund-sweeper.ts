import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import { REFUND_INPUT_COLUMNS, type RefundInputRow, toRefundInput } from './refund-input.ts';
import { sweep } from './sweep.ts';

export interface RefundSweeperDependencies {
  readonly database: Database;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start'>;
}

/** Time the API has for starting the workflow itself. */
const GRACE_MS = 5 * SECOND_MS;
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

type Row = RefundInputRow & { readonly createdAt: Date };

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
  await sweep<Row>({
    readPage: (after) => readPage(database, before, after),
    pageSize: PAGE_SIZE,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      await refundWorkflows.start(toRefundInput(row));
      await database.direct.execute`
        UPDATE refund SET workflow_started_at = now() WHERE id = ${row.id} AND workflow_started_at IS NULL`;
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
}

function readPage(database: Database, before: Date, after: Row | undefined): Promise<Row[]> {
  const beyond = after && Prisma.sql`AND (created_at, id) > (${after.createdAt}, ${after.id})`;
  return database.direct.query<Row[]>`
    SELECT ${REFUND_INPUT_COLUMNS}, created_at AS "createdAt"
    FROM refund
    WHERE workflow_started_at IS NULL AND status = 'pending' AND created_at < ${before} ${beyond ?? Prisma.empty}
    ORDER BY created_at, id LIMIT ${PAGE_SIZE}`;
}
