import { ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import { containsCardNumber } from '../../domain/card-number.ts';
import { type Attempt, openAttemptOf } from '../../domain/payment.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { FinalOutcome, InquiryOutcome } from '../../domain/provider-outcome.ts';
import {
  type AskProviderRequest,
  askProviderNowUpdate,
  type SettleRequest,
  settleWithNoteUpdate,
  type SupportAnswer,
} from '../messages.ts';
import { isFailureOf, isStepFailure } from '../shared/activity-failure.ts';
import { isRecord, isText } from '../shared/message-shape.ts';
import { singleInquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { noteProviderEvent } from './provider-events.ts';
import { finalRefusal, refusal, refusalForNow, refuseWhenTooMany } from './refusals.ts';

/** Sets the handlers of the updates that support staff send from the Temporal UI or CLI. */
export function handleSupport(context: PaymentContext): void {
  setHandler(askProviderNowUpdate, (request) => once(context, () => askProvider(context, request)), {
    validator: (request: unknown) => {
      requireShape(isAsk(request), 'askProviderNow takes {"by": "your name"}.');
      refuseAsk(context);
    },
    description: 'Asks the provider at once what became of the payment. Input: {"by": "your name"}',
  });
  setHandler(settleWithNoteUpdate, (request) => once(context, () => settle(context, request)), {
    validator: (request: unknown) => {
      requireShape(isSettle(request), SETTLE_SHAPE);
      refuseSettle(context);
    },
    description: `Ends a stuck attempt whose provider does not answer. ${SETTLE_SHAPE}`,
  });
}

const SETTLE_SHAPE =
  'Input: {"by": "your name", "note": "what you checked", "outcome": "not_charged"}, or "outcome": "charged" with ' +
  '"providerPaymentId". No card numbers.';
const MAXIMUM_NAME = 100;
const MAXIMUM_NOTE = 500;

function requireShape(isValid: boolean, message: string): void {
  if (!isValid) throw ApplicationFailure.nonRetryable(message, 'INVALID_REQUEST');
}

function isAsk(message: unknown): message is AskProviderRequest {
  return isRecord(message) && isPlain(message.by, MAXIMUM_NAME);
}

function isSettle(message: unknown): message is SettleRequest {
  if (!isRecord(message) || !isAsk(message) || !isPlain(message.note, MAXIMUM_NOTE)) return false;
  const { outcome, providerPaymentId } = message;
  return outcome === 'charged'
    ? isPlain(providerPaymentId, MAXIMUM_NAME)
    : outcome === 'not_charged' && providerPaymentId === undefined;
}

/** Whether the history, the timeline and the audit log may keep a text. */
function isPlain(value: unknown, maximumLength: number): boolean {
  return isText(value) && value.trim() !== '' && value.length <= maximumLength && !containsCardNumber(value);
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

function refuseAsk({ requests, recorder }: PaymentContext): void {
  refuseWhenTooMany(requests);
  const { status } = recorder.payment.columns;
  if (!requests.knowsRows || requests.isSupportAtWork) throw refusalForNow('STATE_CONFLICT', 'Try again in a moment.');
  // A run learns that its payment is in `processing` by the first answer, or by the advisory.
  const isBeginning = requests.confirm !== null && status === 'requires_payment_method';
  if (requests.isAuthorizing || requests.capture !== null || isBeginning) {
    throw refusalForNow('STATE_CONFLICT', 'The provider is being called right now.');
  }
  if (!ASKABLE.includes(status)) {
    throw refusalForNow('STATE_CONFLICT', `A payment in state ${status} waits for no provider.`);
  }
}

const ASKABLE: readonly string[] = ['processing', 'requires_action', 'requires_capture'];

/** Only a stuck payment may be settled. `settle` asks the provider first: its answer counts more than a note. */
function refuseSettle(context: PaymentContext): void {
  refuseAsk(context);
  const { columns, attempts } = context.recorder.payment;
  if (columns.status !== 'processing' || columns.advisory === null || openAttemptOf(attempts) === undefined) {
    throw refusalForNow('STATE_CONFLICT', 'Only a payment with the advisory PAYMENT_STUCK is settled.');
  }
}

async function askProvider(context: PaymentContext, { by }: AskProviderRequest): Promise<SupportAnswer> {
  const { attempts } = context.recorder.payment;
  const attempt = openAttemptOf(attempts) ?? attempts.at(-1);
  if (attempt === undefined) throw refusalForNow('STATE_CONFLICT', 'No provider was asked yet.');
  const { id: attemptId, number, provider } = attempt;
  await context.recorder.record({
    timeline: [{ kind: 'request', summary: `${by} asks ${provider} what became of attempt ${number}` }],
    audit: { action: 'payment_intent.provider_asked', by, change: { attemptId, provider } },
  });
  const outcome = await inquireOnce(context, attempt);
  const { status } = context.recorder.payment.columns;
  return { status, answer: outcome === null ? `${provider} gives no answer` : describeAnswer(provider, outcome) };
}

/** One inquiry, whose answer counts as if the provider had reported it; null where there is no usable answer. */
async function inquireOnce(context: PaymentContext, attempt: Attempt): Promise<InquiryOutcome | null> {
  const { id: attemptId, number, provider } = attempt;
  const summary = `Ask ${provider} at once what became of attempt ${number}`;
  try {
    const { outcome, payment } = await singleInquiries.inquirePayment.executeWithOptions({ summary }, [
      atProvider(context, attempt),
    ]);
    context.recorder.adopt(payment);
    await noteProviderEvent(context, { provider, eventId: `asked ${attemptId}`, attemptId, outcome });
    return outcome;
  } catch (error) {
    if (isStepFailure(error)) throw error;
    if (isFailureOf(error, 'AMOUNT_DIFFERS')) {
      throw refusal('STATE_CONFLICT', `${provider} reports another amount than was requested.`);
    }
    return null;
  }
}

async function settle(context: PaymentContext, request: SettleRequest): Promise<SupportAnswer> {
  const attempt = openAttemptOf(context.recorder.payment.attempts);
  if (attempt === undefined) throw refusalForNow('STATE_CONFLICT', 'No attempt is open.');
  const answer = await inquireOnce(context, attempt);
  if (answer !== null) throw refusal('STATE_CONFLICT', `Not settled: ${describeAnswer(attempt.provider, answer)}.`);
  refuseWhenEnded(context, attempt);
  await context.recorder.record(settlementStep(attempt, request));
  refuseWhenEnded(context, attempt);
  context.requests.settle(attempt, outcomeOf(context, attempt, request));
  const { status } = context.recorder.payment.columns;
  return { status, answer: `Settled attempt ${attempt.number} at ${attempt.provider} as ${request.outcome}` };
}

/** A webhook or a cancel may have ended the attempt during an activity; what the provider says counts. */
function refuseWhenEnded(context: PaymentContext, attempt: Attempt): void {
  const isOpen = openAttemptOf(context.recorder.payment.attempts)?.id === attempt.id;
  if (isOpen && context.requests.finalOutcomeOf(attempt) === null) return;
  throw refusal('STATE_CONFLICT', 'Not settled: the attempt has ended.');
}

function settlementStep({ id, number, provider }: Attempt, request: SettleRequest): PaymentStep {
  const { by, note, outcome, providerPaymentId } = request;
  return {
    from: 'processing',
    timeline: [{ kind: 'request', summary: `${by} settles attempt ${number} as ${outcome}: ${note}` }],
    audit: {
      action: 'payment_intent.settled',
      by,
      change: {
        attemptId: id,
        provider,
        outcome,
        note,
        ...(providerPaymentId === undefined ? {} : { providerPaymentId }),
      },
    },
  };
}

function outcomeOf({ recorder }: PaymentContext, attempt: Attempt, request: SettleRequest): FinalOutcome {
  const { providerPaymentId } = request;
  if (request.outcome === 'not_charged' || providerPaymentId === undefined) return { kind: 'not_charged' };
  const { amountMinor, currency } = attempt;
  const captured = recorder.payment.terms.captureMethod === 'automatic';
  return { kind: 'approved', providerPaymentId, amountMinor, currency, captured };
}

function describeAnswer(provider: string, { kind }: InquiryOutcome): string {
  return `${provider} answers: ${kind.replaceAll('_', ' ')}`;
}
