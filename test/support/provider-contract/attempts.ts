import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaptureMethod } from '../../../domain/payment.ts';
import {
  type Approved,
  type AuthorizationOutcome,
  type CaptureOutcome,
  type FinalOutcome,
  type InquiryOutcome,
  isFinal,
} from '../../../domain/provider-outcome.ts';
import { SECOND_MS } from '../../../domain/time.ts';
import type { AuthorizationRequest, InquiryRequest, PaymentProvider } from '../../../providers/payment-provider.ts';
import type { MemoryReturn } from '../customer-returns.ts';
import { reportOfAttempt, reportOfRefund } from './reports.ts';
import { AMOUNT_MINOR, cardOf, newSignal, newUnique, requestWith } from './requests.ts';
import type { ContractContext, PaymentScenario } from './subject.ts';

const PAUSE_MS = 10;

/** An attempt as the engine makes it: it keeps the provider's id of the payment and sends it with later requests. */
export interface ContractAttempt extends AuthorizationRequest, InquiryRequest {
  readonly customerReturn: MemoryReturn;
  /** Keeps the id of an outcome, as the engine does when it records one. */
  keep(outcome: AuthorizationOutcome): void;
  /** From now on no id can be stored, since the engine has recorded that the attempt has ended. */
  end(): void;
}

const ENDED = 'the attempt has ended';

export function newAttempt(
  { subject, currency, newMethod, returnUrl }: ContractContext,
  scenario: PaymentScenario = 'approved',
  captureMethod: CaptureMethod = 'automatic',
): ContractAttempt {
  let stored: string | null = null;
  let hasEnded = false;
  const { customerReturn, ...blank } = { ...requestWith(cardOf('4242424242424242'), captureMethod), currency };
  const storePaymentId = (id: string): Promise<void> => {
    if (hasEnded) return Promise.reject(new Error(ENDED));
    stored = id;
    return Promise.resolve();
  };
  const way = returnUrl === undefined ? {} : { returnUrl };
  const prepared = { ...subject().prepare(scenario, { ...blank, storePaymentId }), ...way };
  const asked = scenario === 'approved' && newMethod !== undefined ? { ...prepared, method: newMethod() } : prepared;
  const attempt: ContractAttempt = {
    ...asked,
    nextAction: null,
    get providerPaymentId() {
      return stored;
    },
    loadAuthorization: () => Promise.resolve({ ...attempt, storePaymentId: () => Promise.resolve() }),
    loadReported: () => Promise.resolve(reportOfAttempt(subject(), asked.attemptId)),
    customerReturn,
    keep(outcome) {
      if (outcome.kind === 'requires_action') customerReturn.expect();
      if (outcome.kind !== 'unrecognised' && outcome.providerPaymentId !== null) stored = outcome.providerPaymentId;
    },
    end() {
      hasEnded = true;
    },
  };
  return attempt;
}

/** Sends an attempt, and keeps the id in its outcome. */
export async function authorize(
  { subject }: ContractContext,
  attempt: ContractAttempt,
  provider: PaymentProvider = subject().provider,
): Promise<AuthorizationOutcome> {
  const outcome = await provider.authorize(attempt, newSignal());
  attempt.keep(outcome);
  return outcome;
}

/** Sends an attempt that is to be approved; the customer approves where asked. */
export async function approve(context: ContractContext, attempt: ContractAttempt): Promise<Approved> {
  const outcome = await authorize(context, attempt);
  const end = outcome.kind === 'approved' ? outcome : await inquireUntilFinal(context, attempt);
  assert.ok(end.kind === 'approved', `expected an approval, not ${JSON.stringify(outcome)}, ${JSON.stringify(end)}`);
  attempt.keep(end);
  return end;
}

export type PaidAttempt = ContractAttempt & { readonly providerPaymentId: string };

/** Pays, with an automatic capture. */
export async function pay(context: ContractContext, scenario?: PaymentScenario): Promise<PaidAttempt> {
  const attempt = newAttempt(context, scenario);
  const { captured, providerPaymentId } = await approve(context, attempt);
  assert.ok(captured);
  return { ...attempt, providerPaymentId };
}

