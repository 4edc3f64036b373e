import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import { captureResultOf, type HoldContext, type HoldEnd, resolveHold } from '../../domain/hold-resolution.ts';
import { formatMoney } from '../../domain/money.ts';
import { capturedMinorOf } from '../../domain/provider-outcome.ts';
import type { Attempt, OperationResult } from '../../domain/payment.ts';
import { CAPTURE_UNDISTURBED_MS } from '../../domain/time-limits.ts';
import { askUntil } from '../shared/ask-until.ts';
import { now } from '../shared/clock.ts';
import { interruptible } from '../shared/interruptible.ts';
import { sleepUntil } from '../shared/sleep-until.ts';
import { captures, inquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { reportedHoldEnd } from './provider-events.ts';
import type { PaymentRequests, PendingCapture } from './requests.ts';

/**
 * In `requires_capture`: waits until the merchant captures or cancels, the provider reports the end of the hold, or the
 * authorization lapses; then handles whichever comes first.
 */
export async function holdAuthorization(context: PaymentContext): Promise<void> {
  const { requests } = context;
  const attempt = heldAttempt(context);
  const work = await interruptible(
    () =>
      sleepUntil(
        () => lapsesAtMs(context),
        () => 'The authorization lapses',
      ),
    () =>
      requests.mustReadAgain ||
      requests.cancellation !== null ||
      requests.capture !== null ||
      reportedHoldEnd(context, attempt) !== null,
  );
  if (requests.mustReadAgain) return;
  const reported = reportedHoldEnd(context, attempt);
  const { capture } = requests;
  if (capture !== null && (requests.cancellation === null || undisturbedForMs(capture) > 0)) {
    return captureHeld(context, attempt, capture);
  }
  if (reported !== null) return void (await recordReported(context, attempt, reported));
  if (requests.cancellation !== null || work.kind === 'done') return voidHold(context, attempt);
}

/** When the authorization lapses, in ms since the epoch; never where no money is held any more. */
export function lapsesAtMs({ recorder }: PaymentContext): number {
  const { captureBefore } = recorder.payment.columns;
  return captureBefore === null ? Infinity : Date.parse(captureBefore);
}

/**
 * Inquires whether the provider still holds the money, after a takeover. A capture, a cancel, a report of the hold's end or its
 * lapse interrupts the inquiry: a provider that does not say what it holds may still capture or void it.
 */
export async function inquireHold(context: PaymentContext): Promise<void> {
  const { recorder, requests } = context;
  const attempt = heldAttempt(context);
  const summary = `Ask ${attempt.provider} whether it holds the money`;
  const inquire = () => {
    // This timeout ends the wait when the hold lapses.
    const scheduleToCloseTimeout = Math.max(1, lapsesAtMs(context) - Date.now());
    return inquiries.inquirePayment.executeWithOptions({ summary, scheduleToCloseTimeout }, [
      atProvider(context, attempt),
    ]);
  };
  const work = await askUntil(
    inquire,
    () =>
      requests.cancellation !== null ||
      requests.capture !== null ||
      reportedHoldEnd(context, attempt) !== null ||
      Date.now() >= lapsesAtMs(context),
  );
  if (work.kind === 'interrupted') return;
  const { outcome, payment } = work.value;
  recorder.adopt(payment);
  const isOver = outcome.kind === 'not_charged' || (outcome.kind === 'approved' && outcome.captured);
  if (isOver) await recordReported(context, attempt, outcome);
}

function heldAttempt({ recorder }: PaymentContext): Attempt {
  const attempt = recorder.payment.attempts.at(-1);
  if (attempt === undefined || attempt.providerPaymentId === null) throw new Error('an authorization has an attempt');
  return attempt;
}

/**
 * Executes the pending capture, and answers it when it is known whether the provider captured the money. After a refused
 * capture the money is still held, and the merchant may capture again.
 */
async function captureHeld(context: PaymentContext, attempt: Attempt, capture: PendingCapture): Promise<void> {
  const { requests, recorder, input } = context;
  const { environment } = input;
  const { operationId, isRepeated } = capture;
  const amountMinor = capture.request.amountMinor ?? recorder.payment.columns.amountCapturableMinor;
  const summary = `Capture ${formatMoney(amountMinor, attempt.currency)} at ${attempt.provider}`;
  recorder.view.waitsFor(`${attempt.provider}'s answer to the capture`);
  const cancelWatch = watchCancel(requests, capture);
  const work = await askUntil(
    (isCalledAgain) =>
      captures.capturePayment.executeWithOptions({ summary }, [
        { ...recorder.known, environment, attempt, amountMinor, operationId, isRepeated: isRepeated || isCalledAgain },
      ]),
    () => cancelWatch.mayVoid() || endsCapture(context, attempt, amountMinor),
  ).finally(() => cancelWatch.stop());
  recorder.view.waitsFor(null);
  if (work.kind === 'done') {
    recorder.adopt(work.value.payment, work.value.decided);
    return requests.answerCapture(operationId, work.value.result);
  }
  const end = reportedHoldEnd(context, attempt);
  if (end !== null) requests.answerCapture(operationId, await recordReported(context, attempt, end));
}

/** How long a cancel may still not interrupt the capture, in milliseconds. */
function undisturbedForMs({ sinceMs }: PendingCapture): number {
  return sinceMs + CAPTURE_UNDISTURBED_MS - Date.now();
}

/** Watches for the moment from which a cancel may interrupt a capture whose outcome is unknown. */
function watchCancel(requests: PaymentRequests, capture: PendingCapture): { mayVoid(): boolean; stop(): void } {
  const scope = new CancellationScope();
  let mayVoid = false;
  scope
    .run(async () => {
      await condition(() => requests.cancellation !== null);
      const remainingMs = undisturbedForMs(capture);
      if (remainingMs > 0) await sleep(remainingMs, { summary: 'Void the hold if it is not captured by then' });
      mayVoid = true;
    })
    .catch(() => undefined);
  return { mayVoid: () => mayVoid, stop: () => scope.cancel() };
}

/**
 * Whether a report ends the capture. One with another amount does not: the capture is retried until the amounts agree, or two
 * people resolve it by hand.
 */
function endsCapture(context: PaymentContext, attempt: Attempt, amountMinor: number): boolean {
  const end = reportedHoldEnd(context, attempt);
  if (end === null) return false;
  return (
    context.reports.isResolvedByHand(attempt) || end.kind === 'not_charged' || capturedMinorOf(end) === amountMinor
  );
}

/** Voids the hold, unless the provider has captured the money meanwhile. */
async function voidHold(context: PaymentContext, attempt: Attempt): Promise<void> {
  const { recorder } = context;
  const { provider } = attempt;
  recorder.view.waitsFor(`${provider} to void the authorization`);
  const summary = `Void the authorization at ${provider}`;
  const work = await askUntil(
    () => inquiries.closePayment.executeWithOptions({ summary }, [atProvider(context, attempt)]),
    () => reportedHoldEnd(context, attempt) !== null,
  );
  recorder.view.waitsFor(null);
  const reported = reportedHoldEnd(context, attempt);
  if (work.kind === 'interrupted' && reported !== null) return void (await recordReported(context, attempt, reported));
  if (work.kind === 'interrupted') throw new Error('interrupted without a reported end');
  const { outcome, payment } = work.value;
  recorder.adopt(payment);
  if (outcome.kind === 'approved' && !outcome.captured) throw new Error('a closed authorization cannot stay held');
  const end: HoldEnd = outcome.kind === 'approved' ? outcome : { kind: 'not_charged' };
  await recordHoldEnd(context, attempt, end, {
    captured: `${provider} had captured the money already`,
    captureId: null,
  });
}

/** Records a provider's report that the money was captured (the reply was lost) or the hold voided (it has lapsed). */
async function recordReported(context: PaymentContext, attempt: Attempt, end: HoldEnd): Promise<OperationResult> {
  const isByHand = context.reports.isResolvedByHand(attempt);
  await recordHoldEnd(context, attempt, end, {
    captured: isByHand
      ? 'Resolved by hand: the money is captured'
      : `${attempt.provider} reports that it has captured the money`,
    captureId: context.requests.capture?.operationId ?? null,
  });
  return captureResultOf(attempt, end);
}

function recordHoldEnd(
  { recorder, requests, reports, input }: PaymentContext,
  attempt: Attempt,
  end: HoldEnd,
  capture: Pick<HoldContext, 'captured' | 'captureId'>,
): Promise<void> {
  const { paymentIntentId } = input;
  const { cancellation } = requests;
  const step = resolveHold(attempt, end, { paymentIntentId, cancellation, ...capture, now: now() });
  // If the provider holds or has captured the money after all, it is returned.
  const isUnproven = end.kind === 'not_charged' && reports.isResolvedByHand(attempt);
  return recorder.record(isUnproven ? { ...step, suspectedCharge: { attemptId: attempt.id } } : step);
}
