import { openAttemptOf } from '../domain/payment.ts';
import type { PaymentRecord, PaymentStep } from '../domain/payment-step.ts';
import type { PaymentStore } from '../prisma/stores/payment-store.ts';
import type { TakeOverRequest, TakeOverResult } from '../protocol/payment-activities.ts';
import { requireNotOlder, type StepIdentity, timeNow, writeOver } from './record-step.ts';

/**
 * Assigns a payment to the run, so that no earlier run can record another step, and reads it with its operations. Where the
 * payment belongs to the run already, it is only read.
 * @throws ApplicationFailure of the type `DATABASE_BEHIND_HISTORY`
 */
export async function takeOverPayment(
  store: PaymentStore,
  { paymentIntentId, knownVersion, endedAs, operationIds }: TakeOverRequest,
  identity: StepIdentity,
  at = timeNow(),
): Promise<TakeOverResult> {
  const stored = await store.read({ paymentIntentId, operationIds });
  const { record, runId, operations } = requireNotOlder(stored, { paymentIntentId, knownVersion });
  if (runId === identity.runId) return { payment: record, operations };
  const step = takeOverStep(record, endedAs ?? (runId === null ? 'lost' : 'reset'));
  const payment = await writeOver(store, record, { step, at }, identity);
  if (payment === null) throw new Error(`${paymentIntentId} was changed while it was taken over`);
  return { payment, operations };
}

function takeOverStep({ columns: { status }, attempts }: PaymentRecord, endedAs: string): PaymentStep {
  const open = openAttemptOf(attempts);
  const next = open === undefined ? '' : ` and asks ${open.provider} first what became of attempt ${open.number}`;
  return {
    timeline: [
      { kind: 'decision', summary: `The workflow had ended (${endedAs}) in ${status}; another run goes on${next}` },
    ],
  };
}
