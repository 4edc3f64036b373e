import type { ReconciliationProgress } from '../domain/reconciliation.ts';

/** A run that begins. */
export interface BeginReconciliationRequest {
  readonly runId: string;
  readonly provider: string;
  /** ISO 8601 UTC; if null, the run continues where the runs before it ended. */
  readonly from: string | null;
  /** ISO 8601 UTC; if null, the run leaves the latest minutes out, whose payments are in flight. */
  readonly to: string | null;
  /** The one attempt that is compared, whatever the time; absent if all are. */
  readonly attemptId?: string;
}

export interface ReconcilePageRequest {
  readonly runId: string;
  /** How many pages were written before it. */
  readonly page: number;
}

export interface FailReconciliationRequest {
  readonly runId: string;
  /** For operators. */
  readonly error: string;
  /** The type of the failure; absent where it has none. */
  readonly type?: string;
}

/** The activities of a reconciliation's workflow. Each may be repeated: it writes once. */
export interface ReconciliationActivities {
  /** Writes the run. Ends the provider's runs that no workflow continues. */
  beginReconciliation(request: BeginReconciliationRequest): Promise<ReconciliationProgress>;
  /** Compares the next page of the provider's list with our rows, and after the last one, our rows with the list. */
  reconcilePage(request: ReconcilePageRequest): Promise<ReconciliationProgress>;
  /** Ends a run that cannot go on. */
  failReconciliation(request: FailReconciliationRequest): Promise<ReconciliationProgress>;
}
