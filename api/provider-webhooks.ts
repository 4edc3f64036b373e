import { z } from 'zod';
import { paymentIntentIdOfAttempt } from '../domain/ids.ts';
import type { ProviderEvent } from '../domain/provider-outcome.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/client.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { WebhookVerificationError } from '../providers/provider-errors.ts';
import { type PaymentWorkflows, TemporalUnavailableError } from '../temporal/payment-workflows.ts';
import { answerWith } from './answer.ts';
import { ApiError } from './errors.ts';
import { type ApiHandler, type ApiRequest, rawBodyOf } from './request-context.ts';
import { send } from './send.ts';

/** Within this time of an attempt's beginning its reply is likely to come by itself. */
const REPLY_EXPECTED_MS = 2 * SECOND_MS;

export interface ProviderEventDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly logger: { warn(fields: object, message: string): void };
}

export interface ProviderWebhookDependencies extends ProviderEventDependencies {
  readonly findProvider: (name: string) => PaymentProvider | undefined;
}

/**
 * POST /providers/{provider}/webhooks: verified by the provider's signature over the raw bytes, kept, then acknowledged.
 * What cannot be handed to the payment's workflow now is handed over later by the sweeper.
 */
export function createProviderWebhookHandler(dependencies: ProviderWebhookDependencies): ApiHandler {
  return async (request, response) => {
    const provider = dependencies.findProvider(providerNameOf(request));
    if (provider === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
    const event = verify(provider, rawBodyOf(response), request.headers);
    // Only failed verifications count against an address: a busy provider must never be turned away.
    response.locals.counted = true;
    if (event !== null && 'attemptId' in event) await takeInProviderEvent(dependencies, event);
    send(response, answerWith(200, { received: true }));
  };
}

function providerNameOf({ params }: ApiRequest): string {
  const { provider } = params;
  return typeof provider === 'string' ? provider : '';
}

function verify(
  provider: PaymentProvider,
  rawBody: Buffer,
  headers: ApiRequest['headers'],
): ReturnType<PaymentProvider['parseWebhook']> {
  try {
    return provider.parseWebhook(rawBody, headers);
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new ApiError('INVALID_SIGNATURE', { cause: error });
    throw error;
  }
}

/** Keeps a verified event, once, and hands it to its payment's workflow if that waits for it and can be reached. */
export async function takeInProviderEvent(
  { database, workflows, logger }: ProviderEventDependencies,
  event: ProviderEvent,
): Promise<void> {
  const { provider, eventId } = event;
  const paymentIntentId = paymentIntentIdOfAttempt(event.attemptId);
  if (paymentIntentId === undefined) {
    logger.warn({ provider, eventId }, 'a provider event refers to no attempt of ours');
    return;
  }
  const { count } = await database.providerEvent.createMany({
    data: { provider, eventId, paymentIntentId, event: toJson(event) },
    skipDuplicates: true,
  });
  if (count === 0 || (await isLeftToSweeper(database, event))) return;
  try {
    if ((await workflows.deliverProviderEvent(paymentIntentId, event)) === 'not_started') return;
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
    logger.warn({ provider, eventId, paymentIntentId }, 'a provider event is kept until Temporal is back');
    return;
  }
  await database.providerEvent.update({
    where: { provider_eventId: { provider, eventId } },
    data: { deliveredAt: new Date() },
  });
}

/**
 * Most providers report an outcome while their reply is still on its way, and the reply is what the workflow waits for:
 * telling it twice would cost each payment a workflow task. The sweeper looks again when the reply should be recorded.
 */
async function isLeftToSweeper(database: Database, { attemptId }: ProviderEvent): Promise<boolean> {
  const attempt = await database.paymentAttempt.findUnique({
    where: { id: attemptId },
    select: { outcome: true, startedAt: true, paymentIntent: { select: { status: true } } },
  });
  if (attempt === null || attempt.outcome !== null) return true;
  return attempt.paymentIntent.status === 'processing' && Date.now() - attempt.startedAt.getTime() < REPLY_EXPECTED_MS;
}

const jsonObject = z.record(z.string(), z.json());

/** An event is plain JSON already; this drops what is undefined, which the database would not take. */
function toJson(event: ProviderEvent): z.output<typeof jsonObject> {
  return jsonObject.parse(JSON.parse(JSON.stringify(event)));
}
