import { cancellationSignal } from '@temporalio/activity';
import type { PaymentStep } from '../domain/payment-step.ts';
import {
  agreesWithRequest,
  isFinal,
  isNewOutcome,
  type FinalOutcome,
  type InquiryOutcome,
} from '../domain/provider-outcome.ts';
import type { AttemptReference, PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderCallDependencies } from './authorize-payment.ts';
import type { AttemptAtProvider, AwaitPaymentRequest, ProviderAnswer } from './payment-activities.ts';
import {
  amountDiffers,
  outcomeOpen,
  providerOf,
  tryNumber,
  retryWhileDatabaseIsAway,
  withHeartbeat,
} from './provider-calls.ts';
import { recordStep, stepIdentity, timeNow } from './record-step.ts';

type Dependencies = Pick<ProviderCallDependencies, 'payments' | 'registry' | 'now'>;

/** Unanswered inquiries that the timeline shows; they are repeated for as long as it takes. */
const NOTED_TRIES = 3;

/** Asks the provider once what became of an attempt. */
export function inquirePayment(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
): Promise<ProviderAnswer<InquiryOutcome>> {
  return ask(dependencies, attempt, {
    call: (provider, reference, signal) => provider.inquire(reference, signal),
    answer: (outcome) => outcome,
    words: `asked what became of attempt ${attempt.attemptNumber}`,
  });
}

/** Asks for a new outcome of an attempt; fails, so as to be retried, while there is none. */
export function awaitPayment(
  dependencies: Dependencies,
  request: AwaitPaymentRequest,
): Promise<ProviderAnswer<InquiryOutcome>> {
  return ask(dependencies, request, {
    call: (provider, reference, signal) => provider.inquire(reference, signal),
    answer: (outcome) => (isNewOutcome(request.known, outcome) ? outcome : finalOrRetry(request, outcome)),
    words: `asked for the outcome of attempt ${request.attemptNumber}`,
  });
}

/** Calls an attempt off; fails, so as to be retried, while the provider cannot say what holds or still holds the money. */
export function closePayment(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
): Promise<ProviderAnswer<FinalOutcome>> {
  return ask(dependencies, attempt, {
    call: (provider, reference, signal) => provider.close(reference, signal),
    answer: (outcome) => {
      const final = finalOrRetry(attempt, outcome);
      if (final.kind === 'approved' && !final.captured) throw outcomeOpen(attempt, 'the money is still held');
      return final;
    },
    words: `told to close attempt ${attempt.attemptNumber}`,
  });
}

interface Question<Outcome extends InquiryOutcome> {
  readonly call: (
    provider: PaymentProvider,
    reference: AttemptReference,
    signal: AbortSignal,
  ) => Promise<InquiryOutcome>;
  /** The answer that counts. @throws ApplicationFailure where it is to be asked again */
  readonly answer: (outcome: InquiryOutcome) => Outcome;
  /** What was asked of the provider, in the timeline's words: `alpha, asked …`. */
  readonly words: string;
}

async function ask<Outcome extends InquiryOutcome>(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
  { call, answer, words }: Question<Outcome>,
): Promise<ProviderAnswer<Outcome>> {
  const provider = providerOf(dependencies.registry, attempt);
  const { attemptId, environment } = attempt;
  return withHeartbeat(async (signal) => {
    const said = await call(provider, { attemptId, environment }, signal).catch(async (error: unknown) => {
      if (!cancellationSignal().aborted && tryNumber() <= NOTED_TRIES)
        await note(dependencies, attempt, `${words}, gave no answer`);
      throw error;
    });
    requireSameAmount(attempt, said);
    const outcome = answer(said);
    return { outcome, payment: await note(dependencies, attempt, `${words}: ${wordsOf(outcome)}`) };
  });
}

/** Another amount than was asked for is never recorded; the provider is asked again. */
function requireSameAmount(attempt: AttemptAtProvider, outcome: InquiryOutcome): void {
  if (outcome.kind !== 'approved') return;
  const { amountMinor, currency, captureMethod, provider, attemptId } = attempt;
  if (agreesWithRequest(outcome, { amountMinor, currency, captureMethod })) return;
  const { amountMinor: reportedMinor, currency: reportedCurrency, capturedMinor = null } = outcome;
  const reported = { amountMinor: reportedMinor, currency: reportedCurrency, capturedMinor };
  throw amountDiffers({ provider, key: attemptId }, { amountMinor, currency }, reported);
}

function wordsOf(outcome: InquiryOutcome): string {
  return outcome.kind === 'approved' && !outcome.captured ? 'held' : outcome.kind.replaceAll('_', ' ');
}

/** Adds to the timeline what the provider was asked, and what it said. */
function note(
  { payments, now = timeNow }: Dependencies,
  { paymentIntentId, knownVersion, provider }: AttemptAtProvider,
  words: string,
): ReturnType<typeof recordStep> {
  const step: PaymentStep = { timeline: [{ kind: 'inquiry', summary: `${provider}, ${words}` }] };
  const identity = stepIdentity(`inquiry ${tryNumber()}`);
  return retryWhileDatabaseIsAway(() =>
    recordStep(payments, { paymentIntentId, knownVersion, step, at: now() }, identity),
  );
}

function finalOrRetry(attempt: AttemptAtProvider, outcome: InquiryOutcome): FinalOutcome {
  if (isFinal(outcome)) return outcome;
  throw outcomeOpen(attempt, outcome.kind);
}
