import { stuckStep, type Wait, waitingStep } from '../../domain/payment-resolution.ts';
import { advance, appliesTo } from '../../domain/payment-step.ts';
import { isTerminal, PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-state.ts';
import { STUCK_AFTER_MS, WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { claimDuePayments, type DuePayment } from '../../prisma/queries/due.ts';
import { createPaymentStore } from '../../prisma/stores/payment-store.ts';
import type { PaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import { paymentInputOf } from '../../workflow-client/workflow-inputs.ts';
import type { WorkflowStates } from '../../workflow-client/workflow-states.ts';
import type { DueRow } from './due-workflows.ts';
import { type DueRows, sweepDue, type SweepDueDependencies } from './sweep-due.ts';

export interface PaymentSweeperDependencies extends SweepDueDependencies {
  readonly states: WorkflowStates;
  readonly workflows: Pick<PaymentWorkflows, 'start' | 'takeOver'>;
}

/** Payments that one sweep checks at most. */
export const PAYMENT_SWEEP_SIZE = 200;
/** How late a workflow may be with a timer of its own. */
const OVERDUE_AFTER_MS = MINUTE_MS;

/**
 * Checks the payments that are due, each soon after its last step and then with growing pauses. It repairs workflows that
 * contradict their payments: never started, ended before the payment, not the run that the payment belongs to, failing
 * repeatedly, or running although the payment has ended.
 * @returns how many payments were checked
 * @throws TemporalUnavailableError at the first row for which Temporal does not answer
 */
export function sweepPayments(dependencies: PaymentSweeperDependencies, signal: AbortSignal): Promise<number> {
  const { database, states, workflows } = dependencies;
  const payments: DueRows<DuePayment> = {
    name: 'payment',
    table: 'payment_intent',
    claim: (order) => claimDuePayments(PAYMENT_SWEEP_SIZE, order),
    limit: PAYMENT_SWEEP_SIZE,
    workflowIdOf: ({ intent }) => intent.id,
    describe: describeRow,
    idsOf: ({ intent }) => ({ paymentIntentId: intent.id }),
    start: ({ intent }) => workflows.start(paymentInputOf(intent)),
    takeOver: ({ intent }, endedAs) => workflows.takeOver(paymentInputOf(intent), endedAs),
    // A run that reads its payment again gets all changes that it has missed.
    repair: async (row, runId) => {
      if (!isKnownToBeStuck(row, runId)) await states.readAgain(row.intent.id);
    },
    advise: (row) => adviseOfWait(database, row),
    reportFailing: (row) => recordStuck(database, row),
  };
  return sweepDue(dependencies, payments, signal);
}

/** A run whose payment has its advisory already only waits for the provider: it has nothing to read. */
function isKnownToBeStuck({ intent, runId }: DuePayment, running: string): boolean {
  return intent.advisory !== null && runId === running;
}

/** Records the advisory of a payment whose own workflow cannot record it. */
async function recordStuck(database: Database, { intent, runId }: DuePayment): Promise<void> {
  const store = createPaymentStore(database);
  const stored = await store.read({ paymentIntentId: intent.id });
  const since = new Date(intent.status_since).toISOString();
  if (runId === null || stored?.runId !== runId || stored.record.columns.advisory !== null) return;
  const step = stuckStep(since, 'The workflow makes no progress');
  if (!appliesTo(step, stored.record) || Date.now() - Date.parse(since) < STUCK_AFTER_MS) return;
  const at = new Date().toISOString();
  await store.write({
    step,
    after: advance(stored.record, step, at),
    stepId: `stuck:${since}`,
    runId,
    at,
  });
}

/** Records that the payment has waited for its provider for long, once for each wait. */
async function adviseOfWait(database: Database, row: DuePayment): Promise<boolean> {
  const { intent, runId } = row;
  const wait = waitOf(row);
  if (wait === null || intent.advisory !== null || Date.now() - Date.parse(wait.since) < WAITING_AFTER_MS) return false;
  const store = createPaymentStore(database);
  const stored = await store.read({ paymentIntentId: intent.id });
  const step = waitingStep(wait, intent.status);
  if (stored?.runId !== runId || stored.record.columns.advisory !== null || !appliesTo(step, stored.record))
    return false;
  const at = new Date().toISOString();
  const stepId = `waiting:${wait.operation}:${wait.since}`;
  return store.write({ step, after: advance(stored.record, step, at), stepId, runId, at });
}

/** What the payment waits for besides an outcome in `processing`; null where it waits for no provider. */
function waitOf({ intent, openOperation }: DuePayment): Wait | null {
  const { status, provider } = intent;
  if (provider === null) return null;
  if (status === 'requires_capture') {
    const operation = openOperation?.kind === 'capture' ? 'capture' : 'void';
    const waitsSince = openOperation?.since ?? intent.capture_before;
    return waitsSince === null ? null : { operation, provider, since: since(waitsSince) };
  }
  if (status !== 'requires_action') return null;
  return { operation: 'close', provider, since: since(openOperation?.since ?? intent.expires_at) };
}

/** PostgreSQL writes times in JSON with microseconds and a zone. */
function since(time: string): string {
  return new Date(time).toISOString();
}

function describeRow({ intent, runId, hasOpenDeposit }: DuePayment): Omit<DueRow, 'isQuiet'> {
  const { id, status, version, status_since: since, expires_at: expiry, capture_before: captureBefore } = intent;
  // A later version may have written a state that this one does not know.
  if (!PAYMENT_STATUSES.includes(status)) throw new Error(`${id} is in the unknown state ${status}`);
  const dueAtMs = DUE_AT_MS[status]({
    sinceMs: Date.parse(since),
    expiresMs: Date.parse(expiry),
    lapsesMs: captureBefore === null ? Infinity : Date.parse(captureBefore),
  });
  return {
    hasEnded: isTerminal(status),
    mayEndAsFailed: true,
    isStarted: version > 0,
    runId,
    // The confirmations of a deposit may take longer than other payments; the workflow decides by them when the payment is stuck.
    isOverdue: !(hasOpenDeposit && status === 'processing') && Date.now() > dueAtMs + OVERDUE_AFTER_MS,
  };
}

interface Times {
  readonly sinceMs: number;
  readonly expiresMs: number;
  readonly lapsesMs: number;
}

const NEVER = (): number => Infinity;

/**
 * When a timer of the workflow ends: the advisory, the expiry, the lapse of a hold. The workflow of a stuck payment counts as
 * overdue even after the advisory, so that a failing task is found.
 */
const DUE_AT_MS: Readonly<Record<PaymentStatus, (times: Times) => number>> = {
  requires_payment_method: ({ expiresMs }) => expiresMs,
  processing: ({ sinceMs }) => sinceMs + STUCK_AFTER_MS,
  requires_action: ({ expiresMs }) => expiresMs,
  requires_capture: ({ lapsesMs }) => lapsesMs,
  succeeded: NEVER,
  failed: NEVER,
  canceled: NEVER,
  expired: NEVER,
};
