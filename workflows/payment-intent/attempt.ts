import type { AuthorizePaymentResult } from '../../protocol/payment-activities.ts';
import { type AllowedRetries, describeLimit, limitDetailsOf, type ReachedLimit } from '../../domain/decline-retries.ts';
import type { OpeningRefusal } from '../../domain/attempt-opening.ts';
import {
  endAttempt,
  resolveEnd,
  resolveOutcome,
  withPaymentId,
  type AttemptEnd,
  type CalledOff,
  type Resolution,
} from '../../domain/payment-resolution.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { PaymentStep, TimelineEntry } from '../../domain/payment-step.ts';
import { wantsAbsentCustomer } from '../../domain/saved-payment-method.ts';
import { isFinal, type FinalOutcome } from '../../domain/provider-outcome.ts';
import type { UnknownOutcome } from '../../domain/unknown-outcome.ts';
import type { ConfirmRequest } from '../../protocol/messages.ts';
import { isStepFailure } from '../shared/activity-failure.ts';
import { askUntil } from '../shared/ask-until.ts';
import { now } from '../shared/clock.ts';
import { interruptible } from '../shared/interruptible.ts';
import { triesOf, unknownOutcomeOf } from '../shared/unknown-outcome.ts';
import { authorizations, inquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext, resolutionContext } from './context.ts';
import { reportedOutcome } from './provider-events.ts';
import { waitForOutcome } from './waiting.ts';

/** An attempt to be opened. */
interface NewAttempt {
  readonly attempt: Attempt;
  readonly intention: PaymentStep;
  /** The confirm that it is made for, and whether it is its first attempt. */
  readonly request: ConfirmRequest;
  readonly isFirst: boolean;
  /** Which declines may be followed by another attempt; absent for none. */
  readonly retries?: AllowedRetries | undefined;
}

/** An attempt that was not opened, and why. */
interface AttemptNotOpened {
  readonly refusal: OpeningRefusal;
}

/**
 * Runs a new attempt to its end. An activity writes the intention, calls the provider and records the outcome; an unknown outcome
 * is followed by inquiries. Then the workflow waits for the customer or the provider, or calls the attempt off. Returns only when
 * it is known whether the provider charged.
 * @returns the end that the workflow still has to record, null if the activity has recorded it, or why the attempt may not begin
 */
export async function runAttempt(
  context: PaymentContext,
  opened: NewAttempt,
): Promise<AttemptEnd | AttemptNotOpened | null> {
  const { requests, recorder, reports } = context;
  const { attempt } = opened;
  reports.forget(attempt);
  recorder.watchForStuck(Date.now());
  recorder.view.waitsFor(`${attempt.provider}'s answer to attempt ${attempt.number}`);
  requests.isAuthorizing = true;
  const work = await interruptible(
    () => authorize(context, opened),
    () => requests.cancellation !== null || reportedOutcome(context, attempt) !== null,
  ).catch((error: unknown) => ({ kind: 'failed', error }) as const);
  requests.isAuthorizing = false;
  if (work.kind === 'interrupted') return endInterrupted(context, attempt);
  if (work.kind === 'failed') {
    if (isStepFailure(work.error)) throw work.error;
    const unknown = unknownOutcomeOf(work.error);
    return inquireAttempt(context, { ...attempt, tries: triesOf(work.error) }, unknown);
  }
  const { payment, refusal, result, decided, unrecognised, unrecordedEnd, needsCustomer, tries } = work.value;
  if (refusal !== null) return { refusal };
  recorder.adopt(payment, decided);
  if (result !== null) requests.answerConfirm(attempt.operationId, result);
  if (unrecordedEnd !== undefined) {
    const { outcome } = unrecordedEnd;
    return { ...unrecordedEnd, attempt: withPaymentId({ ...attempt, tries }, outcome), calledOff: null };
  }
  if (needsCustomer === true) return closeWithoutCustomer(context, { ...attempt, tries }, null);
  if (unrecognised === null) return continueAttempt(context, attempt.id, null);
  return inquireAttempt(context, { ...attempt, tries }, { kind: 'unrecognised', providerResponse: unrecognised });
}

/** Resumes an attempt whose run has ended: makes an inquiry, and never authorizes again. */
export function resumeAttempt(context: PaymentContext, attempt: Attempt): Promise<AttemptEnd | null> {
  return inquireAttempt(context, attempt, { kind: 'restarted' });
}

