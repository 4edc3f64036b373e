import { ApplicationFailure, cancellationSignal, log } from '@temporalio/activity';
import { mustAuthenticate, retryAfterDecline } from '../domain/decline-retries.ts';
import type { AttemptOpening, OpeningRefusal } from '../domain/attempt-opening.ts';
import { agreesWithRequest, type AuthorizationOutcome, type OutageCode } from '../domain/provider-outcome.ts';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import { resolveOutcome } from '../domain/payment-resolution.ts';
import type { Attempt, OperationResult } from '../domain/payment.ts';
import { type PaymentRecord, type PaymentStep, summaryOf } from '../domain/payment-step.ts';
import { withPaymentId } from '../domain/return-url.ts';
import { wantsAbsentCustomer } from '../domain/saved-payment-method.ts';
import { TRY_BACKOFF } from '../domain/time-limits.ts';
import {
  type AuthorizationRequest,
  isWithoutCustomer,
  type MethodToCharge,
  type PaymentProvider,
} from '../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../providers/provider-errors.ts';
import { type PaymentStore, retryOnConflict, type StoredPayment } from '../prisma/stores/payment-store.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { type InquiryDependencies, requireOwnToken } from './inquiry-request.ts';
import type { AuthorizePaymentRequest, AuthorizePaymentResult } from '../protocol/payment-activities.ts';
import {
  amountDiffers,
  countFailure,
  describeFailedTry,
  providerOf,
  reportedAmount,
  timeCall,
  tryNumber,
  retryWhileDatabaseIsUnavailable,
  withHeartbeat,
} from './provider-calls.ts';
import {
  isRecorded,
  recordStep,
  requireOwn,
  staleRun,
  stepIdentity,
  storedResult,
  timeNow,
  writeOver,
} from './record-step.ts';

export interface ProviderCallDependencies extends InquiryDependencies {
  readonly registry: ProviderRegistry;
  /** The time of recorded steps, ISO 8601 UTC; by default the machine's. */
  readonly now?: () => string;
}

/** An attempt whose intention is recorded, or one that may not begin. */
interface OpenedAttempt {
  readonly payment: PaymentRecord;
  readonly refusal: OpeningRefusal | null;
  readonly merchantData: StoredPayment['merchantData'];
  /** Set where an earlier try has recorded the provider's answer already. */
  readonly recorded: { readonly result: OperationResult | null } | null;
  /** Whether this try has written the intention, so that no call was made before it. */
  readonly isNew: boolean;
}

const NOTHING = { refusal: null, result: null, decided: null, unrecognised: null } as const;

/**
 * Makes one attempt at one provider: writes the intention, asks for the authorization, and records the answer. Each try finds
 * what an earlier one has written, and uses the same idempotency key. Every try requires that the attempt may begin now. If it may
 * not, the first try opens nothing; a later try fails, so that the workflow asks the provider instead.
 */
