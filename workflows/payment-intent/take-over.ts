import type { JsonObject } from '../../domain/json.ts';
import { conflict, resultOf, type StoredOperation } from '../../domain/operation.ts';
import { CANCELLATION_REASONS, type CancellationReason, openAttemptOf, usedAttempts } from '../../domain/payment.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { records } from './activity-proxies.ts';
import { recordEnd, resumeAttempt } from './attempt.ts';
import { executeConfirm } from './confirm.ts';
import { isConfirmRequest } from './confirm-request.ts';
import type { PaymentContext } from './context.ts';
import { inquireHold } from './hold.ts';
import type { PaymentRequests } from './requests.ts';

/**
 * Assigns the payment to this run and continues from its rows: operations without an answer are resumed, and the provider is
 * asked whether it still holds authorized money.
 * @param endedAs how the previous run ended; null where this run itself is stale
 */
export async function takeOver(context: PaymentContext, endedAs: string | null): Promise<void> {
  const { recorder, requests } = context;
  const { operationIds } = requests;
  requests.mustReadAgain = false;
  const { payment, operations } = await records.takeOverPayment.executeWithOptions(
    { summary: 'Read the payment, and take it over' },
    [{ ...recorder.known, endedAs, operationIds }],
  );
  recorder.adopt(payment);
  const { status } = payment.columns;
  for (const operation of operations) resume(context, operation, status);
  refuseStaleRequests(context);
  requests.knowsRows = true;
  if (status === 'requires_capture' && requests.capture === null) await inquireHold(context);
}

/**
 * Resumes an open attempt. Where it turns out that the provider charged nothing, the confirm that opened it is still
 * unanswered and continues with another attempt.
 */
export async function resumeOpenAttempt(context: PaymentContext): Promise<void> {
  const { recorder, requests, input } = context;
  const open = openAttemptOf(recorder.payment.attempts);
  if (open === undefined) throw new Error('a payment under way has an open attempt');
  const end = await resumeAttempt(context, open);
  if (end === null) return;
  const { confirm } = requests;
  const mayGoOn =
    end.outcome.kind === 'not_charged' &&
    end.calledOff === null &&
    requests.cancellation === null &&
    usedAttempts(recorder.payment.attempts, open) < input.attemptBudget;
  if (mayGoOn && confirm !== null && confirm.operationId === open.operationId)
    return executeConfirm(context, confirm, end);
  return recordEnd(context, end);
}

function resume({ requests, recorder }: PaymentContext, operation: StoredOperation, status: PaymentStatus): void {
  const { id, kind, request } = operation;
  const result = resultOf(operation, status);
  if (result !== null) {
    requests.answerConfirm(id, result);
    requests.answerCapture(id, result);
    return;
  }
  if (kind === 'cancel') {
    requests.cancellation ??= reasonOf(request?.reason);
    recorder.view.noteCancel(requests.cancellation);
  }
  if (kind === 'confirm') resumeConfirm(requests, id, request);
  if (kind === 'capture' && status === 'requires_capture') resumeCapture(requests, id, request?.amountMinor);
}

/** Resumes a confirm that has opened an attempt and has no answer yet. */
function resumeConfirm(requests: PaymentRequests, operationId: string, request: JsonObject | null): void {
  if (isConfirmRequest(request)) requests.confirm ??= { operationId, request, result: null };
}

/** Repeats a capture under its key; if an update handler of this run waits for it, the handler gets the result too. */
function resumeCapture(requests: PaymentRequests, operationId: string, amountMinor: unknown): void {
  const { capture } = requests;
  if (capture?.operationId === operationId) {
    capture.isRepeated = true;
    return;
  }
  if (capture !== null) {
    const error = { code: 'STATE_CONFLICT', message: 'The payment intent is being captured.' } as const;
    requests.answerCapture(capture.operationId, { status: 'requires_capture', error });
  }
  const request = { amountMinor: typeof amountMinor === 'number' ? amountMinor : null };
  requests.capture = { operationId, request, result: null, isRepeated: true, sinceMs: Date.now() };
}

/** Refuses requests that arrived before another run changed the payment's state, because they are stale. */
function refuseStaleRequests({ requests, recorder }: PaymentContext): void {
  const { columns, attempts } = recorder.payment;
  const { status } = columns;
  if (status === 'requires_payment_method') return;
  requests.answerUpdate({ status, error: conflict('update', status) });
  const { confirm } = requests;
  if (confirm === null) return;
  const { operationId } = confirm;
  const isUnderWay = attempts.some((attempt) => attempt.outcome === null && attempt.operationId === operationId);
  if (!isUnderWay) requests.answerConfirm(operationId, { status, error: conflict('confirm', status) });
}

function reasonOf(value: unknown): CancellationReason {
  return CANCELLATION_REASONS.find((reason) => reason === value) ?? 'requested_by_operator';
}