/**
 * Records the end of a payment's last attempt, and answers the confirm.
 * @param unrecorded the ends of attempts before it that are not on record, because the last attempt was never opened
 * @param isExpired whether the payment has expired, so that no further attempt may follow
 * @param limit the schemes' limit for which no further attempt follows a decline; null where it is not the reason
 */
export function recordEnd(
  context: PaymentContext,
  end: AttemptEnd,
  {
    unrecorded = [],
    isExpired = false,
    limit = null,
  }: {
    readonly unrecorded?: readonly AttemptEnd[];
    readonly isExpired?: boolean;
    readonly limit?: ReachedLimit | null;
  } = {},
): Promise<void> {
  const { step, result } = resolveEnd(end, { ...resolutionContext(context), isExpired });
  const attempts = [...unrecorded.map((previous) => endAttempt(previous, now())), ...(step.attempts ?? [])];
  const [first, ...others] = [...reportEntries(context, end.attempt), ...limitEntries(limit), ...step.timeline];
  const timeline: PaymentStep['timeline'] = first === undefined ? step.timeline : [first, ...others];
  // If the provider charges after all, the charge is reversed.
  const isUnproven = end.outcome.kind === 'not_charged' && context.reports.isResolvedByHand(end.attempt);
  const suspected = isUnproven ? { suspectedCharge: { attemptId: end.attempt.id } } : {};
  return recordResolution(context, end.attempt, { step: { ...step, attempts, timeline, ...suspected }, result });
}

/** The timeline entry about the limit that keeps a declined card from being tried again. */
function limitEntries(limit: ReachedLimit | null): readonly TimelineEntry[] {
  if (limit === null) return [];
  const summary = `Not tried again: the card ${describeLimit(limit)}`;
  return [{ kind: 'decision', summary, details: limitDetailsOf(limit) }];
}

/** The timeline entry about the provider's own report of the outcome, where there is one. */
function reportEntries(context: PaymentContext, attempt: Attempt): readonly TimelineEntry[] {
  const outcome = reportedOutcome(context, attempt);
  if (outcome === null) return [];
  const { provider, number } = attempt;
  if (context.reports.isResolvedByHand(attempt)) {
    return [{ kind: 'decision', summary: `Attempt ${number} was resolved by hand: ${describeOutcome(outcome)}` }];
  }
  return [{ kind: 'provider_event', summary: `${provider} reported attempt ${number}: ${describeOutcome(outcome)}` }];
}

function describeOutcome({ kind }: FinalOutcome): string {
  return kind.replaceAll('_', ' ');
}

function authorize(
  { input, recorder }: PaymentContext,
  { attempt, intention, request, isFirst, retries }: NewAttempt,
): Promise<AuthorizePaymentResult> {
  const { environment, attemptBudget } = input;
  const { captureMethod } = recorder.payment.terms;
  const summary = `Pay through ${attempt.provider}, attempt ${attempt.number}`;
  const { beginBefore, failOverBefore, returnUrlId } = request;
  return authorizations.authorizePayment.executeWithOptions({ summary }, [
    {
      ...recorder.known,
      environment,
      attempt,
      captureMethod,
      attemptBudget,
      intention,
      beginBefore: isFirst ? beginBefore : failOverBefore,
      retryBefore: failOverBefore,
      ...(returnUrlId === undefined ? {} : { returnUrlId }),
      ...(retries === undefined ? {} : { retries }),
    },
  ]);
}

/** Makes inquiries about the attempt; nothing else is tried before the provider has answered. */
async function inquireAttempt(
  context: PaymentContext,
  attempt: Attempt,
  unknown: UnknownOutcome,
): Promise<AttemptEnd | null> {
  const { requests, recorder } = context;
  const { provider, number } = attempt;
  recorder.view.waitsFor(`${provider} to tell what became of attempt ${number}`);
  const summary = `Ask ${provider} what became of attempt ${number}`;
  const work = await askUntil(
    () => inquiries.inquirePayment.executeWithOptions({ summary }, [atProvider(context, attempt)]),
    () => requests.cancellation !== null || reportedOutcome(context, attempt) !== null,
  );
  if (work.kind === 'interrupted') return endInterrupted(context, attempt);
  const { outcome, payment } = work.value;
  recorder.adopt(payment);
  if (isFinal(outcome)) return { attempt: ended(context, attempt, outcome), outcome, unknown, calledOff: null };
  if (wantsAbsentCustomer(attempt, outcome)) return closeWithoutCustomer(context, attempt, unknown);
  await recordResolution(context, attempt, resolveOutcome(attempt, outcome, resolutionContext(context)));
  return continueAttempt(context, attempt.id, unknown);
}

