import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { OperationResult } from '../../domain/payment.ts';
import { AMENDMENT_GONE } from '../../domain/payment-change.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import {
  amendUpdate,
  cancelUpdate,
  captureUpdate,
  confirmUpdate,
  paymentStateQuery,
  providerEventSignal,
  type AmendRequest,
  type CancelRequest,
  type CaptureRequest,
  type ConfirmRequest,
} from '../messages.ts';
import { isFailureOf } from '../shared/activity-failure.ts';
import type { PaymentContext } from './context.ts';
import { noteProviderEvent } from './provider-events.ts';
import { conflict, refusal, refuseUnlessTaken } from './refusals.ts';
import type { PaymentRequests, Pending } from './requests.ts';

/** Makes the workflow take what merchants, providers and support staff send it. */
export function takeRequests(context: PaymentContext): void {
  setHandler(paymentStateQuery, () => context.recorder.progress);
  setHandler(providerEventSignal, (event) => noteProviderEvent(context, event));
  takeUpdate(context, confirmUpdate, confirm, refuseConfirm);
  takeUpdate(context, captureUpdate, capture, refuseCapture);
  takeUpdate(context, cancelUpdate, cancel, refuseCancel);
  takeUpdate(context, amendUpdate, amend, refuseAmend);
}

/** A repeat of what an earlier run has answered gets the same answer, whatever state the payment is in. */
function takeUpdate<Request>(
  context: PaymentContext,
  definition: UpdateDefinition<OperationResult, [Request]>,
  handle: (context: PaymentContext, request: Request) => Promise<OperationResult>,
  refuse: (context: PaymentContext) => void,
): void {
  const { answered } = context;
  const answer = async (request: Request): Promise<OperationResult> => {
    const result = answered.ofCurrentUpdate() ?? (await handle(context, request));
    answered.keep(result);
    return result;
  };
  const validator = (_request: Request): void => {
    if (answered.ofCurrentUpdate() === null) refuse(context);
  };
  setHandler(definition, (request) => CancellationScope.nonCancellable(() => answer(request)), { validator });
}

async function confirm({ requests, recorder }: PaymentContext, request: ConfirmRequest): Promise<OperationResult> {
  const pending: Pending<ConfirmRequest> = { request, result: null };
  requests.confirm = pending;
  await condition(() => pending.result !== null);
  return pending.result ?? { status: recorder.progress.columns.status, error: null };
}

function refuseConfirm({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('confirm', recorder.progress.columns.status);
  if (requests.confirm !== null) throw refusal('STATE_CONFLICT', 'Another confirm is being worked on.');
  refuseWhenCanceling(requests);
  if (requests.expired) throw refusal('PAYMENT_EXPIRED', ERROR_CATALOGUE.PAYMENT_EXPIRED.message);
}

/** Answers when it is certain whether the provider took the money. */
async function capture({ requests, recorder }: PaymentContext, request: CaptureRequest): Promise<OperationResult> {
  const { status, amountCapturableMinor } = recorder.progress.columns;
  const { amountMinor } = request;
  if (amountMinor !== null && (amountMinor < 1 || amountMinor > amountCapturableMinor)) {
    const { message } = ERROR_CATALOGUE.INVALID_AMOUNT;
    return { status, error: { code: 'INVALID_AMOUNT', message, details: { amountCapturable: amountCapturableMinor } } };
  }
  const pending: Pending<CaptureRequest> = { request, result: null };
  requests.capture = pending;
  await condition(() => pending.result !== null);
  return pending.result ?? { status: recorder.progress.columns.status, error: null };
}

function refuseCapture({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('capture', recorder.progress.columns.status);
  refuseWhenCapturing(requests);
  refuseWhenCanceling(requests);
}

/** Answers when it is certain whether the money was taken. */
async function cancel({ requests, recorder }: PaymentContext, { reason }: CancelRequest): Promise<OperationResult> {
  requests.cancellation ??= reason;
  await condition(() => isTerminal(recorder.progress.columns.status));
  await recorder.written();
  const { status } = recorder.progress.columns;
  return { status, error: status === 'canceled' ? null : conflict('cancel', status) };
}

function refuseCancel({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('cancel', recorder.progress.columns.status);
  refuseWhenCapturing(requests);
  refuseWhenCanceling(requests);
}

function refuseWhenCanceling(requests: PaymentRequests): void {
  if (requests.cancellation !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being canceled.');
}

function refuseWhenCapturing(requests: PaymentRequests): void {
  if (requests.capture !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being captured.');
}

async function amend({ requests, recorder }: PaymentContext, { amendmentId }: AmendRequest): Promise<OperationResult> {
  requests.amending = true;
  try {
    await recorder.amend(amendmentId);
  } catch (error) {
    if (!isFailureOf(error, AMENDMENT_GONE)) throw error;
    throw refusal('STATE_CONFLICT', 'The amendment was not applied in time; the payment intent is as it was.');
  } finally {
    requests.amending = false;
  }
  return { status: recorder.progress.columns.status, error: null };
}

function refuseAmend({ requests, recorder }: PaymentContext): void {
  refuseUnlessTaken('amend', recorder.progress.columns.status);
  const busy = requests.amending || requests.confirm !== null || requests.cancellation !== null;
  if (busy || requests.expired) throw refusal('STATE_CONFLICT', 'The payment intent is being worked on.');
}