/** Authorizes an attempt without a capture. */
export async function hold(context: ContractContext, scenario?: PaymentScenario): Promise<PaidAttempt> {
  const attempt = newAttempt(context, scenario, 'manual');
  const { captured, providerPaymentId } = await approve(context, attempt);
  assert.equal(captured, false);
  return { ...attempt, providerPaymentId };
}

/** Makes inquiries until the outcome is final; the customer approves where asked. */
export async function inquireUntilFinal(context: ContractContext, attempt: ContractAttempt): Promise<FinalOutcome> {
  const { provider, customerActs } = context.subject();
  let hasActed = false;
  return untilFinal(context, async () => {
    const outcome = await provider.inquire(attempt, newSignal());
    if (isFinal(outcome) || hasActed) return outcome;
    hasActed = true;
    const { attemptId, customerReturn } = attempt;
    if (outcome.kind === 'requires_action') customerReturn.expect();
    await customerActs({ attemptId, providerPaymentId: outcome.providerPaymentId, customerReturn }, 'approve');
    return outcome;
  });
}

/** Closes an attempt: at once, or once the provider has reported the end. */
export async function close(context: ContractContext, attempt: InquiryRequest): Promise<FinalOutcome> {
  const { subject, capabilities } = context;
  const ask = (): Promise<InquiryOutcome> => subject().provider.close(attempt, newSignal());
  if (capabilities.closing === 'by_webhook') return untilFinal(context, ask);
  const outcome = await ask();
  assert.ok(isFinal(outcome), `expected a final outcome, not ${JSON.stringify(outcome)}`);
  return outcome;
}

async function untilFinal(context: ContractContext, ask: () => Promise<InquiryOutcome>): Promise<FinalOutcome> {
  let final: FinalOutcome | null = null;
  const isOver = async (): Promise<boolean> => {
    const outcome = await ask();
    final = isFinal(outcome) ? outcome : null;
    return final !== null;
  };
  await waitUntil(context, isOver, 'a final outcome');
  return final ?? assert.fail('a final outcome was found');
}

/** @param what the condition, for the message when its time is up */
export async function waitUntil(
  { longestWaitMs }: ContractContext,
  holds: () => boolean | Promise<boolean>,
  what = 'the condition of a wait',
): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `${what}: not within ${longestWaitMs / SECOND_MS} s`);
    await sleep(PAUSE_MS);
  }
}

/** Captures: at once, or once the provider has reported it. */
export async function capture(
  context: ContractContext,
  attempt: PaidAttempt,
  amountMinor: number,
): Promise<CaptureOutcome> {
  const { subject, capabilities } = context;
  const outcome = await subject().provider.capture({ ...attempt, amountMinor }, newSignal());
  if (capabilities.capturing === 'at_once' || outcome.kind !== 'pending') return outcome;
  const reported = await untilFinal(context, () => {
    const report = reportOfAttempt(subject(), attempt.attemptId);
    const isCaptured = report?.kind === 'approved' && report.captured;
    return Promise.resolve(isCaptured ? report : { kind: 'pending', providerPaymentId: attempt.providerPaymentId });
  });
  assert.ok(reported.kind === 'approved');
  const { providerPaymentId, currency, capturedMinor = reported.amountMinor } = reported;
  return { kind: 'captured', providerPaymentId, capturedMinor, currency };
}

/** A new refund of a payment. */
export function refundOf(
  { subject }: ContractContext,
  { attemptId, providerPaymentId, environment, currency }: PaidAttempt,
  amountMinor: number,
) {
  const refundId = `re_${newUnique()}`;
  const loadReported = () => Promise.resolve(reportOfRefund(subject(), refundId));
  return { refundId, attemptId, providerPaymentId, environment, amountMinor, currency, loadReported };
}

/** The amount and currency of every attempt. */
export function moneyOf({ currency }: ContractContext) {
  return { amountMinor: AMOUNT_MINOR, currency };
}
