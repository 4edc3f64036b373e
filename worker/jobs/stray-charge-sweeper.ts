import { strayChargeIdOf } from '../../domain/ids.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import type { StrayChargeRow } from '../../prisma/queries/stray-charge.ts';
import type { StrayChargeWorkflows } from '../../workflows/client/stray-charge-workflows.ts';
import { type ChargedAttempt, strayChargeInputOf } from '../../workflows/client/workflow-inputs.ts';
import { type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface StrayChargeSweeperDependencies extends SweepDueDependencies {
  readonly strayChargeWorkflows: Pick<StrayChargeWorkflows, 'start' | 'takeOver'>;
}

export const STRAY_CHARGE_SWEEP_SIZE = 100;

interface Row {
  readonly strayCharge: StrayChargeRow;
  readonly attempt: ChargedAttempt;
}

/**
 * Checks the stray charges that are due, and starts, takes over or replaces workflows as needed: all other code only writes the
 * row of a stray charge. A start is idempotent.
 * @returns how many stray charges were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepStrayCharges(dependencies: StrayChargeSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { strayChargeWorkflows, logger } = dependencies;
  const idsOf = ({ strayCharge }: Row) => ({
    strayChargeId: strayChargeIdOf(strayCharge.attempt_id),
    paymentIntentId: strayCharge.payment_intent_id,
  });
  const strayCharges: DueRows<Row> = {
    name: 'stray charge',
    table: 'stray_charge',
    since: 'created_at',
    columns: Prisma.sql`to_jsonb(stray_charge) AS "strayCharge", (
      SELECT jsonb_build_object('number', a.number, 'amountMinor', a.amount_minor, 'currency', a.currency)
      FROM payment_attempt a WHERE a.id = attempt_id
    ) AS attempt`,
    limit: STRAY_CHARGE_SWEEP_SIZE,
    workflowIdOf: ({ strayCharge }) => strayChargeIdOf(strayCharge.attempt_id),
    describe: ({ strayCharge }) => ({
      hasEnded: strayCharge.status !== 'pending',
      isStarted: false,
      runId: null,
      isOverdue: false,
    }),
    idsOf,
    start: async (row) => {
      await strayChargeWorkflows.start(strayChargeInputOf(row.strayCharge, row.attempt));
      const { provider } = row.strayCharge;
      logger.warn({ alert: STRAY_CHARGE_ALERT, ...idsOf(row), provider }, 'reverses a stray charge');
    },
    takeOver: ({ strayCharge, attempt }, endedAs) =>
      strayChargeWorkflows.takeOver(strayChargeInputOf(strayCharge, attempt), endedAs),
  };
  return sweepDue(dependencies, strayCharges, signal);
}
