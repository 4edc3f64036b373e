import type { Logger } from 'pino';
import type { Database } from '../../prisma/connection/client.ts';
import { type Claim, type ClaimOrder, type DueTable, clearDue } from '../../prisma/queries/due.ts';
import type { Statement } from '../../prisma/connection/statement.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import { type DueRow, findingOf } from './due-workflows.ts';
import { sweepRows } from './sweep.ts';

export interface SweepDueDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'stateOf' | 'statesOf' | 'detailsOf' | 'terminate' | 'showAdvisory'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** The due rows of one table, and how to handle them. */
export interface DueRows<Row extends Claim> {
  /** What a row is, in the log. */
  readonly name: string;
  readonly table: DueTable;
  readonly claim: (order: ClaimOrder) => Statement<Row>;
  /** Rows that one claim takes at most. */
  readonly limit: number;
  readonly workflowIdOf: (row: Row) => string;
  readonly describe: (row: Row) => Omit<DueRow, 'isQuiet'>;
  /** The ids of a row, for the log. */
  readonly idsOf: (row: Row) => object;
  readonly start: (row: Row) => Promise<void>;
  /** Starts another run; false where one runs already. */
  readonly takeOver: (row: Row, endedAs: string) => Promise<boolean>;
  /** Repairs a run that contradicts its row. */
  readonly repair?: (row: Row, runId: string) => Promise<void>;
  /** Records the advisory of a row that has waited for its provider for long; true where the workflow should show it. */
  readonly advise: (row: Row) => Promise<boolean>;
  /** Informs the merchant of a failing run; operators get an alert in any case. */
  readonly reportFailing?: (row: Row) => Promise<void>;
}

/** A row that no workflow writes to before it has ended. */
export function describePending({ status }: { readonly status: string }): Omit<DueRow, 'isQuiet'> {
  return { hasEnded: status !== 'pending', mayEndAsFailed: false, isStarted: false, runId: null, isOverdue: false };
}

const CONCURRENCY = 10;
/** Tries of one workflow task after which operators are alerted, and after which another run replaces this one. */
const FAILING_AFTER_TRIES = 5;
const REPLACED_AFTER_TRIES = 10;

/**
 * Checks the rows that have been due longest, and starts, takes over or inspects their workflows. Where there are more than one sweep
 * takes, it also checks some of each account, so that one with very many does not keep the others waiting.
 * @returns how many rows were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export async function sweepDue<Row extends Claim>(
  dependencies: SweepDueDependencies,
  due: DueRows<Row>,
  signal: AbortSignal,
): Promise<number> {
  const oldest = await sweepClaimed(dependencies, due, 'oldest', signal);
  return oldest < due.limit ? oldest : oldest + (await sweepClaimed(dependencies, due, 'by_account', signal));
}

/** One call to Temporal reads the states of all rows. */
async function sweepClaimed<Row extends Claim>(
  dependencies: SweepDueDependencies,
  due: DueRows<Row>,
  order: ClaimOrder,
  signal: AbortSignal,
): Promise<number> {
  const { database, states } = dependencies;
  const rows = await database.direct.rows(due.claim(order));
  if (rows.length === 0) return 0;
  const listed = await states.statesOf(rows.map(due.workflowIdOf));
  const finished: Claim[] = [];
  await sweepRows(rows, {
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const id = due.workflowIdOf(row);
      if (await due.advise(row)) await states.showAdvisory(id);
      const state = listed.get(id) ?? (await states.stateOf(id));
      const finding = findingOf({ ...due.describe(row), isQuiet: row.isQuiet }, state);
      if (finding.kind === 'finished') finished.push(row);
      if (finding.kind === 'start') await due.start(row);
      if (finding.kind === 'take_over') await takeOver(dependencies, due, row, finding.endedAs);
      if (finding.kind === 'inspect') await inspect(dependencies, due, row, finding.contradicts);
    },
    signal,
  });
  if (finished.length > 0) await database.direct.execute(clearDue(due.table, finished));
  return rows.length;
}

async function takeOver<Row extends Claim>(
  { logger }: SweepDueDependencies,
  due: DueRows<Row>,
  row: Row,
  endedAs: string,
): Promise<void> {
  if (!(await due.takeOver(row, endedAs))) return;
  logger.warn({ ...due.idsOf(row), endedAs }, `took over a ${due.name} whose workflow had ended`);
}

/** Alerts operators about a run whose task fails repeatedly, and then replaces it. */
async function inspect<Row extends Claim>(
  dependencies: SweepDueDependencies,
  due: DueRows<Row>,
  row: Row,
  contradicts: boolean,
): Promise<void> {
  const { states, logger } = dependencies;
  const id = due.workflowIdOf(row);
  const details = await states.detailsOf(id);
  if (details === null) return;
  const { runId, taskTries } = details;
  if (taskTries >= FAILING_AFTER_TRIES) {
    logger.error({ ...due.idsOf(row), runId, taskTries, alert: 'WORKFLOW_TASK_FAILS' }, 'a workflow task fails');
    await due.reportFailing?.(row);
  }
  if (taskTries >= REPLACED_AFTER_TRIES) {
    await states.terminate(id, runId, 'Its workflow task fails repeatedly; another run takes over');
    await takeOver(dependencies, due, row, 'failing');
  } else if (contradicts) {
    await due.repair?.(row, runId);
  }
}
