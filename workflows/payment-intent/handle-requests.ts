import { ApplicationFailure, CancellationScope, condition, currentUpdateInfo, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { AUTHORIZATION_LAPSED } from '../../domain/hold-resolution.ts';
import { conflict } from '../../domain/operation.ts';
import { CANCELLATION_REASONS, type CancellationReason, type OperationResult } from '../../domain/payment.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import { CAPTURE_UNDISTURBED_MS } from '../../domain/time-limits.ts';
import {
  updateIntentUpdate,
  cancelUpdate,
  captureUpdate,
  confirmUpdate,
  providerEventSignal,
  readAgainSignal,
  type UpdateIntentRequest,
  type CancelRequest,
  type CaptureRequest,
  type ConfirmRequest,
} from '../../protocol/messages.ts';
import { isOneOf, isRecord, isText } from '../shared/message-shape.ts';
import { isConfirmRequest } from './confirm-request.ts';
import type { PaymentContext } from './context.ts';
import { hasExpired } from './expiry.ts';
import { lapsesAtMs } from './hold.ts';
import { providerEventHandler } from './provider-events.ts';
import {
  finalRefusal,
  MAXIMUM_WITH_CAPTURES,
  refusal,
  refusalForNow,
  refuseUnlessAllowed,
  refuseWhenTooMany,
} from './refusals.ts';
import type { PaymentRequests, PendingRequest } from './requests.ts';
import { handleSupport } from './support.ts';
import { handleTestClock } from './test-clock.ts';

/** Sets the handlers of the workflow's updates and signals. */
export function handleRequests(context: PaymentContext): void {
  setHandler(providerEventSignal, providerEventHandler(context));
  setHandler(readAgainSignal, () => {
    context.requests.mustReadAgain = true;
  });
  handleUpdate(context, confirmUpdate, {
    isRequest: isConfirmRequest,
    handle: confirm,
    refuse: refuseConfirm,
    refuseLate: refuseLateConfirm,
  });
  handleUpdate(context, captureUpdate, { isRequest: isCapture, handle: capture, refuse: refuseCapture });
  handleUpdate(context, cancelUpdate, { isRequest: isCancel, handle: cancel, refuse: refuseCancel });
  handleSupport(context);
  handleTestClock(context);
  handleUpdate(context, updateIntentUpdate, { isRequest: isUpdate, handle: update, refuse: refuseUpdate });
}

interface UpdateHandling<Request> {
  /** Whether a message has the shape of the request: anybody who reaches Temporal can send another. */
  readonly isRequest: (message: unknown) => message is Request;
  readonly handle: (context: PaymentContext, request: Request, operationId: string) => Promise<OperationResult>;
  readonly refuse: (context: PaymentContext, request: Request) => void;
  /** Refuses a request before it is accepted. Once accepted, a request that is too late gets a result that is recorded. */
  readonly refuseLate?: (request: Request) => void;
}

/** An update handler only stores its request and waits for the result; the workflow's main loop executes it. */
function handleUpdate<Request>(
  context: PaymentContext,
  definition: UpdateDefinition<OperationResult, [Request]>,
  { isRequest, handle, refuse, refuseLate }: UpdateHandling<Request>,
): void {
  const validator = (message: unknown): void => {
    if (!isRequest(message) || !isText(currentUpdateInfo()?.id)) throw unknownShape(definition.name);
    if (context.requests.knowsRows) refuse(context, message);
    refuseLate?.(message);
  };
  const handler = (request: Request): Promise<OperationResult> => {
    context.requests.accepted += 1;
    const operationId = currentUpdateInfo()?.id ?? '';
    return CancellationScope.nonCancellable(async () => {
      if (!context.requests.knowsRows) {
        await condition(() => context.requests.knowsRows);
        refuseFinally(() => refuse(context, request));
      }
      return handle(context, request, operationId);
    });
  };
  setHandler(definition, handler, { validator });
}

/** An error of any other class would fail the workflow task, which is retried for ever. */
function unknownShape(update: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`The request is not one of ${update}.`, 'INVALID_REQUEST');
}

function isCapture(message: unknown): message is CaptureRequest {
  return isRecord(message) && (message.amountMinor === null || Number.isSafeInteger(message.amountMinor));
}

