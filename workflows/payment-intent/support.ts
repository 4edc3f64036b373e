import { CancellationScope, setHandler } from '@temporalio/workflow';
import { formatMoney } from '../../domain/money.ts';
import { type Attempt, openAttemptOf } from '../../domain/payment.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import { capturedMinorOf, type FinalOutcome, isFinal, type InquiryOutcome } from '../../domain/provider-outcome.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import {
  type AskProviderRequest,
  askProviderNowUpdate,
  PAYMENT_RESOLUTIONS,
  type ResolvePaymentRequest,
  resolvePaymentUpdate,
  showAdvisorySignal,
  type SupportAnswer,
} from '../../protocol/messages.ts';
import { isStepFailure } from '../shared/activity-failure.ts';
import {
  ASKS_FOR_SECOND_PERSON,
  isAmount,
  isAsk,
  isManualResolution,
  isName,
  requireShape,
  SecondPerson,
} from '../shared/manual-resolution.ts';
import { type ReportedMoney, reportedMoneyOf } from '../shared/reported-money.ts';
import { singleInquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { noteProviderEvent } from './provider-events.ts';
import { finalRefusal, MAXIMUM_WITH_CAPTURES, refusal, refusalForNow, refuseWhenTooMany } from './refusals.ts';

/** Sets the handlers of the updates that support staff send, by REST or from the Temporal UI or CLI. */
export function handleSupport(context: PaymentContext): void {
  const secondPerson = new SecondPerson();
  setHandler(showAdvisorySignal, () => CancellationScope.nonCancellable(() => context.recorder.readAsRecorded()));
  setHandler(askProviderNowUpdate, (request) => once(context, () => askProvider(context, request)), {
    validator: (request: unknown) => {
      requireShape(isAsk(request), 'askProviderNow takes {"by": "your name"}.');
      refuseAsk(context);
    },
    description: 'Asks the provider at once what became of the payment. Input: {"by": "your name"}',
  });
  setHandler(resolvePaymentUpdate, (request) => once(context, () => resolveByHand(context, request, secondPerson)), {
    validator: (request: unknown) => {
      requireShape(isResolution(request), RESOLUTION_SHAPE);
      refuseResolution(context);
    },
    description: `Ends what waits for a provider that does not answer, once two people have sent the same. ${RESOLUTION_SHAPE}`,
  });
}

const RESOLUTION_SHAPE =
  'Input: {"by": "your name", "note": "what you checked", "outcome": "not_charged"}, or "outcome": "charged" with ' +
  '"providerPaymentId", and with "amountMinor" where the provider reports another amount, or "outcome": "reversed". ' +
  'No card numbers.';

function isResolution(message: unknown): message is ResolvePaymentRequest {
  if (!isManualResolution(message)) return false;
  const { outcome, providerPaymentId, amountMinor } = message;
  if (outcome === 'charged') return isName(providerPaymentId) && (amountMinor === undefined || isAmount(amountMinor));
  const isKnown = PAYMENT_RESOLUTIONS.some((known) => known === outcome);
  return isKnown && providerPaymentId === undefined && amountMinor === undefined;
}

/** Runs one request at a time; a cancel of the workflow does not interrupt it. */
async function once(context: PaymentContext, work: () => Promise<SupportAnswer>): Promise<SupportAnswer> {
  const { requests } = context;
  requests.accepted += 1;
  requests.isSupportAtWork = true;
  try {
    return await CancellationScope.nonCancellable(work);
  } catch (error) {
    // The run is stale: it reads the payment again, and the request can be repeated.
    if (isStepFailure(error)) requests.mustReadAgain = true;
    throw finalRefusal(
      isStepFailure(error) ? refusal('STATE_CONFLICT', 'The payment has changed. Look at it again.') : error,
    );
  } finally {
    requests.isSupportAtWork = false;
  }
}

/** Merchants' requests may have used up their own limit, and what waits for a provider still needs its exit. */
function refuseAsk({ requests, recorder }: PaymentContext): void {
  refuseWhenTooMany(requests, MAXIMUM_WITH_CAPTURES);
  const { status } = recorder.payment.columns;
  if (!requests.knowsRows || requests.isSupportAtWork) throw refusalForNow('STATE_CONFLICT', 'Try again in a moment.');
  // A run learns that its payment is in `processing` by the first answer, or by the advisory.
  const isBeginning = requests.confirm !== null && status === 'requires_payment_method';
  const isCapturing = requests.capture !== null && recorder.view.waitedMs < WAITING_AFTER_MS;
  if (requests.isAuthorizing || isCapturing || isBeginning) {
    throw refusalForNow('STATE_CONFLICT', 'The provider is being called right now.');
  }
  if (!ASKABLE.includes(status)) {
    throw refusalForNow('STATE_CONFLICT', `A payment in state ${status} waits for no provider.`);
  }
}

const ASKABLE: readonly string[] = ['processing', 'requires_action', 'requires_capture'];

/** Only what waits for long is resolved by hand. `resolveByHand` asks the provider first: its answer counts more than a note. */
function refuseResolution(context: PaymentContext): void {
  refuseAsk(context);
  const { recorder } = context;
  const isStuck = recorder.payment.columns.advisory?.code === 'PAYMENT_STUCK';
  if (isStuck || recorder.view.waitedMs >= WAITING_AFTER_MS) return;
  throw refusalForNow('STATE_CONFLICT', 'Only what has waited for a provider for minutes is resolved by hand.');
}

async function askProvider(context: PaymentContext, { by }: AskProviderRequest): Promise<SupportAnswer> {
  const attempt = waitingAttempt(context);
  const { id: attemptId, number, provider } = attempt;
  await context.recorder.record({
    timeline: [{ kind: 'request', summary: `${by} asks ${provider} what became of attempt ${number}` }],
    audit: { action: 'payment_intent.provider_asked', by, change: { attemptId, provider } },
  });
  const answer = await inquireOnce(context, attempt);
  if (answer.kind === 'another_amount') throw refusal('STATE_CONFLICT', `${describeAnswer(provider, answer)}.`);
  const { status } = context.recorder.payment.columns;
  return { status, answer: describeAnswer(provider, answer) };
}

/** The attempt whose outcome or whose hold's end is waited for. */
function waitingAttempt({ recorder }: PaymentContext): Attempt {
  const { attempts } = recorder.payment;
  const attempt = openAttemptOf(attempts) ?? attempts.at(-1);
  if (attempt === undefined) throw refusalForNow('STATE_CONFLICT', 'No provider was asked yet.');
  return attempt;
}

/** What one inquiry brought. */
type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'another_amount'; readonly reported: ReportedMoney }
  | { readonly kind: 'answered'; readonly outcome: InquiryOutcome };

