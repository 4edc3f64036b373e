import { ApplicationFailure } from '@temporalio/activity';
import { mustAuthenticate } from '../domain/decline-retries.ts';
import type { Attempt, Environment } from '../domain/payment.ts';
import type { PaymentStore, StoredPayment } from '../prisma/stores/payment-store.ts';
import type { CustomersAtProvider } from '../domain/saved-payment-method.ts';
import type { AuthorizationRequest, InquiryRequest, MethodToCharge } from '../providers/payment-provider.ts';
import type { MethodAtProvider } from '../vault/payment-method-vault.ts';
import type { CustomerReturns } from './customer-returns.ts';
import type { ProviderReports } from './provider-reports.ts';

export interface InquiryDependencies {
  readonly payments: PaymentStore;
  readonly reports: ProviderReports;
  readonly returns: CustomerReturns;
  /** The decrypted payment method. @throws ApplicationFailure where it is erased or cannot be decrypted */
  readonly customersAt: (provider: string) => CustomersAtProvider;
  readonly loadPaymentMethod: (method: MethodAtProvider) => Promise<MethodToCharge>;
}

/**
 * Only the provider that issued a token may get it; the route decision ensures that. Whether the customer is there is stored with the
 * payment method, and the workflow has it from a message.
 * @throws ApplicationFailure where the attempt goes to another provider, or says otherwise whether the customer is there
 */
export function requireFittingMethod(
  { provider, paymentMethodId, savedUse = null }: Pick<Attempt, 'provider' | 'paymentMethodId' | 'savedUse'>,
  method: MethodToCharge,
): void {
  const storedUse = 'saved' in method ? (method.saved?.use ?? null) : null;
  if (storedUse !== savedUse) {
    const message = `${paymentMethodId} is stored for the use ${String(storedUse)}, not ${String(savedUse)}`;
    throw ApplicationFailure.nonRetryable(message, 'SAVED_USE_DIFFERS');
  }
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

/** An inquiry about an attempt, made from its record. @throws Error if there is none */
export async function inquiryOf(dependencies: InquiryDependencies, asked: AskedAttempt): Promise<InquiryRequest> {
  const request = await findInquiry(dependencies, asked);
  if (request === null) throw new Error(`${asked.attemptId} is not on record`);
  return request;
}

/**
 * An inquiry about an attempt, made from its record; null if there is none.
 * @param requireAllowed throws if the provider must not be called
 */
export async function findInquiry(
  { payments, reports, returns, loadPaymentMethod, customersAt }: InquiryDependencies,
  { paymentIntentId, attemptId, provider, environment }: AskedAttempt,
  requireAllowed: (stored: StoredPayment | null) => void = () => undefined,
): Promise<InquiryRequest | null> {
  const stored = await payments.read({ paymentIntentId });
  requireAllowed(stored);
  const attempt = stored?.record.attempts.find(({ id }) => id === attemptId);
  if (stored === null || attempt === undefined) return null;
  const { amountMinor, currency, providerPaymentId, startedAt } = attempt;
  const { captureMethod } = stored.record.terms;
  const nextAction = attempt.outcome === null ? stored.record.columns.nextAction : null;
  const asked = { attemptId, environment, amountMinor, currency, captureMethod, providerPaymentId, startedAt };
  const loadAuthorization = async (): Promise<AuthorizationRequest> => {
    const method = await loadPaymentMethod({ id: attempt.paymentMethodId, paymentIntentId, provider });
    requireFittingMethod(attempt, method);
    // A repeat creates no payment with another id.
    return {
      ...asked,
      ...stored.merchantData,
      engineReturnUrl: returns.urlOf(attemptId),
      ...(mustAuthenticate(stored.record.attempts, attempt) ? { mustAuthenticate: true } : {}),
      paymentIntentId,
      method,
      storePaymentId: () => Promise.resolve(),
      customers: customersAt(provider),
    };
  };
  return {
    ...asked,
    nextAction,
    loadAuthorization,
    loadReported: () => reports.ofAttempt({ attemptId, provider, captureMethod }),
    customerReturn: returns.ofAttempt(attemptId),
  };
}