export async function authorizePayment(
  dependencies: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
): Promise<AuthorizePaymentResult> {
  return withHeartbeat(async (signal) => {
    const provider = await findProvider(dependencies.registry, request.attempt);
    const [opened, method] = await retryWhileDatabaseIsUnavailable(() =>
      Promise.all([
        openAttempt(dependencies.payments, request, tryNumber() > 1),
        dependencies.loadPaymentMethod({
          id: request.attempt.paymentMethodId,
          paymentIntentId: request.paymentIntentId,
          provider: request.attempt.provider,
        }),
      ]),
    );
    const tries = tryNumber();
    const { refusal } = opened;
    if (refusal !== null) return { payment: opened.payment, tries: 0, ...NOTHING, refusal };
    requireOwnToken(request.attempt, method);
    if (opened.recorded !== null) return { payment: opened.payment, tries, ...NOTHING, ...opened.recorded };
    if (tries > 1) await requireNotLate(dependencies.payments, request);
    const isSlow = timeCall(dependencies.now ?? timeNow);
    const outcome =
      provider === null
        ? GONE
        : await callProvider(dependencies, request, { provider, opened, method, signal, isSlow });
    const wasSlow = isSlow();
    if (outcome.kind === 'credentials_refused') {
      const end = { outcome: { kind: 'not_charged' }, unknown: { kind: 'credentials_refused' } } as const;
      return { payment: outcome.payment, tries, ...NOTHING, unrecordedEnd: end };
    }
    if (outcome.kind === 'declined' && outcome.code === 'UNSUPPORTED_CURRENCY_PAIR') {
      return { payment: opened.payment, tries, ...NOTHING, unrecordedEnd: { outcome, unknown: null } };
    }
    const { retries } = request;
    if (retries !== undefined && outcome.kind === 'declined') {
      const isAble = provider?.canAuthenticate?.(returnsOf(dependencies, request, opened)) ?? false;
      const canAuthenticate = isAble && !isWithoutCustomer(method);
      const retry = retryAfterDecline(outcome, retries, canAuthenticate);
      const end = { outcome, unknown: null } as const;
      if (retry !== null) return { payment: opened.payment, tries, ...NOTHING, unrecordedEnd: { ...end, retry } };
    }
    if (wantsAbsentCustomer(request.attempt, outcome)) {
      return { payment: opened.payment, tries, ...NOTHING, needsCustomer: true };
    }
    if (outcome.kind === 'unrecognised') {
      return { payment: opened.payment, tries, ...NOTHING, unrecognised: outcome.providerResponse };
    }
    const recorded = await retryWhileDatabaseIsUnavailable(() =>
      recordOutcome(dependencies, request, { opened: opened.payment, outcome, wasSlow }),
    );
    return { ...NOTHING, ...recorded, tries };
  });
}

/** This worker has no adapter of the account's kind. */
const GONE: AuthorizationOutcome = {
  kind: 'declined',
  providerPaymentId: null,
  code: 'PAYMENT_DECLINED',
  advice: 'elsewhere',
};

/** Null if there is no such account, or no adapter for it. A later try does not know whether an earlier try has made a call. */
async function findProvider(
  registry: ProviderRegistry,
  attempt: Pick<Attempt, 'provider'>,
): Promise<PaymentProvider | null> {
  const isAccount = kindOfProviderAccount(attempt.provider) !== undefined;
  if (!isAccount || tryNumber() > 1) return providerOf(registry, attempt);
  return (await retryWhileDatabaseIsUnavailable(() => registry.find(attempt.provider))) ?? null;
}

/**
 * Writes the intention, unless an earlier try has: a recorded decision is never made again. It is written only over the version
 * that the workflow knew when it decided on the attempt. So a writer that finds no intention and records any step knows that the
 * attempt will not be opened any more (`neverOpen`). An account at a provider exists as long as the attempt is open.
 * The statement that writes it requires that the attempt may begin now: what the routes were planned from may have changed.
 * @param mayHaveCalled whether an earlier call may have charged: its intention is lost, and is written again
 */
