import { cancellationSignal } from '@temporalio/activity';
import PQueue from 'p-queue';
import { SECOND_MS } from '../domain/time.ts';
import { webhookRetryPauseMs } from '../domain/webhook.ts';
import { claimHeld, endTurn, postponeProbe, selectProbe } from '../prisma/queries/webhook-recovery.ts';
import { makeAttempt, type WebhookDependencies } from './attempt-webhook.ts';
import { withHeartbeat } from './provider-calls.ts';
import type {
  DeliverHeldRequest,
  HeldBatchResult,
  ProbeResult,
  RecoveryRequest,
  WebhookAttemptResult,
} from '../protocol/webhook-activities.ts';

/** Held deliveries of a batch; the workflow pauses for a second between two batches. */
const HELD_BATCH_SIZE = 100;
const SENT_AT_ONCE = 5;
/** No further delivery of a batch is begun after this time: the activity has a time limit. */
const BATCH_TIME_MS = 10 * SECOND_MS;
/** A probe whose delivery has ended meanwhile takes another one, so often. */
const MOST_CANDIDATES = 20;

/**
 * Sends one of the deliveries that wait for a failing endpoint. It is recorded with the attempt whether the endpoint has recovered,
 * and otherwise when the next probe is made.
 */
export function probeEndpoint(dependencies: WebhookDependencies, request: RecoveryRequest): Promise<ProbeResult> {
  return withHeartbeat(() => probe(dependencies, request));
}

async function probe(dependencies: WebhookDependencies, { webhookEndpointId }: RecoveryRequest): Promise<ProbeResult> {
  const { direct } = dependencies.database;
  for (let candidate = 0; candidate < MOST_CANDIDATES; candidate += 1) {
    const found = await direct.row(selectProbe(webhookEndpointId));
    if (found?.isEnabled !== true) return { kind: 'over' };
    if (!found.isFailing) return { kind: 'answers' };
    const { deliveryId, attemptCount, dueAt } = found;
    if (deliveryId === null || attemptCount === null || (dueAt !== null && dueAt > new Date())) {
      await direct.execute(postponeProbe(webhookEndpointId, dueAt));
      return { kind: 'nothing_due' };
    }
    const result = await send(dependencies, { webhookEndpointId, deliveryId, attemptCount, isProbe: true });
    if (result.kind === 'delivered') return { kind: 'answers' };
    if (result.kind === 'failed') return { kind: 'failing', summary: result.summary };
  }
  return { kind: 'nothing_due' };
}

/** Sends a batch of the deliveries that were held, those of one payment one after the other. Stops where the endpoint fails again. */
export function deliverHeld(dependencies: WebhookDependencies, request: DeliverHeldRequest): Promise<HeldBatchResult> {
  return withHeartbeat(() => deliverBatch(dependencies, request));
}

async function deliverBatch(
  dependencies: WebhookDependencies,
  { webhookEndpointId, isLast }: DeliverHeldRequest,
): Promise<HeldBatchResult> {
  const { direct } = dependencies.database;
  const claimed = await direct.rows(claimHeld({ webhookEndpointId, limit: HELD_BATCH_SIZE }));
  if (claimed.length === 0) return { kind: 'stopped', delivered: 0, failed: 0 };
  const held = claimed.flatMap(({ deliveryId, attemptCount }) =>
    deliveryId === null || attemptCount === null ? [] : [{ webhookEndpointId, deliveryId, attemptCount }],
  );
  const { isStopped, ...counts } = await sendAll(dependencies, held);
  if (isStopped) return { kind: 'stopped', ...counts };
  const isEmptied = held.length === 0;
  if (isEmptied || isLast) await direct.execute(endTurn(webhookEndpointId, isEmptied));
  return { kind: isEmptied ? 'emptied' : 'more', ...counts };
}

async function sendAll(dependencies: WebhookDependencies, held: readonly HeldDelivery[]) {
  const queue = new PQueue({ concurrency: SENT_AT_ONCE });
  const endsAtMs = Date.now() + BATCH_TIME_MS;
  const counts = { delivered: 0, failed: 0, isStopped: false };
  await queue.addAll(
    held.map((delivery) => async () => {
      if (counts.isStopped || cancellationSignal().aborted || Date.now() > endsAtMs) return;
      const result = await sendInSlot(dependencies, delivery);
      if (result?.kind === 'delivered') counts.delivered += 1;
      if (result?.kind === 'failed') counts.failed += 1;
      counts.isStopped ||= result?.kind === 'held' || (result?.kind === 'failed' && result.isHeld);
    }),
  );
  return counts;
}

/** Null where the endpoint has as many requests open as it may: the next batch has the delivery again. */
async function sendInSlot(
  dependencies: WebhookDependencies,
  delivery: HeldDelivery,
): Promise<WebhookAttemptResult | null> {
  const slot = dependencies.slots.acquire(delivery.webhookEndpointId);
  if (slot === null) return null;
  let isGood = false;
  try {
    const result = await send(dependencies, delivery);
    isGood = result.kind !== 'failed';
    return result;
  } finally {
    slot.release(isGood);
  }
}

interface HeldDelivery {
  readonly webhookEndpointId: string;
  readonly deliveryId: string;
  readonly attemptCount: number;
  readonly isProbe?: boolean;
}

function send(
  dependencies: WebhookDependencies,
  { attemptCount, ...delivery }: HeldDelivery,
): Promise<WebhookAttemptResult> {
  const number = attemptCount + 1;
  return makeAttempt(dependencies, { ...delivery, number, retryPauseMs: webhookRetryPauseMs(number, Math.random()) });
}
