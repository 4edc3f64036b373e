import { ActivityFailure, ApplicationFailure, sleep, TimeoutFailure } from '@temporalio/workflow';
import { ERROR_CATALOGUE } from '../../domain/error-catalogue.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Attempt } from '../../domain/payment.ts';
import {
  isFinal,
  type FinalOutcome,
  type InquiryOutcome,
  type OutageCode,
  type RequiresAction,
} from '../../domain/provider-outcome.ts';
import { FIRST_INQUIRY_AFTER_MS, TRY_BACKOFF } from '../../domain/retry-plan.ts';
import type { PaymentIntentInput } from '../messages.ts';
import { authorization, inquiries } from './activity-proxies.ts';
import { interruptible } from './interruptible.ts';
import { persistently } from './persistently.ts';
import type { PaymentRecorder } from './recorder.ts';
import type { PaymentRequests } from './requests.ts';

/** Why the provider was asked what became of an attempt, where no answer came or none that is known. */
export type Doubt =
  | { readonly kind: 'outage'; readonly code: OutageCode }
  | { readonly kind: 'unrecognised'; readonly providerResponse: JsonObject }
  | { readonly kind: 'unreadable' };

/** What called the attempt off. */
export type CalledOff = 'cancel' | 'expiry';

/** The end of an attempt, with what led to it. */
export interface AttemptEnd {
  readonly attempt: Attempt;
  readonly outcome: FinalOutcome;
  readonly doubt: Doubt | null;
  readonly calledOff: CalledOff | null;
}

/** What an attempt needs of the payment it belongs to. */
export interface PaymentContext {
  readonly input: PaymentIntentInput;
  readonly recorder: PaymentRecorder;
  readonly requests: PaymentRequests;
}

/** What is known of an attempt. */
interface Standing<Outcome extends InquiryOutcome = InquiryOutcome> {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly doubt: Doubt | null;
}

/**
 * Takes an open attempt to its end: asks the provider for the money, asks what became of it where the answer is not
 * known, waits for the customer or the provider, or calls it off. Returns only when it is certain whether the provider
 * charged and that nothing more can be charged under this attempt.
 */
export async function settleAttempt(context: PaymentContext, opened: Attempt): Promise<AttemptEnd> {
  const first = await authorize(context, opened);
  if (first === null) return callOff(context, opened);
  const { outcome } = first;
  if (isFinal(outcome)) return { ...first, outcome, calledOff: null };
  const settled = await waitForOutcome(context, first.attempt, outcome);
  return settled === null ? callOff(context, first.attempt) : { ...settled, doubt: first.doubt, calledOff: null };
}

/** The first answer about the attempt, or null when a cancellation came before it. */
async function authorize(context: PaymentContext, attempt: Attempt): Promise<Standing | null> {
  const { input, requests, recorder } = context;
  const { terms } = recorder.progress;
  const result = await interruptible(
    () =>
      authorization.authorizePayment.executeWithOptions(
        { summary: `Pay through ${attempt.provider}, attempt ${attempt.number}` },
        [{ ...atProvider(context, attempt), ...pick(attempt, input), terms }],
      ),
    () => requests.finalOutcomeOf(attempt.id) !== null || requests.cancellation !== null,
  );
  if (result.kind === 'interrupted') return reported(context, attempt);
  if (result.kind === 'failed') {
    return inquire(context, { ...attempt, tries: triesOf(result.error) }, doubtOf(result.error));
  }
  const { outcome, tries } = result.value;
  const tried = { ...attempt, tries };
  if (outcome.kind !== 'unrecognised') return { attempt: withPaymentId(tried, outcome), outcome, doubt: null };
  return inquire(context, tried, { kind: 'unrecognised', providerResponse: outcome.providerResponse });
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

type OpenOutcome = Exclude<InquiryOutcome, FinalOutcome>;

/** Waits while the customer or the provider takes time; null when it is called off meanwhile. */
async function waitForOutcome(
  context: PaymentContext,
  attempt: Attempt,
  outcome: OpenOutcome,
): Promise<Standing<FinalOutcome> | null> {
  const { requests, recorder } = context;
  if (outcome.kind === 'requires_action') await askCustomer(context, attempt, outcome);
  else await recorder.record(acceptedStep(attempt));
  const mayExpire = outcome.kind === 'requires_action';
  const result = await interruptible(
    async () => {
      await sleep(FIRST_INQUIRY_AFTER_MS, { summary: `Ask ${attempt.provider} if it has reported nothing by then` });
      return persistently(() =>
        inquiries.awaitPayment.executeWithOptions({ summary: `Wait for the outcome at ${attempt.provider}` }, [
          atProvider(context, attempt),
        ]),
      );
    },
    () =>
      requests.finalOutcomeOf(attempt.id) !== null || requests.cancellation !== null || (mayExpire && requests.expired),
  );
  if (result.kind === 'failed') throw result.error;
  if (result.kind === 'interrupted') return reported(context, attempt);
  return { attempt: withPaymentId(attempt, result.value), outcome: result.value, doubt: null };
}

async function askCustomer(context: PaymentContext, attempt: Attempt, action: RequiresAction): Promise<void> {
  const { recorder, requests } = context;
  await recorder.record({
    to: 'requires_action',
    columns: { nextAction: action.nextAction },
    attempts: [attempt],
    timeline: [
      { kind: 'attempt', summary: `${attempt.provider} asks the customer to act (${action.nextAction.type})` },
    ],
    events: [{ type: 'payment_intent.requires_action' }],
  });
  requests.answerConfirm({ status: 'requires_action', error: null });
}

function acceptedStep(attempt: Attempt): Parameters<PaymentRecorder['record']>[0] {
  return {
    attempts: [attempt],
    timeline: [{ kind: 'attempt', summary: `${attempt.provider} has accepted the payment; its outcome is still open` }],
  };
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

/** What the provider reported of an attempt by itself; null when it was something else that interrupted. */
function reported({ requests }: PaymentContext, attempt: Attempt): Standing<FinalOutcome> | null {
  const outcome = requests.finalOutcomeOf(attempt.id);
  return outcome === null ? null : { attempt: withPaymentId(attempt, outcome), outcome, doubt: null };
}

function atProvider(
  { input }: PaymentContext,
  { id, provider }: Attempt,
): {
  attemptId: string;
  provider: string;
  environment: PaymentIntentInput['environment'];
} {
  return { attemptId: id, provider, environment: input.environment };
}

function withPaymentId(attempt: Attempt, outcome: InquiryOutcome): Attempt {
  const providerPaymentId = outcome.kind === 'not_charged' ? null : outcome.providerPaymentId;
  return { ...attempt, providerPaymentId: providerPaymentId ?? attempt.providerPaymentId };
}

/** How often the provider was called before the activity failed for good. */
function triesOf(error: unknown): number {
  const usedUp = error instanceof ActivityFailure && error.retryState === 'MAXIMUM_ATTEMPTS_REACHED';
  return usedUp ? TRY_BACKOFF.maximumTries : 1;
}

/** The failure of the last try, as a doubt about the outcome. */
function doubtOf(error: unknown): Doubt {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return { kind: 'outage', code: 'TSP_TIMEOUT' };
  if (cause instanceof ApplicationFailure && isOutageCode(cause.type)) return { kind: 'outage', code: cause.type };
  return { kind: 'unreadable' };
}

function isOutageCode(type: string | undefined | null): type is OutageCode {
  return type !== null && type !== undefined && type in ERROR_CATALOGUE && type.startsWith('TSP_');
}
