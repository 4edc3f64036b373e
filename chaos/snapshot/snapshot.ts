import type { InactivePeriod } from '../faults/switches.ts';
import type { ReceivedWebhook } from '../engine/webhook-record.ts';
import type { SocketEvent } from '../traffic/socket-subscriber.ts';
import type { ClientTry } from './client-try.ts';
import type { FailedExit } from './try-exits.ts';
import type { LedgerEntry } from './ledger.ts';

/** The state of all parts of the system and of its clients after a run. Amounts in minor units. */
export interface Snapshot {
  /** When it was read, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly tries: readonly ClientTry[];
  readonly operatorActions: readonly OperatorRecord[];
  readonly intents: readonly IntentRow[];
  readonly refunds: readonly RefundRow[];
  readonly strayCharges: readonly StrayChargeRow[];
  readonly ledger: readonly LedgerEntry[];
  /** The latest run of each workflow, by the workflow's id. */
  readonly workflows: ReadonlyMap<string, WorkflowRun>;
  /** Attempts whose provider call was scheduled in the history of a run. */
  readonly scheduledAttempts: ReadonlySet<string>;
  readonly events: readonly EventRow[];
  readonly webhooks: readonly ReceivedWebhook[];
  /** Why the receiver rejected webhooks. */
  readonly rejectedWebhooks: readonly string[];
  /** Intents whose events may overtake each other, because one has failed so often that it no longer blocks the next. */
  readonly unorderedIntents: ReadonlySet<string>;
  readonly socketEvents: readonly SocketEvent[];
  readonly unexpectedFrames: readonly string[];
  readonly secrets: SecretSearch;
  /** When routes and accounts at providers were switched off. */
  readonly inactivePeriods: readonly InactivePeriod[];
  /** What was seen to wait for a provider for long without an advisory. */
  readonly unadvisedWaits: readonly UnadvisedWait[];
  /** States that wait for a provider which two people could not end; empty where none were tried. */
  readonly failedExits: readonly FailedExit[];
  /** The peak memory of each process, in bytes. */
  readonly memoryPeaks: ReadonlyMap<string, number>;
}

/** An operation that has waited for its provider for long, of which nobody was told. */
export interface UnadvisedWait {
  readonly paymentIntentId: string;
  readonly what: string;
}

/** What an operator did to a workflow. */
export interface OperatorRecord {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly workflowId: string;
  readonly what: string;
}

export interface IntentRow {
  readonly id: string;
  readonly status: string;
  readonly provider: string | null;
  readonly amount: number;
  readonly amountCapturable: number;
  readonly amountCaptured: number;
  readonly amountRefunded: number;
  readonly amountRefunding: number;
  readonly captureMethod: string;
  readonly cancellationReason: string | null;
  readonly expiresAtMs: number;
  readonly attempts: readonly AttemptRow[];
  readonly transactions: readonly TransactionRow[];
  readonly timeline: readonly TimelineRow[];
}

export interface AttemptRow {
  readonly id: string;
  readonly routeId: string;
  readonly startedAtMs: number;
  /** The confirm that it was made for. */
  readonly operationId: string | null;
  readonly provider: string;
  readonly outcome: string | null;
  readonly code: string | null;
}

interface TransactionRow {
  readonly attemptId: string;
  readonly type: string;
  readonly amount: number;
  readonly refundId: string | null;
}

interface TimelineRow {
  readonly version: number;
  readonly at: string;
  readonly kind: string;
  readonly summary: string;
}

export interface RefundRow {
  readonly id: string;
  readonly paymentIntentId: string;
  readonly status: string;
  readonly amount: number;
  readonly provider: string;
}

export interface StrayChargeRow {
  readonly attemptId: string;
  readonly paymentIntentId: string;
  readonly status: string;
}

export interface WorkflowRun {
  readonly status: string;
  /** From the search attributes; null where there is none. */
  readonly paymentStatus: string | null;
  readonly paymentProvider: string | null;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  /** Null before the sequencer has numbered it. */
  readonly sequence: number | null;
  readonly paymentIntentId: string | null;
}

export interface SecretSearch {
  /** Where a secret was found, and its description, but not its value. */
  readonly leaks: readonly { readonly place: string; readonly what: string }[];
  /** Searched places without any data of the run, where the search proves nothing. */
  readonly emptyPlaces: readonly string[];
}
