import { attemptIdOfStrayCharge, paymentIntentIdOfAttempt } from '../domain/ids.ts';
import { kindOfProviderAccount } from '../domain/provider-account.ts';
import {
  type CaptureRefusalEvent,
  type EventByProviderPaymentId,
  type IdentifiedEvent,
  isVoided,
  type ProviderEvent,
  questionAbout,
  type ReceivedWebhook,
  type RefundProviderEvent,
  type VerifiedEvent,
} from '../domain/provider-outcome.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import { insertProviderEvent, markReceived } from '../prisma/queries/provider-event.ts';
import { askAboutCredentials } from '../prisma/queries/saved-payment-method.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { WebhookVerificationError } from '../providers/provider-errors.ts';
import { type SignalResult, TemporalUnavailableError } from '../workflow-client/temporal-errors.ts';
import type { PaymentWorkflows } from '../workflow-client/payment-workflows.ts';
import type { RefundWorkflows } from '../workflow-client/refund-workflows.ts';
import { jsonResponse, sendResponse } from '../http/response.ts';
import { ApiError } from '../domain/api-error.ts';
import { rateLimitExceeded } from '../http/rate-limits/rate-limit.ts';
import { createLocalLimiter } from '../http/rate-limits/rate-limiters.ts';
import { type ApiHandler, type ApiRequest, rawBodyOf } from '../http/request-context.ts';

/** Webhooks of a merchant's own account at a provider in a minute, in each process: more than the busiest account sends. */
const WEBHOOKS_OF_ACCOUNT_PER_MINUTE = 10_000;
/** How long after the start of a provider call its reply is likely to arrive, without help of the webhook. */
const REPLY_EXPECTED_MS = 2 * SECOND_MS;

const NO_PROVIDER =
  'Expected the name of a provider, or the id of an account at a provider, in the path /api/v1/providers/{provider}/webhooks; ' +
  'got one that does not exist, or was deleted. Enter webhookPath of the account at the provider, as it is.';
/** The same for every cause, which is in the log: whoever forges webhooks learns nothing from it. */
const NOT_AUTHENTIC =
  "Expected an event of this provider, signed in the provider's own way with the secret of its webhook, over the bytes of the body, " +
  'and a signature of the last minutes where it has a time; got another request. Compare the secret at the provider with that of ' +
  'the account (POST /api/v1/provider-accounts/{id}/rotate enters another), see that the clock is right, and let no proxy change ' +
  'the body or its headers. The signature of API requests is not used here.';

