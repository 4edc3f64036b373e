import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { ClientAnswer } from '../snapshot/client-try.ts';
import type { ApiClient } from './api-client.ts';
import type { Operator } from './operator.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import type { PaymentMethodBody, PaymentPlan } from './payment-plan.ts';
import type { SettlementClient } from './settlement-client.ts';

/** The clients that act on a payment. */
export interface Participants {
  readonly client: ApiClient;
  readonly operator: Operator;
  readonly settlements: SettlementClient;
  /** After it aborts, no further request of the plan begins. */
  readonly signal: AbortSignal;
}

const INTENTS = '/payment-intents';
const LOOKS = 8;
const LOOK_EVERY_MS = SECOND_MS;
const WAITING_STATUSES: readonly (string | null)[] = ['processing', 'requires_action', null];

/** Executes a plan, as far as the answers allow. */
export async function runPayment(plan: PaymentPlan, participants: Participants): Promise<void> {
  const created = await create(plan, participants);
  const intentId = created?.intentId ?? null;
  if (intentId === null) return;
  const concurrentActions: Promise<void>[] = [];
  if (plan.reads) await read(intentId, participants);
  if (plan.patchedAmount !== null) await patch(intentId, plan.patchedAmount, participants);
  if (plan.operator?.target === 'payment') concurrentActions.push(participants.operator.act(plan.operator, intentId));
  if (!plan.confirmsAtCreation && !plan.isAbandoned) {
    if (plan.cancelAfterMs !== null)
      concurrentActions.push(cancelLater(intentId, plan.cancelAfterMs, plan, participants));
    await confirm(intentId, plan.paymentMethod, plan, participants);
  }
  if (plan.secondCard !== null) await confirm(intentId, card(plan.secondCard), plan, participants);
  if (plan.settlement !== null) concurrentActions.push(participants.settlements.settle(intentId, plan.settlement));
  if (plan.followUp !== null) await followUp(intentId, plan, participants);
  await Promise.all(concurrentActions);
}

function create(plan: PaymentPlan, { client }: Participants): Promise<ClientAnswer | null> {
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
  { client }: Participants,
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

function read(intentId: string, { client }: Participants): Promise<ClientAnswer | null> {
  return client.send({ operation: 'get', intentId, method: 'GET', path: `${INTENTS}/${intentId}` });
}

function patch(intentId: string, amount: number, { client }: Participants): Promise<ClientAnswer | null> {
  const path = `${INTENTS}/${intentId}`;
  return client.send({ operation: 'patch', intentId, method: 'PATCH', path, body: { amount } });
}

async function cancelLater(
  intentId: string,
  afterMs: number,
  plan: PaymentPlan,
  participants: Participants,
): Promise<void> {
  await sleep(afterMs);
  await cancel(intentId, plan, participants);
}

function cancel(
  intentId: string,
  { repeatsAnswered }: PaymentPlan,
  { client }: Participants,
): Promise<ClientAnswer | null> {
  const path = `${INTENTS}/${intentId}/cancel`;
  return client.send({ operation: 'cancel', intentId, method: 'POST', path, body: {}, repeatsAnswered });
}

function capture(intentId: string, amount: number | null, plan: PaymentPlan, { client }: Participants) {
  return client.send({
    operation: 'capture',
    intentId,
    method: 'POST',
    path: `${INTENTS}/${intentId}/capture`,
    body: amount === null ? {} : { amount },
    repeatsAnswered: plan.repeatsAnswered,
  });
}

async function followUp(intentId: string, plan: PaymentPlan, participants: Participants): Promise<void> {
  const amount = plan.patchedAmount ?? plan.terms.amount;
  const part = Math.ceil(amount / 3);
  const status = await untilSettled(intentId, participants);
  if (status === 'requires_capture') {
    if (plan.followUp === 'capture') await capture(intentId, null, plan, participants);
    if (plan.followUp === 'capture_part') await capture(intentId, part, plan, participants);
    if (plan.followUp === 'cancel') await cancel(intentId, plan, participants);
  }
  if (status === 'succeeded') {
    if (plan.followUp === 'refund') await refund(intentId, null, plan, participants);
    if (plan.followUp === 'refund_part') await refund(intentId, part, plan, participants);
    if (plan.followUp === 'refund_twice') {
      await Promise.all([refund(intentId, part, plan, participants), refund(intentId, part, plan, participants)]);
    }
  }
}

async function refund(
  intentId: string,
  amount: number | null,
  plan: PaymentPlan,
  participants: Participants,
): Promise<void> {
  const answer = await participants.client.send({
    operation: 'refund',
    intentId,
    method: 'POST',
    path: '/refunds',
    body: { paymentIntentId: intentId, ...(amount === null ? {} : { amount }) },
    respondAsync: plan.respondAsync || plan.operator?.target === 'refund',
    repeatsAnswered: plan.repeatsAnswered,
  });
  const refundId = answer?.refundId ?? null;
  if (refundId !== null && plan.operator?.target === 'refund') await participants.operator.act(plan.operator, refundId);
}

/** The status once neither the engine nor the customer has to act, or the status after a limited wait. */
async function untilSettled(intentId: string, participants: Participants): Promise<string | null> {
  let status: string | null = null;
  for (let look = 0; look < LOOKS && !participants.signal.aborted; look += 1) {
    status = (await read(intentId, participants))?.intentStatus ?? null;
    if (!WAITING_STATUSES.includes(status)) return status;
    await sleep(LOOK_EVERY_MS);
  }
  return status;
}
