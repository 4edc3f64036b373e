import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ApplicationFailureCategory } from '@temporalio/common';
import { conflict } from '../../domain/operation.ts';
import type { OperationResult } from '../../domain/payment.ts';
import {
  PAYMENT_UPDATE_GONE,
  DATABASE_BEHIND_HISTORY,
  type PaymentRecord,
  RUN_OUT_OF_DATE,
  withoutTime,
} from '../../domain/payment-step.ts';
import { isTerminal, type PaymentStatus } from '../../domain/payment-state.ts';
import type { PaymentIntentInput, UpdateIntentRequest } from '../../protocol/messages.ts';
import { customerSearchAttributes, databaseBehindSearchAttributes } from '../../protocol/search-attributes.ts';
import { isFailureOf } from '../shared/activity-failure.ts';
import { now } from '../shared/clock.ts';
import { records } from './activity-proxies.ts';
import { executeConfirm } from './confirm.ts';
import type { PaymentContext } from './context.ts';
import { expire, watchExpiry } from './expiry.ts';
import { holdAuthorization } from './hold.ts';
import { PaymentRecorder } from './recorder.ts';
import { ProviderReports } from './provider-reports.ts';
import { PaymentRequests } from './requests.ts';
import { requestCancel, handleRequests } from './handle-requests.ts';
import { resumeOpenAttempt, takeOver } from './take-over.ts';

/**
 * Runs one payment intent from its creation to a terminal state; the only writer of the intent's state.
 * @returns the state it ended in and the code of its last error
 * @throws ApplicationFailure with the same as its details if the payment has failed, so that the list of workflows shows it
 */
export async function paymentIntentWorkflow(input: PaymentIntentInput): Promise<OperationResult> {
  const context: PaymentContext = {
    input,
    recorder: new PaymentRecorder(input),
    requests: new PaymentRequests(),
    reports: new ProviderReports(),
  };
  context.requests.knowsRows = input.takeOverAfter === undefined;
  handleRequests(context);
  const { cancelRequested } = CancellationScope.current();
  return CancellationScope.nonCancellable(() => {
    cancelRequested.catch(() => requestCancel(context, 'requested_by_operator', `cancel_${workflowInfo().runId}`));
    return runToEnd(context);
  });
}

async function runToEnd(context: PaymentContext): Promise<OperationResult> {
  const { recorder, requests, input } = context;
  let next = input.takeOverAfter === undefined ? null : () => takeOver(context, input.takeOverAfter ?? null);
  while (next !== null || !isTerminal(recorder.payment.columns.status)) {
    const work = next ?? (() => WORK[recorder.payment.columns.status](context));
    next = await workOrReadAgain(context, work);
    recorder.view.waitsFor(null);
  }
  recorder.stopWatching();
  const { status, lastError } = recorder.payment.columns;
  requests.answerConfirm(requests.confirm?.operationId ?? null, { status, error: conflict('confirm', status) });
  const error = status === 'succeeded' ? null : conflict('capture', status);
  requests.answerCapture(requests.capture?.operationId ?? null, { status, error });
  requests.answerUpdate({ status, error: conflict('update', status) });
  await condition(allHandlersFinished);
  const result = { status, error: lastError === null ? null : withoutTime(lastError) };
  if (hasFailed(recorder.payment)) throw failureOf(result);
  return result;
}

/** Whether somebody tried to pay, and the payment ended without money other than by a cancel. */
function hasFailed({ columns, attempts }: PaymentRecord): boolean {
  const { status, cancellationReason } = columns;
  return (
    status === 'failed' ||
    (status === 'canceled' && cancellationReason === 'retries_exhausted') ||
    (status === 'expired' && attempts.length > 0)
  );
}