/** One inquiry, whose answer counts as if the provider had reported it. */
async function inquireOnce(context: PaymentContext, attempt: Attempt): Promise<Answer> {
  const { id: attemptId, number, provider } = attempt;
  const summary = `Ask ${provider} at once what became of attempt ${number}`;
  try {
    const { outcome, payment } = await singleInquiries.inquirePayment.executeWithOptions({ summary }, [
      atProvider(context, attempt),
    ]);
    context.recorder.adopt(payment);
    await noteProviderEvent(context, { provider, eventId: `asked ${attemptId}`, attemptId, outcome });
    return anotherCapture(context, outcome) ?? { kind: 'answered', outcome };
  } catch (error) {
    if (isStepFailure(error)) throw error;
    const reported = reportedMoneyOf(error);
    return reported === null ? { kind: 'none' } : { kind: 'another_amount', reported };
  }
}

/** The answer that a capture took another amount than was asked for; null where the outcome is not such an answer. */
function anotherCapture({ requests, recorder }: PaymentContext, outcome: InquiryOutcome): Answer | null {
  if (requests.capture === null || outcome.kind !== 'approved' || !outcome.captured) return null;
  const asked = requests.capture.request.amountMinor ?? recorder.payment.columns.amountCapturableMinor;
  const amountMinor = capturedMinorOf(outcome);
  const { currency } = outcome;
  return amountMinor === asked ? null : { kind: 'another_amount', reported: { amountMinor, currency, captured: true } };
}

function describeAnswer(provider: string, answer: Answer): string {
  switch (answer.kind) {
    case 'none':
      return `${provider} gives no answer`;
    case 'another_amount':
      return `${provider} reports another amount than was requested: ${describeMoney(answer.reported)}`;
    case 'answered':
      return `${provider} answers: ${answer.outcome.kind.replaceAll('_', ' ')}`;
  }
}

function describeMoney({ amountMinor, currency, captured }: ReportedMoney): string {
  return `${formatMoney(amountMinor, currency)} ${captured ? 'captured' : 'held'}`;
}

/** Asks the provider once more; then, for the second of two people, ends the attempt or the hold as both have said. */
async function resolveByHand(
  context: PaymentContext,
  request: ResolvePaymentRequest,
  secondPerson: SecondPerson,
): Promise<SupportAnswer> {
  const { recorder, requests, reports } = context;
  const attempt = waitingAttempt(context);
  const { status } = recorder.payment.columns;
  const answer = await inquireOnce(context, attempt);
  refuseAgainst(context, attempt, answer, request);
  refuseWhenEnded(context, attempt, status);
  const isConfirmed = secondPerson.confirms(request, [attempt.id, status, ...agreedOn(request)]);
  await recorder.record(resolutionStep(attempt, status, request, isConfirmed));
  refuseWhenEnded(context, attempt, status);
  if (!isConfirmed) return { status, answer: ASKS_FOR_SECOND_PERSON, isResolved: false };
  const outcome = outcomeOf(context, attempt, answer, request);
  reports.resolveByHand(attempt, outcome);
  // No other attempt follows one that was not charged: only the provider could close its key.
  if (outcome.kind === 'not_charged') requests.cancellation ??= 'requested_by_operator';
  const answered = `Resolved attempt ${attempt.number} at ${attempt.provider} by hand as ${request.outcome}`;
  return { status, answer: answered, isResolved: true };
}

