import { createRandom } from '../../chaos/random.ts';
import { INITIAL_COLUMNS } from '../../domain/payment-step.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { PAYMENT_INTENT_WORKFLOW, type PaymentIntentInput } from '../../protocol/messages.ts';
import { AMOUNT_MINOR } from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { COMPARED_END_MS, type ComparedSchedule, type ComparedStep, SETTLE_MS } from './compared-schedule.ts';
import { createExecutor } from './run-activity.ts';
import { TemporalModel, type UpdateOutcome } from './temporal-model.ts';
import { VirtualTime, withClock } from './virtual-time.ts';
import { WorkerProcess } from './worker-process.ts';
import type { WorkflowRuntime } from './workflow-runtime.ts';

/** What a schedule has led to, without times and ids of runs. */
export interface ComparedOutcome {
  /** Sorted: of two activities that are scheduled at once, either may write first. */
  readonly timeline: readonly string[];
  /** By operation: the state and the error, or why it was refused. */
  readonly answers: Readonly<Record<string, string>>;
  /** The activities of each run, in the order in which its history has them. */
  readonly activities: readonly (readonly string[])[];
  readonly closedAs: string;
  readonly providerCalls: readonly string[];
}

const START_MS = Date.UTC(2026, 0, 5);

/** The input of a compared payment. */
export function comparedInput(
  { captureMethod, attemptBudget }: ComparedSchedule,
  paymentIntentId: string,
  nowMs: number,
): PaymentIntentInput {
  return {
    paymentIntentId,
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    terms: { amountMinor: AMOUNT_MINOR, currency: 'EUR', country: 'DE', captureMethod },
    expiresAt: new Date(nowMs + 30 * MINUTE_MS).toISOString(),
    attemptBudget,
  };
}

/** The request of a step that is an operation. */
export function comparedRequest(kind: ComparedStep['kind'], nowMs: number): object {
  if (kind === 'capture') return { amountMinor: null };
  if (kind === 'cancel') return { reason: 'requested_by_customer' };
  const later = new Date(nowMs + COMPARED_END_MS).toISOString();
  return { paymentMethodId: 'pm_1', method: 'card', beginBefore: later, failOverBefore: later };
}

/** Plays a compared schedule on the model of Temporal. */
export async function playOnModel(schedule: ComparedSchedule, runtime: WorkflowRuntime): Promise<ComparedOutcome> {
  const time = new VirtualTime(START_MS);
  const scripted = new ScriptedActivities(schedule.scripts);
  scripted.clock = () => time.nowMs;
  const worker = new WorkerProcess('worker');
  const failures: string[] = [];
  const temporal = new TemporalModel({
    time,
    random: createRandom(schedule.seed),
    runtime,
    execute: createExecutor(scripted.activities),
    workers: () => [worker],
    trace: () => undefined,
    onTaskFailure: (what) => failures.push(what),
  });
  const id = `pi_${schedule.seed.toString(16).padStart(32, '0')}`;
  const input = comparedInput(schedule, id, START_MS);
  const answers: Record<string, string> = {};
  await withClock(time, async () => {
    const { terms, expiresAt } = input;
    scripted.store.insert({
      paymentIntentId: id,
      expiresAt,
      version: 0,
      terms,
      columns: INITIAL_COLUMNS,
      attempts: [],
      statusSince: time.now,
    });
    temporal.start({ workflowId: id, type: PAYMENT_INTENT_WORKFLOW, input, firstTaskAfterMs: 30 * MINUTE_MS }, 'once');
    for (const step of schedule.steps) {
      perform(step);
      await time.runFor(step.kind === 'wait' ? step.forMs : SETTLE_MS);
    }
    await time.runFor(COMPARED_END_MS);
    await temporal.dispose();
  });
  if (failures[0] !== undefined) throw new Error(failures[0]);
  return {
    timeline: scripted.timeline.map(({ summary }) => summary).toSorted(),
    answers,
    activities: temporal.activitiesOf(id),
    closedAs: closedAs(),
    providerCalls: scripted.calls.map(({ provider, operation }) => `${provider} ${operation}`),
  };

  function closedAs(): string {
    const state = temporal.stateOf(id);
    return state.kind === 'ended' ? state.as : state.kind;
  }

  function perform(step: ComparedStep): void {
    switch (step.kind) {
      case 'confirm':
      case 'capture':
      case 'cancel':
        answers[step.operationId] = 'none';
        void temporal
          .update(id, step.operationId, step.kind, comparedRequest(step.kind, time.nowMs))
          .then((outcome) => {
            answers[step.operationId] = describe(outcome);
          });
        return;
      case 'wait':
        return;
      case 'read_again':
        return void temporal.signal(id, 'readAgain', []);
      case 'temporal_cancel':
        return temporal.cancel(id);
      case 'terminate_and_take_over':
        if (closedAs() !== 'running') return;
        temporal.terminate(id);
        return void temporal.start(
          { workflowId: id, type: PAYMENT_INTENT_WORKFLOW, input: { ...input, takeOverAfter: 'terminated' } },
          'again',
        );
    }
  }
}

function describe(outcome: UpdateOutcome): string {
  if (outcome.kind === 'completed') return describeResult(outcome.result);
  if (outcome.kind === 'refused' || outcome.kind === 'failed')
    return `refused ${outcome.failure.applicationFailureInfo?.type}`;
  return 'finished';
}

/** The result of an operation as both sides describe it. */
export function describeResult(result: unknown): string {
  const { status, error } = result as { readonly status: string; readonly error: { readonly code: string } | null };
  return `${status} ${error?.code ?? ''}`.trim();
}
