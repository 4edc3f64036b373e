import { setTimeout as wait } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { ApplicationFailure, type TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import { type Client, WorkflowFailedError, type WorkflowHandle, WorkflowUpdateStage } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import type { OperationResult } from '../../domain/payment.ts';
import { INITIAL_COLUMNS, type PaymentRecord } from '../../domain/payment-step.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { newId } from '../../domain/new-id.ts';
import {
  updateIntentUpdate,
  cancelUpdate,
  captureUpdate,
  type ConfirmRequest,
  confirmUpdate,
  PAYMENT_INTENT_WORKFLOW,
  PAYMENTS_TASK_QUEUE,
  type PaymentIntentInput,
} from '../../protocol/messages.ts';
import { confirmOf } from './confirm-of.ts';
import { readCurrentDetails } from './current-details.ts';
import { eventually } from './eventually.ts';
import { initialSearchAttributes } from '../../protocol/search-attributes.ts';
import { type EarlierRun, recordOfEarlierRun } from './earlier-run.ts';
import type { ScriptedActivities } from './scripted-activities.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from './time-skipping-server.ts';

export interface SentOperation {
  readonly operationId: string;
  /** Waits for the answer in skipped time. */
  result(): Promise<OperationResult>;
}

export interface RunningPayment {
  readonly client: Client;
  /** For workers of the test's own. */
  readonly nativeConnection: NativeConnection;
  readonly handle: WorkflowHandle;
  readonly input: PaymentIntentInput;
  /** Sends a confirm; returns once it is accepted. */
  confirm(overrides?: Partial<ConfirmRequest>): Promise<SentOperation>;
  cancel(): Promise<SentOperation>;
  update(paymentUpdateId: string, customerId?: string | null): Promise<SentOperation>;
  /** Sends a capture; null takes all that is held. */
  capture(amountMinor: number | null): Promise<SentOperation>;
  /** Lets the server's clock go on by that much. */
  skip(milliseconds: number): Promise<void>;
  /** The server's time. */
  now(): Promise<number>;
  /** Waits, in skipped time, for the workflow's end. */
  end(): Promise<OperationResult>;
  searchAttributes(): Promise<TypedSearchAttributes>;
  /** What support staff read of it, in markdown. */
  currentDetails(): Promise<string>;
}

/** How a payment begins. */
export interface PaymentSetup {
  readonly input?: Partial<PaymentIntentInput>;
  /** The payment as an earlier run has left it; absent where it is new. */
  readonly left?: EarlierRun;
  /** Where workers of the test's own poll; the shared worker otherwise. */
  readonly taskQueue?: string;
  /** How long the first task of a new payment waits for an update; until the expiry where it is absent. */
  readonly startDelayMs?: number;
}

/**
 * Runs `test` with one payment on a server whose clock skips the time in which somebody waits for a result. A new payment
 * is started as the API does it: its first task waits for the first update, or for the expiry.
 */
export function withPayment(
  activities: ScriptedActivities,
  test: (payment: RunningPayment) => Promise<void>,
  { input: overrides = {}, left, taskQueue = PAYMENTS_TASK_QUEUE, startDelayMs }: PaymentSetup = {},
): Promise<void> {
  return withTimeSkippingServer(async ({ env, play }) => {
    play(activities);
    const nowMs = await env.currentTimeMs();
    const since = new Date(nowMs - (left?.ageMs ?? 0)).toISOString();
    const record = left === undefined ? null : recordOfEarlierRun(newId('paymentIntent'), left, since);
    const input = paymentInput(nowMs, { ...(record === null ? {} : takeOverInput(record)), ...overrides });
    const { paymentIntentId } = input;
    activities.store.insert(
      record ?? newRecord(input, new Date(nowMs).toISOString()),
      left?.operation === undefined ? [] : [left.operation],
    );
    const handle = await env.client.workflow.start(PAYMENT_INTENT_WORKFLOW, {
      workflowId: paymentIntentId,
      taskQueue,
      args: [input],
      workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
      typedSearchAttributes: initialSearchAttributes(input),
      ...(record === null ? { startDelay: startDelayMs ?? Math.max(0, Date.parse(input.expiresAt) - nowMs) } : {}),
    });
    await test(runningPayment(env, handle, input));
  });
}

function paymentInput(nowMs: number, overrides: Partial<PaymentIntentInput>): PaymentIntentInput {
  return {
    paymentIntentId: newId('paymentIntent'),
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    terms: { amountMinor: 1_999, currency: 'EUR', country: 'DE', captureMethod: 'automatic' },
    expiresAt: new Date(nowMs + 30 * MINUTE_MS).toISOString(),
    attemptBudget: 5,
    ...overrides,
  };
}

function takeOverInput({ paymentIntentId, terms }: PaymentRecord): Partial<PaymentIntentInput> {
  return { paymentIntentId, terms, takeOverAfter: 'terminated' };
}

/** As the API inserts it. */
function newRecord({ paymentIntentId, terms, expiresAt }: PaymentIntentInput, statusSince: string): PaymentRecord {
  return {
    paymentIntentId,
    expiresAt,
    version: 0,
    terms,
    columns: INITIAL_COLUMNS,
    attempts: [],
    statusSince,
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
    const operationId = newId('request');
    const options = { updateId: operationId, args, waitForStage: WorkflowUpdateStage.ACCEPTED } as const;
    const update = await handle.startUpdate<OperationResult, Args>(definition, options);
    return { operationId, result: () => skippingTime(env, update.result()) };
  };
  return {
    client: env.client,
    nativeConnection: env.nativeConnection,
    handle,
    input,
    confirm: async (overrides = {}) => send(confirmUpdate, { ...confirmOf(await env.currentTimeMs()), ...overrides }),
    cancel: () => send(cancelUpdate, { reason: 'requested_by_customer' }),
    update: (paymentUpdateId, customerId) =>
      send(updateIntentUpdate, { paymentUpdateId, ...(customerId === undefined ? {} : { customerId }) }),
    capture: (amountMinor) => send(captureUpdate, { amountMinor }),
    skip: (milliseconds) => env.sleep(milliseconds),
    now: () => env.currentTimeMs(),
    end: () => handle.result().catch(resultOfFailure),
    searchAttributes: async () => (await handle.describe()).typedSearchAttributes,
    currentDetails: () => currentDetailsOf(env.client, handle),
  };
}

/** The workflow of a failed payment fails, with its result as details. */
function resultOfFailure(error: unknown): OperationResult {
  const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) throw error;
  return resultSchema.parse(cause.details?.[0]);
}

