import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/error-catalogue.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Attempt, PaymentError } from '../../domain/payment.ts';
import { isFinal, type CaptureOutcome, type InquiryOutcome } from '../../domain/provider-outcome.ts';
import type { CaptureRequest } from '../messages.ts';
import { now } from '../shared/clock.ts';
import { DOUBT_WORDS, doubtOf, triesOf, type Doubt } from '../shared/doubt.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries, payments } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { concludeHold } from './hold-conclusion.ts';
import type { Step } from './progress.ts';
import type { HoldEnd } from './requests.ts';

/** What is known of the held money once a capture has come to its end; `held` where nothing was taken. */
interface CaptureEnd {
  readonly end: HoldEnd | 'held';
  readonly doubt: Doubt | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

/**
 * Works on the capture that waits, and answers it when it is certain whether the provider took the money. A capture that
 * is known to have failed leaves the money held, so that the merchant may ask again.
 */
export async function captureHeld(context: PaymentContext, attempt: Attempt, request: CaptureRequest): Promise<void> {
  const { recorder, requests } = context;
  const amountMinor = request.amountMinor ?? recorder.progress.columns.amountCapturableMinor;
  const captureEnd = await takeMoney(context, attempt, amountMinor);
  if (captureEnd.end === 'held') {
    const error = errorOf(attempt, captureEnd.doubt);
    await recorder.record(stillHeldStep(attempt, captureEnd, error));
    return requests.answerCapture({ status: 'requires_capture', error });
  }
  await recorder.record(endedStep(context, attempt, captureEnd.end, captureEnd));
  const { status } = recorder.progress.columns;
  requests.answerCapture({ status, error: status === 'succeeded' ? null : nothingHeld(attempt) });
}

async function takeMoney(context: PaymentContext, attempt: Attempt, amountMinor: number): Promise<CaptureEnd> {
  const { requests } = context;
  const { currency, provider } = attempt;
  const result = await interruptible(
    () =>
      payments.capturePayment.executeWithOptions(
        { summary: `Capture ${formatMoney(amountMinor, currency)} at ${provider}` },
        [{ ...atProvider(context, attempt), amountMinor, currency }],
      ),
    () => requests.holdEndOf(attempt.id) !== null,
  );
  if (result.kind === 'interrupted') return { end: reported(context, attempt), doubt: null, tries: 1 };
  if (result.kind === 'failed') {
    const doubt = doubtOf(result.error);
    return { end: await askAfterMoney(context, attempt), doubt, tries: triesOf(result.error) };
  }
  const { outcome, tries } = result.value;
  if (outcome.kind !== 'unrecognised') return { end: endOfCapture(attempt, outcome), doubt: null, tries };
  const doubt: Doubt = { kind: 'unrecognised', providerResponse: outcome.providerResponse };
  return { end: await askAfterMoney(context, attempt), doubt, tries };
}

/** Asks whether the money was taken, for as long as it takes; nothing else is done with it before. */
async function askAfterMoney(context: PaymentContext, attempt: Attempt): Promise<HoldEnd | 'held'> {
  const { requests } = context;
  const result = await interruptible(
    () =>
      persistently(() =>
        inquiries.awaitPayment.executeWithOptions({ summary: `Ask ${attempt.provider} whether it took the money` }, [
          atProvider(context, attempt),
        ]),
      ),
    () => requests.holdEndOf(attempt.id) !== null,
  );
  if (result.kind === 'failed') throw result.error;
  return result.kind === 'interrupted' ? reported(context, attempt) : standingOf(result.value);
}

function reported({ requests }: PaymentContext, attempt: Attempt): HoldEnd {
  const end = requests.holdEndOf(attempt.id);
  if (end === null) throw new Error('interrupted without a reported end');
  return end;
}

function endOfCapture({ amountMinor }: Attempt, outcome: Exclude<CaptureOutcome, { kind: 'unrecognised' }>): HoldEnd {
  if (outcome.kind === 'not_held') return { kind: 'not_charged' };
  const { providerPaymentId, capturedMinor, currency } = outcome;
  return { kind: 'approved', providerPaymentId, amountMinor, currency, captured: true, capturedMinor };
}

function standingOf(outcome: InquiryOutcome): HoldEnd | 'held' {
  if (!isFinal(outcome)) throw new Error('the question is asked until there is a final answer');
  if (outcome.kind !== 'approved') return { kind: 'not_charged' };
  return outcome.captured ? outcome : 'held';
}

function endedStep(context: PaymentContext, attempt: Attempt, end: HoldEnd, { doubt, tries }: CaptureEnd): Step {
  const { progress } = context.recorder;
  const error = { ...nothingHeld(attempt), at: now() };
  const taken = end.kind === 'approved' ? (end.capturedMinor ?? attempt.amountMinor) : 0;
  const captured = `${formatMoney(taken, attempt.currency)} captured at ${attempt.provider}${afterDoubt(doubt)}`;
  const step = concludeHold(attempt, end, { progress, cancellation: null, captured, error });
  const entry = { kind: 'attempt' as const, summary: `Capture asked for at ${attempt.provider}`, details: { tries } };
  return { ...step, timeline: [entry, ...step.timeline], providerHealth: healthOf(attempt, doubt) };
}

function stillHeldStep(attempt: Attempt, { doubt, tries }: CaptureEnd, error: PaymentError): Step {
  return {
    columns: { lastError: { ...error, at: now() } },
    timeline: [
      {
        kind: 'attempt',
        summary: `${attempt.provider} captured nothing${afterDoubt(doubt)} (${error.code}); the money is still held`,
        details: { tries },
      },
    ],
    providerHealth: healthOf(attempt, doubt),
  };
}

function afterDoubt(doubt: Doubt | null): string {
  return doubt === null ? '' : ` after ${DOUBT_WORDS[doubt.kind]}`;
}

function healthOf({ provider }: Attempt, doubt: Doubt | null): NonNullable<Step['providerHealth']> {
  return [{ provider, available: doubt?.kind !== 'outage' }];
}

/** The failure a merchant sees where nothing was taken though the money is still held. */
function errorOf({ provider }: Attempt, doubt: Doubt | null): PaymentError {
  if (doubt?.kind === 'unrecognised') {
    return failure('PROVIDER_VALIDATION_ERROR', { providerResponse: doubt.providerResponse });
  }
  return failure(doubt?.kind === 'outage' ? doubt.code : 'PAYMENT_FAILED', { provider });
}

function nothingHeld({ provider }: Attempt): PaymentError {
  return {
    code: 'PAYMENT_FAILED',
    message: 'The provider does not hold the money any more; nothing was captured.',
    details: { provider, reason: 'authorization_lapsed' },
  };
}

function failure(code: ErrorCode, details: NonNullable<PaymentError['details']>): PaymentError {
  return { code, message: ERROR_CATALOGUE[code].message, details };
}
