import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import { attemptIdOf } from '../../domain/ids.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { RouteChoice } from '../../domain/routing.ts';
import type { PaymentPlan } from '../../activities/payment-activities.ts';
import type { ConfirmRequest } from '../messages.ts';
import { refusalSearchAttributes } from '../search-attributes.ts';
import { now } from '../shared/clock.ts';
import { records } from './activity-proxies.ts';
import { settleAttempt, type AttemptEnd } from './attempt.ts';
import { closeAttempt, conclude, describeEnd, providerHealthOf } from './conclusion.ts';
import type { PaymentContext } from './context.ts';
import type { Step } from './progress.ts';

/** Works on the confirm that waits: plans, tries route after route, and answers it. */
export async function pay(context: PaymentContext, request: ConfirmRequest): Promise<void> {
  const { requests, recorder, input } = context;
  const plan = await planRoutes(context, request);
  if (plan.terms !== undefined) recorder.adoptTerms(plan.terms);
  if (plan.refusal !== null) return refuse(context, plan);
  const end = await tryRoutes(context, request, plan);
  const conclusion = conclude(end, {
    progress: recorder.progress,
    attemptBudget: input.attemptBudget,
    cancellation: requests.cancellation,
    now: now(),
  });
  await recorder.record(conclusion.step);
  requests.answerConfirm(conclusion.result);
}

function planRoutes({ input, recorder }: PaymentContext, { method }: ConfirmRequest): Promise<PaymentPlan> {
  const { paymentIntentId, merchantAccountId, environment } = input;
  const { terms, attempts } = recorder.progress;
  const attemptsMade = attempts.length;
  return records.planPayment.executeWithOptions({ summary: `Choose routes for a payment by ${method}` }, [
    { paymentIntentId, merchantAccountId, environment, method, terms, attemptsMade },
  ]);
}

/** Leaves the intent as it was; clients and support staff are told why it could not be attempted. */
async function refuse({ recorder, requests }: PaymentContext, plan: PaymentPlan): Promise<void> {
  const { refusal } = plan;
  if (refusal === null) return;
  await recorder.record({
    timeline: [
      { kind: 'decision', summary: `Not attempted: ${refusal.code}`, details: { passedOver: json(plan.passedOver) } },
    ],
    events: [{ type: 'payment_intent.payment_failed', failure: refusal }],
  });
  // Payments that were refused by an earlier version have told nobody.
  if (patched('refusals-can-be-found')) upsertSearchAttributes(refusalSearchAttributes(refusal));
  requests.answerConfirm({ status: recorder.progress.columns.status, error: refusal });
}

/** Tries the planned routes until one attempt ends otherwise than "not charged, provider unavailable". */
async function tryRoutes(context: PaymentContext, request: ConfirmRequest, plan: PaymentPlan): Promise<AttemptEnd> {
  let previous: AttemptEnd | null = null;
  for (const [index, choice] of plan.routes.entries()) {
    const attempt = await openAttempt(
      context,
      previous === null ? request : { ...request, atOnce: false },
      choice,
      previous === null ? firstStep(plan) : failoverStep(previous),
    );
    const end = await settleAttempt(context, attempt);
    if (index === plan.routes.length - 1 || !mayFailOver(context, end)) return end;
    previous = end;
  }
  throw new Error('a plan without a refusal has at least one route');
}

function mayFailOver({ input, requests }: PaymentContext, { attempt, outcome, doubt, calledOff }: AttemptEnd): boolean {
  return (
    outcome.kind === 'not_charged' &&
    doubt?.kind === 'outage' &&
    calledOff === null &&
    requests.cancellation === null &&
    attempt.number < input.attemptBudget
  );
}

/** Writes the intention to pay along a route, before the provider is asked. */
async function openAttempt(
  { input, recorder }: PaymentContext,
  request: ConfirmRequest,
  choice: RouteChoice,
  step: Step,
): Promise<Attempt> {
  const { attempts, terms } = recorder.progress;
  const number = attempts.length + 1;
  const attempt: Attempt = {
    id: attemptIdOf(input.paymentIntentId, number),
    number,
    routeId: choice.routeId,
    provider: choice.provider,
    paymentMethodId: request.paymentMethodId,
    amountMinor: terms.amountMinor,
    currency: terms.currency,
    tries: 1,
    outcome: null,
    code: null,
    providerPaymentId: null,
    startedAt: now(),
    finishedAt: null,
    ...(request.atOnce === true ? { calledAtOnce: true } : {}),
  };
  await recorder.record({
    ...step,
    columns: { ...step.columns, paymentMethodId: request.paymentMethodId, provider: choice.provider },
    attempts: [...(step.attempts ?? []), attempt],
    timeline: [...step.timeline, { kind: 'attempt', summary: `Attempt ${number} goes to ${choice.provider}` }],
  });
  return attempt;
}

function firstStep(plan: PaymentPlan): Step {
  const providers = plan.routes.map(({ provider }) => provider).join(', then ');
  return {
    to: 'processing',
    columns: { lastError: null },
    timeline: [
      {
        kind: 'decision',
        summary: `Routes chosen: ${providers}`,
        details: { routes: json(plan.routes), passedOver: json(plan.passedOver) },
      },
    ],
    events: [{ type: 'payment_intent.processing' }],
  };
}

function failoverStep(previous: AttemptEnd): Step {
  return {
    attempts: [closeAttempt(previous, now())],
    providerHealth: providerHealthOf(previous),
    timeline: [
      { kind: 'attempt', summary: describeEnd(previous) },
      {
        kind: 'decision',
        summary: `${previous.attempt.provider} charged nothing and never will: on to the next route`,
      },
    ],
  };
}

function json(value: readonly object[]): JsonValue {
  return value.map((item) => ({ ...item }));
}