function isCancel(message: unknown): message is CancelRequest {
  return isRecord(message) && isOneOf(CANCELLATION_REASONS, message.reason);
}

function isUpdate(message: unknown): message is UpdateIntentRequest {
  if (!isRecord(message) || !isText(message.paymentUpdateId)) return false;
  const { customerId = null } = message;
  return customerId === null || isText(customerId);
}

function refuseFinally(refuse: () => void): void {
  try {
    refuse();
  } catch (error) {
    throw finalRefusal(error);
  }
}

function confirm(context: PaymentContext, request: ConfirmRequest, operationId: string): Promise<OperationResult> {
  const pending: PendingRequest<ConfirmRequest> = { operationId, request, result: null };
  context.requests.confirm = pending;
  return answered(context, pending);
}

function refuseConfirm(context: PaymentContext): void {
  const { requests, recorder } = context;
  refuseWhenTooMany(requests);
  refuseUnlessAllowed('confirm', recorder.payment.columns.status);
  if (requests.confirm !== null) throw refusalForNow('STATE_CONFLICT', 'Another confirm is being worked on.');
  refuseWhenCanceling(requests);
  if (hasExpired(context)) throw refusal('PAYMENT_EXPIRED', ERROR_CATALOGUE.PAYMENT_EXPIRED.message);
}

/** Temporal keeps nothing of a refusal by the validator, so a repeat under the same key may begin later. */
function refuseLateConfirm({ beginBefore }: ConfirmRequest): void {
  if (Date.now() < Date.parse(beginBefore)) return;
  throw refusal('SERVICE_UNAVAILABLE', `Could not begin before ${beginBefore}.`);
}

/** Completes when it is known whether the provider captured the money. */
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

function refuseCapture(context: PaymentContext): void {
  const { requests, recorder } = context;
  refuseWhenTooMany(requests, MAXIMUM_WITH_CAPTURES);
  refuseUnlessAllowed('capture', recorder.payment.columns.status);
  if (Date.now() >= lapsesAtMs(context)) throw refusal(AUTHORIZATION_LAPSED.code, AUTHORIZATION_LAPSED.message);
  refuseWhenCapturing(requests);
  refuseWhenCanceling(requests);
}

/** Completes when it is known whether the money was captured. */
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

/** Stores a cancel. Where another operation is under way, the cancel is also recorded at once. */
export async function requestCancel(
  { recorder, requests }: PaymentContext,
  reason: CancellationReason,
  operationId: string,
): Promise<void> {
  if (requests.cancellation !== null || isTerminal(recorder.payment.columns.status)) return;
  requests.cancellation = reason;
  recorder.view.noteCancel(reason);
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
    // The run is stale: its next step fails for the same reason, and has it read the payment again.
  }
}

function refuseCancel({ requests, recorder }: PaymentContext): void {
  refuseUnlessAllowed('cancel', recorder.payment.columns.status);
  if (requests.capture !== null && Date.now() - requests.capture.sinceMs < CAPTURE_UNDISTURBED_MS) {
    refuseWhenCapturing(requests);
  }
  refuseWhenCanceling(requests);
}

function refuseWhenCanceling(requests: PaymentRequests): void {
  if (requests.cancellation !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being canceled.');
}

function refuseWhenCapturing(requests: PaymentRequests): void {
  if (requests.capture !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being captured.');
}

function update(context: PaymentContext, request: UpdateIntentRequest, operationId: string): Promise<OperationResult> {
  const pending: PendingRequest<UpdateIntentRequest> = { operationId, request, result: null };
  context.requests.update = pending;
  return answered(context, pending);
}

function refuseUpdate(context: PaymentContext): void {
  const { requests, recorder } = context;
  refuseWhenTooMany(requests);
  refuseUnlessAllowed('update', recorder.payment.columns.status);
  refuseWhenCanceling(requests);
  if (hasExpired(context)) throw refusal('STATE_CONFLICT', 'The payment intent is expiring.');
  const isBusy = requests.update !== null || requests.confirm !== null;
  if (isBusy) throw refusalForNow('STATE_CONFLICT', 'The payment intent is being worked on.');
}

async function answered({ recorder }: PaymentContext, pending: PendingRequest<unknown>): Promise<OperationResult> {
  await condition(() => pending.result !== null);
  return pending.result ?? { status: recorder.payment.columns.status, error: null };
}
