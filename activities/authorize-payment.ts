import { retryAfterDecline } from '../domain/decline-retries.ts';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import type { Attempt } from '../domain/payment.ts';
import type { AuthorizationOutcome } from '../domain/provider-outcome.ts';
import { wantsAbsentCustomer } from '../domain/saved-payment-method.ts';
import { isWithoutCustomer, type MethodToCharge, type PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { AuthorizePaymentRequest, AuthorizePaymentResult } from '../protocol/payment-activities.ts';
import { callProvider, type CredentialsRefused, returnsOf } from './authorization/call-provider.ts';
import { openAttempt, type OpenedAttempt, requireNotLate } from './authorization/open-attempt.ts';
import { recordOutcome } from './authorization/record-outcome.ts';
import { requireFittingMethod } from './inquiry-request.ts';
import {
  providerOf,
  type ProviderCallDependencies,
  retryWhileDatabaseIsUnavailable,
  timeCall,
  tryNumber,
  withHeartbeat,
} from './provider-calls.ts';
import { timeNow } from './record-step.ts';

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
    const tries = tryNumber();
    const { provider, opened, method } = await openWithMethod(dependencies, request);
    const { payment, refusal } = opened;
    if (refusal !== null || method === null) return { payment, tries: 0, ...NOTHING, refusal };
    requireFittingMethod(request.attempt, method);
    if (opened.recorded !== null) return { payment, tries, ...NOTHING, ...opened.recorded };
    if (tries > 1) await requireNotLate(dependencies.payments, request);
    const isSlow = timeCall(dependencies.now ?? timeNow);
    const outcome =
      provider === null
        ? GONE
        : await callProvider(dependencies, request, { provider, opened, method, signal, isSlow });
    const wasSlow = isSlow();
    const answer = leftToWorkflow(request, outcome, () => {
      const isAble = provider?.canAuthenticate?.(returnsOf(dependencies, request, opened)) ?? false;
      return isAble && !isWithoutCustomer(method);
    });
    if (answer.unrecorded !== null) return { payment, tries, ...NOTHING, ...answer.unrecorded };
    const recorded = await retryWhileDatabaseIsUnavailable(() =>
      recordOutcome(dependencies, request, { opened: payment, outcome: answer.outcome, wasSlow }),
    );
    return { ...NOTHING, ...recorded, tries };
  });
}

/** The attempt with its intention recorded, and what its provider is called with: null where the attempt may not begin. */
async function openWithMethod(
  { registry, payments, loadPaymentMethod }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
): Promise<{
  readonly provider: PaymentProvider | null;
  readonly opened: OpenedAttempt;
  readonly method: MethodToCharge | null;
}> {
  const { paymentIntentId, attempt } = request;
  const provider = await findProvider(registry, attempt);
  const asked = { id: attempt.paymentMethodId, paymentIntentId, provider: attempt.provider };
  return retryWhileDatabaseIsUnavailable(async () => {
    const loading = loadPaymentMethod(asked);
    // A saved card that was removed cannot be loaded, and is the reason why the attempt may not begin.
    loading.catch(() => undefined);
    const opened = await openAttempt(payments, request, tryNumber() > 1);
    return { provider, opened, method: opened.refusal === null ? await loading : null };
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

type Answer = AuthorizationOutcome | CredentialsRefused;
type Unrecorded = Partial<AuthorizePaymentResult>;

/**
 * What is not recorded here, because the workflow decides what follows it: another attempt, or an inquiry.
 * @param canAuthenticate whether the customer could be authenticated for this attempt
 */
function leftToWorkflow(
  { attempt, retries }: AuthorizePaymentRequest,
  outcome: Answer,
  canAuthenticate: () => boolean,
):
  | { readonly unrecorded: Unrecorded }
  | { readonly unrecorded: null; readonly outcome: Exclude<AuthorizationOutcome, { kind: 'unrecognised' }> } {
  if (outcome.kind === 'credentials_refused') {
    const end = { outcome: { kind: 'not_charged' }, unknown: { kind: 'credentials_refused' } } as const;
    return { unrecorded: { payment: outcome.payment, unrecordedEnd: end } };
  }
  if (outcome.kind === 'unrecognised') return { unrecorded: { unrecognised: outcome.providerResponse } };
  if (outcome.kind === 'declined' && outcome.code === 'UNSUPPORTED_CURRENCY_PAIR') {
    return { unrecorded: { unrecordedEnd: { outcome, unknown: null } } };
  }
  if (outcome.kind === 'declined' && retries !== undefined) {
    const retry = retryAfterDecline(outcome, retries, canAuthenticate());
    if (retry !== null) return { unrecorded: { unrecordedEnd: { outcome, unknown: null, retry } } };
  }
  if (wantsAbsentCustomer(attempt, outcome)) return { unrecorded: { needsCustomer: true } };
  return { unrecorded: null, outcome };
}