/** Benign: a failed payment is not an error of the engine. */
function failureOf(result: OperationResult): ApplicationFailure {
  return ApplicationFailure.create({
    type: result.error?.code ?? 'PAYMENT_FAILED',
    message: result.error?.message ?? `The payment is ${result.status}.`,
    details: [result],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** The work of a run in each state. */
const WORK: Readonly<Record<PaymentStatus, (context: PaymentContext) => Promise<void>>> = {
  requires_payment_method: handleNextRequest,
  processing: resumeOpenAttempt,
  requires_action: resumeOpenAttempt,
  requires_capture: holdAuthorization,
  succeeded: end,
  failed: end,
  canceled: end,
  expired: end,
};

function end(): Promise<void> {
  return Promise.resolve();
}

/** @returns the takeover that must follow where the run is stale; null otherwise */
async function workOrReadAgain(
  context: PaymentContext,
  work: () => Promise<void>,
): Promise<(() => Promise<void>) | null> {
  try {
    await work();
  } catch (error) {
    if (isFailureOf(error, DATABASE_BEHIND_HISTORY)) return halt(context);
    if (!isFailureOf(error, RUN_OUT_OF_DATE)) throw error;
    return () => takeOver(context, null);
  }
  return context.requests.mustReadAgain ? () => takeOver(context, null) : null;
}

/**
 * The database was restored from an older backup, so any further step would contradict what this run has done before. The run
 * waits until support staff have compared both with the provider and terminate it; another run then continues from the rows.
 */
async function halt({ recorder }: PaymentContext): Promise<never> {
  upsertSearchAttributes(databaseBehindSearchAttributes());
  const { paymentIntentId, version } = recorder.payment;
  setCurrentDetails(
    `**Halted**: the database knows less of \`${paymentIntentId}\` than this history (version ${version}). Compare both ` +
      'with the provider, then terminate this workflow: another run goes on from the database.',
  );
  await condition(() => false);
  throw new Error('a halted run does not go on');
}

/** In `requires_payment_method`: waits until the merchant confirms, updates or cancels, or the payment expires. */
async function handleNextRequest(context: PaymentContext): Promise<void> {
  const { requests } = context;
  const isAsked = (): boolean =>
    requests.mustReadAgain ||
    requests.update !== null ||
    requests.confirm !== null ||
    requests.cancellation !== null ||
    requests.expired;
  if (!isAsked()) {
    const expiry = watchExpiry(context);
    await condition(isAsked);
    expiry.cancel();
  }
  if (requests.mustReadAgain) return;
  if (requests.update !== null) return applyUpdate(context, requests.update.request);
  if (requests.cancellation !== null) return cancelIdle(context);
  if (requests.confirm !== null) return executeConfirm(context, requests.confirm);
  return expire(context);
}

async function applyUpdate(
  { recorder, requests }: PaymentContext,
  { paymentUpdateId, customerId }: UpdateIntentRequest,
): Promise<void> {
  const { status } = recorder.payment.columns;
  try {
    const summary = 'Apply the updated terms';
    const request = { ...recorder.known, paymentUpdateId, at: now() };
    recorder.adopt(await records.updatePayment.executeWithOptions({ summary }, [request]), 'the terms were updated');
    if (customerId !== undefined) recorder.view.upsert(customerSearchAttributes(customerId));
    requests.answerUpdate({ status, error: null });
  } catch (error) {
    if (!isFailureOf(error, PAYMENT_UPDATE_GONE)) throw error;
    const message = 'The update was not applied in time; the payment intent is unchanged.';
    requests.answerUpdate({ status, error: { code: 'STATE_CONFLICT', message } });
  }
}

async function cancelIdle({ recorder, requests }: PaymentContext): Promise<void> {
  const reason = requests.cancellation ?? 'requested_by_operator';
  const { cancelId } = requests;
  await recorder.record({
    from: 'requires_payment_method',
    to: 'canceled',
    columns: { cancellationReason: reason },
    timeline: [{ kind: 'request', summary: `Canceled (${reason})` }],
    events: [{ type: 'payment_intent.canceled' }],
    ...(cancelId === null
      ? {}
      : { operation: { id: cancelId, kind: 'cancel' as const, request: { reason }, result: null } }),
  });
}