/** Continues a recorded attempt: returns if it has ended, else waits for the customer or the provider. */
async function continueAttempt(
  context: PaymentContext,
  attemptId: string,
  unknown: UnknownOutcome | null,
): Promise<AttemptEnd | null> {
  const attempt = context.recorder.payment.attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error(`${attemptId} was opened, but is not on record`);
  if (attempt.outcome !== null) return null;
  const outcome = await waitForOutcome(context, attempt);
  if (outcome === null) return callOff(context, attempt);
  if (!isFinal(outcome)) return closeWithoutCustomer(context, attempt, unknown);
  return { attempt: withPaymentId(attempt, outcome), outcome, unknown, calledOff: null };
}

/** What such an attempt ends with once its provider has closed it: the payment can then be made on a page. */
const AUTHENTICATION_REQUIRED = {
  kind: 'declined',
  providerPaymentId: null,
  code: 'CARD_DECLINED',
  message: "The card's bank wants the customer to take part. Let the customer pay on a page.",
  details: { reason: 'authentication_required' },
  advice: 'authenticate',
} as const;

/** Closes an attempt whose provider wants the customer, who is not there: what the customer would have to do is shown to nobody. */
async function closeWithoutCustomer(
  context: PaymentContext,
  attempt: Attempt,
  unknown: UnknownOutcome | null,
): Promise<AttemptEnd> {
  const closed = await close(context, attempt, `Close attempt ${attempt.number}, because its customer is not there`);
  const { cancellation } = context.requests;
  if (closed.kind !== 'not_charged')
    return { attempt: withPaymentId(attempt, closed), outcome: closed, unknown, calledOff: null };
  if (cancellation !== null) return { attempt, outcome: closed, unknown: null, calledOff: 'cancel' };
  return { attempt, outcome: AUTHENTICATION_REQUIRED, unknown: null, calledOff: null };
}

/** Ends an interrupted attempt: by the provider's own report, or by calling the attempt off. */
function endInterrupted(context: PaymentContext, attempt: Attempt): Promise<AttemptEnd | null> {
  const outcome = reportedOutcome(context, attempt);
  if (outcome === null) return callOff(context, attempt);
  return Promise.resolve({ attempt: withPaymentId(attempt, outcome), outcome, unknown: null, calledOff: null });
}

/** Calls the attempt off at the provider, unless the provider reports its end first. */
async function callOff(context: PaymentContext, attempt: Attempt): Promise<AttemptEnd> {
  const { provider, number } = attempt;
  const calledOff: CalledOff = context.requests.cancellation === null ? 'expiry' : 'cancel';
  const outcome = await close(context, attempt, `Call attempt ${number} off at ${provider}`);
  return { attempt: ended(context, attempt, outcome), outcome, unknown: null, calledOff };
}

/** Closes the attempt at the provider, unless the provider reports its end first. */
async function close(context: PaymentContext, attempt: Attempt, summary: string): Promise<FinalOutcome> {
  const { recorder } = context;
  recorder.view.waitsFor(`${attempt.provider} to close attempt ${attempt.number}`);
  const work = await askUntil(
    () => inquiries.closePayment.executeWithOptions({ summary }, [atProvider(context, attempt)]),
    () => reportedOutcome(context, attempt) !== null,
  );
  if (work.kind === 'done') recorder.adopt(work.value.payment);
  const outcome = work.kind === 'done' ? work.value.outcome : reportedOutcome(context, attempt);
  if (outcome === null) throw new Error('interrupted without a reported outcome');
  return outcome;
}

/** The attempt as its provider tells its end. One that is not on record was never opened: nothing was sent. */
function ended({ recorder }: PaymentContext, attempt: Attempt, outcome: FinalOutcome): Attempt {
  const isOpened = recorder.payment.attempts.some(({ id }) => id === attempt.id);
  return withPaymentId(isOpened ? attempt : { ...attempt, tries: 0 }, outcome);
}

async function recordResolution(
  { recorder, requests }: PaymentContext,
  { operationId }: Attempt,
  { step, result }: Resolution,
): Promise<void> {
  await recorder.record(step);
  if (result !== null) requests.answerConfirm(operationId, result);
}
