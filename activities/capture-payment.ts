import { ProviderOutageError } from '../providers/provider-errors.ts';
import {
  captureRefusedStep,
  captureResultOf,
  captureTooLateStep,
  type HoldEnd,
  resolveHold,
} from '../domain/hold-resolution.ts';
import type { JsonObject } from '../domain/json.ts';
import { formatMoney } from '../domain/money.ts';
import type { StoredOperation } from '../domain/operation.ts';
import type { OperationResult } from '../domain/payment.ts';
import { type PaymentRecord, type PaymentStep, summaryOf } from '../domain/payment-step.ts';
import { captureAgrees, type CaptureOutcome, type InquiryOutcome } from '../domain/provider-outcome.ts';
import { retryOnConflict } from '../prisma/stores/payment-store.ts';
import { inquiryOf } from './inquiry-request.ts';
import type { CapturePaymentRequest, CapturePaymentResult } from '../protocol/payment-activities.ts';
import {
  amountDiffers,
  countFailure,
  describeFailedTry,
  notingFailures,
  outcomeOpen,
  providerOf,
  reportsAnotherAmount,
  timeCall,
  tryNumber,
  retryWhileDatabaseIsUnavailable,
  withHeartbeat,
  type ProviderCallDependencies,
} from './provider-calls.ts';
import type { RefusedCapture } from './provider-reports.ts';
import { recordStep, requireOwn, staleRun, stepIdentity, storedResult, timeNow, writeOver } from './record-step.ts';

type Dependencies = ProviderCallDependencies;

/** The number of failed tries in the timeline; a capture is retried without limit. */
const NOTED_TRIES = 4;

/**
 * Captures authorized money: writes the intention, calls the provider, and records the answer. Repeated under the attempt's key
 * until the provider has answered: an earlier request may still be on its way, so "still held" does not prove that it failed.
 */
export async function capturePayment(
  dependencies: Dependencies,
  request: CapturePaymentRequest,
): Promise<CapturePaymentResult> {
  const { paymentIntentId, attempt, environment, amountMinor } = request;
  const { currency } = attempt;
  const { id: attemptId, providerPaymentId, startedAt } = attempt;
  const record = (step: PaymentStep, part: string): Promise<PaymentRecord> =>
    retryWhileDatabaseIsUnavailable(() => recordAs(dependencies, request, step, part));
  return withHeartbeat(async (signal) => {
    const provider = await providerOf(dependencies.registry, attempt);
    const inquire = async (): Promise<InquiryOutcome> => {
      const asked = { paymentIntentId, attemptId, provider: attempt.provider, environment };
      return provider.inquire(await inquiryOf(dependencies, asked), signal);
    };
    const known = await retryWhileDatabaseIsUnavailable(() => readCapture(dependencies, request));
    if (known.recorded !== null) return known.recorded;
    const { refusedBefore } = known;
    const tooLate = await retryWhileDatabaseIsUnavailable(() => writeIntention(dependencies, request, known));
    if (tooLate !== null) return tooLate;
    const held = { attemptId, environment, providerPaymentId, startedAt, amountMinor, currency, refusedBefore };
    const { now = timeNow } = dependencies;
    const isSlow = timeCall(now);
    const answer = await notingFailures(
      NOTED_TRIES,
      async () => requireSameAmount(request, await provider.capture(held, signal)),
      (error, noteId) => record(tryStep(request, error), `try ${noteId}`),
    );
    const wasSlow = isSlow();
    const outcome = await retryWhileDatabaseIsUnavailable(() => acceptedOrRefused(dependencies, request, answer));
    const at = now();
    const { step: resolved, result } = isFinal(outcome)
      ? resolve(request, outcome, at)
      : resolveByInquiry(request, outcome, await inquire(), at);
    const step = wasSlow ? { ...resolved, ...countFailure(attempt.provider) } : resolved;
    return { payment: await record(step, 'outcome'), result, decided: summaryOf(step) };
  });
}

/** What is known of a capture before the provider is called. */
interface KnownCapture {
  /** The result that an earlier try has recorded. A second request could get another answer. */
  readonly recorded: CapturePaymentResult | null;
  /** How many captures of the attempt the provider had accepted and then refused, when this one was asked for. */
  readonly refusedBefore: number;
  /** Whether the provider may have been called already: then the capture goes on, whatever the time. */
  readonly mayHaveCalled: boolean;
}

/**
 * @throws ApplicationFailure of the type `RUN_OUT_OF_DATE` where another run has answered the capture: its request was repeated
 */
