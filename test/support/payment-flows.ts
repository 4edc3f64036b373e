import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import type { Sandbox } from '../../sandbox/stack/data-folder.ts';
import { card, upi } from '../../sandbox/test-payment-methods.ts';
import { type ClientAnswer, type ClientIntent, refundUntilAnswered, sendUntilAnswered } from './retrying-client.ts';

/** How a payment may end, by its last state. */
type Ending = 'succeeded' | 'failed' | 'canceled';

/** One payment from its creation to its end, through a client that retries. */
export interface PaymentFlow {
  readonly name: string;
  /** The states it may end in; more than one where two requests race. */
  readonly ends: readonly Ending[];
  /** Takes the payment to its end. @returns its id */
  run(shop: Shop): Promise<string>;
}

/** A merchant's sandbox and the retry callback of its client. */
export interface Shop {
  readonly sandbox: Sandbox;
  /** Receives the reason of each try without a definite answer. */
  readonly onRetry: (problem: string) => void;
}

const LOOK_EVERY_MS = 300;
const END_WITHIN_MS = 150 * SECOND_MS;
const PATH = '/api/v1/payment-intents';
const TERMINAL = ['succeeded', 'failed', 'canceled', 'expired'];

const RUPEES = { currency: 'INR', country: 'IN' };

/** The payment flows, each with how often it runs among fifty payments. */
export const FIFTY_PAYMENTS: readonly (readonly [number, PaymentFlow])[] = [
  [5, paid('approved', card('approved'))],
  [2, { name: 'held, then captured', ends: ['succeeded'], run: (shop) => payAndCapture(shop, 1_999) }],
  [2, { name: 'held, then captured in part', ends: ['succeeded'], run: (shop) => payAndCapture(shop, 700) }],
  [3, { name: 'paid, then refunded in two parts', ends: ['succeeded'], run: payAndRefund }],
  [4, paid('failover', card('failover'), { expectProvider: 'beta' })],
  [4, paid('lost reply', card('lostReply'))],
  [4, paid('UPI', upi('success'), { terms: RUPEES })],
  [4, { name: 'created and confirmed at once', ends: ['succeeded'], run: createConfirmed }],
  [2, { name: 'updated, then approved', ends: ['succeeded'], run: payUpdated }],
  [4, { name: 'declined, then paid with another card', ends: ['succeeded'], run: payAfterDecline }],
  [3, { name: 'declined, then given up', ends: ['canceled'], run: giveUpAfterDecline }],
  [4, { name: 'fraud', ends: ['failed'], run: (shop) => payAndSee(shop, card('fraud'), 'FRAUD_DETECTED') }],
  [4, { name: 'silent, then settled', ends: ['succeeded'], run: paySilently }],
  [2, { name: 'canceled while silent', ends: ['canceled'], run: cancelSilent }],
  [3, { name: 'canceled while it is confirmed', ends: ['succeeded', 'canceled'], run: cancelInRace }],
];

/** Creates an intent, of 19.99 USD unless the terms say otherwise. */
export async function createIntent(
  { sandbox, onRetry }: Shop,
  terms: object = {},
  idempotencyKey: string = randomUUID(),
): Promise<ClientIntent> {
  const body = { amount: 1_999, currency: 'USD', ...terms };
  const answer = await sendUntilAnswered(sandbox, { method: 'POST', path: PATH, body, idempotencyKey }, onRetry);
  assert.equal(answer.status, 201, `creation was answered with ${answer.status} ${answer.code ?? ''}`);
  assert.ok(answer.intent);
  return answer.intent;
}

/** The intent as the API shows it now. */
async function readIntent({ sandbox, onRetry }: Shop, id: string): Promise<ClientIntent> {
  const answer = await sendUntilAnswered(sandbox, { method: 'GET', path: `${PATH}/${id}` }, onRetry);
  assert.ok(answer.intent, `reading ${id} was answered with ${answer.status} ${answer.code ?? ''}`);
  return answer.intent;
}