async function openAttempt(
  store: PaymentStore,
  request: AuthorizePaymentRequest,
  mayHaveCalled: boolean,
): Promise<OpenedAttempt> {
  const { paymentIntentId, attempt, intention } = request;
  const opening = stepIdentity('intention');
  const outcomeStep = stepIdentity('outcome').stepId;
  const stored = await store.read({
    paymentIntentId,
    stepIds: [opening.stepId, outcomeStep],
    operationIds: operationIdsOf(attempt),
    ...(request.returnUrlId === undefined ? {} : { returnUrlId: request.returnUrlId }),
  });
  const own = requireOwn(stored, request, opening.runId);
  const { record, recordedSteps, merchantData, hasStrayCharge } = own;
  if (recordedSteps.includes(outcomeStep)) {
    const recorded = { result: storedResult(own, attempt.operationId) };
    return { payment: record, refusal: null, merchantData, recorded, isNew: false };
  }
  if (endOf(record, attempt) !== undefined) throw alreadyEnded(request);
  if (recordedSteps.length > 0) {
    requireSameDecision(record, attempt);
    return { payment: record, refusal: null, merchantData, recorded: null, isNew: false };
  }
  if (record.version !== request.knownVersion) {
    throw staleRun(paymentIntentId, `a step was recorded before attempt ${attempt.number} was opened`);
  }
  if (hasStrayCharge) throw staleRun(paymentIntentId, 'a stray charge is to be reversed first');
  if (isAnswered(own, attempt)) throw staleRun(paymentIntentId, 'the confirm has its answer already');
  requireAsStored(own, request);
  const { provider } = attempt;
  const required = mayHaveCalled ? null : openingOf(attempt, request.beginBefore);
  const opens = { provider, opening: required, returnUrl: merchantData.returnUrl };
  const payment = await writeOver(store, record, { step: intention, at: attempt.startedAt, opens }, opening);
  if (payment !== null) return { payment, refusal: null, merchantData, recorded: null, isNew: !mayHaveCalled };
  const refusal = required === null ? null : await store.openingRefusal(paymentIntentId, required);
  if (refusal !== null) return { payment: record, refusal, merchantData, recorded: null, isNew: false };
  throw staleRun(
    paymentIntentId,
    `its row was changed, or ${provider} was deleted, before attempt ${attempt.number} was opened`,
  );
}

function openingOf({ routeId, provider }: Attempt, before: string): AttemptOpening {
  return { routeId, provider, before };
}

/**
 * An authorization is not sent again where the attempt could not begin now: the customer may have been told that the payment has
 * expired, and may pay another way.
 * @throws ApplicationFailure without retry; the workflow then asks the provider what became of the calls before
 */
async function requireNotLate(
  store: PaymentStore,
  { paymentIntentId, attempt, retryBefore }: AuthorizePaymentRequest,
): Promise<void> {
  const refusal = await retryWhileDatabaseIsUnavailable(() =>
    store.openingRefusal(paymentIntentId, openingOf(attempt, retryBefore)),
  );
  if (refusal === null) return;
  const message = `Attempt ${attempt.number} is not sent to ${attempt.provider} again: ${refusal}`;
  throw ApplicationFailure.nonRetryable(message, 'TSP_TIMEOUT' satisfies OutageCode);
}

/**
 * After a restore of Temporal to an earlier moment, a run decides again, and its activities may have the ids of lost activities.
 * @throws ApplicationFailure if another decision opened the attempt
 */
function requireSameDecision({ paymentIntentId, attempts }: PaymentRecord, attempt: Attempt): void {
  const { id, number, provider, operationId } = attempt;
  const opened = attempts.find((each) => each.id === id);
  if (opened?.provider === provider && opened.operationId === operationId) return;
  throw staleRun(paymentIntentId, `another decision has opened attempt ${number}`);
}

/**
 * The workflow takes amount and environment from its input, which anybody who reaches Temporal can make up.
 * @throws ApplicationFailure if the row has others
 */
function requireAsStored(
  { record: { terms }, environment }: StoredPayment,
  { paymentIntentId, attempt, captureMethod, environment: requested }: AuthorizePaymentRequest,
): void {
  if (requested !== environment) {
    throw ApplicationFailure.nonRetryable(`${paymentIntentId} is not of ${requested}`, 'ENVIRONMENT_DIFFERS');
  }
  const { amountMinor, currency } = attempt;
  const isSame = terms.amountMinor === amountMinor && terms.currency === currency;
  if (!isSame || terms.captureMethod !== captureMethod) throw staleRun(paymentIntentId, 'its row has other terms');
}

interface Call {
  readonly provider: PaymentProvider;
  readonly opened: OpenedAttempt;
  readonly method: MethodToCharge;
  readonly signal: AbortSignal;
  readonly isSlow: () => boolean;
}

/** The provider refused who called it, and nothing was sent before: nothing is charged. */
interface CredentialsRefused {
  readonly kind: 'credentials_refused';
  /** With the timeline entry about it. */
  readonly payment: PaymentRecord;
}

