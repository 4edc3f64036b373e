import { advance, type PaymentStep } from '../../domain/payment-step.ts';
import type { PaymentStore } from './payment.ts';

/** Others that write the same payment are few, and each writes once. */
const CONFLICTS_AT_MOST = 20;

export interface StepBeside {
  readonly paymentIntentId: string;
  readonly step: PaymentStep;
  /** By which a repeat of the step is recognised. */
  readonly stepId: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/**
 * Writes a step of a payment for somebody else than the payment's workflow, exactly once. It is written as the workflow's own
 * steps are, over the version that was read: a line cannot collide with another one, for whoever raises the version first
 * has it to itself and the other reads again. The payment stays with the run that it belongs to, which accepts any
 * version later than the one that it knows.
 * @param isWanted asked after the payment was read; false drops the step
 */
export async function recordBesideWorkflow(
  store: PaymentStore,
  { paymentIntentId, step, stepId, at }: StepBeside,
  isWanted: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  for (let conflicts = 0; conflicts <= CONFLICTS_AT_MOST; conflicts += 1) {
    const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
    if (stored === null) throw new Error(`there is no ${paymentIntentId} to record anything of`);
    if (stored.recordedSteps.length > 0 || !(await isWanted())) return;
    const { record, runId } = stored;
    if (await store.write({ step, after: advance(record, step, at), stepId, runId, at })) return;
  }
  throw new Error(`${paymentIntentId} was changed by others again and again`);
}
