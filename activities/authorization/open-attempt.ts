import { ApplicationFailure } from '@temporalio/activity';
import type { AttemptOpening, OpeningRefusal } from '../../domain/attempt-opening.ts';
import type { OutageCode } from '../../domain/provider-outcome.ts';
import type { Attempt, OperationResult } from '../../domain/payment.ts';
import type { PaymentRecord } from '../../domain/payment-step.ts';
import type { PaymentStore, StoredPayment } from '../../prisma/stores/payment-store.ts';
import type { AuthorizePaymentRequest } from '../../protocol/payment-activities.ts';
import { retryWhileDatabaseIsUnavailable } from '../provider-calls.ts';
import { requireOwn, staleRun, stepIdentity, storedResult, writeOver } from '../record-step.ts';

/** An attempt whose intention is recorded, or one that may not begin. */
export interface OpenedAttempt {
  readonly payment: PaymentRecord;
  readonly refusal: OpeningRefusal | null;
  readonly merchantData: StoredPayment['merchantData'];
  /** Set where an earlier try has recorded the provider's answer already. */
  readonly recorded: { readonly result: OperationResult | null } | null;
  /** Whether this try has written the intention, so that no call was made before it. */
  readonly isNew: boolean;
}

/**
 * Writes the intention, unless an earlier try has: a recorded decision is never made again. It is written only over the version
 * that the workflow knew when it decided on the attempt. So a writer that finds no intention and records any step knows that the
 * attempt will not be opened any more (`neverOpen`). An account at a provider exists as long as the attempt is open.
 * The statement that writes it requires that the attempt may begin now: what the routes were planned from may have changed.
 * @param mayHaveCalled whether an earlier call may have charged: its intention is lost, and is written again
 */
export async function openAttempt(
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

function openingOf({ routeId, provider, paymentMethodId, savedUse }: Attempt, before: string): AttemptOpening {
  return { routeId, provider, before, savedReferenceId: savedUse == null ? null : paymentMethodId };
}

/**
 * An authorization is not sent again where the attempt could not begin now: the customer may have been told that the payment has
 * expired, and may pay another way.
 * @throws ApplicationFailure without retry; the workflow then asks the provider what became of the calls before
 */
export async function requireNotLate(
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

/** The attempt if it has ended; undefined while it is open or not recorded. */
export function endOf({ attempts }: PaymentRecord, { id }: Attempt): Attempt | undefined {
  return attempts.find((each) => each.id === id && each.outcome !== null);
}

/** No charge can be recorded for an attempt that has ended, so its provider is not called. */
export function alreadyEnded({ paymentIntentId, attempt }: AuthorizePaymentRequest): ReturnType<typeof staleRun> {
  return staleRun(paymentIntentId, `attempt ${attempt.number} has ended already`);
}

export function operationIdsOf({ operationId }: Attempt): readonly string[] {
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
