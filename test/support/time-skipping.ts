import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type TypedSearchAttributes } from '@temporalio/common';
import { type Client, type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client';
import type { OperationResult } from '../../domain/payment.ts';
import { newId } from '../../domain/new-id.ts';
import {
  type CancelRequest,
  cancelUpdate,
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
  /** Lets the server's clock go on by that much. */
  skip(milliseconds: number): Promise<void>;
  /** The server's time. */
  now(): Promise<number>;
  /** Waits, in skipped time, for the workflow's end. */
  end(): Promise<OperationResult>;
  searchAttributes(): Promise<TypedSearchAttributes>;
}

/**
 * Runs `course` with one payment on a server of its own, whose clock jumps to the next timer whenever somebody waits
 * for a result.
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
  const waitForStage = WorkflowUpdateStage.ACCEPTED;
  return {
    client: env.client,
    handle,
    input,
    confirm: async (overrides = {}) => {
      const args: [ConfirmRequest] = [{ paymentMethodId: 'pm_test', method: 'card', ...overrides }];
      const update = await handle.startUpdate(confirmUpdate, { args, waitForStage });
      return { result: () => skippingTime(env, () => update.result()) };
    },
    cancel: async () => {
      const args: [CancelRequest] = [{ reason: 'requested_by_customer' }];
      const update = await handle.startUpdate(cancelUpdate, { args, waitForStage });
      return { result: () => skippingTime(env, () => update.result()) };
    },
    skip: (milliseconds) => env.sleep(milliseconds),
    now: () => env.currentTimeMs(),
    end: () => handle.result(),
    searchAttributes: async () => (await handle.describe()).typedSearchAttributes,
  };
}

/** The server's clock jumps only while somebody has unlocked it; the client does so for workflow results only. */
async function skippingTime<T>({ connection }: TestWorkflowEnvironment, wait: () => Promise<T>): Promise<T> {
  const { testService } = connection;
  if (testService === undefined) throw new Error('this server does not skip time');
  await testService.unlockTimeSkipping({});
  try {
    return await wait();
  } finally {
    await testService.lockTimeSkipping({});
  }
}
