import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import { transactionIdOf } from '../../domain/ids.ts';
import type { OperationResult, PaymentError } from '../../domain/payment.ts';
import { isTerminal, refusalOf, type PaymentOperation } from '../../domain/payment-state.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import { AUTHORIZATION_VALID_MS } from '../../domain/retry-plan.ts';
import {
  amendUpdate,
  cancelUpdate,
  confirmUpdate,
  paymentStateQuery,
  providerEventSignal,
  type AmendRequest,
  type CancelRequest,
  type ConfirmRequest,
  type PaymentIntentInput,
} from '../messages.ts';
import { inquiries } from './activity-proxies.ts';
import type { PaymentContext } from './attempt.ts';
import { pay } from './confirm.ts';
import { interruptible } from './interruptible.ts';
import { persistently } from './persistently.ts';
import { PaymentRecorder } from './recorder.ts';
import { PaymentRequests, type PendingConfirm } from './requests.ts';

/**
 * The life of one payment intent, from its creation to a terminal state; the only writer of the intent's state.
 * @returns the state it ended in and the code of its last error
 */
export async function paymentIntentWorkflow(input: PaymentIntentInput): Promise<OperationResult> {
  const requests = new PaymentRequests();
  const recorder = new PaymentRecorder(input);
  const context: PaymentContext = { input, recorder, requests };
  takeRequests(context);
  CancellationScope.current().cancelRequested.catch(() => {
    requests.cancellation ??= 'requested_by_operator';
  });
  return CancellationScope.nonCancellable(() => live(context));
}

async function live(context: PaymentContext): Promise<OperationResult> {
  const { recorder, requests } = context;
  const expiry = watchExpiry(context);
  while (!isTerminal(recorder.progress.columns.status)) {
    if (recorder.progress.columns.status === 'requires_capture') await holdAuthorization(context);
    else await takeNextRequest(context);
  }
  expiry.cancel();
  requests.answerConfirm({ status: recorder.progress.columns.status, error: conflict('confirm', context) });
  await condition(allHandlersFinished);
  const { status, lastError } = recorder.progress.columns;
  return { status, error: lastError };
}

/** In `requires_payment_method`: the merchant confirms or cancels, or the time runs out. */
async function takeNextRequest(context: PaymentContext): Promise<void> {
  const { requests, recorder, input } = context;
  await condition(
    () =>
      !requests.amending &&
      (requests.confirm !== null || requests.cancellation !== null || requests.expired || mayContinueAsNew()),
  );
  if (requests.cancellation !== null) return cancelIdle(context);
  if (requests.confirm !== null) return pay(context, requests.confirm.request);
  if (requests.expired) return expireIdle(context);
  const { progress } = recorder;
  await continueAsNew<typeof paymentIntentWorkflow>({ ...input, terms: progress.terms, resumeFrom: progress });
}

/** Between two requests nothing is in flight, so a long history can be left behind. */
function mayContinueAsNew(): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished();
}

/** The pause puts the request into the history first: what the world is told must not be forgotten with a worker. */
async function cancelIdle({ recorder, requests }: PaymentContext): Promise<void> {
  await sleep(1, { summary: 'Keep the cancellation before it is told' });
  const reason = requests.cancellation ?? 'requested_by_operator';
  await recorder.record({
    to: 'canceled',
    columns: { cancellationReason: reason },
    timeline: [{ kind: 'request', summary: `Canceled (${reason})` }],
    events: [{ type: 'payment_intent.canceled' }],
  });
}

async function expireIdle({ recorder }: PaymentContext): Promise<void> {
  const error: PaymentError = { code: 'PAYMENT_EXPIRED', message: ERROR_CATALOGUE.PAYMENT_EXPIRED.message };
  await recorder.record({
    to: 'expired',
    timeline: [{ kind: 'timer', summary: 'Expired before it was paid' }],
    events: [{ type: 'payment_intent.expired', failure: error }],
  });
}

/** In `requires_capture`: the money is held until the merchant cancels or the provider lets it go. */
async function holdAuthorization(context: PaymentContext): Promise<void> {
  const { requests, recorder, input } = context;
  const { attempts, transactionCount, paymentIntentId } = recorder.progress;
  const attempt = attempts.at(-1);
  if (attempt === undefined || attempt.providerPaymentId === null) throw new Error('an authorisation has an attempt');
  await interruptible(
    () => sleep(AUTHORIZATION_VALID_MS, { summary: 'The authorisation lapses' }),
    () => requests.cancellation !== null,
  );
  const outcome = await persistently(() =>
    inquiries.closePayment.executeWithOptions({ summary: `Release the authorisation at ${attempt.provider}` }, [
      { attemptId: attempt.id, provider: attempt.provider, environment: input.environment },
    ]),
  );
  if (outcome.kind === 'approved' && !outcome.captured) throw new Error('a closed authorisation cannot stay held');
  const captured = outcome.kind === 'approved';
  const reason = requests.cancellation ?? 'authorization_lapsed';
  const { amountMinor, currency, provider, providerPaymentId } = attempt;
  const transaction = {
    id: transactionIdOf(paymentIntentId, transactionCount + 1),
    attemptId: attempt.id,
    type: captured ? ('capture' as const) : ('void' as const),
    amountMinor,
    currency,
    provider,
    providerPaymentId,
  };
  await recorder.record({
    to: captured ? 'succeeded' : 'canceled',
    columns: {
      amountCapturableMinor: 0,
      amountCapturedMinor: captured ? amountMinor : 0,
      cancellationReason: captured ? null : reason,
    },
    transactions: [transaction],
    timeline: [
      captured
        ? { kind: 'decision', summary: `${provider} had captured the money already` }
        : { kind: 'decision', summary: `Authorisation released at ${provider} (${reason})` },
    ],
    events: [
      { type: 'transaction.created', transactionId: transaction.id },
      { type: captured ? 'payment_intent.succeeded' : 'payment_intent.canceled' },
    ],
  });
}

