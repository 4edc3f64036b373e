import type { NextAction } from '../domain/payment.ts';
import { earlierBy, type PaymentRecord, type PaymentStep } from '../domain/payment-step.ts';
import { isTerminal } from '../domain/payment-state.ts';
import { type PaymentStore, retryOnConflict } from '../prisma/stores/payment-store.ts';
import type { FollowTestClockRequest } from '../protocol/payment-activities.ts';
import { requireOwn, type StepIdentity, writeOver } from './record-step.ts';

/**
 * Makes an open payment older by the time by which its account's test clock was advanced since the payment last followed it,
 * exactly once. It only reads a payment that has ended or has followed the clock.
 * @throws ApplicationFailure of the types `RUN_OUT_OF_DATE` and `DATABASE_BEHIND_HISTORY`
 */
export function followTestClock(
  store: PaymentStore,
  { paymentIntentId, knownVersion, at }: FollowTestClockRequest,
  identity: StepIdentity,
): Promise<PaymentRecord> {
  return retryOnConflict(paymentIntentId, async () => {
    const stored = await store.read({ paymentIntentId, stepIds: [identity.stepId] });
    const { record, recordedSteps } = requireOwn(stored, { paymentIntentId, knownVersion }, identity.runId);
    if (recordedSteps.length > 0 || isTerminal(record.columns.status)) return record;
    const seconds = await store.testClockLag(paymentIntentId);
    return seconds > 0 ? writeOver(store, record, { step: agingStep(record, seconds), at }, identity) : record;
  });
}

function agingStep({ columns }: PaymentRecord, seconds: number): PaymentStep {
  const nextAction = earlierAction(columns.nextAction, seconds);
  return {
    testClockSeconds: seconds,
    columns: { nextAction },
    timeline: [{ kind: 'timer', summary: `The test clock was advanced by ${seconds} seconds` }],
  };
}

/** The quote of a deposit has a deadline of its own. */
function earlierAction(action: NextAction | null, seconds: number): NextAction | null {
  if (action?.type !== 'crypto_deposit' || action.expiresAt === undefined) return action;
  return { ...action, expiresAt: earlierBy(seconds, action.expiresAt) };
}
