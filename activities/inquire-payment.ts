import { ApplicationFailure } from '@temporalio/activity';
import { openAttemptOf } from '../domain/payment.ts';
import type { PaymentRecord, PaymentStep } from '../domain/payment-step.ts';
import {
  agreesWithRequest,
  isFinal,
  isNewOutcome,
  type FinalOutcome,
  type InquiryOutcome,
} from '../domain/provider-outcome.ts';
import { wantsAbsentCustomer } from '../domain/saved-payment-method.ts';
import { ANOTHER_AMOUNT } from '../domain/unknown-outcome.ts';
import { retryOnConflict } from '../prisma/stores/payment-store.ts';
import type { InquiryRequest, PaymentProvider, ProviderCapabilities } from '../providers/payment-provider.ts';
import { findInquiry } from './inquiry-request.ts';
import type {
  AttemptAtProvider,
  AwaitPaymentRequest,
  KnownPayment,
  ProviderAnswer,
} from '../protocol/payment-activities.ts';
import {
  amountDiffers,
  describeNoAnswer,
  notingFailures,
  outcomeOpen,
  providerOf,
  reportedAmount,
  reportsAnotherAmount,
  tryNumber,
  retryWhileDatabaseIsUnavailable,
  withHeartbeat,
  type ProviderCallDependencies,
} from './provider-calls.ts';
import { recordStep, requireOwn, stepIdentity, timeNow, writeOver } from './record-step.ts';

type Dependencies = ProviderCallDependencies;

/** The number of inquiries without a usable answer in the timeline; inquiries are repeated without limit. */
const NOTED_TRIES = 3;

/** Makes one inquiry about an attempt. */
export function inquirePayment(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
): Promise<ProviderAnswer<InquiryOutcome>> {
  return ask(dependencies, attempt, {
    call: (provider, request, signal) => provider.inquire(request, signal),
    answer: (outcome) => outcome,
    description: `asked what became of attempt ${attempt.attemptNumber}`,
    awaited: ({ inquiry }) => `${AWAITED_AFTER_INQUIRY[inquiry]}, and no other provider tried before`,
  });
}

/** Inquires about a new outcome of an attempt; fails, so that it is retried, while there is none. */
export function awaitPayment(
  dependencies: Dependencies,
  request: AwaitPaymentRequest,
): Promise<ProviderAnswer<InquiryOutcome>> {
  return ask(dependencies, request, {
    call: (provider, request, signal) => provider.inquire(request, signal),
    answer: (outcome) =>
      isNewOutcome(request.known, outcome) || wantsAbsentCustomer(request, outcome)
        ? outcome
        : finalOrRetry(request, outcome),
    description: `asked for the outcome of attempt ${request.attemptNumber}`,
    awaited: ({ inquiry }) => AWAITED_AFTER_INQUIRY[inquiry],
  });
}

/** Closes an attempt at its provider; fails, so that it is retried, while the outcome is open or a hold is not voided. */
export function closePayment(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
): Promise<ProviderAnswer<FinalOutcome>> {
  return ask(dependencies, attempt, {
    call: (provider, request, signal) => provider.close(request, signal),
    answer: (outcome) => {
      const final = finalOrRetry(attempt, outcome);
      if (isHeld(final)) throw outcomeOpen(attempt, 'the money is still held');
      return final;
    },
    description: `told to close attempt ${attempt.attemptNumber}`,
    awaited: ({ closing }) => AWAITED_AFTER_CLOSURE[closing],
    notesOpen: true,
  });
}

/** What a payment waits for while nobody knows what became of its attempt, as the timeline says it. */
const AWAITED_AFTER_INQUIRY: Readonly<Record<ProviderCapabilities['inquiry'], string>> = {
  exact: 'it is asked again',
  repeat: 'its webhook or its answer to a repeat is awaited',
};

/** The same while a closure has no final answer. */
const AWAITED_AFTER_CLOSURE: Readonly<Record<ProviderCapabilities['closing'], string>> = {
  at_once: 'it is told again',
  by_webhook: 'its webhook about the end is awaited',
  never: 'what has arrived is awaited',
};

/** The pause before an attempt that makes the expected progress is checked again. */
const LOOK_AGAIN_AFTER = '30 seconds';

/** Fails, so that it is retried, while the provider of the open attempt makes the expected progress. */
export async function requireStuck(
  { payments, registry }: Pick<Dependencies, 'payments' | 'registry'>,
  { paymentIntentId }: KnownPayment,
): Promise<void> {
  const stored = await payments.read({ paymentIntentId });
  const open = openAttemptOf(stored?.record.attempts ?? []);
  if (open === undefined) return;
  const provider = await registry.find(open.provider);
  if ((await provider?.isProgressing?.(open.id)) !== true) return;
  throw ApplicationFailure.create({
    type: 'IN_PROGRESS',
    message: `${open.provider} goes on with attempt ${open.number} as it should`,
    nextRetryDelay: LOOK_AGAIN_AFTER,
  });
}

interface ProviderRequest<Outcome extends InquiryOutcome> {
  readonly call: (provider: PaymentProvider, request: InquiryRequest, signal: AbortSignal) => Promise<InquiryOutcome>;
  /** Checks the outcome. @throws ApplicationFailure where the call is to be repeated */
  readonly answer: (outcome: InquiryOutcome) => Outcome;
  /** The request as the timeline shows it: `alpha, asked …`. */
  readonly description: string;
  /** What the payment waits for where there is no usable answer, as the timeline shows it. */
  readonly awaited: (capabilities: ProviderCapabilities) => string;
  /** Whether the timeline shows the first answer that leaves the outcome open. */
  readonly notesOpen?: boolean;
}

