import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type WorkflowHandle,
  type WorkflowHandleWithFirstExecutionRunId,
  WorkflowUpdateFailedError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { INITIAL_COLUMNS } from '../../domain/payment-step.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { PAYMENT_INTENT_WORKFLOW, PAYMENTS_TASK_QUEUE, readAgainSignal } from '../../protocol/messages.ts';
import { initialSearchAttributes } from '../../protocol/search-attributes.ts';
import {
  COMPARED_END_MS,
  type ComparedSchedule,
  comparedScheduleOf,
  type ComparedStep,
  SETTLE_MS,
} from '../simulation/compared-schedule.ts';
import {
  comparedInput,
  type ComparedOutcome,
  comparedRequest,
  describeResult,
  playOnModel,
} from '../simulation/play-on-model.ts';
import { ACTIVITY_NAMES } from '../simulation/simulation.ts';
import { createWorkflowRuntime } from '../simulation/workflow-runtime.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import {
  EXECUTION_TIMEOUT_MS,
  type TimeSkippingServer,
  withTimeSkippingServer,
} from '../support/time-skipping-server.ts';

/** `SIMULATED_SCHEDULES=300 npm test -- time "like a server"` compares more. */
const SCHEDULES = Number(process.env.SIMULATED_SCHEDULES ?? 12);
const TIMEOUT_PER_SCHEDULE_MS = MINUTE_MS;
/** A step that takes longer than planned, because the machine is busy, comes after a retry that it should come before. */
const LATE_MS = SECOND_MS - SETTLE_MS;
const MAXIMUM_PLAYS = 3;

/** What a server made of a schedule, and whether it came to each step in time. */
interface Play {
  readonly outcome: ComparedOutcome;
  readonly isLate: boolean;
}

describe('the model of Temporal in the simulation', () => {
  const runtime = createWorkflowRuntime(ACTIVITY_NAMES);

  it('behaves like a server', async function () {
    this.timeout(SCHEDULES * TIMEOUT_PER_SCHEDULE_MS);
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const schedule = comparedScheduleOf(seed);
      const expected = await playInTime(schedule);
      assert.deepEqual(await playOnModel(schedule, runtime), expected, JSON.stringify(schedule));
    }
  });
});

/** The clock of the server goes on while the worker is slow: then the schedule is played again. */
async function playInTime(schedule: ComparedSchedule): Promise<ComparedOutcome> {
  let play = await playOnServer(schedule);
  for (let plays = 1; play.isLate && plays < MAXIMUM_PLAYS; plays += 1) play = await playOnServer(schedule);
  return play.outcome;
}

/** Plays a compared schedule on a time-skipping server. */
async function playOnServer(schedule: ComparedSchedule): Promise<Play> {
  const scripted = new ScriptedActivities(schedule.scripts);
  const answers: Record<string, string> = {};
  let outcome: ComparedOutcome | undefined;
  let isLate = false;
  await withTimeSkippingServer(async ({ env, play }) => {
    play(scripted);
    const nowMs = await env.currentTimeMs();
    const input = comparedInput(schedule, newId('paymentIntent'), nowMs);
    const { paymentIntentId, terms, expiresAt } = input;
    const statusSince = new Date(nowMs).toISOString();
    scripted.store.insert({
      paymentIntentId,
      expiresAt,
      version: 0,
      terms,
      columns: INITIAL_COLUMNS,
      attempts: [],
      statusSince,
    });
    const start = (given: object, startDelay?: number): Promise<WorkflowHandleWithFirstExecutionRunId> =>
      env.client.workflow.start(PAYMENT_INTENT_WORKFLOW, {
        workflowId: paymentIntentId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [given],
        workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
        typedSearchAttributes: initialSearchAttributes(input),
        ...(startDelay === undefined ? {} : { startDelay }),
      });
    const runs = [await start(input, 30 * MINUTE_MS)];
    const updates = new Map<string, Promise<{ result(): Promise<unknown> }>>();
    for (const step of schedule.steps) {
      const beganAtMs = await env.currentTimeMs();
      const run = runs.at(-1) as WorkflowHandle;
      await perform(env, run, step, updates);
      if (step.kind === 'terminate_and_take_over' && (await statusOf(run)) === 'running') {
        await run.terminate();
        runs.push(await start({ ...input, takeOverAfter: 'terminated' }));
      }
      const plannedMs = step.kind === 'wait' ? step.forMs : SETTLE_MS;
      await env.sleep(plannedMs);
      isLate ||= (await env.currentTimeMs()) - beganAtMs - plannedMs > LATE_MS;
    }
    await env.sleep(COMPARED_END_MS);
    for (const [operationId, update] of updates) answers[operationId] = await answerOf(update);
    outcome = {
      timeline: scripted.timeline.map(({ summary }) => summary).toSorted(),
      answers,
      activities: await Promise.all(
        runs.map((run) => activitiesOf(env.client.workflow.getHandle(run.workflowId, run.firstExecutionRunId))),
      ),
      closedAs: await statusOf(runs.at(-1) as WorkflowHandle),
      providerCalls: scripted.calls.map(({ provider, operation }) => `${provider} ${operation}`),
    };
  });
  assert.ok(outcome !== undefined);
  return { outcome, isLate };
}

async function perform(
  env: TimeSkippingServer['env'],
  run: WorkflowHandle,
  step: ComparedStep,
  updates: Map<string, Promise<{ result(): Promise<unknown> }>>,
): Promise<void> {
  switch (step.kind) {
    case 'confirm':
    case 'capture':
    case 'cancel': {
      const request = comparedRequest(step.kind, await env.currentTimeMs());
      const latest = env.client.workflow.getHandle(run.workflowId);
      const update = latest.startUpdate<unknown, [object]>(step.kind, {
        updateId: step.operationId,
        args: [request],
        waitForStage: WorkflowUpdateStage.ACCEPTED,
      });
      updates.set(step.operationId, update);
      return void (await update.catch(() => undefined));
    }
    case 'read_again':
      return void (await run.signal(readAgainSignal).catch(() => undefined));
    case 'temporal_cancel':
      return void (await run.cancel().catch(() => undefined));
    case 'wait':
    case 'terminate_and_take_over':
  }
}

async function answerOf(update: Promise<{ result(): Promise<unknown> }>): Promise<string> {
  try {
    return describeResult(await (await update).result());
  } catch (error) {
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    const isAnswered = cause instanceof ApplicationFailure && cause.type !== 'AcceptedUpdateCompletedWorkflow';
    return isAnswered ? `refused ${cause.type}` : 'finished';
  }
}

async function activitiesOf(run: WorkflowHandle): Promise<string[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes }) => activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );
}

async function statusOf(run: WorkflowHandle): Promise<string> {
  return (await run.describe()).status.name.toLowerCase();
}