function watchExpiry({ input, requests }: PaymentContext): CancellationScope {
  const scope = new CancellationScope();
  const remainingMs = new Date(input.expiresAt).getTime() - Date.now();
  scope
    .run(() => sleep(remainingMs, { summary: `Expires at ${input.expiresAt}` }))
    .then(
      () => {
        requests.expired = true;
      },
      () => undefined,
    );
  return scope;
}

function takeRequests(context: PaymentContext): void {
  const { recorder } = context;
  setHandler(paymentStateQuery, () => recorder.progress);
  setHandler(providerEventSignal, (event) => noteProviderEvent(context, event));
  takeUpdate(
    confirmUpdate,
    (request) => confirm(context, request),
    () => refuseConfirm(context),
  );
  takeUpdate(
    cancelUpdate,
    (request) => cancel(context, request),
    () => refuseCancel(context),
  );
  takeUpdate(
    amendUpdate,
    (request) => amend(context, request),
    () => refuseAmend(context),
  );
}

function takeUpdate<Request>(
  definition: UpdateDefinition<OperationResult, [Request]>,
  handler: (request: Request) => Promise<OperationResult>,
  refuse: () => void,
): void {
  const validator: (request: Request) => void = refuse;
  setHandler(definition, (request) => CancellationScope.nonCancellable(() => handler(request)), { validator });
}

async function confirm({ requests, recorder }: PaymentContext, request: ConfirmRequest): Promise<OperationResult> {
  const pending: PendingConfirm = { request, result: null };
  requests.confirm = pending;
  await condition(() => pending.result !== null);
  return pending.result ?? { status: recorder.progress.columns.status, error: null };
}

function refuseConfirm(context: PaymentContext): void {
  const { requests } = context;
  refuseUnless('confirm', context);
  if (requests.confirm !== null) throw refusal('STATE_CONFLICT', 'Another confirm is being worked on.');
  if (requests.cancellation !== null) throw refusal('STATE_CONFLICT', 'The payment intent is being canceled.');
  if (requests.expired) throw refusal('PAYMENT_EXPIRED', ERROR_CATALOGUE.PAYMENT_EXPIRED.message);
}

/** Answers when it is certain whether the money was taken. */
async function cancel(context: PaymentContext, { reason }: CancelRequest): Promise<OperationResult> {
  const { requests, recorder } = context;
  requests.cancellation ??= reason;
  await condition(() => isTerminal(recorder.progress.columns.status));
  await recorder.written();
  const { status } = recorder.progress.columns;
  return { status, error: status === 'canceled' ? null : conflict('cancel', context) };
}

function refuseCancel(context: PaymentContext): void {
  refuseUnless('cancel', context);
  if (context.requests.cancellation !== null) {
    throw refusal('STATE_CONFLICT', 'The payment intent is being canceled.');
  }
}

async function amend({ requests, recorder }: PaymentContext, { amendmentId }: AmendRequest): Promise<OperationResult> {
  requests.amending = true;
  try {
    await recorder.amend(amendmentId);
  } finally {
    requests.amending = false;
  }
  return { status: recorder.progress.columns.status, error: null };
}

function refuseAmend(context: PaymentContext): void {
  const { requests } = context;
  refuseUnless('amend', context);
  const busy = requests.amending || requests.confirm !== null || requests.cancellation !== null;
  if (busy || requests.expired) throw refusal('STATE_CONFLICT', 'The payment intent is being worked on.');
}

/**
 * A provider is believed about its own attempts only. A charge reported for an attempt that was closed as uncharged
 * contradicts the provider's own word: people must see it.
 */
async function noteProviderEvent({ requests, recorder }: PaymentContext, event: ProviderEvent): Promise<void> {
  const attempt = recorder.progress.attempts.find(({ id }) => id === event.attemptId);
  if (attempt === undefined || attempt.provider !== event.provider) return;
  requests.keepProviderEvent(event);
  const contradicts = event.outcome.kind === 'approved' && attempt.outcome !== null && attempt.outcome !== 'approved';
  if (!contradicts || isTerminal(recorder.progress.columns.status)) return;
  await recorder.record({
    timeline: [
      {
        kind: 'provider_event',
        summary: `${event.provider} reports a charge for attempt ${attempt.number}, which it had closed as uncharged`,
        details: { eventId: event.eventId },
      },
    ],
  });
}

function refuseUnless(operation: PaymentOperation, { recorder }: PaymentContext): void {
  const { status } = recorder.progress.columns;
  const code = refusalOf(operation, status);
  if (code !== undefined) throw refusal(code, `A payment intent in state ${status} does not take ${operation}.`);
}

function conflict(operation: PaymentOperation, { recorder }: PaymentContext): PaymentError {
  const { status } = recorder.progress.columns;
  const code = refusalOf(operation, status) ?? 'STATE_CONFLICT';
  return { code, message: `The payment intent is ${status}; it does not take ${operation}.` };
}

/** Only an `ApplicationFailure` refuses an update; anything else would retry the workflow task for ever. */
function refusal(code: 'STATE_CONFLICT' | 'PAYMENT_EXPIRED', message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true });
}
