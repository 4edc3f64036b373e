import { setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { WebhookAttemptResult } from '../../protocol/webhook-activities.ts';
import { webhookRetryPauseMs, type WebhookDeliveryStatus } from '../../domain/webhook.ts';
import { attemptNowSignal, type WebhookDeliveryInput } from '../../protocol/messages.ts';
import { webhookStatusSearchAttribute } from '../../protocol/search-attributes.ts';
import { now } from '../shared/clock.ts';
import { interruptible } from '../shared/interruptible.ts';
import { webhooks } from './activity-proxies.ts';
import { describeDelivery } from './details.ts';

type EndedStatus = Exclude<WebhookDeliveryStatus, 'pending'> | 'held';

/**
 * Delivers one event to one endpoint: makes attempts with growing pauses until one succeeds or none is left. It ends as held when
 * the endpoint counts as failing; the recovery workflow of the endpoint then sends the event. After a takeover it makes the next
 * attempt at once.
 */
export async function webhookDeliveryWorkflow(input: WebhookDeliveryInput): Promise<EndedStatus> {
  const { attemptsMade = 0 } = input;
  const attempts = attemptsMade === 0 ? [] : [`Attempts before: ${attemptsMade}, of a workflow that was ended.`];
  let isRequested = false;
  setHandler(attemptNowSignal, () => {
    isRequested = true;
  });
  const showState = (state: string): void => setCurrentDetails(describeDelivery(input, state, attempts));

  for (let number = attemptsMade + 1; ; number += 1) {
    const retryPauseMs = webhookRetryPauseMs(number, Math.random());
    isRequested = false;
    showState(`Attempt ${number} is under way`);
    const result = await attempt(input, number, retryPauseMs);
    attempts.push(`Attempt ${number}, ended ${now()}: ${describeResult(result)}.`);
    if (result.kind !== 'failed') return end(result.kind, showState);
    if (result.isHeld) return end('held', showState);
    if (result.isFinal || retryPauseMs === null) return end('failed', showState);
    showState(`Waits for attempt ${number + 1}, ${Math.round(retryPauseMs / 1_000)} s after the last one`);
    const summary = `Attempt ${number + 1}, after ${result.summary}`;
    await interruptible(
      () => sleep(retryPauseMs, { summary }),
      () => isRequested,
    );
  }
}

function attempt(
  { deliveryId, webhookEndpointId }: WebhookDeliveryInput,
  number: number,
  retryPauseMs: number | null,
): Promise<WebhookAttemptResult> {
  return webhooks.attemptWebhook.executeWithOptions({ summary: `Attempt ${number}` }, [
    { deliveryId, webhookEndpointId, number, retryPauseMs },
  ]);
}

function end(status: EndedStatus, showState: (state: string) => void): EndedStatus {
  showState(status === 'held' ? HELD : `Ended: ${status}`);
  upsertSearchAttributes(webhookStatusSearchAttribute(status));
  return status;
}

const HELD = 'Held: the endpoint fails, and the event is sent when it answers';

function describeResult(result: WebhookAttemptResult): string {
  if (result.kind === 'held') return 'not made, because the endpoint fails';
  return result.kind === 'canceled'
    ? `not made, ${result.reason.replaceAll('_', ' ')}`
    : `${result.kind}, ${result.summary}`;
}
