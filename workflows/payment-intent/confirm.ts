import { isCancellation } from '@temporalio/workflow';
import type { OpeningRefusal } from '../../domain/attempt-opening.ts';
import { type AllowedRetries, type ReachedLimit, reachedLimitOf } from '../../domain/decline-retries.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { AttemptEnd } from '../../domain/payment-resolution.ts';
import { NOT_USABLE, type RoutePlan } from '../../domain/plan-routes.ts';
import type { Attempt, PaymentError } from '../../domain/payment.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { SavedMethodUse } from '../../domain/saved-payment-method.ts';
import type { RouteChoice } from '../../domain/routing.ts';
import { SECOND_MS } from '../../domain/time.ts';
import type { ConfirmRequest } from '../../protocol/messages.ts';
import { refusalSearchAttributes } from '../../protocol/search-attributes.ts';
import { isFinalFailure } from '../shared/activity-failure.ts';
import { now } from '../shared/clock.ts';
import { reads } from './activity-proxies.ts';
import { recordEnd, runAttempt } from './attempt.ts';
import type { PaymentContext } from './context.ts';
import { expire } from './expiry.ts';
import { type AttemptReason, failoverReason, mayFailOver } from './failover.ts';
import type { PendingRequest } from './requests.ts';

/**
 * Executes the pending confirm: plans the routes and makes an attempt on the best one. Where that charges nothing and the confirm
 * may fail over (`failover.ts`), it plans again, and makes an attempt on the best route that it has not tried. Where the card's issuer
 * demands authentication, it makes one attempt at the same provider, with 3-D Secure.
 * @param earlier the end of an earlier attempt for the same confirm that charged nothing and is not recorded yet
 */
export async function executeConfirm(
  context: PaymentContext,
  confirm: PendingRequest<ConfirmRequest>,
  earlier: AttemptEnd | null = null,
): Promise<void> {
  if (earlier === null) context.recorder.view.noteCard(confirm.request);
  const made = attemptsOf(context, confirm);
  const tried = new Set(made.map(({ routeId }) => routeId));
  /** Providers that have declined the payment in this confirm: none is asked again. */
  const declined = new Set(made.filter(({ outcome }) => outcome === 'declined').map(({ provider }) => provider));
  let isAuthenticationDemanded = made.some(({ advice }) => advice === 'authenticate');
  // An attempt that was never opened has recorded no end before it, so the next one has to.
  let unrecorded: readonly AttemptEnd[] = earlier === null ? [] : [earlier];
  for (;;) {
    const plan = await planRoutes(context, confirm, { isFirst: unrecorded.length === 0 });
    const open = plan.routes.filter(({ routeId, provider }) => !tried.has(routeId) && !declined.has(provider));
    const previous = unrecorded.at(-1) ?? null;
    const choice = previous?.retry === 'authenticated' ? routeTo(previous.attempt, plan) : open[0];
    if (choice === undefined) return endWithoutAttempt(context, confirm, { plan, unrecorded });
    const attempt = newAttempt(context, { confirm, choice, previous });
    const reason = failoverReason(unrecorded, decisionOf(plan)) ?? firstReason(plan);
    const end = await runAttempt(context, {
      attempt,
      intention: intentionOf(context, { attempt, confirm, reason }),
      isFirst: unrecorded.length === 0,
      request: confirm.request,
      retries: retriesAfter(choice, { plan, open, declined, isAuthenticationDemanded }),
    });
    if (end === null) return;
    if ('refusal' in end) {
      if (end.refusal === 'not_routable') continue;
      return endInTime(context, confirm, { refusal: end.refusal, unrecorded });
    }
    tried.add(choice.routeId);
    const limit = limitAgainstRetry(end, plan, unrecorded);
    unrecorded = unrecorded.filter((before) => !isRecorded(context, before));
    if (limit !== null || !mayFailOver(context, end)) return recordEnd(context, end, { unrecorded, limit });
    if (end.retry !== undefined) declined.add(choice.provider);
    if (end.retry === 'authenticated') isAuthenticationDemanded = true;
    unrecorded = [...unrecorded, end];
  }
}

/** The best route to the provider of an attempt; undefined where there is none any more. */
function routeTo({ provider }: Attempt, { routes }: RoutePlan): RouteChoice | undefined {
  return routes.find((route) => route.provider === provider);
}

interface ConfirmProgress {
  readonly plan: RoutePlan;
  /** The routes that the confirm has not tried, to providers that have not declined. */
  readonly open: RoutePlan['routes'];
  /** The providers that have declined the payment in the confirm. */
  readonly declined: ReadonlySet<string>;
  /** Whether an attempt of the confirm was declined for want of authentication: it is asked for once. */
  readonly isAuthenticationDemanded: boolean;
}

