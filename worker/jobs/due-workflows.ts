import type { WorkflowState } from '../../workflow-client/workflow-states.ts';

/** A row whose workflow is checked. */
export interface DueRow {
  /** Whether the row has ended, so that its workflow should have too. */
  readonly hasEnded: boolean;
  /** Whether its workflow may fail when the row ends, as that of a payment that failed does. */
  readonly mayEndAsFailed: boolean;
  /** Whether a workflow has written to the row, so that it was started. */
  readonly isStarted: boolean;
  /** The run that the row belongs to; null where none has claimed it. */
  readonly runId: string | null;
  /** Whether the workflow is late with a timer of its own. */
  readonly isOverdue: boolean;
  /** Whether nothing was written for so long that the workflow may be failing. */
  readonly isQuiet: boolean;
}

/** What the sweeper does about a row and its workflow. */
export type Finding =
  /** Neither has ended. */
  | { readonly kind: 'healthy' }
  /** Both have ended: the row needs no further check. */
  | { readonly kind: 'finished' }
  /** The workflow was never started: its creator died, or could not reach Temporal. */
  | { readonly kind: 'start' }
  /** The workflow was terminated, failed or was lost: another run takes over. */
  | { readonly kind: 'take_over'; readonly endedAs: string }
  /** The workflow runs, but contradicts the row or may be failing. */
  | { readonly kind: 'inspect'; readonly contradicts: boolean };

/** Compares a row with the state of its workflow. Pure. */
export function findingOf(row: DueRow, state: WorkflowState): Finding {
  switch (state.kind) {
    case 'running': {
      const contradicts = !agreesWithRow(row, state.runId);
      return contradicts || row.isQuiet ? { kind: 'inspect', contradicts } : { kind: 'healthy' };
    }
    case 'completed':
      return row.hasEnded ? { kind: 'finished' } : { kind: 'take_over', endedAs: 'completed' };
    case 'ended':
      if (state.as === 'failed' && row.mayEndAsFailed && row.hasEnded) return { kind: 'finished' };
      if (state.as !== 'forgotten') return { kind: 'take_over', endedAs: state.as };
      if (row.hasEnded) return { kind: 'finished' };
      return row.isStarted ? { kind: 'take_over', endedAs: state.as } : { kind: 'start' };
  }
}

function agreesWithRow({ hasEnded, isOverdue, runId }: DueRow, running: string): boolean {
  return !hasEnded && !isOverdue && (runId === null || runId === running);
}
