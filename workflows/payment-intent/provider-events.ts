import { isTerminal } from '../../domain/payment-state.ts';
import type { ProviderEvent } from '../../domain/provider-outcome.ts';
import type { PaymentContext } from './context.ts';

/**
 * A provider is believed about its own attempts only. A charge reported for an attempt that was closed as uncharged
 * contradicts the provider's own word: people must see it.
 */
export async function noteProviderEvent({ requests, recorder }: PaymentContext, event: ProviderEvent): Promise<void> {
  const attempt = recorder.progress.attempts.find(({ id }) => id === event.attemptId);
  if (attempt === undefined || attempt.provider !== event.provider) return;
  requests.keepProviderEvent(event);
  const contradicts = event.outcome.kind === 'approved' && attempt.outcome !== null && attempt.outcome !== 'approved';
  if (!contradicts || isTerminal(recorder.progress.columns.status)) return;
  await recorder.record({
    timeline: [
      {
        kind: 'provider_event',
        summary: `${event.provider} reports a charge for attempt ${attempt.number}, which it had closed as uncharged`,
        details: { eventId: event.eventId },
      },
    ],
  });
}