async function callProvider(
  dependencies: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
  { provider, opened, method, signal, isSlow }: Call,
): Promise<AuthorizationOutcome | CredentialsRefused> {
  const { environment, paymentIntentId, captureMethod, attempt } = request;
  const { id: attemptId, startedAt, amountMinor, currency } = attempt;
  const asked = { amountMinor, currency, captureMethod };
  const { attempts } = opened.payment;
  const known = attempts.find(({ id }) => id === attemptId);
  const reference = { attemptId, environment, startedAt, providerPaymentId: known?.providerPaymentId ?? null };
  const customers = dependencies.customersAt(provider.name);
  const storePaymentId = (id: string): Promise<void> =>
    retryWhileDatabaseIsUnavailable(() => recordPaymentId(dependencies, request, id));
  try {
    const outcome = await provider.authorize(
      {
        ...reference,
        paymentIntentId,
        method,
        ...asked,
        ...opened.merchantData,
        ...returnsOf(dependencies, request, opened),
        ...(mustAuthenticate(attempts, attempt) ? { mustAuthenticate: true } : {}),
        storePaymentId,
        customers,
      },
      signal,
    );
    if (outcome.kind === 'declined' && outcome.isTokenUnknown === true) await customers.askAboutToken(attemptId);
    if (outcome.kind === 'approved' && !agreesWithRequest(outcome, asked)) {
      throw amountDiffers({ provider: provider.name, key: attemptId }, asked, reportedAmount(outcome));
    }
    return outcome;
  } catch (error) {
    if (cancellationSignal().aborted) throw error;
    const isUncharged = error instanceof CredentialsRefusedError && opened.isNew;
    const noted = await noteTry(dependencies, request, { error, isLast: isUncharged, wasSlow: isSlow() });
    if (isUncharged && noted !== null) return { kind: 'credentials_refused', payment: noted };
    throw error;
  }
}

/** Where a customer comes back to. */
function returnsOf(
  { returns }: ProviderCallDependencies,
  { paymentIntentId, attempt }: AuthorizePaymentRequest,
  { merchantData: { returnUrl } }: OpenedAttempt,
): Pick<AuthorizationRequest, 'returnUrl' | 'engineReturnUrl'> {
  return {
    returnUrl: returnUrl === null ? null : withPaymentId(returnUrl, paymentIntentId),
    engineReturnUrl: returns.urlOf(attempt.id),
  };
}

/**
 * Records the provider's id of a payment that has not charged yet, once.
 * @throws ApplicationFailure where the attempt has ended: then it must not be charged any more
 */
function recordPaymentId(
  { payments, now = timeNow }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
  providerPaymentId: string,
): Promise<void> {
  const { paymentIntentId, attempt } = request;
  const identity = stepIdentity(`payment id ${providerPaymentId}`);
  const summary = `${attempt.provider} has created the payment ${providerPaymentId} for attempt ${attempt.number}`;
  const step: PaymentStep = { attempts: [{ ...attempt, providerPaymentId }], timeline: [{ kind: 'attempt', summary }] };
  return retryOnConflict(paymentIntentId, async () => {
    const stored = await payments.read({ paymentIntentId, stepIds: [identity.stepId] });
    const { record, recordedSteps } = requireOwn(stored, request, identity.runId);
    if (endOf(record, attempt) !== undefined) throw alreadyEnded(request);
    return recordedSteps.length > 0 || writeOver(payments, record, { step, at: now() }, identity);
  }).then(() => undefined);
}

/**
 * Adds a try without a usable answer to the timeline. Temporal's history shows it too, so a failure to write is only logged.
 * @param isLast whether the attempt ends with this try; otherwise only slow ones, and the last one, count for the circuit
 * @returns the payment after the step; null if it could not be written
 */
