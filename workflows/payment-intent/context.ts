import type { AttemptAtProvider } from '../../protocol/payment-activities.ts';
import type { ResolutionContext } from '../../domain/payment-resolution.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { PaymentIntentInput } from '../../protocol/messages.ts';
import { now } from '../shared/clock.ts';
import type { PaymentRecorder } from './recorder.ts';
import type { ProviderReports } from './provider-reports.ts';
import type { PaymentRequests } from './requests.ts';

/** The input, state and pending requests of a payment's workflow, and what providers have reported. */
export interface PaymentContext {
  readonly input: PaymentIntentInput;
  readonly recorder: PaymentRecorder;
  readonly requests: PaymentRequests;
  readonly reports: ProviderReports;
}

/** An attempt as calls to its provider name it. */
export function atProvider({ input, recorder }: PaymentContext, attempt: Attempt): AttemptAtProvider {
  const { id: attemptId, number: attemptNumber, provider, amountMinor, currency } = attempt;
  const { captureMethod } = recorder.payment.terms;
  const { environment } = input;
  const { savedUse = null } = attempt;
  const saved = savedUse === null ? {} : { savedUse };
  return {
    ...recorder.known,
    attemptId,
    attemptNumber,
    provider,
    environment,
    amountMinor,
    currency,
    captureMethod,
    ...saved,
  };
}

/** The context in which an outcome is resolved now. */
export function resolutionContext({ input, recorder, requests }: PaymentContext): ResolutionContext {
  const { paymentIntentId, attemptBudget } = input;
  const { columns, attempts } = recorder.payment;
  const { status } = columns;
  return { paymentIntentId, attemptBudget, attempts, status, cancellation: requests.cancellation, now: now() };
}
