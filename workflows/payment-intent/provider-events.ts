import { log } from '@temporalio/workflow';
import type { HoldEnd } from '../../domain/hold-resolution.ts';
import {
  agreesWithRequest,
  type FinalOutcome,
  type InquiryOutcome,
  type ProviderEvent,
} from '../../domain/provider-outcome.ts';
import type { Attempt } from '../../domain/payment.ts';
import { createEventHandler } from '../shared/event-reader.ts';
import { readUntilAnswered } from '../shared/read-until-answered.ts';
import { reads, records } from './activity-proxies.ts';
import type { PaymentContext } from './context.ts';

/** The handler of signals about the provider's webhooks. */
export function providerEventHandler(context: PaymentContext): (message: unknown) => Promise<void> {
  const { paymentIntentId } = context.input;
  return createEventHandler<ProviderEvent>({
    read: ({ provider, eventId }) => {
      const summary = `Read an event of ${provider}`;
      const request = { provider, eventId, paymentIntentId };
      return readUntilAnswered(() =>
        context.recorder.localActivities.run(() => reads.readProviderEvent.executeWithOptions({ summary }, [request])),
      );
    },
    handle: (event) => noteProviderEvent(context, event),
  });
}

/**
 * Stores an event from a provider's webhook, or its answer. A charge for an attempt that has ended without one is recorded as a stray charge.
 * A report of another amount than was requested is dropped; an inquiry follows instead.
 */
export async function noteProviderEvent(context: PaymentContext, event: ProviderEvent): Promise<void> {
  const { reports, recorder, input } = context;
  const { attemptId, outcome } = event;
  const attempt = recorder.payment.attempts.find(({ id }) => id === attemptId);
  if (attempt !== undefined && (attempt.provider !== event.provider || !hasRequestedAmount(context, attempt, outcome)))
    return;
  reports.keep(event);
  const isStray = outcome.kind === 'approved' && attempt !== undefined && hasEndedUncharged(attempt);
  if (!isStray) return;
  const summary = `Have the charge of attempt ${attempt.number} reversed`;
  await records.noteStrayCharge.executeWithOptions({ summary }, [
    { attemptId, paymentIntentId: input.paymentIntentId },
  ]);
}

/** The final outcome that the provider's webhook reported; null where there is none, or its amount is wrong. */
export function reportedOutcome(context: PaymentContext, attempt: Attempt): FinalOutcome | null {
  return unlessAmountDiffers(context, attempt, context.reports.finalOutcomeOf(attempt));
}

/** The end of a hold that the provider's webhook reported; null where there is none, or its amount is wrong. */
export function reportedHoldEnd(context: PaymentContext, attempt: Attempt): HoldEnd | null {
  return unlessAmountDiffers(context, attempt, context.reports.holdEndOf(attempt));
}

/** A report may have come before the run knew the attempt, and with it the requested amount. */
function unlessAmountDiffers<Outcome extends FinalOutcome>(
  context: PaymentContext,
  attempt: Attempt,
  outcome: Outcome | null,
): Outcome | null {
  if (outcome === null || context.reports.isResolvedByHand(attempt)) return outcome;
  if (hasRequestedAmount(context, attempt, outcome)) return outcome;
  context.reports.forgetFinalOutcome(attempt);
  return null;
}

function hasRequestedAmount({ recorder }: PaymentContext, attempt: Attempt, outcome: InquiryOutcome): boolean {
  if (outcome.kind !== 'approved') return true;
  const { amountMinor, currency } = attempt;
  const { captureMethod } = recorder.payment.terms;
  if (agreesWithRequest(outcome, { amountMinor, currency, captureMethod })) return true;
  log.error('a provider reports another amount than was requested', { attemptId: attempt.id, alert: 'AMOUNT_DIFFERS' });
  return false;
}

function hasEndedUncharged({ outcome }: Attempt): boolean {
  return outcome !== null && outcome !== 'approved';
}