const resultSchema = z.custom<OperationResult>((value) => typeof value === 'object' && value !== null);

/** The test server never answers a query whose failure exceeds its limit for headers; the next query may succeed. */
const QUERY_WITHIN_MS = 5 * SECOND_MS;

/** What support staff read of a workflow, in markdown. */
export function currentDetailsOf(client: Client, handle: WorkflowHandle): Promise<string> {
  return eventually(() => client.withDeadline(Date.now() + QUERY_WITHIN_MS, () => readCurrentDetails(handle)));
}

/** By how much each step is longer than the one before, and how long the first is. */
const STEP_GROWTH = 1.25;
const FIRST_STEP_MS = 100;
/** Shorter than any timeout: a busy machine needs longer for a task than one step, and the clock must not overtake it. */
const LONGEST_STEP_MS = 4 * SECOND_MS;
/** In real time: an answer takes so long to arrive. */
const ANSWER_ARRIVES_MS = 20;

/**
 * Advances the clock in steps until there is an answer. By itself the clock would jump to the next timer, perhaps a week
 * away, while the answer is on its way.
 */
async function skippingTime<Result>(env: TestWorkflowEnvironment, answer: Promise<Result>): Promise<Result> {
  let isThere = false;
  const arrival = answer.then(
    () => (isThere = true),
    () => (isThere = true),
  );
  for (let stepMs = FIRST_STEP_MS; ; stepMs = Math.min(stepMs * STEP_GROWTH, LONGEST_STEP_MS)) {
    await Promise.race([arrival, wait(ANSWER_ARRIVES_MS)]);
    if (isThere) return answer;
    await env.sleep(stepMs);
  }
}
