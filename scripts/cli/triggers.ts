import type { EventType } from '../../domain/events.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { card, type CardName } from '../../sandbox/test-payment-methods.ts';
import { type Client, PaymentEngineError } from '../../sdk/server/index.ts';

interface Trigger {
  /** For people. */
  readonly steps: string;
  /** What the payment intent has besides its amount. */
  readonly terms?: Partial<Parameters<Client['paymentIntents']['create']>[0]>;
  readonly confirmWith?: CardName;
  readonly then?: 'cancel' | 'refund';
  /** How long the event may take after these steps; 30 seconds otherwise. */
  readonly withinMs?: number;
}

const USUALLY_WITHIN_MS = 30 * SECOND_MS;
const EXPIRY_SECONDS = 60;

/** The events that can be triggered, with the payment that leads to each. */
export const TRIGGERS = {
  'payment_intent.created': { steps: 'create' },
  'payment_intent.processing': { steps: 'confirm with a card', confirmWith: 'approved' },
  'payment_intent.requires_action': { steps: 'confirm with a card that needs 3-D Secure', confirmWith: 'threeDSecure' },
  'payment_intent.amount_capturable': {
    steps: 'confirm with manual capture',
    terms: { captureMethod: 'manual' },
    confirmWith: 'approved',
  },
  'payment_intent.succeeded': { steps: 'confirm with a card', confirmWith: 'approved' },
  'payment_intent.payment_failed': { steps: 'confirm with a card that is declined', confirmWith: 'declined' },
  'payment_intent.stuck': {
    steps: 'confirm with a card whose outcome is not reported (takes about 2 minutes)',
    confirmWith: 'silent',
    withinMs: 4 * MINUTE_MS,
  },
  'payment_intent.canceled': { steps: 'create, then cancel', then: 'cancel' },
  'payment_intent.expired': {
    steps: 'create, then wait for the expiry (takes a minute)',
    terms: { expiresInSeconds: EXPIRY_SECONDS },
    withinMs: 3 * MINUTE_MS,
  },
  'payment_intent.refunded': { steps: 'pay, then refund', confirmWith: 'approved', then: 'refund' },
  'refund.created': { steps: 'pay, then refund', confirmWith: 'approved', then: 'refund' },
  'refund.succeeded': { steps: 'pay, then refund', confirmWith: 'approved', then: 'refund' },
  'refund.failed': { steps: 'pay, then a refund that is refused', confirmWith: 'refundRefused', then: 'refund' },
  'transaction.created': { steps: 'confirm with a card', confirmWith: 'approved' },
} as const satisfies Readonly<Partial<Record<EventType, Trigger>>>;

export type TriggerType = keyof typeof TRIGGERS;

/** How long the event of a type may take after the steps of its payment, in milliseconds. */
export function timeLimitOf(type: TriggerType): number {
  const { withinMs = USUALLY_WITHIN_MS }: Trigger = TRIGGERS[type];
  return withinMs;
}

/**
 * Makes the payment that leads to an event.
 * @returns the payment intent's id
 * @throws PaymentEngineError for a request that is refused, not for a payment or refund that fails
 */
export async function makePayment(client: Client, type: TriggerType): Promise<string> {
  const { terms, confirmWith, then }: Trigger = TRIGGERS[type];
  const { id } = await client.paymentIntents.create({
    amount: 1_999,
    currency: 'USD',
    description: `Triggers ${type}`,
    ...terms,
  });
  if (confirmWith !== undefined) {
    await evenIfItFails(client.paymentIntents.confirm(id, { paymentMethod: card(confirmWith) }));
  }
  if (then === 'cancel') await client.paymentIntents.cancel(id);
  if (then === 'refund') await evenIfItFails(client.refunds.create({ paymentIntentId: id }));
  return id;
}

async function evenIfItFails(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const hasHappened = error instanceof PaymentEngineError && (error.paymentIntent ?? error.refund) !== undefined;
    if (!hasHappened) throw error;
  }
}