/**
 * The retries after a decline of the next attempt; undefined where none may follow: then the decline ends the confirm at once. Another
 * provider is asked only where there is one, and the account has a retry left.
 */
function retriesAfter(
  choice: RouteChoice,
  { plan: { retries }, open, declined, isAuthenticationDemanded }: ConfirmProgress,
): AllowedRetries | undefined {
  if (retries === undefined) return undefined;
  const { elsewhere } = retries;
  const retriesMade = [...declined].filter((provider) => provider !== choice.provider).length;
  const hasOther = open.some(({ provider }) => provider !== choice.provider);
  const isLeft = elsewhere !== null && hasOther && retriesMade < elsewhere.maxRetries;
  const allowed: AllowedRetries = {
    elsewhere: isLeft ? { issuerDeclines: elsewhere.issuerDeclines } : null,
    authenticated: !isAuthenticationDemanded,
  };
  return allowed.elsewhere === null && !allowed.authenticated ? undefined : allowed;
}

/**
 * The schemes' limit that keeps a declined card from being tried again; null where there is none.
 * @param unrecorded the ends before it that were not recorded when the declines were counted
 */
function limitAgainstRetry(
  { retry }: AttemptEnd,
  { retries }: RoutePlan,
  unrecorded: readonly AttemptEnd[],
): ReachedLimit | null {
  if (retry === undefined || retries === undefined) return null;
  const uncounted = unrecorded.filter(({ outcome }) => outcome.kind === 'declined').length;
  return reachedLimitOf(retries.declines, uncounted + 1);
}

/** The payment's attempts that were made for the confirm. */
function attemptsOf({ recorder }: PaymentContext, { operationId }: PendingRequest<ConfirmRequest>): readonly Attempt[] {
  return recorder.payment.attempts.filter((attempt) => attempt.operationId === operationId);
}

/** Whether the payment's rows have the end of that attempt. */
function isRecorded({ recorder }: PaymentContext, { attempt }: AttemptEnd): boolean {
  return recorder.payment.attempts.some(({ id, outcome }) => id === attempt.id && outcome !== null);
}

/**
 * Plans until the time at which the next attempt would be too late, but for a second at least: a local activity whose time ends as
 * it starts may never be answered. A plan that fails longer is refused; one that comes too late opens no attempt.
 */
async function planRoutes(
  context: PaymentContext,
  confirm: PendingRequest<ConfirmRequest>,
  { isFirst }: { readonly isFirst: boolean },
): Promise<RoutePlan> {
  const { input, recorder } = context;
  const { method, paymentMethodId } = confirm.request;
  const { paymentIntentId, merchantAccountId, environment } = input;
  const { terms, attempts } = recorder.payment;
  const attemptsMade = attempts.length - attemptsOf(context, confirm).length;
  const request = { paymentIntentId, merchantAccountId, environment, method, paymentMethodId, terms, attemptsMade };
  const summary = `Choose routes for a payment by ${method}`;
  const scheduleToCloseTimeout = Math.max(SECOND_MS, Date.parse(limitOf(confirm.request, isFirst)) - Date.now());
  try {
    return await recorder.localActivities.run(() =>
      reads.planPayment.executeWithOptions({ summary, scheduleToCloseTimeout }, [request]),
    );
  } catch (error) {
    if (isCancellation(error) || isFinalFailure(error)) throw error;
    return { refusal: tooLateError(), routes: [], skippedRoutes: [] };
  }
}

/** Until when the first attempt of a confirm, or a further one, may begin. */
function limitOf({ beginBefore, failOverBefore }: ConfirmRequest, isFirst: boolean): string {
  return isFirst ? beginBefore : failOverBefore;
}

interface UnopenedConfirm {
  /** The ends of earlier attempts of the confirm that are not recorded, oldest first. */
  readonly unrecorded: readonly AttemptEnd[];
}

/** Ends a confirm for which there is no route, or none that it has not tried. */
function endWithoutAttempt(
  context: PaymentContext,
  confirm: PendingRequest<ConfirmRequest>,
  { plan, unrecorded }: UnopenedConfirm & { readonly plan: RoutePlan },
): Promise<void> {
  const last = unrecorded.at(-1);
  if (last !== undefined) return recordEnd(context, last, { unrecorded: unrecorded.slice(0, -1) });
  return refuse(context, confirm, plan, plan.refusal ?? tooLateError());
}

