import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type DueRow, type Finding, findingOf } from '../../../../worker/jobs/due-workflows.ts';
import type { WorkflowState } from '../../../../workflow-client/workflow-states.ts';

const OPEN: DueRow = {
  hasEnded: false,
  mayEndAsFailed: true,
  isStarted: true,
  runId: 'run_1',
  isOverdue: false,
  isQuiet: false,
};
const NEW: DueRow = { ...OPEN, isStarted: false, runId: null };
const OVERDUE: DueRow = { ...OPEN, isOverdue: true };
const QUIET: DueRow = { ...OPEN, isQuiet: true };
const ENDED: DueRow = { ...OPEN, hasEnded: true };

const RUNNING: WorkflowState = { kind: 'running', runId: 'run_1' };
const OTHER_RUN: WorkflowState = { kind: 'running', runId: 'run_2' };
const COMPLETED: WorkflowState = { kind: 'completed' };
const endedAs = (as: string): WorkflowState => ({ kind: 'ended', as });
const FORGOTTEN = endedAs('forgotten');

const HEALTHY: Finding = { kind: 'healthy' };
const FINISHED: Finding = { kind: 'finished' };
const START: Finding = { kind: 'start' };
const takeOver = (as: string): Finding => ({ kind: 'take_over', endedAs: as });
const CONTRADICTION: Finding = { kind: 'inspect', contradicts: true };
const QUIET_RUN: Finding = { kind: 'inspect', contradicts: false };

const CASES: readonly (readonly [what: string, row: DueRow, state: WorkflowState, finding: Finding])[] = [
  ['an open row and its own run', OPEN, RUNNING, HEALTHY],
  ['a row that no run has claimed, and a run', NEW, RUNNING, HEALTHY],
  ['an open row and another run', OPEN, OTHER_RUN, CONTRADICTION],
  ['an open row that is overdue', OVERDUE, RUNNING, CONTRADICTION],
  ['an open row that is overdue and quiet', { ...OVERDUE, isQuiet: true }, RUNNING, CONTRADICTION],
  ['an open row of which nothing was written for long', QUIET, RUNNING, QUIET_RUN],
  ['an ended row whose workflow goes on', ENDED, RUNNING, CONTRADICTION],
  ['an ended row and a workflow that returned', ENDED, COMPLETED, FINISHED],
  ['a quiet row whose workflow was terminated', QUIET, endedAs('terminated'), takeOver('terminated')],
  ['an open row and a workflow that returned', OPEN, COMPLETED, takeOver('completed')],
  ['a row that was never written to and a workflow that returned', NEW, COMPLETED, takeOver('completed')],
  ...['terminated', 'failed', 'canceled', 'timed out'].flatMap((as) => [
    [`an open row and a workflow that was ${as}`, OPEN, endedAs(as), takeOver(as)] as const,
    [`a row that was never written to and a workflow that was ${as}`, NEW, endedAs(as), takeOver(as)] as const,
    [
      `an ended row and a workflow that was ${as}`,
      ENDED,
      endedAs(as),
      as === 'failed' ? FINISHED : takeOver(as),
    ] as const,
  ]),
  ['a new row without a workflow', NEW, FORGOTTEN, START],
  ['an open row whose workflow Temporal has forgotten', OPEN, FORGOTTEN, takeOver('forgotten')],
  ['an ended row whose workflow Temporal has forgotten', ENDED, FORGOTTEN, FINISHED],
];

describe('findingOf', () => {
  for (const [what, row, state, finding] of CASES) {
    it(`${what}: ${finding.kind}`, () => assert.deepEqual(findingOf(row, state), finding));
  }
});
