import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import { REFUND_INPUT_COLUMNS, type RefundInputRow, toRefundInput } from './refund-input.ts';
import { type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface RefundSweeperDependencies extends SweepDueDependencies {
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'takeOver'>;
}

export const REFUND_SWEEP_SIZE = 100;

type Row = RefundInputRow & { readonly status: string };

/**
 * Looks at the refunds that are due, and starts, takes over or replaces workflows as needed. To start one is idempotent.
 * @returns how many refunds were looked at
 * @throws TemporalUnavailableError when there is no use in going on
 */
export function sweepRefunds(dependencies: RefundSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { database, refundWorkflows } = dependencies;
  const refunds: DueRows<Row> = {
    name: 'refund',
    table: 'refund',
    since: 'created_at',
    columns: Prisma.sql`${REFUND_INPUT_COLUMNS}, status`,
    limit: REFUND_SWEEP_SIZE,
    workflowIdOf: ({ id }) => id,
    describe: ({ status }) => ({ hasEnded: status !== 'pending', isStarted: false, runId: null, isOverdue: false }),
    idsOf: ({ id }) => ({ refundId: id }),
    start: (row) => refundWorkflows.start(toRefundInput(row)),
    takeOver: async (row, endedAs) => {
      const isTakenOver = await refundWorkflows.takeOver(toRefundInput(row), endedAs);
      if (isTakenOver) await noteTakeOver(database, row.id, endedAs);
      return isTakenOver;
    },
  };
  return sweepDue(dependencies, refunds, signal);
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
