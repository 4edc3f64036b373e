import { setTimeout as wait } from 'node:timers/promises';
import type { Approved, InquiryOutcome, ProviderEvent } from '../../domain/provider-outcome.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** The requested amount in tests of workflows. */
export const AMOUNT_MINOR = 1_999;
export const MANUAL = { amountMinor: AMOUNT_MINOR, currency: 'EUR', country: 'DE', captureMethod: 'manual' } as const;

/** Outcomes that scripted providers return and report. */
export const approved = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: true,
  amountMinor: AMOUNT_MINOR,
  currency: 'EUR',
} as const;
export const authorized = { ...approved, captured: false } as const;
export const declined = { kind: 'declined', providerPaymentId: 'sim_1', code: 'CARD_DECLINED' } as const;
export const fraud = { kind: 'failed', providerPaymentId: 'sim_1', code: 'FRAUD_DETECTED' } as const;
export const pending = { kind: 'pending', providerPaymentId: 'sim_1' } as const;
export const redirect = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: { type: 'redirect', url: 'http://127.0.0.1/3ds/sim_1' },
} as const;
export const approveInApp = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: { type: 'approve_in_app', app: 'upi' },
} as const;
export const unrecognised = {
  kind: 'unrecognised',
  providerResponse: { status: 422, body: { fault: 'E-1' } },
} as const;
export const notCharged = { kind: 'not_charged' } as const;
export const voided = {
  kind: 'not_charged',
  voided: { providerPaymentId: 'sim_1', amountMinor: AMOUNT_MINOR, currency: 'EUR' },
} as const;
export const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
export const credentialsRefused = { kind: 'credentials_refused' } as const;
export const timeout = { kind: 'outage', code: 'TSP_TIMEOUT' } as const;
export const hang = { kind: 'hang' } as const;
export const broken = { kind: 'broken' } as const;

/** A provider's answer to a capture of that amount. */
export function taken(capturedMinor: number) {
  return { kind: 'captured', providerPaymentId: 'sim_1', capturedMinor, currency: 'EUR' } as const;
}

/** A provider's report of a payment with this captured amount. */
export function capturedOf(capturedMinor: number): Approved {
  return { ...approved, capturedMinor };
}

/** An event of alpha about an attempt. */
export function eventFor(
  { input }: { readonly input: { readonly paymentIntentId: string } },
  outcome: InquiryOutcome,
  attemptNumber = 1,
): ProviderEvent {
  const attemptId = attemptIdOf(input.paymentIntentId, attemptNumber);
  return { provider: 'alpha', eventId: newId('request'), attemptId, outcome };
}

const LOOK_EVERY_MS = 10;
const WITHIN_MS = 2 * MINUTE_MS;

/** Waits in real time until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not come about in time');
    await wait(LOOK_EVERY_MS);
  }
}
