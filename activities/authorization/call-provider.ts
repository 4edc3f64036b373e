import { cancellationSignal, log } from '@temporalio/activity';
import { mustAuthenticate } from '../../domain/decline-retries.ts';
import { agreesWithRequest, type AuthorizationOutcome } from '../../domain/provider-outcome.ts';
import type { PaymentRecord, PaymentStep } from '../../domain/payment-step.ts';
import { withPaymentId } from '../../domain/return-url.ts';
import { TRY_BACKOFF } from '../../domain/time-limits.ts';
import { retryOnConflict } from '../../prisma/stores/payment-store.ts';
import type { AuthorizePaymentRequest } from '../../protocol/payment-activities.ts';
import type { AuthorizationRequest, MethodToCharge, PaymentProvider } from '../../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../providers/provider-errors.ts';
import {
  amountDiffers,
  countFailure,
  describeFailedTry,
  type ProviderCallDependencies,
  reportedAmount,
  retryWhileDatabaseIsUnavailable,
  tryNumber,
} from '../provider-calls.ts';
import { recordStep, requireOwn, stepIdentity, timeNow, writeOver } from '../record-step.ts';
import { alreadyEnded, endOf, type OpenedAttempt } from './open-attempt.ts';

interface Call {
  readonly provider: PaymentProvider;
  readonly opened: OpenedAttempt;
  readonly method: MethodToCharge;
  readonly signal: AbortSignal;
  readonly isSlow: () => boolean;
}

/** The provider refused who called it, and nothing was sent before: nothing is charged. */
export interface CredentialsRefused {
  readonly kind: 'credentials_refused';
  /** With the timeline entry about it. */
  readonly payment: PaymentRecord;
}

/**
 * Asks the provider for the authorization, and notes a try without a usable answer.
 * @throws ProviderOutageError, or ApplicationFailure, where the outcome is unknown
 */
export async function callProvider(
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
export function returnsOf(
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