async function readCapture(dependencies: Dependencies, request: CapturePaymentRequest): Promise<KnownCapture> {
  const { paymentIntentId, operationId } = request;
  const { runId, stepId } = stepIdentity('outcome');
  const intention = stepIdentity('intention').stepId;
  const query = { paymentIntentId, stepIds: [stepId, intention], operationIds: [operationId] };
  const own = requireOwn(await dependencies.payments.read(query), request, runId);
  const begun = own.operations.find(({ id }) => id === operationId);
  const refusedBefore =
    begun === undefined ? (await refusedCaptures(dependencies, request)).length : refusedBeforeOf(begun);
  const result = storedResult(own, operationId);
  const mayHaveCalled = request.isRepeated || own.recordedSteps.includes(intention);
  if (result === null) return { recorded: null, refusedBefore, mayHaveCalled };
  if (!own.recordedSteps.includes(stepId)) throw staleRun(paymentIntentId, 'the capture has its answer already');
  return { recorded: { payment: own.record, result, decided: null }, refusedBefore, mayHaveCalled };
}

/**
 * Writes the intention, unless an earlier try has. The statement that writes it requires that the hold is still valid: this is the
 * last moment at which the capture can be refused.
 * @returns the refusal of a capture that came too late; null where the provider is to be called
 */
function writeIntention(
  dependencies: Dependencies,
  request: CapturePaymentRequest,
  { refusedBefore, mayHaveCalled }: KnownCapture,
): Promise<CapturePaymentResult | null> {
  const { payments, now = timeNow } = dependencies;
  const { paymentIntentId } = request;
  const step = intentionOf(request, refusedBefore);
  const identity = stepIdentity('intention');
  return retryOnConflict<{ readonly tooLate: CapturePaymentResult | null }>(paymentIntentId, async () => {
    const stored = await payments.read({ paymentIntentId, stepIds: [identity.stepId] });
    const { record, recordedSteps } = requireOwn(stored, request, identity.runId);
    if (recordedSteps.length > 0) return { tooLate: null };
    const condition = mayHaveCalled ? {} : { capturesHold: true as const };
    const written = await writeOver(payments, record, { step, at: now(), ...condition }, identity);
    if (written !== null) return { tooLate: null };
    const hasLapsed = !mayHaveCalled && (await payments.hasLapsed(paymentIntentId));
    return hasLapsed ? { tooLate: await refuseTooLate(dependencies, request, record) } : null;
  }).then(({ tooLate }) => tooLate);
}

async function refuseTooLate(
  dependencies: Dependencies,
  request: CapturePaymentRequest,
  { columns: { captureBefore } }: PaymentRecord,
): Promise<CapturePaymentResult> {
  const { operationId: id, amountMinor } = request;
  const { step, result } = captureTooLateStep({ id, amountMinor }, captureBefore);
  return { payment: await recordAs(dependencies, request, step, 'outcome'), result, decided: summaryOf(step) };
}

/** The same for every try and run: the intention has it, which is written once. */
function refusedBeforeOf({ request }: StoredOperation): number {
  const refusedBefore = request?.['refusedBefore'];
  return typeof refusedBefore === 'number' ? refusedBefore : 0;
}

/** The provider had accepted the capture, and refused it later. */
interface LaterRefusal {
  readonly kind: 'refused';
  readonly providerResponse: JsonObject;
}

/** The answer to a capture; if the provider has accepted it, a webhook may have reported since that it was refused. */
async function acceptedOrRefused(
  dependencies: Dependencies,
  request: CapturePaymentRequest,
  answer: CaptureOutcome,
): Promise<CaptureOutcome | LaterRefusal> {
  if (answer.kind !== 'pending' || answer.captureReference === undefined) return answer;
  const refusals = await refusedCaptures(dependencies, request);
  const refusal = refusals.find(({ captureReference }) => captureReference === answer.captureReference);
  return refusal === undefined ? answer : { kind: 'refused', providerResponse: refusal.providerResponse };
}

function refusedCaptures(
  { reports }: Dependencies,
  { attempt: { id: attemptId, provider } }: CapturePaymentRequest,
): Promise<readonly RefusedCapture[]> {
  return reports.refusedCaptures({ attemptId, provider });
}

function recordAs(
  { payments, now = timeNow }: Dependencies,
  { paymentIntentId, knownVersion }: CapturePaymentRequest,
  step: PaymentStep,
  part: string,
): Promise<PaymentRecord> {
  return recordStep(payments, { paymentIntentId, knownVersion, step, at: now() }, stepIdentity(part));
}

