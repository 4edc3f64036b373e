import { setTimeout as wait } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { TypedSearchAttributes, UpdateDefinition } from '@temporalio/common';
import { type Client, type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client';
import type { OperationResult } from '../../domain/payment.ts';
import { newId } from '../../domain/new-id.ts';
import {
  cancelUpdate,
  captureUpdate,
  type ConfirmRequest,
  confirmUpdate,
  PAYMENT_INTENT_WORKFLOW,
  PAYMENTS_TASK_QUEUE,
  type PaymentIntentInput,
} from '../../workflows/messages.ts';
import { initialSearchAttributes } from '../../workflows/search-attributes.ts';
import type { ScriptedActivities } from './scripted-activities.ts';
import { withTimeSkippingServer } from './time-skipping-server.ts';

export interface SentOperation {
  /** Waits for the answer in skipped time. */
  result(): Promise<OperationResult>;
}

export interface RunningPayment {
  readonly client: Client;
  readonly handle: WorkflowHandle;
  readonly input: PaymentIntentInput;
  /** Sends a confirm; returns once it is accepted. */
  confirm(overrides?: Partial<ConfirmRequest>): Promise<SentOperation>;
  cancel(): Promise<SentOperation>;
  /** Sends a capture; null takes all that is held. */
  capture(amountMinor: number | null): Promise<SentOperation>;
  /** Lets the server's clock go on by that much. */
  skip(milliseconds: number): Promise<void>;
  /** The server's time. */
  now(): Promise<number>;
  /** Waits, in skipped time, for the workflow's end. */
  end(): Promise<OperationResult>;
  searchAttributes(): Promise<TypedSearchAttributes>;
}

/**
 * Runs `course` with one payment on a server whose clock skips the time in which somebody waits for a result.
 */
export function withPayment(
  activities: ScriptedActivities,
  course: (payment: RunningPayment) => Promise<void>,
  overrides: Partial<PaymentIntentInput> = {},
): Promise<void> {
  return withTimeSkippingServer(async ({ env, play }) => {
    play(activities);
    const input = await paymentInput(env, overrides);
    const handle = await env.client.workflow.start(PAYMENT_INTENT_WORKFLOW, {
      workflowId: input.paymentIntentId,
      taskQueue: PAYMENTS_TASK_QUEUE,
      args: [input],
      typedSearchAttributes: initialSearchAttributes(input),
    });
    await course(runningPayment(env, handle, input));
  });
}

async function paymentInput(
  env: TestWorkflowEnvironment,
  overrides: Partial<PaymentIntentInput>,
): Promise<PaymentIntentInput> {
  const now = await env.currentTimeMs();
  return {
    paymentIntentId: newId('paymentIntent'),
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    terms: { amountMinor: 1_999, currency: 'EUR', country: 'DE', captureMethod: 'automatic' },
    expiresAt: new Date(now + 30 * 60_000).toISOString(),
    attemptBudget: 5,
    ...overrides,
  };
}

function runningPayment(
  env: TestWorkflowEnvironment,
  handle: WorkflowHandle,
  input: PaymentIntentInput,
): RunningPayment {
  const send = async <Args extends [unknown]>(
    definition: UpdateDefinition<OperationResult, Args>,
    ...args: Args
  ): Promise<SentOperation> => {
    const options = { updateId: newId('request'), args, waitForStage: WorkflowUpdateStage.ACCEPTED } as const;
    const update = await handle.startUpdate<OperationResult, Args>(definition, options);
    return { result: () => skippingTime(env, update.result()) };
  };
  return {
    client: env.client,
    handle,
    input,
    confirm: (overrides = {}) => send(confirmUpdate, { paymentMethodId: 'pm_test', method: 'card', ...overrides }),
    cancel: () => send(cancelUpdate, { reason: 'requested_by_customer' }),
    capture: (amountMinor) => send(captureUpdate, { amountMinor }),
    skip: (milliseconds) => env.sleep(milliseconds),
    now: () => env.currentTimeMs(),
    end: () => handle.result(),
    searchAttributes: async () => (await handle.describe()).typedSearchAttributes,
  };
}

/** By how much each step is longer than the one before, and how long the first is. */
const STEP_GROWTH = 1.25;
const FIRST_STEP_MS = 100;
/** In real time: an answer takes so long to arrive. */
const ANSWER_ARRIVES_MS = 20;

/**
 * Lets the clock go on until there is an answer, in steps: left to itself it jumps as far as the next timer, be that a week
 * away, while the answer is on its way.
 */
async function skippingTime<Result>(env: TestWorkflowEnvironment, answer: Promise<Result>): Promise<Result> {
  let isThere = false;
  const arrival = answer.then(
    () => (isThere = true),
    () => (isThere = true),
  );
  for (let stepMs = FIRST_STEP_MS; ; stepMs *= STEP_GROWTH) {
    await Promise.race([arrival, wait(ANSWER_ARRIVES_MS)]);
    if (isThere) return answer;
    await env.sleep(stepMs);
  }
}
