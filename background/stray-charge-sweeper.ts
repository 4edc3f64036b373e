import type { Logger } from 'pino';
import { strayChargeIdOf } from '../domain/ids.ts';
import { STRAY_CHARGE_ALERT } from '../domain/stray-charge.ts';
import type { Database } from '../prisma/client.ts';
import { Prisma } from '../prisma/generated/client.ts';
import { TemporalUnavailableError } from '../temporal/calls.ts';
import type { StrayChargeWorkflows } from '../temporal/stray-charge-workflows.ts';
import type { WorkflowState, WorkflowStates } from '../temporal/workflow-states.ts';
import { type Claim, claimDue, settleDue } from './claim-due.ts';
import { findingOf } from './due-workflows.ts';
import { STRAY_CHARGE_INPUT_COLUMNS, type StrayChargeInputRow, toStrayChargeInput } from './stray-charge-input.ts';
import { sweep } from './sweep.ts';

export interface StrayChargeSweeperDependencies {
  readonly database: Database;
  readonly states: Pick<WorkflowStates, 'stateOf' | 'statesOf'>;
  readonly strayChargeWorkflows: Pick<StrayChargeWorkflows, 'start' | 'takeOver'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export const STRAY_CHARGE_SWEEP_SIZE = 100;
const CONCURRENCY = 10;

type Row = StrayChargeInputRow & { readonly status: string };

/**
 * Looks at the stray charges that are due, and starts or takes over those without a workflow: whoever notes a stray charge
 * only writes its row. To start a workflow is idempotent.
 * @returns how many stray charges were looked at
 * @throws TemporalUnavailableError when there is no use in going on
 */
export async function sweepStrayCharges(
  dependencies: StrayChargeSweeperDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { database, states } = dependencies;
  const rows = await claimDue<Row>(database, {
    table: 'stray_charge',
    since: 'created_at',
    columns: Prisma.sql`${STRAY_CHARGE_INPUT_COLUMNS}, status`,
    limit: STRAY_CHARGE_SWEEP_SIZE,
  });
  if (rows.length === 0) return 0;
  const listed = await states.statesOf(rows.map(({ attemptId }) => strayChargeIdOf(attemptId)));
  const settled: Claim[] = [];
  await sweep<Row & Claim>({
    readPage: (after) => Promise.resolve(after === undefined ? rows : []),
    pageSize: rows.length + 1,
    concurrency: CONCURRENCY,
    handle: async (row) => {
      const id = strayChargeIdOf(row.attemptId);
      const state = listed.get(id) ?? (await states.stateOf(id));
      if (await mend(dependencies, row, state)) settled.push(row);
    },
    endsSweep: (error) => error instanceof TemporalUnavailableError,
    signal,
  });
  await settleDue(database, 'stray_charge', settled);
  return rows.length;
}

/** @returns whether there is nothing more to see to */
async function mend(
  { strayChargeWorkflows, logger }: StrayChargeSweeperDependencies,
  row: Row,
  state: WorkflowState,
): Promise<boolean> {
  const input = toStrayChargeInput(row);
  const { strayChargeId, paymentIntentId, provider } = input;
  const hasEnded = row.status !== 'pending';
  const finding = findingOf({ id: strayChargeId, hasEnded, isStarted: false, runId: null, isOverdue: false }, state);
  if (finding.kind === 'start') {
    await strayChargeWorkflows.start(input);
    logger.warn({ alert: STRAY_CHARGE_ALERT, strayChargeId, paymentIntentId, provider }, 'reverses a stray charge');
  }
  if (finding.kind === 'take_over' && (await strayChargeWorkflows.takeOver(input, finding.endedAs))) {
    const { endedAs } = finding;
    logger.warn({ strayChargeId, paymentIntentId, endedAs }, 'took over a stray charge whose workflow had ended');
  }
  return finding.kind === 'settled';
}
