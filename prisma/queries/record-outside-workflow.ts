import { advance, type PaymentStep } from '../../domain/payment-step.ts';
import type { PaymentStore } from './payment.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

export interface OutsideStep {
  readonly paymentIntentId: string;
  readonly step: PaymentStep;
  /** Identifies the step, so that a repeat is recognised. */
  readonly stepId: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/**
 * Writes a step of a payment from outside the payment's workflow, exactly once and, like the workflow's own steps, only over
 * the version that was read: of two concurrent writers one reads again. The payment still belongs to the same run, which
 * accepts any version later than the one that it has seen.
 * @param isWanted called after the payment was read; false drops the step
 */
export async function recordOutsideWorkflow(
  store: PaymentStore,
  { paymentIntentId, step, stepId, at }: OutsideStep,
  isWanted: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  await retryOnConflict(paymentIntentId, async () => {
    const stored = await store.read({ paymentIntentId, stepIds: [stepId] });
    if (stored === null) throw new Error(`there is no ${paymentIntentId} to record anything of`);
    if (stored.recordedSteps.length > 0 || !(await isWanted())) return true;
    const { record, runId } = stored;
    return (await store.write({ step, after: advance(record, step, at), stepId, runId, at })) || null;
  });
}
