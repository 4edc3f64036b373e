import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { backoffMs, withJitter } from '../domain/backoff.ts';
import type { Environment } from '../domain/payment.ts';
import { SECOND_MS } from '../domain/time.ts';
import { WEBHOOK_TIMEOUT_MS, type WebhookReply, describeReply } from '../domain/webhook.ts';
import type { Database } from '../prisma/connection/client.ts';
import {
  cancelDelivery,
  holdDelivery,
  type MadeAttempt,
  recordDelivered,
  recordFailed,
} from '../prisma/queries/webhook-attempt.ts';
import type { Keyring } from '../vault/keyring.ts';
import { postWebhook } from '../webhooks/post-webhook.ts';
import { signedHeaders } from '../webhooks/signed-headers.ts';
import type { TargetPolicy } from '../webhooks/target-policy.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { type AttemptToMake, type DeliveryContent, readDelivery } from './read-delivery.ts';
import type { WebhookAttemptRequest, WebhookAttemptResult } from '../protocol/webhook-activities.ts';
import { withHeartbeat } from './provider-calls.ts';

export interface WebhookDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly targets: Readonly<Record<Environment, TargetPolicy>>;
  /** The proxy that requests go through; null means none. */
  readonly proxy: URL | null;
  readonly slots: EndpointSlots;
  /** Called for each request that was made and recorded. */
  readonly onAttempt?: (environment: Environment, result: 'delivered' | 'failed', durationMs: number) => void;
}

const BUSY_BACKOFF = { shortestMs: SECOND_MS / 2, longestMs: 30 * SECOND_MS };
const BUSY_JITTER = 0.5;

/**
 * Makes one attempt. While all slots of the endpoint are in use, the activity fails and is retried later: it must not wait
 * inside a worker slot that another endpoint could use.
 */
export async function attemptWebhook(
  dependencies: WebhookDependencies,
  request: WebhookAttemptRequest,
): Promise<WebhookAttemptResult> {
  const slot = dependencies.slots.acquire(request.webhookEndpointId);
  if (slot === null) throw endpointBusy(activityInfo().attempt);
  let isGood = true;
  try {
    const result = await withHeartbeat(() => makeAttempt(dependencies, request));
    isGood = result.kind !== 'failed';
    return result;
  } finally {
    slot.release(isGood);
  }
}

/** Makes one attempt, if it is to be made, and records its result. */
export async function makeAttempt(
  { database, keyring, targets, proxy, onAttempt = () => undefined }: WebhookDependencies,
  request: AttemptToMake,
): Promise<WebhookAttemptResult> {
  const state = await readDelivery(database, keyring, request);
  if (state.kind === 'done') return state.result;
  if (state.kind === 'canceled') {
    await database.direct.execute(cancelDelivery(request.deliveryId, state.reason));
    return state;
  }
  if (state.kind === 'held') {
    await database.direct.execute(holdDelivery(request.deliveryId));
    return state;
  }
  const startedAt = new Date();
  const reply = await send(state.content, { targets, proxy }, startedAt);
  const durationMs = Date.now() - startedAt.getTime();
  const { webhookEndpointId } = state.content;
  const { isProbe = false } = request;
  const result = await record(database, { ...request, isProbe, webhookEndpointId, reply, startedAt, durationMs });
  onAttempt(state.content.environment, result.kind, durationMs);
  return result;
}

function send(
  { eventId, environment, url, body, secrets }: DeliveryContent,
  { targets, proxy }: Pick<WebhookDependencies, 'targets' | 'proxy'>,
  at: Date,
): Promise<WebhookReply> {
  return postWebhook({
    url: new URL(url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'payment-engine-webhooks/1',
      'accept-encoding': 'identity',
      ...signedHeaders({ id: eventId, body }, secrets, at),
    },
    body,
    policy: targets[environment],
    proxy,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    signal: cancellationSignal(),
  });
}

async function record(
  database: Database,
  made: MadeAttempt,
): Promise<Extract<WebhookAttemptResult, { kind: 'delivered' | 'failed' }>> {
  // A worker that shuts down aborts its own request; that is no failure of the endpoint.
  cancellationSignal().throwIfAborted();
  const summary = describeReply(made.reply);
  if (made.reply.error === null) {
    await database.direct.execute(recordDelivered(made));
    return { kind: 'delivered', summary };
  }
  const delivery = await database.direct.row(recordFailed(made));
  return { kind: 'failed', summary, isFinal: delivery?.status !== 'pending', isHeld: delivery?.isHeld === true };
}

/**
 * Benign, so that Temporal's SDK does not log it: nothing is wrong, and each delivery to a slow endpoint is tried many times.
 * @param tries of the activity, this one included
 */
function endpointBusy(tries: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ENDPOINT_BUSY',
    message: 'the endpoint has as many requests open as it may',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: withJitter(backoffMs(tries, BUSY_BACKOFF), BUSY_JITTER, Math.random()),
  });
}
