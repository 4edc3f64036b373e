import { randomUUID } from 'node:crypto';
import type { CaptureMethod } from '../../../domain/payment.ts';
import type {
  AuthorizationRequest,
  InquiryRequest,
  MethodToCharge,
  PaymentMethodDetails,
} from '../../../providers/payment-provider.ts';
import { memoryCustomers } from '../customers-at-provider.ts';
import { MemoryReturn } from '../customer-returns.ts';

export const AMOUNT_MINOR = 12_34;

/** A new attempt, of 12.34 USD. */
export function requestWith(
  method: MethodToCharge,
  captureMethod: CaptureMethod = 'automatic',
): AuthorizationRequest & InquiryRequest & { readonly customerReturn: MemoryReturn } {
  const unique = newUnique();
  const request: AuthorizationRequest = {
    attemptId: `att_${unique}_1`,
    paymentIntentId: `pi_${unique}`,
    environment: 'sandbox',
    amountMinor: AMOUNT_MINOR,
    currency: 'USD',
    captureMethod,
    method,
    returnUrl: null,
    engineReturnUrl: `https://pay.example/returns/att_${unique}_1/token`,
    reference: 'ORDER-1042',
    metadata: {},
    providerPaymentId: null,
    startedAt: new Date().toISOString(),
    storePaymentId: () => Promise.resolve(),
    customers: memoryCustomers(),
  };
  return {
    ...request,
    nextAction: null,
    loadAuthorization: () => Promise.resolve(request),
    loadReported: () => Promise.resolve(null),
    customerReturn: new MemoryReturn(),
  };
}

export function newUnique(): string {
  return randomUUID().replaceAll('-', '');
}

export function cardOf(number: string): PaymentMethodDetails {
  return { type: 'card', number, expiryMonth: 12, expiryYear: 2039, cvc: '123', holderName: null };
}

export function newSignal(): AbortSignal {
  return new AbortController().signal;
}
