import { ApplicationFailure } from '@temporalio/activity';
import type { Attempt, CaptureMethod, Environment } from '../domain/payment.ts';
import type { PaymentStore } from '../prisma/payment-store.ts';
import type { MethodReference } from '../prisma/queries/payment-method.ts';
import type { AuthorizationRequest, InquiryRequest, PaymentMethodDetails } from '../providers/payment-provider.ts';
import type { ProviderReports } from './provider-reports.ts';
import { timeNow } from './record-step.ts';

export interface InquiryDependencies {
  readonly payments: PaymentStore;
  readonly reports: ProviderReports;
  /** The decrypted payment method. @throws ApplicationFailure where it is erased or cannot be decrypted */
  readonly loadPaymentMethod: (method: MethodReference) => Promise<PaymentMethodDetails>;
}

/**
 * Only the provider that issued a token may get it, which the route decision sees to.
 * @throws ApplicationFailure where the attempt goes to another provider
 */
export function requireOwnToken(
  { provider, paymentMethodId }: Pick<Attempt, 'provider' | 'paymentMethodId'>,
  method: PaymentMethodDetails,
): void {
  if (method.type !== 'card_token' || method.provider === provider) return;
  throw ApplicationFailure.nonRetryable(
    `${paymentMethodId} is not a token of ${provider}`,
    'TOKEN_OF_ANOTHER_PROVIDER',
  );
}

interface AskedAttempt {
  readonly paymentIntentId: string;
  readonly attemptId: string;
  readonly provider: string;
  readonly environment: Environment;
}

/** What was requested from the provider. */
interface RequestedTerms {
  readonly amountMinor: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
}

/**
 * An inquiry about an attempt, from what is recorded of it.
 * @param unrecorded the terms of an attempt that was never opened, of which nothing is recorded; null where it must have been
 */
export async function inquiryOf(
  { payments, reports, loadPaymentMethod }: InquiryDependencies,
  { paymentIntentId, attemptId, provider, environment }: AskedAttempt,
  unrecorded: RequestedTerms | null,
): Promise<InquiryRequest> {
  const stored = await payments.read({ paymentIntentId });
  const attempt = stored?.record.attempts.find(({ id }) => id === attemptId);
  const terms = attempt === undefined ? unrecorded : { ...attempt, captureMethod: stored?.record.terms.captureMethod };
  if (terms?.captureMethod === undefined) throw new Error(`${attemptId} is not on record`);
  const { amountMinor, currency, captureMethod } = terms;
  const asked = {
    attemptId,
    environment,
    amountMinor,
    currency,
    captureMethod,
    providerPaymentId: attempt?.providerPaymentId ?? null,
    startedAt: attempt?.startedAt ?? timeNow(),
  };
  const loadAuthorization = async (): Promise<AuthorizationRequest> => {
    if (attempt === undefined || stored == null) throw new Error(`${attemptId} was never sent`);
    const method = await loadPaymentMethod({ id: attempt.paymentMethodId, paymentIntentId });
    requireOwnToken(attempt, method);
    // A repeat creates no payment of another id.
    return { ...asked, ...stored.merchantData, paymentIntentId, method, storePaymentId: () => Promise.resolve() };
  };
  return { ...asked, loadAuthorization, loadReported: () => reports.ofAttempt({ attemptId, provider }) };
}