async function ask<Outcome extends InquiryOutcome>(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
  { call, answer, description, awaited, notesOpen = false }: ProviderRequest<Outcome>,
): Promise<ProviderAnswer<Outcome>> {
  return withHeartbeat(async (signal) => {
    const found = await retryWhileDatabaseIsUnavailable(() => findOrNeverOpen(dependencies, attempt));
    if ('version' in found) return { outcome: answer({ kind: 'not_charged' }), payment: found };
    const { request } = found;
    const provider = await providerOf(dependencies.registry, attempt);
    const awaits = awaited(provider.capabilities);
    const reported = await notingFailures(
      NOTED_TRIES,
      async () => requireSameAmount(attempt, await call(provider, request, signal)),
      (error, noteId) => note(dependencies, attempt, `${description}, ${describeFailure(error)}: ${awaits}`, noteId),
    );
    if (notesOpen && tryNumber() === 1 && isOpen(reported))
      await note(dependencies, attempt, `${description}: ${describeOutcome(reported)}; ${awaits}`);
    const outcome = answer(reported);
    return { outcome, payment: await note(dependencies, attempt, `${description}: ${describeOutcome(outcome)}`) };
  });
}

function describeFailure(error: unknown): string {
  return reportsAnotherAmount(error) ? `reported ${ANOTHER_AMOUNT}` : describeNoAnswer(error);
}

/**
 * The inquiry about an attempt. The payment must belong to this run: an inquiry may close the attempt's key at the provider, and
 * another run may hold the attempt's money. If no intention is recorded, nothing was sent, and no provider can say more than that:
 * some refuse to close what they never received. Then this function records that the attempt is never opened, and returns the
 * payment.
 */
async function findOrNeverOpen(
  dependencies: Dependencies,
  attempt: AttemptAtProvider,
): Promise<{ readonly request: InquiryRequest } | PaymentRecord> {
  const { runId } = stepIdentity('inquiry');
  const request = await findInquiry(dependencies, attempt, (stored) => requireOwn(stored, attempt, runId));
  return request === null ? neverOpen(dependencies, attempt) : { request };
}

/**
 * Records that an attempt was not opened, over a version of the payment without its intention. Its intention cannot be recorded
 * after that, because it is written only over a version from before (`openAttempt`).
 * @returns the payment after the step
 */
function neverOpen(
  { payments, now = timeNow }: Dependencies,
  { attemptId, attemptNumber, provider, ...known }: AttemptAtProvider,
): Promise<PaymentRecord> {
  const { paymentIntentId } = known;
  const identity = stepIdentity('never opened');
  const summary = `Attempt ${attemptNumber} was not sent to ${provider}, and never will be`;
  const step: PaymentStep = { timeline: [{ kind: 'decision', summary }] };
  return retryOnConflict(paymentIntentId, async () => {
    const stored = await payments.read({ paymentIntentId, stepIds: [identity.stepId] });
    const { record, recordedSteps } = requireOwn(stored, known, identity.runId);
    if (recordedSteps.length > 0) return record;
    if (record.attempts.some(({ id }) => id === attemptId)) throw new Error(`${attemptId} was opened meanwhile`);
    return writeOver(payments, record, { step, at: now() }, identity);
  });
}

/** A reported amount that differs from the requested one is never recorded; the call is repeated. */
function requireSameAmount(attempt: AttemptAtProvider, outcome: InquiryOutcome): InquiryOutcome {
  if (outcome.kind !== 'approved') return outcome;
  const { amountMinor, currency, captureMethod, provider, attemptId } = attempt;
  if (agreesWithRequest(outcome, { amountMinor, currency, captureMethod })) return outcome;
  throw amountDiffers({ provider, key: attemptId }, { amountMinor, currency }, reportedAmount(outcome));
}

/** Whether the money is authorized, and not captured. */
function isHeld(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'approved' && !outcome.captured;
}

/** Whether money may still move, or is held. */
function isOpen(outcome: InquiryOutcome): boolean {
  return !isFinal(outcome) || isHeld(outcome);
}

function describeOutcome(outcome: InquiryOutcome): string {
  return isHeld(outcome) ? 'held' : outcome.kind.replaceAll('_', ' ');
}

/** Adds the request and the provider's answer to the timeline. */
function note(
  { payments, now = timeNow }: Dependencies,
  { paymentIntentId, knownVersion, provider }: AttemptAtProvider,
  message: string,
  noteId = String(tryNumber()),
): ReturnType<typeof recordStep> {
  const step: PaymentStep = { timeline: [{ kind: 'inquiry', summary: `${provider}, ${message}` }] };
  const identity = stepIdentity(`inquiry ${noteId}`);
  return retryWhileDatabaseIsUnavailable(() =>
    recordStep(payments, { paymentIntentId, knownVersion, step, at: now() }, identity),
  );
}

function finalOrRetry(attempt: AttemptAtProvider, outcome: InquiryOutcome): FinalOutcome {
  if (isFinal(outcome)) return outcome;
  throw outcomeOpen(attempt, outcome.kind);
}
