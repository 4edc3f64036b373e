import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { ClientAnswer } from '../world/client-try.ts';
import type { ApiClient } from './api-client.ts';
import type { Operator } from './operator.ts';
import { cardBody, type PaymentMethodBody } from './payment-methods.ts';
import type { PaymentPlan } from './payment-plan.ts';
import type { Settler } from './settler.ts';

/** Whoever has to do with a payment. */
export interface Cast {
  readonly client: ApiClient;
  readonly operator: Operator;
  readonly settler: Settler;
  /** Nothing new is begun after it. */
  readonly signal: AbortSignal;
}

const INTENTS = '/payment-intents';
const LOOKS = 8;
const LOOK_EVERY_MS = SECOND_MS;
const WAITING_STATUSES: readonly (string | null)[] = ['processing', 'requires_action', null];

/** Carries out a plan, as far as answers allow. */
export async function runPayment(plan: PaymentPlan, cast: Cast): Promise<void> {
  const created = await create(plan, cast);
  const intentId = created?.toldIntentId ?? null;
  if (intentId === null) return;
  const asides: Promise<void>[] = [];
  if (plan.reads) await read(intentId, cast);
  if (plan.patchedAmount !== null) await patch(intentId, plan.patchedAmount, cast);
  if (plan.operator?.target === 'payment') asides.push(cast.operator.act(plan.operator, intentId));
  if (!plan.confirmsAtCreation && !plan.isAbandoned) {
    if (plan.cancelAfterMs !== null) asides.push(cancelLater(intentId, plan.cancelAfterMs, plan, cast));
    await confirm(intentId, plan.paymentMethod, plan, cast);
  }
  if (plan.secondCard !== null) await confirm(intentId, cardBody(plan.secondCard), plan, cast);
  if (plan.settlement !== null) asides.push(cast.settler.settle(intentId, plan.settlement));
  if (plan.followUp !== null) await followUp(intentId, plan, cast);
  await Promise.all(asides);
}

function create(plan: PaymentPlan, { client }: Cast): Promise<ClientAnswer | null> {
  const { terms, paymentMethod, confirmsAtCreation, respondAsync, repeatsAnswered } = plan;
  return client.send({
    operation: 'create',
    intentId: null,
    method: 'POST',
    path: INTENTS,
    body: confirmsAtCreation ? { ...terms, paymentMethod, confirm: true } : terms,
    confirms: confirmsAtCreation,
    respondAsync: confirmsAtCreation && respondAsync,
    repeatsAnswered,
  });
}

function confirm(
  intentId: string,
  paymentMethod: PaymentMethodBody,
  { respondAsync, repeatsAnswered }: PaymentPlan,
  { client }: Cast,
): Promise<ClientAnswer | null> {
  return client.send({
    operation: 'confirm',
    intentId,
    method: 'POST',
    path: `${INTENTS}/${intentId}/confirm`,
    body: { paymentMethod },
    confirms: true,
    respondAsync,
    repeatsAnswered,
  });
}

function read(intentId: string, { client }: Cast): Promise<ClientAnswer | null> {
  return client.send({ operation: 'get', intentId, method: 'GET', path: `${INTENTS}/${intentId}` });
}

function patch(intentId: string, amount: number, { client }: Cast): Promise<ClientAnswer | null> {
  const path = `${INTENTS}/${intentId}`;
  return client.send({ operation: 'patch', intentId, method: 'PATCH', path, body: { amount } });
}

async function cancelLater(intentId: string, afterMs: number, plan: PaymentPlan, cast: Cast): Promise<void> {
  await sleep(afterMs);
  await cancel(intentId, plan, cast);
}

function cancel(intentId: string, { repeatsAnswered }: PaymentPlan, { client }: Cast): Promise<ClientAnswer | null> {
  const path = `${INTENTS}/${intentId}/cancel`;
  return client.send({ operation: 'cancel', intentId, method: 'POST', path, body: {}, repeatsAnswered });
}

function capture(intentId: string, amount: number | null, plan: PaymentPlan, { client }: Cast) {
  return client.send({
    operation: 'capture',
    intentId,
    method: 'POST',
    path: `${INTENTS}/${intentId}/capture`,
    body: amount === null ? {} : { amount },
    repeatsAnswered: plan.repeatsAnswered,
  });
}

async function followUp(intentId: string, plan: PaymentPlan, cast: Cast): Promise<void> {
  const amount = plan.patchedAmount ?? plan.terms.amount;
  const part = Math.ceil(amount / 3);
  const status = await untilDecided(intentId, cast);
  if (status === 'requires_capture') {
    if (plan.followUp === 'capture') await capture(intentId, null, plan, cast);
    if (plan.followUp === 'capture_part') await capture(intentId, part, plan, cast);
    if (plan.followUp === 'cancel') await cancel(intentId, plan, cast);
  }
  if (status === 'succeeded') {
    if (plan.followUp === 'refund') await refund(intentId, null, plan, cast);
    if (plan.followUp === 'refund_part') await refund(intentId, part, plan, cast);
    if (plan.followUp === 'refund_twice') {
      await Promise.all([refund(intentId, part, plan, cast), refund(intentId, part, plan, cast)]);
    }
  }
}

async function refund(intentId: string, amount: number | null, plan: PaymentPlan, cast: Cast): Promise<void> {
  const answer = await cast.client.send({
    operation: 'refund',
    intentId,
    method: 'POST',
    path: '/refunds',
    body: { paymentIntentId: intentId, ...(amount === null ? {} : { amount }) },
    respondAsync: plan.respondAsync || plan.operator?.target === 'refund',
    repeatsAnswered: plan.repeatsAnswered,
  });
  const refundId = answer?.toldRefundId ?? null;
  if (refundId !== null && plan.operator?.target === 'refund') await cast.operator.act(plan.operator, refundId);
}

/** The status once neither the engine nor the customer is at work on it, or what it is after a while. */
async function untilDecided(intentId: string, cast: Cast): Promise<string | null> {
  let status: string | null = null;
  for (let look = 0; look < LOOKS && !cast.signal.aborted; look += 1) {
    status = (await read(intentId, cast))?.toldStatus ?? null;
    if (!WAITING_STATUSES.includes(status)) return status;
    await sleep(LOOK_EVERY_MS);
  }
  return status;
}
