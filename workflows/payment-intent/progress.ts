import type { IntentColumns, NewEvent, PaymentChange, TimelineEntry } from '../../domain/payment-change.ts';
import type { Attempt, PaymentTerms, Transaction } from '../../domain/payment.ts';
import { canTransition, INITIAL_STATUS, type PaymentStatus } from '../../domain/payment-state.ts';
import type { PaymentIntentInput } from '../messages.ts';

/** Everything a payment's workflow knows of its payment. Plain JSON, carried over when the workflow continues as new. */
export interface PaymentProgress {
  readonly paymentIntentId: string;
  /** Version of the intent's row after the last step that is written. */
  readonly version: number;
  readonly terms: PaymentTerms;
  readonly columns: IntentColumns;
  readonly attempts: readonly Attempt[];
  readonly transactionCount: number;
  /** When the intent entered its state, ISO 8601 UTC. */
  readonly statusSince: string;
}

/** What changes in one step; what is left out stays as it is. */
export interface Step {
  readonly to?: PaymentStatus;
  readonly columns?: Partial<Omit<IntentColumns, 'status'>>;
  /** An attempt that is new or has moved on. */
  readonly attempts?: readonly Attempt[];
  readonly transactions?: readonly Transaction[];
  readonly timeline: readonly TimelineEntry[];
  readonly events?: readonly NewEvent[];
  readonly providerHealth?: PaymentChange['providerHealth'];
  readonly eraseCvcOf?: string;
}

/** Where every payment begins. */
export function initialProgress(input: PaymentIntentInput, now: string): PaymentProgress {
  return {
    paymentIntentId: input.paymentIntentId,
    version: 0,
    terms: input.terms,
    columns: {
      status: INITIAL_STATUS,
      paymentMethodId: null,
      provider: null,
      nextAction: null,
      lastError: null,
      advisory: null,
      cancellationReason: null,
      amountCapturableMinor: 0,
      amountCapturedMinor: 0,
    },
    attempts: [],
    transactionCount: 0,
    statusSince: now,
  };
}

/** The progress after a step. Throws when the step's state may not follow the present one: that is a bug. */
export function advance(progress: PaymentProgress, step: Step, now: string): PaymentProgress {
  const { status } = progress.columns;
  const to = step.to ?? status;
  if (to !== status && !canTransition(status, to)) throw new Error(`${status} may not become ${to}`);
  return {
    ...progress,
    columns: { ...progress.columns, ...step.columns, status: to },
    attempts: mergeAttempts(progress.attempts, step.attempts ?? []),
    transactionCount: progress.transactionCount + (step.transactions?.length ?? 0),
    statusSince: to === status ? progress.statusSince : now,
  };
}

/** The record of a step that led to `after`; which version of the row it applies to shows when its turn comes. */
export function changeOf(after: PaymentProgress, step: Step, now: string): Omit<PaymentChange, 'fromVersion'> {
  return {
    paymentIntentId: after.paymentIntentId,
    at: now,
    columns: after.columns,
    attempts: after.attempts,
    transactions: step.transactions ?? [],
    transactionCount: after.transactionCount,
    timeline: step.timeline,
    events: step.events ?? [],
    providerHealth: step.providerHealth ?? [],
    eraseCvcOf: step.eraseCvcOf ?? null,
  };
}

function mergeAttempts(attempts: readonly Attempt[], moved: readonly Attempt[]): readonly Attempt[] {
  const kept = attempts.filter(({ id }) => !moved.some((attempt) => attempt.id === id));
  return [...kept, ...moved].sort((a, b) => a.number - b.number);
}
