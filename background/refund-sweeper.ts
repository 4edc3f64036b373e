import type { Logger } from 'pino';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import type { WorkflowStates } from '../temporal/workflow-states.ts';
import { claimDue, settleDue } from './claim-due.ts';
import { findingOf } from './due-workflows.ts';
import { REFUND_INPUT_COLUMNS, type RefundInputRow, toRefundInput } from './refund-input.ts';
import { sweep } from './sweep.ts';

export interface RefundSweeperDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'stateOf' | 'statesOf'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'takeOver'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export const REFUND_SWEEP_SIZE = 100;
const CONCURRENCY = 10;

type Row = RefundInputRow & { readonly status: string };

/**
 * Looks at the refunds that are due, and starts or takes over those without a workflow. To start one is idempotent.
 * @returns how many refunds were looked at
 * @throws TemporalUnavailableError when there is no use in going on
 */
export async function sweepRefunds(dependencies: RefundSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { database, states } = dependencies;
  const rows = await claimDue<Row>(database, {
    table: 'refund',
    since: 'created_at',
    columns: Prisma.sql`${REFUND_INPUT_COLUMNS}, status`,
    limit: REFUND_SWEEP_SIZE,
  });
  if (rows.length === 0) return 0;
  const listed = await states.statesOf(rows.map(({ id }) => id));
  const settled: string[] = [];
  await sweep<Row>({
    readPage: (after) => Promise.resolve(after === undefined ? rows : []),
    pageSize: rows.length + 1,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const state = listed.get(row.id) ?? (await states.stateOf(row.id));
      if (await mend(dependencies, row, state)) settled.push(row.id);
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
  await settleDue(database, 'refund', settled);
  return rows.length;
}

/** @returns whether there is nothing more to see to */
async function mend(
  { refundWorkflows, logger }: RefundSweeperDependencies,
  row: Row,
  state: Parameters<typeof findingOf>[1],
): Promise<boolean> {
  const hasEnded = row.status !== 'pending';
  const finding = findingOf({ id: row.id, hasEnded, isStarted: false, runId: null, isOverdue: false }, state);
  if (finding.kind === 'start') await refundWorkflows.start(toRefundInput(row));
  if (finding.kind === 'take_over' && (await refundWorkflows.takeOver(toRefundInput(row), finding.endedAs))) {
    logger.warn({ refundId: row.id, endedAs: finding.endedAs }, 'took over a refund whose workflow had ended');
  }
  return finding.kind === 'settled';
}
