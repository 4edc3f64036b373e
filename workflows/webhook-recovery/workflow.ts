import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { SECOND_MS } from '../../domain/time.ts';
import type { WebhookRecoveryInput } from '../../protocol/messages.ts';
import { detailsText } from '../shared/details.ts';
import { webhooks } from '../webhook-delivery/activity-proxies.ts';

/** Batches of one turn; then other endpoints get theirs. */
const BATCHES_OF_A_TURN = 10;
const BATCH_PAUSE_MS = SECOND_MS;

type RecoveryEnd = 'failing' | 'nothing_due' | 'over' | 'more' | 'emptied' | 'stopped';

/**
 * Probes an endpoint that fails. Once it answers, sends the deliveries that were held, a batch a second. A worker starts it when the
 * next probe is due, and again while deliveries are held.
 */
export async function webhookRecoveryWorkflow(input: WebhookRecoveryInput): Promise<RecoveryEnd> {
  const { webhookEndpointId } = input;
  const show = (state: string): void =>
    setCurrentDetails(detailsText([`**Recovery** of the endpoint \`${webhookEndpointId}\`.`, '', `- ${state}.`]));
  show('The probe is under way');
  const probed = await webhooks.probeEndpoint({ webhookEndpointId });
  if (probed.kind !== 'answers') {
    show(probed.kind === 'failing' ? `The probe failed: ${probed.summary}` : NOT_PROBED[probed.kind]);
    return probed.kind;
  }
  const sent = { delivered: 0, failed: 0 };
  for (let batch = 1; ; batch += 1) {
    show(`The endpoint answers. Sent: ${sent.delivered} delivered, ${sent.failed} failed`);
    const { kind, delivered, failed } = await webhooks.deliverHeld({
      webhookEndpointId,
      isLast: batch === BATCHES_OF_A_TURN,
    });
    sent.delivered += delivered;
    sent.failed += failed;
    show(`Sent: ${sent.delivered} delivered, ${sent.failed} failed. ${AFTER_BATCH[kind]}`);
    if (kind !== 'more' || batch === BATCHES_OF_A_TURN) return kind;
    await sleep(BATCH_PAUSE_MS);
  }
}

const NOT_PROBED = {
  nothing_due: 'No probe was made: no delivery waits, or none is due yet',
  over: 'No probe was made: the endpoint is deleted or disabled',
} as const;

const AFTER_BATCH = {
  more: 'More wait for their turn',
  emptied: 'None waits any more',
  stopped: 'The endpoint fails again, or is deleted or disabled',
} as const;
