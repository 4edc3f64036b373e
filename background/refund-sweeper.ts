import type { Logger } from 'pino';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import type { WorkflowStates } from '../temporal/workflow-states.ts';
import { type Claim, claimDue, settleDue } from './claim-due.ts';
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
  const settled: Claim[] = [];
  await sweep<Row & Claim>({
    readPage: (after) => Promise.resolve(after === undefined ? rows : []),
    pageSize: rows.length + 1,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const state = listed.get(row.id) ?? (await states.stateOf(row.id));
      if (await mend(dependencies, row, state)) settled.push(row);
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
  await settleDue(database, 'refund', settled);
  return rows.length;
}

/** @returns whether there is nothing more to see to */
async function mend(
  { database, refundWorkflows, logger }: RefundSweeperDependencies,
  row: Row,
  state: Parameters<typeof findingOf>[1],
): Promise<boolean> {
  const hasEnded = row.status !== 'pending';
  const finding = findingOf({ id: row.id, hasEnded, isStarted: false, runId: null, isOverdue: false }, state);
  if (finding.kind === 'start') await refundWorkflows.start(toRefundInput(row));
  if (finding.kind === 'take_over' && (await refundWorkflows.takeOver(toRefundInput(row), finding.endedAs))) {
    await noteTakeOver(database, row.id, finding.endedAs);
    logger.warn({ refundId: row.id, endedAs: finding.endedAs }, 'took over a refund whose workflow had ended');
  }
  return finding.kind === 'settled';
}

/** A refund begins when its payment has ended, so nobody else writes lines of that version. */
async function noteTakeOver(database: Database, refundId: string, endedAs: string): Promise<void> {
  await database.direct.execute`
    INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at)
    SELECT intent.id, intent.version, 1 + COALESCE((
        SELECT max(ordinal) FROM timeline_entry line
        WHERE line.payment_intent_id = intent.id AND line.version = intent.version
      ), 0), 'decision', 'The workflow of a refund had ended (' || ${endedAs}::text || '); another run asks '
        || refund.provider || ' again under the same key', jsonb_build_object('refundId', refund.id), now()
    FROM refund JOIN payment_intent intent ON intent.id = refund.payment_intent_id
    WHERE refund.id = ${refundId} AND refund.status = 'pending'
    ON CONFLICT DO NOTHING`;
}
