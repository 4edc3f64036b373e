import { CancellationScope, condition, currentUpdateInfo, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { conflict } from '../../domain/operation.ts';
import type { CancellationReason, OperationResult } from '../../domain/payment.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import { CAPTURE_UNDISTURBED_MS } from '../../domain/retry-plan.ts';
import {
  amendUpdate,
  cancelUpdate,
  captureUpdate,
  confirmUpdate,
  providerEventSignal,
  readAgainSignal,
  type AmendRequest,
  type CancelRequest,
  type CaptureRequest,
  type ConfirmRequest,
} from '../messages.ts';
import type { PaymentContext } from './context.ts';
import { noteProviderEvent } from './provider-events.ts';
import { refusal, refusalForNow, refuseUnlessTaken } from './refusals.ts';
import type { Pending, PaymentRequests } from './requests.ts';

/** Operations after which a run accepts only a cancel or a capture: Temporal limits the length of its history. */
const OPERATIONS_AT_MOST = 200;

/** Makes the workflow take what merchants, providers and support staff send it. */
export function takeRequests(context: PaymentContext): void {
  setHandler(providerEventSignal, (event) => CancellationScope.nonCancellable(() => noteProviderEvent(context, event)));
  setHandler(readAgainSignal, () => {
    context.requests.mustReadAgain = true;
  });
  takeUpdate(context, confirmUpdate, confirm, refuseConfirm);
  takeUpdate(context, captureUpdate, capture, refuseCapture);
  takeUpdate(context, cancelUpdate, cancel, refuseCancel);
  takeUpdate(context, amendUpdate, amend, refuseAmend);
}

/** Handlers only hand requests over and wait for the answer: one part of the workflow decides, one step after the other. */
function takeUpdate<Request>(
  context: PaymentContext,
  definition: UpdateDefinition<OperationResult, [Request]>,
  handle: (context: PaymentContext, request: Request, operationId: string) => Promise<OperationResult>,
  refuse: (context: PaymentContext) => void,
): void {
  const validator = (_request: Request): void => {
    if (context.requests.knowsRows) refuse(context);
  };
  const handler = (request: Request): Promise<OperationResult> => {
    context.requests.accepted += 1;
    const operationId = currentUpdateInfo()?.id ?? '';
    return CancellationScope.nonCancellable(async () => {
      if (!context.requests.knowsRows) {
        await condition(() => context.requests.knowsRows);
        refuse(context);
      }
      return handle(context, request, operationId);
    });
  };
  setHandler(definition, handler, { validator });
}

function confirm(context: PaymentContext, request: ConfirmRequest, operationId: string): Promise<OperationResult> {
  const pending: Pending<ConfirmRequest> = { operationId, request, result: null };
  context.requests.confirm = pending;
  return answered(context, pending);
}

function refuseConfirm({ requests, recorder }: PaymentContext): void {
  refuseWhenTooMany(requests);
  refuseUnlessTaken('confirm', recorder.payment.columns.status);
  if (requests.confirm !== null) throw refusalForNow('STATE_CONFLICT', 'Another confirm is being worked on.');
  refuseWhenCanceling(requests);
  if (requests.expired) throw refusal('PAYMENT_EXPIRED', ERROR_CATALOGUE.PAYMENT_EXPIRED.message);
}

/** Answers when it is certain whether the provider captured the money. */
async function capture(
  context: PaymentContext,
  request: CaptureRequest,
  operationId: string,
): Promise<OperationResult> {
  const { requests, recorder } = context;
  const { status, amountCapturableMinor } = recorder.payment.columns;
  const { amountMinor } = request;
  if (amountMinor !== null && (amountMinor < 1 || amountMinor > amountCapturableMinor)) {
    const { message } = ERROR_CATALOGUE.INVALID_AMOUNT;
    return { status, error: { code: 'INVALID_AMOUNT', message, details: { amountCapturable: amountCapturableMinor } } };
  }
  const pending = { operationId, request, result: null, isRepeated: false, sinceMs: Date.now() };
  requests.capture = pending;
  return answered(context, pending);
}

function refuseCapture({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('capture', recorder.payment.columns.status);
  refuseWhenCapturing(requests);
  refuseWhenCanceling(requests);
}

/** Answers when it is certain whether the money was taken. */
async function cancel(
  context: PaymentContext,
  { reason }: CancelRequest,
  operationId: string,
): Promise<OperationResult> {
  const { recorder } = context;
  await requestCancel(context, reason, operationId);
  await condition(() => isTerminal(recorder.payment.columns.status));
  const { status } = recorder.payment.columns;
  return { status, error: status === 'canceled' ? null : conflict('cancel', status) };
}

/** Accepts a cancel. Where something else is under way, the row of the cancel is written at once. */
export async function requestCancel(
  { recorder, requests }: PaymentContext,
  reason: CancellationReason,
  operationId: string,
): Promise<void> {
  if (requests.cancellation !== null || isTerminal(recorder.payment.columns.status)) return;
  requests.cancellation = reason;
  requests.cancelId = operationId;
  const isIdle =
    requests.knowsRows && requests.confirm === null && recorder.payment.columns.status === 'requires_payment_method';
  if (isIdle) return;
  try {
    await recorder.record({
      timeline: [{ kind: 'request', summary: `Cancel asked for (${reason})` }],
      operation: { id: operationId, kind: 'cancel', request: { reason }, result: null },
    });
  } catch {
    // The rows are not what this run knows: the next step of the payment itself finds that too, and reads them again.
  }
}

function refuseCancel({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('cancel', recorder.payment.columns.status);
  if (requests.capture !== null && Date.now() - requests.capture.sinceMs < CAPTURE_UNDISTURBED_MS) {
    refuseWhenCapturing(requests);
  }
  refuseWhenCanceling(requests);
}

function refuseWhenTooMany({ accepted }: PaymentRequests): void {
  if (accepted < OPERATIONS_AT_MOST) return;
  throw refusal('STATE_CONFLICT', `A payment intent takes ${OPERATIONS_AT_MOST} operations; make a new one.`);
}

function refuseWhenCanceling(requests: PaymentRequests): void {
  if (requests.cancellation !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being canceled.');
}

function refuseWhenCapturing(requests: PaymentRequests): void {
  if (requests.capture !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being captured.');
}

function amend(context: PaymentContext, request: AmendRequest, operationId: string): Promise<OperationResult> {
  const pending: Pending<AmendRequest> = { operationId, request, result: null };
  context.requests.amendment = pending;
  return answered(context, pending);
}

function refuseAmend({ requests, recorder }: PaymentContext): void {
  refuseWhenTooMany(requests);
  refuseUnlessTaken('amend', recorder.payment.columns.status);
  refuseWhenCanceling(requests);
  if (requests.expired) throw refusal('STATE_CONFLICT', 'The payment intent is expiring.');
  const isBusy = requests.amendment !== null || requests.confirm !== null;
  if (isBusy) throw refusalForNow('STATE_CONFLICT', 'The payment intent is being worked on.');
}

async function answered({ recorder }: PaymentContext, pending: Pending<unknown>): Promise<OperationResult> {
  await condition(() => pending.result !== null);
  return pending.result ?? { status: recorder.payment.columns.status, error: null };
}