/** Waits for a state. @throws when the payment ends in another one, or does not get there in time */
export async function waitForState(shop: Shop, id: string, states: readonly string[]): Promise<ClientIntent> {
  const deadline = Date.now() + END_WITHIN_MS;
  for (;;) {
    const intent = await readIntent(shop, id);
    if (states.includes(intent.status)) return intent;
    const reason = TERMINAL.includes(intent.status) ? 'it ended' : 'it stays';
    if (reason === 'it ended' || Date.now() > deadline)
      assert.fail(`${id} should become ${states.join(' or ')}, but ${reason} ${intent.status}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Confirms with one idempotency key for all tries. */
export function confirmIntent({ sandbox, onRetry }: Shop, id: string, paymentMethod: object): Promise<ClientAnswer> {
  const path = `${PATH}/${id}/confirm`;
  const body = { paymentMethod };
  return sendUntilAnswered(sandbox, { method: 'POST', path, body, idempotencyKey: randomUUID() }, onRetry);
}

/** Cancels with one idempotency key for all tries. */
export function cancelIntent({ sandbox, onRetry }: Shop, id: string): Promise<ClientAnswer> {
  const path = `${PATH}/${id}/cancel`;
  const body = { reason: 'requested_by_customer' };
  return sendUntilAnswered(sandbox, { method: 'POST', path, body, idempotencyKey: randomUUID() }, onRetry);
}

interface PaidOptions {
  readonly terms?: object;
  readonly expectProvider?: string;
}

function paid(name: string, method: object, { terms = {}, expectProvider }: PaidOptions = {}): PaymentFlow {
  const run = async (shop: Shop) => {
    const { id } = await createIntent(shop, terms);
    const { code } = await confirmIntent(shop, id, method);
    assert.equal(code, null, `the confirm of ${id} (${name})`);
    const { attempts } = await waitForState(shop, id, ['succeeded']);
    if (expectProvider !== undefined) assert.equal(attempts.at(-1)?.provider, expectProvider, id);
    return id;
  };
  return { name, ends: ['succeeded'], run };
}

/** Confirms a payment that fails for good. */
async function payAndSee(shop: Shop, method: object, expectedCode: string): Promise<string> {
  const { id } = await createIntent(shop);
  await confirmToCode(shop, id, method, expectedCode);
  return id;
}

/** The answer has the failure, unless the outcome took longer than a confirm waits. */
async function confirmToCode(shop: Shop, id: string, method: object, expectedCode: string): Promise<void> {
  const { code, intent } = await confirmIntent(shop, id, method);
  if (code === null) assert.equal(intent?.status, 'processing', `the confirm of ${id}`);
  else assert.equal(code, expectedCode, `the confirm of ${id}`);
}

async function payAndCapture(shop: Shop, amount: number): Promise<string> {
  const { id } = await createIntent(shop, { captureMethod: 'manual' });
  assert.equal((await confirmIntent(shop, id, card('approved'))).code, null, `the confirm of ${id}`);
  await waitForState(shop, id, ['requires_capture', 'succeeded']);
  const request = { method: 'POST', path: `${PATH}/${id}/capture`, body: { amount } } as const;
  const { code } = await sendUntilAnswered(shop.sandbox, { ...request, idempotencyKey: randomUUID() }, shop.onRetry);
  assert.equal(code, null, `the capture of ${id}`);
  return id;
}

async function payAndRefund(shop: Shop): Promise<string> {
  const { id } = await createIntent(shop);
  assert.equal((await confirmIntent(shop, id, card('lostReply'))).code, null, `the confirm of ${id}`);
  await waitForState(shop, id, ['succeeded']);
  for (const amount of [500, 1_499]) {
    const body = { paymentIntentId: id, amount };
    const idempotencyKey = randomUUID();
    const refund = await refundUntilAnswered(shop.sandbox, { body, idempotencyKey }, shop.onRetry);
    assert.notEqual(refund.status, 'failed', `the refund ${refund.id} of ${id}`);
  }
  return id;
}

async function createConfirmed({ sandbox, onRetry }: Shop): Promise<string> {
  const body = { amount: 1_999, currency: 'EUR', paymentMethod: card('approved'), confirm: true };
  const request = { method: 'POST', path: PATH, body, idempotencyKey: randomUUID() } as const;
  const { status, code, intent } = await sendUntilAnswered(sandbox, request, onRetry);
  assert.equal(status, 201, `creation was answered with ${status} ${code ?? ''}`);
  assert.ok(intent);
  return intent.id;
}

async function payUpdated(shop: Shop): Promise<string> {
  const { id } = await createIntent(shop);
  const request = { method: 'PATCH', path: `${PATH}/${id}`, body: { amount: 2_500 } } as const;
  const updated = await sendUntilAnswered(shop.sandbox, request, shop.onRetry);
  assert.equal(updated.intent?.amount, 2_500, `the update of ${id}: ${updated.code ?? updated.status}`);
  const { code } = await confirmIntent(shop, id, card('approved'));
  assert.equal(code, null, `the confirm of ${id}`);
  return id;
}

async function decline(shop: Shop): Promise<string> {
  const { id } = await createIntent(shop);
  await confirmToCode(shop, id, card('declined'), 'CARD_DECLINED');
  await waitForState(shop, id, ['requires_payment_method']);
  return id;
}

async function payAfterDecline(shop: Shop): Promise<string> {
  const id = await decline(shop);
  const { code } = await confirmIntent(shop, id, card('approved'));
  assert.equal(code, null, `the second confirm of ${id}`);
  return id;
}

async function giveUpAfterDecline(shop: Shop): Promise<string> {
  const id = await decline(shop);
  assert.equal((await cancelIntent(shop, id)).code, null, `the cancellation of ${id}`);
  return id;
}

/** Sends the confirm without waiting for its outcome. */
async function confirmSilently(shop: Shop): Promise<string> {
  const { id } = await createIntent(shop);
  const request = {
    method: 'POST',
    path: `${PATH}/${id}/confirm`,
    body: { paymentMethod: card('silent') },
    headers: { Prefer: 'respond-async' },
    idempotencyKey: randomUUID(),
  } as const;
  const { code } = await sendUntilAnswered(shop.sandbox, request, shop.onRetry);
  assert.equal(code, null, `the confirm of ${id}`);
  return id;
}

async function paySilently(shop: Shop): Promise<string> {
  const id = await confirmSilently(shop);
  const deadline = Date.now() + END_WITHIN_MS;
  while (!(await settle(shop, id))) {
    assert.ok(Date.now() < deadline, `no simulator has taken up ${id}`);
    await sleep(LOOK_EVERY_MS);
  }
  return id;
}

/** Makes the provider approve a pending payment; false while no simulator that has it can be reached. */
async function settle({ sandbox }: Shop, paymentIntentId: string): Promise<boolean> {
  for (const { url } of sandbox.simulators) {
    const status = await fetch(new URL('/simulate/settle', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentIntentId, outcome: 'approved' }),
      signal: AbortSignal.timeout(10 * SECOND_MS),
    }).then(
      (response) => response.status,
      () => null,
    );
    // A conflict means that an earlier try has settled it, and its answer was lost.
    if (status === 200 || status === 409) return true;
  }
  return false;
}

async function cancelSilent(shop: Shop): Promise<string> {
  const id = await confirmSilently(shop);
  await waitForState(shop, id, ['processing']);
  assert.equal((await cancelIntent(shop, id)).code, null, `the cancellation of ${id}`);
  return id;
}

async function cancelInRace(shop: Shop): Promise<string> {
  const { id } = await createIntent(shop);
  const [confirmed, canceled] = await Promise.all([confirmIntent(shop, id, card('approved')), cancelIntent(shop, id)]);
  for (const { code } of [confirmed, canceled]) assert.ok([null, 'STATE_CONFLICT'].includes(code), `${id}: ${code}`);
  return id;
}
