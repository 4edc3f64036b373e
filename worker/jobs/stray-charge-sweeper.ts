import type { StrayChargeInput } from '../../workflows/messages.ts';
import { strayChargeIdOf } from '../../domain/ids.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { claimDueStrayCharges, type DueStrayCharge } from '../../prisma/queries/due.ts';
import type { StrayChargeWorkflows } from '../../workflows/client/stray-charge-workflows.ts';
import { strayChargeInputOf } from '../../workflows/client/workflow-inputs.ts';
import { describePending, type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface StrayChargeSweeperDependencies extends SweepDueDependencies {
  readonly strayChargeWorkflows: Pick<StrayChargeWorkflows, 'start' | 'takeOver'>;
}

export const STRAY_CHARGE_SWEEP_SIZE = 100;

/**
 * Checks the stray charges that are due, and starts, takes over or replaces workflows as needed: all other code only writes the
 * row of a stray charge. A start is idempotent.
 * @returns how many stray charges were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepStrayCharges(dependencies: StrayChargeSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { strayChargeWorkflows, logger } = dependencies;
  const idsOf = ({ strayCharge }: DueStrayCharge) => ({
    strayChargeId: strayChargeIdOf(strayCharge.attempt_id),
    paymentIntentId: strayCharge.payment_intent_id,
  });
  const alert = (row: DueStrayCharge, message: string): void =>
    logger.warn({ alert: STRAY_CHARGE_ALERT, ...idsOf(row), provider: row.strayCharge.provider }, message);
  const strayCharges: DueRows<DueStrayCharge> = {
    name: 'stray charge',
    table: 'stray_charge',
    claim: (order) => claimDueStrayCharges(STRAY_CHARGE_SWEEP_SIZE, order),
    limit: STRAY_CHARGE_SWEEP_SIZE,
    workflowIdOf: ({ strayCharge }) => strayChargeIdOf(strayCharge.attempt_id),
    describe: ({ strayCharge }) => describePending(strayCharge),
    idsOf,
    start: async (row) => {
      await strayChargeWorkflows.start(inputOf(row));
      alert(row, 'reverses a stray charge');
    },
    takeOver: async (row, endedAs) => {
      const isStarted = await strayChargeWorkflows.takeOver(inputOf(row), endedAs);
      // A workflow completes after it has ended the row, so a pending row was reported again since.
      if (isStarted && endedAs === 'completed') alert(row, 'reverses a stray charge that was reported again');
      return isStarted;
    },
  };
  return sweepDue(dependencies, strayCharges, signal);
}

/** @throws Error where the attempt was deleted */
function inputOf({ strayCharge, attempt }: DueStrayCharge): StrayChargeInput {
  if (attempt === null) throw new Error(`the attempt of the stray charge ${strayCharge.attempt_id} was deleted`);
  return strayChargeInputOf(strayCharge, attempt);
}
