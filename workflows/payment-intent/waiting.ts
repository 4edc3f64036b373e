import { sleep } from '@temporalio/workflow';
import type { Attempt } from '../../domain/payment.ts';
import {
  isFinal,
  type FinalOutcome,
  type InquiryOutcome,
  type OpenOutcome,
  type RequiresAction,
} from '../../domain/provider-outcome.ts';
import { FIRST_INQUIRY_AFTER_MS } from '../../domain/retry-plan.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries } from './activity-proxies.ts';
import { atProvider, type PaymentContext } from './context.ts';
import type { Step } from './progress.ts';
import { type Standing, withPaymentId } from './standing.ts';

/**
 * Waits while the customer or the provider takes time.
 * @returns the attempt's end, or null when it is called off meanwhile
 */
export async function waitForOutcome(
  context: PaymentContext,
  attempt: Attempt,
  outcome: OpenOutcome,
): Promise<Standing<FinalOutcome> | null> {
  if (outcome.kind === 'pending') {
    const forCustomer = context.recorder.progress.columns.status === 'requires_action';
    await context.recorder.record(forCustomer ? customerActedStep(attempt) : acceptedStep(attempt));
    return waitForProvider(context, attempt);
  }
  await askCustomer(context, attempt, outcome);
  const news = await waitForNews(context, attempt, 'requires_action');
  if (news === null || isFinal(news)) return endOf(attempt, news);
  const accepted = withPaymentId(attempt, news);
  await context.recorder.record(customerActedStep(accepted));
  return waitForProvider(context, accepted);
}

async function waitForProvider(context: PaymentContext, attempt: Attempt): Promise<Standing<FinalOutcome> | null> {
  const news = await waitForNews(context, attempt, 'pending');
  if (news !== null && !isFinal(news)) throw new Error('a wait for the provider ends with its outcome');
  return endOf(attempt, news);
}

function endOf(attempt: Attempt, outcome: FinalOutcome | null): Standing<FinalOutcome> | null {
  return outcome === null ? null : { attempt: withPaymentId(attempt, outcome), outcome, doubt: null };
}

/**
 * Waits for the provider's word, its own event or the answer to a question: for the attempt's end or, while the customer
 * is to act, for the news that he has. Null when the attempt is called off; only waiting for the customer may expire.
 */
async function waitForNews(
  context: PaymentContext,
  attempt: Attempt,
  known: OpenOutcome['kind'],
): Promise<InquiryOutcome | null> {
  const { requests } = context;
  const forCustomer = known === 'requires_action';
  const result = await interruptible(
    async () => {
      await sleep(FIRST_INQUIRY_AFTER_MS, { summary: `Ask ${attempt.provider} if it has reported nothing by then` });
      return persistently(() =>
        inquiries.awaitPayment.executeWithOptions({ summary: `Wait for the outcome at ${attempt.provider}` }, [
          { ...atProvider(context, attempt), known },
        ]),
      );
    },
    () =>
      requests.finalOutcomeOf(attempt.id) !== null ||
      requests.cancellation !== null ||
      (forCustomer && (requests.expired || requests.acceptanceOf(attempt.id) !== null)),
  );
  if (result.kind === 'failed') throw result.error;
  if (result.kind === 'done') return result.value;
  const final = requests.finalOutcomeOf(attempt.id);
  if (final !== null || requests.cancellation !== null) return final;
  return forCustomer ? requests.acceptanceOf(attempt.id) : null;
}

async function askCustomer(
  { recorder, requests }: PaymentContext,
  attempt: Attempt,
  { nextAction }: RequiresAction,
): Promise<void> {
  const askedBefore = recorder.progress.columns.status === 'requires_action';
  await recorder.record({
    to: 'requires_action',
    columns: { nextAction },
    attempts: [attempt],
    timeline: [{ kind: 'attempt', summary: `${attempt.provider} asks the customer to act (${nextAction.type})` }],
    events: askedBefore ? [] : [{ type: 'payment_intent.requires_action' }],
  });
  requests.answerConfirm({ status: 'requires_action', error: null });
}

function acceptedStep(attempt: Attempt): Step {
  return {
    attempts: [attempt],
    timeline: [{ kind: 'attempt', summary: `${attempt.provider} has accepted the payment; its outcome is still open` }],
  };
}

/** From here on nothing expires: the customer's money is on its way. */
function customerActedStep(attempt: Attempt): Step {
  return {
    to: 'processing',
    columns: { nextAction: null },
    attempts: [attempt],
    timeline: [{ kind: 'provider_event', summary: `The customer has acted; ${attempt.provider} works on the payment` }],
    events: [{ type: 'payment_intent.processing' }],
  };
}
