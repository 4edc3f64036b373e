import type { StrayChargeInput } from '../../protocol/messages.ts';
import { strayChargeIdOf } from '../../domain/ids.ts';
import { waitingStep } from '../../domain/payment-resolution.ts';
import { advance } from '../../domain/payment-step.ts';
import { STRAY_CHARGE_ALERT } from '../../domain/stray-charge.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { createPaymentStore } from '../../prisma/stores/payment-store.ts';
import type { StrayChargeRow } from '../../prisma/queries/stray-charge.ts';
import { claimDueStrayCharges, type DueStrayCharge } from '../../prisma/queries/due.ts';
import type { StrayChargeWorkflows } from '../../workflow-client/stray-charge-workflows.ts';
import { strayChargeInputOf } from '../../workflow-client/workflow-inputs.ts';
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
  const { database, strayChargeWorkflows, logger } = dependencies;
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
    describe: ({ strayCharge: { status } }) => ({
      ...describePending({ status }),
      // Its workflow waits until somebody has returned the money by hand.
      hasEnded: status !== 'pending' && status !== 'failed',
    }),
    advise: ({ strayCharge }) => adviseOfWait(database, strayCharge),
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

/** Records on its payment that a stray charge has waited for its provider for long, once for each report of the charge. */
async function adviseOfWait(database: Database, strayCharge: StrayChargeRow): Promise<boolean> {
  const {
    attempt_id: attemptId,
    payment_intent_id: paymentIntentId,
    provider,
    status,
    updated_at: changedAt,
  } = strayCharge;
  const since = new Date(changedAt).toISOString();
  if (status !== 'pending' || Date.now() - Date.parse(since) < WAITING_AFTER_MS) return false;
  const store = createPaymentStore(database);
  const stepId = `${strayChargeIdOf(attemptId)}:waiting:${since}`;
  const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
  if (stored === null || stored.recordedSteps.length > 0) return false;
  const { record, runId } = stored;
  const step = waitingStep({ operation: 'reversal', provider, since });
  // The advisory of the payment's own state counts more.
  const { advisory } = record.columns;
  const advised = advisory === null ? step : { ...step, columns: { advisory } };
  const at = new Date().toISOString();
  return store.write({ step: advised, after: advance(record, advised, at), stepId, runId, at });
}

/** @throws Error where the attempt was deleted */
function inputOf({ strayCharge, attempt }: DueStrayCharge): StrayChargeInput {
  if (attempt === null) throw new Error(`the attempt of the stray charge ${strayCharge.attempt_id} was deleted`);
  return strayChargeInputOf(strayCharge, attempt);
}
