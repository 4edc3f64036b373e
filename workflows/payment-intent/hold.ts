import { continueAsNew, sleep } from '@temporalio/workflow';
import type { Attempt } from '../../domain/payment.ts';
import { AUTHORIZATION_VALID_MS } from '../../domain/retry-plan.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { captureHeld } from './capture.ts';
import { concludeHold } from './hold-conclusion.ts';
import { continued, mayContinueAsNew } from './continuation.ts';
import type { HoldEnd } from './requests.ts';

/**
 * In `requires_capture`: the money is held until the merchant captures or cancels, the provider reports what became of
 * it, or the time is over for which providers hold it. Deals with the first of these.
 */
export async function holdAuthorization(context: PaymentContext): Promise<void> {
  const { requests, recorder } = context;
  const attempt = heldAttempt(context);
  const remainingMs = new Date(recorder.progress.statusSince).getTime() + AUTHORIZATION_VALID_MS - Date.now();
  const result = await interruptible(
    () => sleep(remainingMs, { summary: 'The authorisation lapses' }),
    () =>
      requests.cancellation !== null ||
      requests.capture !== null ||
      requests.holdEndOf(attempt.id) !== null ||
      mayContinueAsNew(),
  );
  const reported = requests.holdEndOf(attempt.id);
  if (reported !== null) return recordReported(context, attempt, reported);
  if (requests.cancellation !== null || result.kind === 'done') return release(context, attempt);
  if (requests.capture !== null) return captureHeld(context, attempt, requests.capture.request);
  await continueAsNew(continued(context));
}

/** Asks what became of held money while no workflow looked after it. */
export async function askAboutHold(context: PaymentContext): Promise<void> {
  const attempt = heldAttempt(context);
  const outcome = await persistently(() =>
    inquiries.inquirePayment.executeWithOptions({ summary: `Ask ${attempt.provider} whether it holds the money` }, [
      atProvider(context, attempt),
    ]),
  );
  if (outcome.kind === 'not_charged') return recordReported(context, attempt, outcome);
  if (outcome.kind === 'approved' && outcome.captured) return recordReported(context, attempt, outcome);
}

function heldAttempt({ recorder }: PaymentContext): Attempt {
  const attempt = recorder.progress.attempts.at(-1);
  if (attempt === undefined || attempt.providerPaymentId === null) throw new Error('an authorisation has an attempt');
  return attempt;
}

/** Gives the held money free, unless the provider has taken it meanwhile. */
async function release(context: PaymentContext, attempt: Attempt): Promise<void> {
  const { requests, recorder } = context;
  const outcome = await persistently(() =>
    inquiries.closePayment.executeWithOptions({ summary: `Release the authorisation at ${attempt.provider}` }, [
      atProvider(context, attempt),
    ]),
  );
  if (outcome.kind === 'approved' && !outcome.captured) throw new Error('a closed authorisation cannot stay held');
  const end: HoldEnd = outcome.kind === 'approved' ? outcome : { kind: 'not_charged' };
  await recorder.record(
    concludeHold(attempt, end, {
      progress: recorder.progress,
      cancellation: requests.cancellation,
      captured: `${attempt.provider} had captured the money already`,
    }),
  );
}

/** The provider has taken the money, or let it go, without an answer of its own: a lost reply, or its own clock. */
async function recordReported({ recorder }: PaymentContext, attempt: Attempt, end: HoldEnd): Promise<void> {
  await recorder.record(
    concludeHold(attempt, end, {
      progress: recorder.progress,
      cancellation: null,
      captured: `${attempt.provider} reports that it has captured the money`,
    }),
  );
}
