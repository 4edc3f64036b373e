import { CancellationScope, sleep } from '@temporalio/workflow';
import type { AuthorizePaymentResult } from '../../activities/payment-activities.ts';
import type { Attempt } from '../../domain/payment.ts';
import { isFinal, NOT_CALLED, type FinalOutcome } from '../../domain/provider-outcome.ts';
import { TRY_BACKOFF } from '../../domain/retry-plan.ts';
import { isFailureOf, isFinalFailure } from '../shared/activity-failure.ts';
import { doubtOf, triesOf, type Doubt } from '../shared/doubt.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import type { PaymentIntentInput } from '../messages.ts';
import { firstTry, furtherTries, inquiries, payments } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { reported, type Standing, withPaymentId } from './standing.ts';
import { waitForOutcome } from './waiting.ts';

/** What called the attempt off. */
export type CalledOff = 'cancel' | 'expiry';

/** The end of an attempt, with what led to it. */
export interface AttemptEnd {
  readonly attempt: Attempt;
  readonly outcome: FinalOutcome;
  readonly doubt: Doubt | null;
  readonly calledOff: CalledOff | null;
}

/**
 * Takes an open attempt to its end: asks the provider for the money, asks what became of it where the answer is not
 * known, waits for the customer or the provider, or calls it off. Returns only when it is certain whether the provider
 * charged and that nothing more can be charged under this attempt.
 */
export async function settleAttempt(context: PaymentContext, opened: Attempt): Promise<AttemptEnd> {
  return settle(context, opened, await authorize(context, opened));
}

/** The same for an attempt whose workflow has ended: asks first what became of it, and never for the money. */
export async function settleAfterRestart(context: PaymentContext, opened: Attempt): Promise<AttemptEnd> {
  return settle(context, opened, await inquire(context, opened, { kind: 'restarted' }));
}

async function settle(context: PaymentContext, opened: Attempt, first: Standing | null): Promise<AttemptEnd> {
  if (first === null) return callOff(context, opened);
  const { outcome } = first;
  if (isFinal(outcome)) return { ...first, outcome, calledOff: null };
  const settled = await waitForOutcome(context, first.attempt, outcome);
  return settled === null ? callOff(context, first.attempt) : { ...settled, doubt: first.doubt, calledOff: null };
}

/** The first answer about the attempt, or null when a cancellation came before it. */
async function authorize(context: PaymentContext, attempt: Attempt): Promise<Standing | null> {
  const { requests, recorder } = context;
  const result = await interruptible(
    () => askForMoney(context, attempt),
    () => requests.finalOutcomeOf(attempt.id) !== null || requests.cancellation !== null,
  );
  if (result.kind !== 'done' || result.value.outcome.kind === 'unrecognised') recorder.tellSearch();
  if (result.kind === 'interrupted') return reported(context, attempt);
  if (result.kind === 'failed') {
    return inquire(context, { ...attempt, tries: triesOf(result.error) }, doubtOf(result.error));
  }
  const { outcome, tries } = result.value;
  const tried = { ...attempt, tries };
  if (outcome.kind !== 'unrecognised') return { attempt: withPaymentId(tried, outcome), outcome, doubt: null };
  return inquire(context, tried, { kind: 'unrecognised', providerResponse: outcome.providerResponse });
}

/** The first call is made within the workflow task where somebody waits for it; the others have tasks of their own. */
async function askForMoney(context: PaymentContext, attempt: Attempt): Promise<AuthorizePaymentResult> {
  const { input, recorder } = context;
  const { terms } = recorder.progress;
  const options = { summary: `Pay through ${attempt.provider}, attempt ${attempt.number}` };
  const request = { ...atProvider(context, attempt), ...pick(attempt, input), terms };
  if (attempt.calledAtOnce !== true) return payments.authorizePayment.executeWithOptions(options, [request]);
  try {
    return await firstTry.authorizeAtOnce.executeWithOptions(options, [request]);
  } catch (error) {
    if (CancellationScope.current().consideredCancelled || isFinalFailure(error)) throw error;
    recorder.tellSearch();
    if (isFailureOf(error, NOT_CALLED)) return payments.authorizePayment.executeWithOptions(options, [request]);
    await sleep(TRY_BACKOFF.initialIntervalMs, { summary: 'Try again after a call that brought no answer' });
    return furtherTries.authorizePayment.executeWithOptions(options, [{ ...request, triesBefore: 1 }]);
  }
}

function pick(attempt: Attempt, input: PaymentIntentInput): { paymentIntentId: string; paymentMethodId: string } {
  return { paymentIntentId: input.paymentIntentId, paymentMethodId: attempt.paymentMethodId };
}

/** Asks what became of the attempt; nothing else is tried before the provider has answered. */
async function inquire(context: PaymentContext, attempt: Attempt, doubt: Doubt): Promise<Standing | null> {
  const { requests } = context;
  const result = await interruptible(
    () =>
      persistently(() =>
        inquiries.inquirePayment.executeWithOptions(
          { summary: `Ask ${attempt.provider} what became of attempt ${attempt.number}` },
          [atProvider(context, attempt)],
        ),
      ),
    () => requests.finalOutcomeOf(attempt.id) !== null || requests.cancellation !== null,
  );
  if (result.kind === 'interrupted') return reported(context, attempt);
  if (result.kind === 'failed') throw result.error;
  return { attempt: withPaymentId(attempt, result.value), outcome: result.value, doubt };
}

/** Calls the attempt off at the provider, unless the provider has already reported its end. */
async function callOff(context: PaymentContext, attempt: Attempt): Promise<AttemptEnd> {
  const { requests } = context;
  const calledOff: CalledOff = requests.cancellation === null ? 'expiry' : 'cancel';
  const result = await interruptible(
    () =>
      persistently(() =>
        inquiries.closePayment.executeWithOptions(
          { summary: `Call attempt ${attempt.number} off at ${attempt.provider}` },
          [atProvider(context, attempt)],
        ),
      ),
    () => requests.finalOutcomeOf(attempt.id) !== null,
  );
  if (result.kind === 'failed') throw result.error;
  const outcome = result.kind === 'done' ? result.value : requests.finalOutcomeOf(attempt.id);
  if (outcome === null) throw new Error('interrupted without a reported outcome');
  return { attempt: withPaymentId(attempt, outcome), outcome, doubt: null, calledOff };
}