function intentionOf({ attempt, amountMinor, operationId }: CapturePaymentRequest, refusedBefore: number): PaymentStep {
  const amount = formatMoney(amountMinor, attempt.currency);
  return {
    from: 'requires_capture',
    timeline: [{ kind: 'request', summary: `Capture of ${amount} asked for at ${attempt.provider}` }],
    operation: {
      id: operationId,
      kind: 'capture',
      request: { amountMinor, ...(refusedBefore === 0 ? {} : { refusedBefore }) },
      result: null,
    },
  };
}

function tryStep({ attempt: { provider }, operationId: id }: CapturePaymentRequest, error: unknown): PaymentStep {
  const lastCode = error instanceof ProviderOutageError ? error.code : null;
  return {
    timeline: [{ kind: 'attempt', summary: `Capture, try ${tryNumber()}: ${describeFailedTry(provider, error)}` }],
    ...(lastCode === null ? {} : { operation: { id, kind: 'capture', result: null, lastCode } }),
    ...(tryNumber() === 1 && !reportsAnotherAmount(error) ? countFailure(provider) : {}),
  };
}

interface CaptureResolution {
  readonly step: PaymentStep;
  readonly result: OperationResult;
}

/** An answer to a capture that says how the hold ended. */
type FinalCaptureOutcome = Exclude<CaptureOutcome, { kind: 'unrecognised' | 'pending' }>;

function isFinal(outcome: CaptureOutcome | LaterRefusal): outcome is FinalCaptureOutcome {
  return outcome.kind === 'captured' || outcome.kind === 'not_held';
}

/**
 * Resolves a capture by an inquiry, because the answer does not say how the hold ended: the report of an accepted capture may have
 * reached an earlier run only. A response of unknown shape means that the provider refused the capture, if the money is still held
 * and this was the only request: otherwise an earlier request may still be on its way. A refusal that a webhook has reported is
 * about this request.
 * @throws ApplicationFailure where the capture must be retried
 */
function resolveByInquiry(
  request: CapturePaymentRequest,
  answer: Exclude<CaptureOutcome, FinalCaptureOutcome> | LaterRefusal,
  state: InquiryOutcome,
  now: string,
): CaptureResolution {
  const { attempt, operationId: captureId, isRepeated } = request;
  if (state.kind === 'not_charged') return resolve(request, { kind: 'not_held' }, now);
  if (state.kind === 'approved' && state.captured) {
    const { providerPaymentId, currency, amountMinor, capturedMinor = amountMinor } = state;
    const captured = { kind: 'captured', providerPaymentId, capturedMinor, currency } as const;
    return resolve(request, requireSameAmount(request, captured), now);
  }
  if (answer.kind === 'pending') throw outcomeOpen(attempt, 'it has accepted the capture');
  const isRefused = answer.kind === 'refused' || (tryNumber() === 1 && !isRepeated);
  if (state.kind === 'approved' && isRefused) {
    const { providerResponse } = answer;
    return captureRefusedStep(attempt, { captureId, providerResponse, now });
  }
  throw outcomeOpen(attempt, 'an earlier capture may be on its way');
}

/** A reported amount that differs from the requested one is never recorded; the capture is repeated. */
function requireSameAmount<Outcome extends CaptureOutcome>(
  { attempt: { id: key, provider, currency }, amountMinor }: CapturePaymentRequest,
  outcome: Outcome,
): Outcome {
  if (outcome.kind !== 'captured' || captureAgrees(outcome, { amountMinor, currency })) return outcome;
  const reported = { amountMinor: outcome.capturedMinor, currency: outcome.currency };
  throw amountDiffers({ provider, key }, { amountMinor, currency }, reported);
}

function resolve(request: CapturePaymentRequest, outcome: FinalCaptureOutcome, now: string): CaptureResolution {
  const { paymentIntentId, attempt, amountMinor, operationId: captureId } = request;
  const { provider, currency } = attempt;
  const end = endOf(request, outcome);
  const captured = `${formatMoney(amountMinor, currency)} captured at ${provider}`;
  const step = resolveHold(attempt, end, { paymentIntentId, cancellation: null, captured, captureId, now });
  return {
    step: { ...step, providerHealth: [{ provider, available: true }] },
    result: captureResultOf(attempt, end),
  };
}

function endOf({ attempt }: CapturePaymentRequest, outcome: FinalCaptureOutcome): HoldEnd {
  if (outcome.kind === 'not_held') return { kind: 'not_charged' };
  const { providerPaymentId, capturedMinor } = outcome;
  const { amountMinor, currency } = attempt;
  return { kind: 'approved', providerPaymentId, captured: true, amountMinor, currency, capturedMinor };
}
