import type { InquiryOutcome } from '../../domain/provider-outcome.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { AuthorizationRequest, InquiryRequest, PaymentProvider } from '../../providers/payment-provider.ts';
import { NO_RETURN } from './customer-returns.ts';
import { insertPaymentAttempt, insertPaymentIntent } from './payment-rows.ts';
import { memoryCustomers } from './customers-at-provider.ts';

/** A deposit that was asked for. */
export interface AskedDeposit {
  readonly paymentIntentId: string;
  readonly request: AuthorizationRequest;
  readonly outcome: InquiryOutcome;
  readonly address: string;
}

export interface DepositAsker {
  readonly database: Database;
  readonly merchantAccountId: string;
  readonly provider: PaymentProvider;
}

const SIGNAL = new AbortController().signal;

/** Makes a payment with an attempt at the provider, and asks there for a deposit of USD 10.00. */
export async function askForDeposit(
  { database, merchantAccountId, provider }: DepositAsker,
  overrides: Partial<AuthorizationRequest> = {},
): Promise<AskedDeposit> {
  const paymentIntentId = await insertPaymentIntent(database, merchantAccountId, { status: 'processing' });
  const startedAt = new Date().toISOString();
  const terms = { amountMinor: 1_000, currency: 'USD' };
  const attempt = { provider: provider.name, startedAt, ...terms };
  const attemptId = await insertPaymentAttempt(database, paymentIntentId, attempt);
  const request = { ...depositRequestOf({ attemptId, paymentIntentId, startedAt, ...terms }), ...overrides };
  const outcome = (await provider.authorize(request, SIGNAL)) as InquiryOutcome;
  const row = await database.depositAddress.findUnique({ where: { attemptId } });
  return { paymentIntentId, request, outcome, address: row?.address ?? '' };
}

type DepositTerms = Pick<
  AuthorizationRequest,
  'attemptId' | 'paymentIntentId' | 'startedAt' | 'amountMinor' | 'currency'
>;

/** A request for a deposit of USDC. */
export function depositRequestOf(terms: DepositTerms): AuthorizationRequest {
  return {
    ...terms,
    environment: 'sandbox',
    providerPaymentId: null,
    captureMethod: 'automatic',
    method: { type: 'crypto', asset: 'USDC', network: 'ethereum' },
    reference: null,
    returnUrl: null,
    engineReturnUrl: null,
    metadata: {},
    storePaymentId: async () => undefined,
    customers: memoryCustomers(),
  };
}

export function inquiryOf(request: AuthorizationRequest): InquiryRequest {
  return {
    ...request,
    nextAction: null,
    loadAuthorization: async () => request,
    loadReported: async () => null,
    customerReturn: NO_RETURN,
  };
}
