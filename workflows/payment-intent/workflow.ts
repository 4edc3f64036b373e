import { allHandlersFinished, CancellationScope, condition, continueAsNew, sleep } from '@temporalio/workflow';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { OperationResult, PaymentError } from '../../domain/payment.ts';
import { isTerminal } from '../../domain/payment-state.ts';
import type { PaymentIntentInput } from '../messages.ts';
import { now } from '../shared/clock.ts';
import { AnsweredUpdates } from './answered-updates.ts';
import { pay } from './confirm.ts';
import type { PaymentContext } from './context.ts';
import { continued, mayContinueAsNew } from './continuation.ts';
import { holdAuthorization } from './hold.ts';
import { PaymentRecorder } from './recorder.ts';
import { conflict } from './refusals.ts';
import { goOnAfterRestart } from './restart.ts';
import { PaymentRequests } from './requests.ts';
import { takeRequests } from './take-requests.ts';

/**
 * The life of one payment intent, from its creation to a terminal state; the only writer of the intent's state.
 * @returns the state it ended in and the code of its last error
 */
export async function paymentIntentWorkflow(input: PaymentIntentInput): Promise<OperationResult> {
  const requests = new PaymentRequests();
  const recorder = new PaymentRecorder(input);
  const context: PaymentContext = { input, recorder, requests, answered: new AnsweredUpdates(input.answered) };
  takeRequests(context);
  CancellationScope.current().cancelRequested.catch(() => {
    requests.cancellation ??= 'requested_by_operator';
  });
  return CancellationScope.nonCancellable(() => Promise.race([live(context), recorder.failure]));
}

async function live(context: PaymentContext): Promise<OperationResult> {
  const { recorder, requests, input } = context;
  const expiry = watchExpiry(context);
  if (input.restartedAfter !== undefined) await goOnAfterRestart(context, input.restartedAfter);
  while (!isTerminal(recorder.progress.columns.status)) {
    if (recorder.progress.columns.status === 'requires_capture') await holdAuthorization(context);
    else await takeNextRequest(context);
  }
  expiry.cancel();
  const { status } = recorder.progress.columns;
  requests.answerConfirm({ status, error: conflict('confirm', status) });
  requests.answerCapture({ status, error: conflict('capture', status) });
  await condition(allHandlersFinished);
  return { status, error: recorder.progress.columns.lastError };
}

/** In `requires_payment_method`: the merchant confirms or cancels, or the time runs out. */
async function takeNextRequest(context: PaymentContext): Promise<void> {
  const { requests } = context;
  await condition(
    () =>
      !requests.amending &&
      (requests.confirm !== null || requests.cancellation !== null || requests.expired || mayContinueAsNew()),
  );
  if (requests.cancellation !== null) return cancelIdle(context);
  if (requests.confirm !== null) return pay(context, requests.confirm.request);
  if (requests.expired) return expireIdle(context);
  await continueAsNew<typeof paymentIntentWorkflow>(continued(context));
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
    columns: { lastError: { ...error, at: now() } },
    timeline: [{ kind: 'timer', summary: 'Expired before it was paid' }],
    events: [{ type: 'payment_intent.expired', failure: error }],
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