export interface ProviderEventDependencies {
  readonly database: Database;
  readonly workflows: Pick<PaymentWorkflows, 'deliverProviderEvent'>;
  readonly refundWorkflows: Pick<RefundWorkflows, 'deliverRefundEvent'>;
  readonly logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

export interface ProviderWebhookDependencies extends ProviderEventDependencies {
  readonly findProvider: (name: string) => Promise<PaymentProvider | undefined>;
  /** Of a merchant's own account at a provider, in each process; default: more than the busiest one sends. */
  readonly webhooksOfAccountPerMinute?: number;
}

/**
 * POST /providers/{provider}/webhooks: verified by the provider's signature over the raw bytes, stored, then acknowledged.
 * The sweeper delivers later what cannot be delivered to the payment's workflow now. It alone marks reports of a charge and
 * refusals of a refund as delivered.
 */
export function createProviderWebhookHandler(dependencies: ProviderWebhookDependencies): ApiHandler {
  const { webhooksOfAccountPerMinute = WEBHOOKS_OF_ACCOUNT_PER_MINUTE } = dependencies;
  const countAccount = createLocalLimiter(webhooksOfAccountPerMinute);
  return async (request, response) => {
    const provider = await dependencies.findProvider(providerNameOf(request));
    if (provider === undefined) throw new ApiError('RESOURCE_NOT_FOUND', { message: NO_PROVIDER });
    const received = verify(provider, rawBodyOf(response), request.headers);
    // Only failed verifications count against an address: a busy provider must never be rate limited.
    response.locals.counted = true;
    if (kindOfProviderAccount(provider.name) !== undefined) {
      // The account's merchant knows the secret with which its webhooks are signed.
      const status = countAccount(provider.name);
      if (status.exceeded) throw rateLimitExceeded(status);
    }
    for (const event of received.events) await receiveProviderEvent(dependencies, event);
    logSkipped(dependencies, provider.name, received);
    if (received.refusal !== undefined) throw refusalOf(new WebhookVerificationError(received.refusal));
    sendResponse(response, jsonResponse(200, { received: true }));
  };
}

function providerNameOf({ params }: ApiRequest): string {
  const { provider } = params;
  return typeof provider === 'string' ? provider : '';
}

/** NUL and half a surrogate pair, which PostgreSQL cannot store, as JSON writes them. JSON writes a backslash as two. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function verify(provider: PaymentProvider, rawBody: Buffer, headers: ApiRequest['headers']): ReceivedWebhook {
  try {
    const { events, skipped, ...rest } = provider.parseWebhook(rawBody, headers);
    const storable = events.filter((event) => !UNSTORABLE.test(JSON.stringify(event)));
    const unstorable = events.length === storable.length ? [] : [NOT_STORABLE];
    return { events: storable, skipped: [...skipped, ...unstorable], ...rest };
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw refusalOf(error);
    throw error;
  }
}

const NOT_STORABLE = { eventType: 'unknown', reason: 'the event has no storable text' } as const;

/** The log has the cause. */
function refusalOf(cause: WebhookVerificationError): ApiError {
  return new ApiError('INVALID_SIGNATURE', { message: NOT_AUTHENTIC, cause });
}

/** What was acknowledged and leads to nothing, or only to a question. A batch may have many of one kind. */
function logSkipped({ logger }: ProviderWebhookDependencies, provider: string, { skipped }: ReceivedWebhook): void {
  for (const { eventType, reason } of skipped) {
    logger.info(
      { provider, eventType: eventType.slice(0, MAXIMUM_LOGGED_TYPE), reason },
      'a provider event was skipped',
    );
  }
}

const MAXIMUM_LOGGED_TYPE = 100;

/** Whether an event is new, and what is recorded of the attempt that it is about. */
type StoredReport = RowOf<ReturnType<typeof insertProviderEvent>>;

/** The payment or refund that an event is about, and how the event reaches its workflow. */
interface EventTarget {
  readonly paymentIntentId: string;
  readonly refundId: string | null;
  readonly isLeftToSweeper: (stored: StoredReport) => boolean;
  readonly deliver: () => Promise<SignalResult>;
  /** Whether only the sweeper may mark the event as delivered, because the opposite may be recorded at this moment. */
  readonly isMarkedBySweeper?: boolean;
}

/** Stores a verified event, once, and delivers it to the workflow that waits for it, if that can be reached. */
export async function receiveProviderEvent(
  dependencies: ProviderEventDependencies,
  received: VerifiedEvent,
): Promise<void> {
  const { database, logger } = dependencies;
  if ('credentials' in received) {
    // Nothing waits for it, and a repeat only asks once more.
    await database.direct.execute(askAboutCredentials({ provider: received.provider, of: received.credentials }));
    return;
  }
  const event = 'providerPaymentId' in received ? await identifyAttempt(database, received) : received;
  if (event === null) {
    const { provider, eventId } = received;
    return logger.info(
      { provider, eventId, reason: 'about a payment of another system' },
      'a provider event was skipped',
    );
  }
  const { provider, eventId } = event;
  const target = await targetOf(dependencies, event);
  if (target === null)
    return logger.warn({ provider, eventId }, 'a provider event refers to no payment of this engine');
  const { paymentIntentId, refundId } = target;
  const stored = await database.direct.row(insertProviderEvent(event, target));
  if (stored?.isNew !== true || target.isLeftToSweeper(stored)) return;
  try {
    // Where the workflow has ended, the sweeper handles the event: it may report a stray charge.
    if ((await target.deliver()) !== 'delivered' || target.isMarkedBySweeper === true) return;
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
    logger.warn(
      { provider, eventId, paymentIntentId, refundId },
      'a provider event is stored until Temporal is available',
    );
    return;
  }
  await database.direct.execute(markReceived(event));
}

/** Finds the attempt of an event. @returns null if the payment is not one of this engine */
async function identifyAttempt(
  { paymentAttempt }: Database,
  { providerPaymentId, report, ...reference }: EventByProviderPaymentId,
): Promise<IdentifiedEvent | null> {
  const { provider, eventId } = reference;
  const attempt = await paymentAttempt.findFirst({ where: { provider, providerPaymentId }, select: { id: true } });
  if (attempt === null) return null;
  const { id: attemptId } = attempt;
  if ('outcome' in report) return { provider, eventId, attemptId, outcome: report.outcome };
  if ('dispute' in report) return { provider, eventId, dispute: { attemptId, ...report.dispute } };
  if ('fraudWarning' in report) return { provider, eventId, fraudWarning: { attemptId, ...report.fraudWarning } };
  if ('unknownRefund' in report) return { provider, eventId, unknownRefund: { attemptId, ...report.unknownRefund } };
  return questionAbout({ provider, eventId }, { attemptId, providerPaymentId }, report.notUnderstood);
}

function targetOf(dependencies: ProviderEventDependencies, event: IdentifiedEvent): Promise<EventTarget | null> {
  if ('captureFailure' in event) return Promise.resolve(targetForSweeper(event.captureFailure));
  if ('unknownRefund' in event) return Promise.resolve(targetForSweeper(event.unknownRefund));
  if ('dispute' in event) return Promise.resolve(targetForSweeper(event.dispute));
  if ('fraudWarning' in event) return Promise.resolve(targetForSweeper(event.fraudWarning));
  if ('captureRefusal' in event) return Promise.resolve(targetOfCaptureRefusal(event));
  if ('attemptId' in event) return Promise.resolve(targetOfPaymentEvent(dependencies, event));
  return targetOfRefundEvent(dependencies, event);
}

/** The sweeper records the report, because the payment's workflow has ended, is about to end, or does not need the report. */
function targetForSweeper({ attemptId }: { readonly attemptId: string }): EventTarget | null {
  const paymentIntentId = paymentIntentIdOfAttempt(attemptId);
  if (paymentIntentId === undefined) return null;
  return { paymentIntentId, refundId: null, isLeftToSweeper: () => true, deliver: () => Promise.resolve('finished') };
}

/** The activity that repeats the capture reads what is stored. */
function targetOfCaptureRefusal({ captureRefusal: { attemptId } }: CaptureRefusalEvent): EventTarget | null {
  const paymentIntentId = paymentIntentIdOfAttempt(attemptId);
  if (paymentIntentId === undefined) return null;
  return { paymentIntentId, refundId: null, isLeftToSweeper: () => false, deliver: () => Promise.resolve('delivered') };
}

function targetOfPaymentEvent({ workflows }: ProviderEventDependencies, event: ProviderEvent): EventTarget | null {
  const paymentIntentId = paymentIntentIdOfAttempt(event.attemptId);
  if (paymentIntentId === undefined) return null;
  return {
    paymentIntentId,
    refundId: null,
    isLeftToSweeper: isAttemptLeftToSweeper,
    deliver: () => workflows.deliverProviderEvent(paymentIntentId, event),
    // The attempt may be ending right now. If it ends without a charge, an approval is a stray charge; if with one, a void means that
    // the capture failed. A question may come just when the attempt ends.
    isMarkedBySweeper:
      event.outcome.kind === 'approved' || isVoided(event.outcome) || event.notUnderstood !== undefined,
  };
}

/** A refund's row is written before its provider is called: an event about an unknown refund belongs to another system. */
async function targetOfRefundEvent(
  { database, refundWorkflows }: ProviderEventDependencies,
  event: RefundProviderEvent,
): Promise<EventTarget | null> {
  const { refundId, provider } = event;
  const strayAttemptId = attemptIdOfStrayCharge(refundId);
  if (strayAttemptId !== undefined) return targetOfReversal(database, strayAttemptId, event);
  const refund = await database.refund.findUnique({
    where: { id: refundId },
    select: { paymentIntentId: true, provider: true, status: true, createdAt: true },
  });
  if (refund?.provider !== provider) return null;
  const isYoung = Date.now() - refund.createdAt.getTime() < REPLY_EXPECTED_MS;
  return {
    paymentIntentId: refund.paymentIntentId,
    refundId,
    isLeftToSweeper: () => refund.status !== 'pending' || isYoung,
    deliver: () => refundWorkflows.deliverRefundEvent(refundId, event),
    // If the refund is just being recorded as succeeded, this is a failure after the success.
    isMarkedBySweeper: event.refundOutcome.kind === 'refused',
  };
}

/**
 * The workflow of a stray charge's refund gets no events: its inquiries read what is stored. A refusal is left to the sweeper,
 * because the refund may have succeeded before.
 */
async function targetOfReversal(
  database: Database,
  attemptId: string,
  { refundId, provider, refundOutcome }: RefundProviderEvent,
): Promise<EventTarget | null> {
  const stray = await database.strayCharge.findUnique({ where: { attemptId, provider } });
  if (stray === null) return null;
  const { paymentIntentId } = stray;
  return {
    paymentIntentId,
    refundId,
    isLeftToSweeper: () => refundOutcome.kind === 'refused',
    deliver: () => Promise.resolve('delivered'),
  };
}

/**
 * Most providers report an outcome while their reply is still on its way, and the reply is what the workflow waits for:
 * a second signal would cost each payment a workflow task. The sweeper checks again when the reply should be recorded.
 */
function isAttemptLeftToSweeper({ outcome, startedAt, status }: StoredReport): boolean {
  if (startedAt === null || outcome !== null) return true;
  return status === 'processing' && Date.now() - startedAt.getTime() < REPLY_EXPECTED_MS;
}