async function noteTry(
  { payments, now = timeNow }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
  { error, isLast, wasSlow }: { readonly error: unknown; readonly isLast: boolean; readonly wasSlow: boolean },
): Promise<PaymentRecord | null> {
  const { paymentIntentId, knownVersion, attempt } = request;
  const tries = tryNumber();
  const summary = `Attempt ${attempt.number}, try ${tries}: ${describeFailedTry(attempt.provider, error)}`;
  const counts = wasSlow || isLast || tries === TRY_BACKOFF.maximumTries;
  const step: PaymentStep = {
    attempts: [{ ...attempt, tries }],
    timeline: [{ kind: 'attempt', summary }],
    ...(error instanceof ProviderOutageError && counts ? countFailure(attempt.provider) : {}),
  };
  try {
    return await recordStep(payments, { paymentIntentId, knownVersion, step, at: now() }, stepIdentity(`try ${tries}`));
  } catch (reason) {
    log.warn('a try could not be noted', { paymentIntentId, reason: String(reason) });
    return null;
  }
}

interface Answer {
  /** The payment when the attempt was opened. */
  readonly opened: PaymentRecord;
  readonly outcome: Exclude<AuthorizationOutcome, { kind: 'unrecognised' }>;
  readonly wasSlow: boolean;
}

/** Records the provider's answer; where another step was recorded since the attempt was opened, reads the payment again. */
async function recordOutcome(
  { payments, now = timeNow }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
  { opened, outcome, wasSlow }: Answer,
): Promise<Pick<AuthorizePaymentResult, 'payment' | 'result' | 'decided'>> {
  const { paymentIntentId, attemptBudget, attempt } = request;
  const identity = stepIdentity('outcome');
  const tried = { ...attempt, tries: tryNumber() };
  for (let record = opened; ;) {
    const at = now();
    const { status } = record.columns;
    const { attempts } = record;
    const context = { paymentIntentId, status, attemptBudget, attempts, cancellation: null, now: at };
    const { step: resolved, result } = resolveOutcome(tried, outcome, context);
    const step = wasSlow ? { ...resolved, ...countFailure(attempt.provider) } : resolved;
    const payment = await writeOver(payments, record, { step, at }, identity);
    if (payment !== null) return { payment, result, decided: summaryOf(step) };
    const operationIds = operationIdsOf(attempt);
    const stored = await payments.read({ paymentIntentId, stepIds: [identity.stepId], operationIds });
    if (stored?.recordedSteps.length === 1) {
      return { payment: stored.record, result: storedResult(stored, attempt.operationId), decided: null };
    }
    const ended = stored === null ? undefined : endOf(stored.record, attempt);
    if (ended !== undefined && ended.outcome !== 'approved' && outcome.kind === 'approved') {
      await payments.noteStrayCharge({ attemptId: attempt.id, paymentIntentId });
    }
    ({ record } = requireOwn(stored, request, identity.runId));
    if (ended !== undefined) throw alreadyEnded(request);
    // The intention is lost if the database failed over to a standby that did not have it.
    if (!isRecorded(record, attempt)) ({ payment: record } = await openAttempt(payments, request, true));
  }
}

/** The attempt if it has ended; undefined while it is open or not recorded. */
function endOf({ attempts }: PaymentRecord, { id }: Attempt): Attempt | undefined {
  return attempts.find((each) => each.id === id && each.outcome !== null);
}

/** No charge can be recorded for an attempt that has ended, so its provider is not called. */
function alreadyEnded({ paymentIntentId, attempt }: AuthorizePaymentRequest): ReturnType<typeof staleRun> {
  return staleRun(paymentIntentId, `attempt ${attempt.number} has ended already`);
}

function operationIdsOf({ operationId }: Attempt): readonly string[] {
  return operationId === null ? [] : [operationId];
}

/**
 * Whether the confirm that an attempt would be opened for has ended with an answer: a request that is repeated after another run
 * has taken the payment over is a new one to that run. While an attempt is open, an answer may only say that it waits.
 */
function isAnswered(stored: StoredPayment, attempt: Attempt): boolean {
  const { operationId } = attempt;
  const isUnderWay = stored.record.attempts.some((each) => each.operationId === operationId && each.outcome === null);
  return !isUnderWay && storedResult(stored, operationId) !== null;
}
