import assert from 'node:assert/strict';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { describe, it } from 'mocha';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';
import { createWorkflowStates, type WorkflowStates } from '../../../workflow-client/workflow-states.ts';

interface Run {
  readonly workflowId: string;
  readonly runId: string;
  readonly status: string;
  readonly startedAt?: number;
  readonly taskTries?: number;
}

/** A client of a Temporal with these runs, oldest first; every call throws `failure`. */
function statesOf(runs: readonly Run[], failure?: Error): WorkflowStates {
  const executions = runs.map(({ workflowId, runId, status, startedAt = 0, taskTries }) => ({
    workflowId,
    runId,
    status: { name: status },
    startTime: new Date(startedAt),
    raw: { pendingWorkflowTask: taskTries === undefined ? null : { attempt: taskTries } },
  }));
  const find = async (workflowId: string) => {
    if (failure !== undefined) throw failure;
    const found = executions.findLast((execution) => execution.workflowId === workflowId);
    if (found === undefined) throw new WorkflowNotFoundError('no such workflow', workflowId, undefined);
    return found;
  };
  const client = {
    withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle: (id: string) => ({ describe: () => find(id), terminate: () => find(id), signal: () => find(id) }),
      async *list() {
        if (failure !== undefined) throw failure;
        yield* executions;
      },
    },
  };
  return createWorkflowStates(client as unknown as Client);
}

const RUN = { workflowId: 'pi_1', runId: 'run_1' } as const;

describe('states of workflows', () => {
  for (const [status, state] of [
    ['RUNNING', { kind: 'running', runId: 'run_1' }],
    ['PAUSED', { kind: 'running', runId: 'run_1' }],
    ['COMPLETED', { kind: 'completed' }],
    ['TERMINATED', { kind: 'ended', as: 'terminated' }],
    ['TIMED_OUT', { kind: 'ended', as: 'timed out' }],
    ['FAILED', { kind: 'ended', as: 'failed' }],
    ['CANCELLED', { kind: 'ended', as: 'cancelled' }],
  ] as const) {
    it(`are read for a workflow that is ${status}`, async () => {
      const states = statesOf([{ ...RUN, status }]);
      assert.deepEqual(await states.stateOf('pi_1'), state);
      assert.deepEqual(await states.statesOf(['pi_1']), new Map([['pi_1', state]]));
    });
  }

  it('are those of the latest run if there were several', async () => {
    const ended = { ...RUN, status: 'TERMINATED', startedAt: 1_000 };
    for (const startedAt of [1_000, 2_000]) {
      const next = { ...RUN, runId: 'run_2', status: 'RUNNING', startedAt };
      for (const runs of [
        [ended, next],
        [next, ended],
      ]) {
        const found = await statesOf(runs).statesOf(['pi_1']);
        assert.deepEqual(found.get('pi_1'), { kind: 'running', runId: 'run_2' });
      }
    }
  });

  it('are "forgotten" if there is no such workflow', async () => {
    const states = statesOf([]);
    assert.deepEqual(await states.stateOf('pi_1'), { kind: 'ended', as: 'forgotten' });
    assert.equal((await states.statesOf(['pi_1'])).size, 0);
    assert.equal(await states.detailsOf('pi_1'), null);
  });

  it('include the tries of the current workflow task', async () => {
    const running = { ...RUN, status: 'RUNNING' };
    assert.deepEqual(await statesOf([{ ...running, taskTries: 7 }]).detailsOf('pi_1'), {
      runId: 'run_1',
      taskTries: 7,
    });
    assert.deepEqual(await statesOf([running]).detailsOf('pi_1'), { runId: 'run_1', taskTries: 0 });
    assert.equal(await statesOf([{ ...RUN, status: 'COMPLETED' }]).detailsOf('pi_1'), null);
  });

  it('include that a run has ended before a command reached it', async () => {
    assert.equal(await statesOf([]).terminate('pi_1', 'run_1', 'It fails'), false);
    assert.equal(await statesOf([{ ...RUN, status: 'RUNNING' }]).terminate('pi_1', 'run_1', 'It fails'), true);
    await statesOf([]).readAgain('pi_1');
  });

  it('throw while Temporal is unavailable', async () => {
    const states = statesOf([], new Error('no connection'));
    for (const call of [
      () => states.stateOf('pi_1'),
      () => states.statesOf(['pi_1']),
      () => states.detailsOf('pi_1'),
      () => states.readAgain('pi_1'),
      () => states.terminate('pi_1', 'run_1', 'It fails'),
    ]) {
      await assert.rejects(call, TemporalUnavailableError);
    }
  });
});
