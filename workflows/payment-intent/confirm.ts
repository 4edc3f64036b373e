import { attemptIdOf } from '../../domain/ids.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { AttemptEnd } from '../../domain/payment-resolution.ts';
import type { RoutePlan } from '../../domain/plan-routes.ts';
import type { Attempt, PaymentError } from '../../domain/payment.ts';
import type { PaymentStep } from '../../domain/payment-step.ts';
import type { RouteChoice } from '../../domain/routing.ts';
import type { ConfirmRequest } from '../messages.ts';
import { refusalSearchAttributes } from '../search-attributes.ts';
import { now } from '../shared/clock.ts';
import { reads } from './activity-proxies.ts';
import { recordEnd, runAttempt } from './attempt.ts';
import type { PaymentContext } from './context.ts';
import { type AttemptReason, failoverReason, mayFailOver } from './failover.ts';
import type { PendingRequest } from './requests.ts';

/**
 * Executes the pending confirm: plans routes, and makes an attempt on each (`failover.ts`) until the payment has an outcome.
 * @param earlier the end of an earlier attempt for the same confirm that charged nothing and is not recorded yet
 */
export async function executeConfirm(
  context: PaymentContext,
  confirm: PendingRequest<ConfirmRequest>,
  earlier: AttemptEnd | null = null,
): Promise<void> {
  if (earlier === null) context.recorder.noteCard(confirm.request);
  const plan = await planRoutes(context, confirm.request);
  if (plan.refusal !== null) {
    return earlier === null ? refuse(context, confirm, plan, plan.refusal) : recordEnd(context, earlier);
  }
  // An attempt that was never opened has recorded no end before it, so the next one has to.
  let unrecorded: readonly AttemptEnd[] = earlier === null ? [] : [earlier];
  for (const [index, choice] of plan.routes.entries()) {
    const attempt = newAttempt(context, { confirm, choice, previous: unrecorded.at(-1) ?? null });
    const reason = failoverReason(unrecorded) ?? firstReason(plan);
    const intention = intentionOf(context, { attempt, confirm, reason });
    const end: AttemptEnd | null = await runAttempt(context, attempt, intention);
    if (end === null) return;
    unrecorded = unrecorded.filter((previous) => !isRecorded(context, previous));
    if (index === plan.routes.length - 1 || !mayFailOver(context, end)) return recordEnd(context, end, unrecorded);
    unrecorded = [...unrecorded, end];
  }
}

/** Whether the payment's rows have the end of that attempt. */
function isRecorded({ recorder }: PaymentContext, { attempt }: AttemptEnd): boolean {
  return recorder.payment.attempts.some(({ id, outcome }) => id === attempt.id && outcome !== null);
}

function planRoutes(
  { input, recorder }: PaymentContext,
  { method, paymentMethodId }: ConfirmRequest,
): Promise<RoutePlan> {
  const { paymentIntentId, merchantAccountId, environment } = input;
  const { terms, attempts } = recorder.payment;
  const attemptsMade = attempts.length;
  const request = { paymentIntentId, merchantAccountId, environment, method, paymentMethodId, terms, attemptsMade };
  const summary = `Choose routes for a payment by ${method}`;
  return recorder.localActivities.run(() => reads.planPayment.executeWithOptions({ summary }, [request]));
}

/** Answers a confirm that cannot be attempted. The intent keeps its state; an event and the timeline have the reason. */
async function refuse(
  { recorder, requests }: PaymentContext,
  { operationId }: PendingRequest<ConfirmRequest>,
  { skippedRoutes }: RoutePlan,
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
  recorder.upsert(refusalSearchAttributes(refusal));
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
  const { paymentMethodId } = request;
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
    operationId,
  };
}

interface NewAttempt {
  readonly attempt: Attempt;
  readonly confirm: PendingRequest<ConfirmRequest>;
  readonly reason: AttemptReason;
}

/** The step that is recorded before the provider is called. */
function intentionOf({ recorder }: PaymentContext, { attempt, confirm, reason }: NewAttempt): PaymentStep {
  const { status } = recorder.payment.columns;
  const { paymentMethodId, provider, number } = attempt;
  const { operationId, request } = confirm;
  return {
    from: status,
    to: 'processing',
    columns: { lastError: null, paymentMethodId, provider },
    attempts: [...(reason.attempts ?? []), attempt],
    timeline: [...reason.timeline, { kind: 'attempt', summary: `Attempt ${number} goes to ${provider}` }],
    events: status === 'processing' ? [] : [{ type: 'payment_intent.processing' }],
    ...(reason.providerHealth === undefined ? {} : { providerHealth: reason.providerHealth }),
    operation: { id: operationId, kind: 'confirm', request: { ...request }, result: null },
  };
}

function firstReason({ routes, skippedRoutes }: RoutePlan): AttemptReason {
  const providers = routes.map(({ provider }) => provider).join(', then ');
  return {
    timeline: [
      {
        kind: 'decision',
        summary: `Routes chosen: ${providers}`,
        details: { routes: json(routes), passedOver: json(skippedRoutes) },
      },
    ],
  };
}

function json(value: readonly object[]): JsonValue {
  return value.map((item) => ({ ...item }));
}