function agreedOn({ outcome, providerPaymentId, amountMinor }: ResolvePaymentRequest): readonly unknown[] {
  return [outcome, providerPaymentId ?? null, amountMinor ?? null];
}

/** Refuses a resolution that contradicts what the provider says. An answer that leaves the outcome open contradicts a charge only. */
function refuseAgainst(
  context: PaymentContext,
  attempt: Attempt,
  answer: Answer,
  request: ResolvePaymentRequest,
): void {
  const hint = objectionTo(context, attempt, answer, request);
  if (hint !== null) {
    throw refusal('STATE_CONFLICT', `Not resolved: ${describeAnswer(attempt.provider, answer)}.${hint}`);
  }
}

/** What to send instead of a resolution that contradicts the provider; null where it does not. */
function objectionTo(
  { recorder }: PaymentContext,
  attempt: Attempt,
  answer: Answer,
  { outcome, amountMinor }: ResolvePaymentRequest,
): string | null {
  if (answer.kind === 'another_amount') {
    const { reported } = answer;
    const mayBeHeld = recorder.payment.terms.captureMethod === 'manual';
    const isRecordable = reported.currency === attempt.currency && (reported.captured || mayBeHeld);
    const isRecorded = isRecordable && outcome === 'charged' && amountMinor === reported.amountMinor;
    if (outcome === 'reversed' || isRecorded) return null;
    return isRecordable
      ? ` Send "reversed", or "charged" with "amountMinor": ${reported.amountMinor}.`
      : ' Send "reversed".';
  }
  if (outcome === 'reversed' || amountMinor !== undefined) return ' It reports no other amount.';
  const isConsistent = answer.kind === 'none' || (outcome === 'not_charged' && isOpen(attempt, answer.outcome));
  return isConsistent ? null : '';
}

/** Whether the answer says no more than the payment knows: the attempt is under way, or its money still held. */
function isOpen({ outcome: known }: Attempt, outcome: InquiryOutcome): boolean {
  return !isFinal(outcome) || (known === 'approved' && outcome.kind === 'approved' && !outcome.captured);
}

/** A webhook or a cancel may have ended the wait during an activity; what the provider says counts. */
function refuseWhenEnded({ recorder, reports }: PaymentContext, attempt: Attempt, status: string): void {
  const isOpenStill = openAttemptOf(recorder.payment.attempts)?.id === attempt.id;
  const isReported =
    status === 'requires_capture'
      ? reports.holdEndOf(attempt)?.kind === 'not_charged'
      : !isOpenStill || reports.finalOutcomeOf(attempt) !== null;
  if (recorder.payment.columns.status === status && !isReported) return;
  throw refusal('STATE_CONFLICT', 'Not resolved: the attempt has ended.');
}

function resolutionStep(
  { id, number, provider }: Attempt,
  from: PaymentStep['from'],
  request: ResolvePaymentRequest,
  isConfirmed: boolean,
): PaymentStep {
  const { by, note, outcome, providerPaymentId, amountMinor } = request;
  const what = `attempt ${number} by hand as ${outcome}`;
  return {
    ...(from === undefined ? {} : { from }),
    timeline: [
      {
        kind: 'request',
        summary: isConfirmed
          ? `${by} confirms, and resolves ${what}: ${note}`
          : `${by} asks to resolve ${what}, and another person has to confirm: ${note}`,
      },
    ],
    audit: {
      action: isConfirmed ? 'payment_intent.resolved_by_hand' : 'payment_intent.resolution_requested',
      by,
      change: {
        attemptId: id,
        provider,
        outcome,
        note,
        ...(providerPaymentId === undefined ? {} : { providerPaymentId }),
        ...(amountMinor === undefined ? {} : { amountMinor }),
      },
    },
  };
}

function outcomeOf(
  { recorder, requests }: PaymentContext,
  attempt: Attempt,
  answer: Answer,
  { outcome, providerPaymentId }: ResolvePaymentRequest,
): FinalOutcome {
  if (outcome !== 'charged' || providerPaymentId === undefined) return { kind: 'not_charged' };
  const { currency } = attempt;
  if (answer.kind === 'another_amount') {
    const { amountMinor, captured } = answer.reported;
    return { kind: 'approved', providerPaymentId, amountMinor, currency, captured };
  }
  const { terms, columns } = recorder.payment;
  const isHeld = attempt.outcome === 'approved';
  const capturedMinor = requests.capture?.request.amountMinor ?? columns.amountCapturableMinor;
  return {
    kind: 'approved',
    providerPaymentId,
    amountMinor: isHeld ? capturedMinor : attempt.amountMinor,
    currency,
    captured: isHeld || terms.captureMethod === 'automatic',
  };
}
