import type { Logger } from 'pino';
import type { Database } from '../prisma/client.ts';
import type { RefundWorkflows } from '../temporal/refund-workflows.ts';
import type { WorkflowStandings } from '../temporal/workflow-standings.ts';
import { toRefundInput } from './refund-input.ts';

export interface RefundRestartDependencies {
  readonly database: Database;
  readonly standings: WorkflowStandings;
  readonly refundWorkflows: Pick<RefundWorkflows, 'restart'>;
  readonly logger: Logger;
}

interface Page {
  readonly after: string;
  readonly quietSince: Date;
  readonly pageSize: number;
}

/**
 * Looks at the next pending refunds and takes over those without a workflow.
 * @returns the id after which the next sweep goes on
 */
export async function restartRefunds(
  dependencies: RefundRestartDependencies,
  { after, quietSince, pageSize }: Page,
  handleAll: (rows: readonly { id: string }[], restart: (row: { id: string }) => Promise<void>) => Promise<void>,
): Promise<string> {
  const rows = await dependencies.database.direct.query<{ id: string }[]>`
    SELECT id FROM refund
    WHERE status = 'pending' AND id > ${after} AND workflow_started_at < ${quietSince} AND updated_at < ${quietSince}
    ORDER BY id LIMIT ${pageSize}`;
  await handleAll(rows, ({ id }) => restartRefund(dependencies, id));
  return rows.length < pageSize ? '' : (rows.at(-1)?.id ?? '');
}

async function restartRefund(
  { database, standings, refundWorkflows, logger }: RefundRestartDependencies,
  refundId: string,
): Promise<void> {
  const standing = await standings.standingOf(refundId);
  if (standing.kind === 'running') return;
  const row = await database.refund.findUniqueOrThrow({ where: { id: refundId } });
  if (row.status !== 'pending') return;
  const restarted = await refundWorkflows.restart({ ...toRefundInput(row), restartedAfter: standing.as });
  if (!restarted) return;
  await tellRestart(database, refundId, standing.as);
  logger.warn({ refundId, endedAs: standing.as }, 'took over a refund without a workflow');
}

/** A refund begins when its payment has ended, so nobody else writes the story of that version. */
async function tellRestart(database: Database, refundId: string, endedAs: string): Promise<void> {
  await database.direct.execute`
    WITH restarted AS (
      UPDATE refund SET updated_at = now() WHERE id = ${refundId} AND status = 'pending'
      RETURNING payment_intent_id, provider
    )
    INSERT INTO timeline_entry (payment_intent_id, version, ordinal, kind, summary, details, at)
    SELECT intent.id, intent.version, 1 + COALESCE((
        SELECT max(ordinal) FROM timeline_entry line
        WHERE line.payment_intent_id = intent.id AND line.version = intent.version
      ), 0), 'decision', 'The workflow of a refund had ended (' || ${endedAs}::text || '); a new one asks '
        || restarted.provider || ' first what became of it', jsonb_build_object('refundId', ${refundId}::text), now()
    FROM restarted JOIN payment_intent intent ON intent.id = restarted.payment_intent_id
    ON CONFLICT DO NOTHING`;
}