/** Ends a confirm whose next attempt would have begun too late, or whose saved card was removed meanwhile. */
function endInTime(
  context: PaymentContext,
  confirm: PendingRequest<ConfirmRequest>,
  { refusal, unrecorded }: UnopenedConfirm & { readonly refusal: Exclude<OpeningRefusal, 'not_routable'> },
): Promise<void> {
  const isExpired = refusal === 'expired';
  const last = unrecorded.at(-1);
  if (last !== undefined) return recordEnd(context, last, { unrecorded: unrecorded.slice(0, -1), isExpired });
  if (isExpired) return expire(context, confirm.operationId);
  return refuse(
    context,
    confirm,
    { skippedRoutes: [] },
    refusal === 'saved_card_unusable' ? NOT_USABLE : tooLateError(),
  );
}

function tooLateError(): PaymentError {
  return {
    code: 'PROVIDER_UNAVAILABLE',
    message: 'The confirm could not begin in time. Nothing was charged; confirm again.',
  };
}

/** Answers a confirm that cannot be attempted. The intent keeps its state; an event and the timeline have the reason. */
async function refuse(
  { recorder, requests }: PaymentContext,
  { operationId }: PendingRequest<ConfirmRequest>,
  { skippedRoutes }: Pick<RoutePlan, 'skippedRoutes'>,
  refusal: PaymentError,
): Promise<void> {
  const result = { status: recorder.payment.columns.status, error: refusal };
  await recorder.record({
    from: 'requires_payment_method',
    timeline: [
      { kind: 'decision', summary: `Not attempted: ${refusal.code}`, details: { passedOver: json(skippedRoutes) } },
    ],
    events: [{ type: 'payment_intent.payment_failed', failure: refusal }],
    operation: { id: operationId, kind: 'confirm', result },
  });
  recorder.view.upsert(refusalSearchAttributes(refusal));
  requests.answerConfirm(operationId, result);
}

interface AttemptChoice {
  readonly confirm: PendingRequest<ConfirmRequest>;
  readonly choice: RouteChoice;
  /** The end of the attempt before, for the same confirm. */
  readonly previous: AttemptEnd | null;
}

function newAttempt({ input, recorder }: PaymentContext, { confirm, choice, previous }: AttemptChoice): Attempt {
  const { attempts, terms } = recorder.payment;
  const { operationId, request } = confirm;
  const { paymentMethodId, savedUse } = request;
  const { routeId, provider } = choice;
  // The previous attempt may not be recorded: it may have ended before its intention was written.
  const number = Math.max(attempts.length, previous?.attempt.number ?? 0) + 1;
  return {
    id: attemptIdOf(input.paymentIntentId, number),
    number,
    routeId,
    provider,
    paymentMethodId,
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    tries: 1,
    outcome: null,
    code: null,
    providerPaymentId: null,
    startedAt: now(),
    finishedAt: null,
    ...(savedUse === undefined ? {} : { savedUse }),
    operationId,
  };
}

interface AttemptIntention {
  readonly attempt: Attempt;
  readonly confirm: PendingRequest<ConfirmRequest>;
  readonly reason: AttemptReason;
}

/** The step that is recorded before the provider is called. */
function intentionOf({ recorder }: PaymentContext, { attempt, confirm, reason }: AttemptIntention): PaymentStep {
  const { status } = recorder.payment.columns;
  const { paymentMethodId, provider, number } = attempt;
  const { operationId, request } = confirm;
  return {
    from: status,
    to: 'processing',
    columns: { lastError: null, paymentMethodId, provider },
    attempts: [...(reason.attempts ?? []), attempt],
    timeline: [
      ...reason.timeline,
      { kind: 'attempt', summary: `Attempt ${number} goes to ${provider}${describeUse(attempt)}` },
    ],
    events: status === 'processing' ? [] : [{ type: 'payment_intent.processing' }],
    ...(reason.providerHealth === undefined ? {} : { providerHealth: reason.providerHealth }),
    operation: { id: operationId, kind: 'confirm', request: { ...request }, result: null },
  };
}

const USES: Readonly<Record<SavedMethodUse, string>> = {
  on_session: ', with a saved card, by the customer',
  recurring: ', with a saved card, recurring, without the customer',
  unscheduled: ', with a saved card, unscheduled, without the customer',
};

function describeUse({ savedUse = null }: Attempt): string {
  return savedUse === null ? '' : USES[savedUse];
}

function firstReason(plan: RoutePlan): AttemptReason {
  const providers = plan.routes.map(({ provider }) => provider).join(', then ');
  return { timeline: [{ kind: 'decision', summary: `Routes chosen: ${providers}`, details: decisionOf(plan) }] };
}

function decisionOf({ routes, skippedRoutes }: RoutePlan): JsonObject {
  return { routes: json(routes), passedOver: json(skippedRoutes) };
}

function json(value: readonly object[]): JsonValue {
  return value.map((item) => ({ ...item }));
}
