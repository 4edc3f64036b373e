import { strayChargeIdOf } from '../../domain/ids.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import type { StrayChargeWorkflows } from '../../workflows/client/stray-charge-workflows.ts';
import { STRAY_CHARGE_INPUT_COLUMNS, type StrayChargeInputRow, toStrayChargeInput } from './stray-charge-input.ts';
import { type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface StrayChargeSweeperDependencies extends SweepDueDependencies {
  readonly strayChargeWorkflows: Pick<StrayChargeWorkflows, 'start' | 'takeOver'>;
}

export const STRAY_CHARGE_SWEEP_SIZE = 100;

type Row = StrayChargeInputRow & { readonly status: string };

/**
 * Checks the stray charges that are due, and starts, takes over or replaces workflows as needed: all other code only writes the
 * row of a stray charge. A start is idempotent.
 * @returns how many stray charges were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepStrayCharges(dependencies: StrayChargeSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { strayChargeWorkflows, logger } = dependencies;
  const idsOf = ({ attemptId, paymentIntentId }: Row) => ({
    strayChargeId: strayChargeIdOf(attemptId),
    paymentIntentId,
  });
  const strayCharges: DueRows<Row> = {
    name: 'stray charge',
    table: 'stray_charge',
    since: 'created_at',
    columns: Prisma.sql`${STRAY_CHARGE_INPUT_COLUMNS}, status`,
    limit: STRAY_CHARGE_SWEEP_SIZE,
    workflowIdOf: ({ attemptId }) => strayChargeIdOf(attemptId),
    describe: ({ status }) => ({ hasEnded: status !== 'pending', isStarted: false, runId: null, isOverdue: false }),
    idsOf,
    start: async (row) => {
      await strayChargeWorkflows.start(toStrayChargeInput(row));
      const { provider } = row;
      logger.warn({ alert: STRAY_CHARGE_ALERT, ...idsOf(row), provider }, 'reverses a stray charge');
    },
    takeOver: (row, endedAs) => strayChargeWorkflows.takeOver(toStrayChargeInput(row), endedAs),
  };
  return sweepDue(dependencies, strayCharges, signal);
}
