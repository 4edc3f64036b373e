import { customerActedStep, withPaymentId } from '../../domain/payment-resolution.ts';
import type { Attempt } from '../../domain/payment.ts';
import {
  isFinal,
  type FinalOutcome,
  type InquiryOutcome,
  type OpenOutcome,
  type RequiresAction,
} from '../../domain/provider-outcome.ts';
import { askUntil, waitThenAskUntil } from '../shared/ask-until.ts';
import { inquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import { watchExpiry } from './expiry.ts';
import { reportedOutcome } from './provider-events.ts';

/**
 * Waits for the customer's action or the provider's outcome.
 * @returns the attempt's outcome, or null when it is to be called off; what the customer has to do only of an attempt without the customer
 */
export async function waitForOutcome(
  context: PaymentContext,
  attempt: Attempt,
): Promise<FinalOutcome | RequiresAction | null> {
  const { recorder } = context;
  if (recorder.payment.columns.status !== 'requires_action') return waitForProvider(context, attempt);
  const expiry = watchExpiry(context);
  const outcome = await waitForNewOutcome(context, attempt, 'requires_action');
  expiry.cancel();
  if (outcome === null || isFinal(outcome)) return outcome;
  const accepted = withPaymentId(attempt, outcome);
  await recorder.record(customerActedStep(accepted));
  return waitForProvider(context, accepted, outcome);
}

/** @param accepted the report that the customer has acted; absent if the workflow did not wait for one */
async function waitForProvider(
  context: PaymentContext,
  attempt: Attempt,
  accepted?: OpenOutcome,
): Promise<FinalOutcome | RequiresAction | null> {
  const isReturned = accepted?.kind === 'pending' && accepted.isReturned === true;
  const outcome = await waitForNewOutcome(context, attempt, 'pending', isReturned);
  if (outcome?.kind === 'pending') throw new Error('a wait for the provider ends with its outcome');
  return outcome;
}

/**
 * Waits for the provider's webhook or for the result of inquiries: for a final outcome or, while the customer has to act, for
 * the report that the customer has acted.
 * @param isReturned whether the customer has come back with the provider's result, which the first inquiry sends
 * @returns null when the attempt is to be called off, by a cancel or, while the customer has to act, by the expiry
 */
async function waitForNewOutcome(
  context: PaymentContext,
  attempt: Attempt,
  known: OpenOutcome['kind'],
  isReturned = false,
): Promise<InquiryOutcome | null> {
  const { requests, recorder, reports } = context;
  const { provider } = attempt;
  const forCustomer = known === 'requires_action';
  const acceptance = (): InquiryOutcome | null => (forCustomer ? reports.acceptanceOf(attempt) : null);
  recorder.view.waitsFor(forCustomer ? null : `${provider} to report the outcome of attempt ${attempt.number}`);
  const summary = `Wait for the outcome at ${provider}`;
  const ask = () =>
    inquiries.awaitPayment.executeWithOptions({ summary }, [{ ...atProvider(context, attempt), known }]);
  const isOver = () =>
    requests.cancellation !== null ||
    reportedOutcome(context, attempt) !== null ||
    (forCustomer && (requests.expired || acceptance() !== null));
  const work = await (isReturned ? askUntil(ask, isOver) : waitThenAskUntil(provider, ask, isOver));
  if (work.kind === 'interrupted') return reportedOutcome(context, attempt) ?? unlessCanceled(context, acceptance());
  recorder.adopt(work.value.payment);
  return work.value.outcome;
}

function unlessCanceled({ requests }: PaymentContext, outcome: InquiryOutcome | null): InquiryOutcome | null {
  return requests.cancellation === null ? outcome : null;
}
