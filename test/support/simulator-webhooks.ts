import { Webhook } from 'standardwebhooks';
import { attemptIdOf } from '../../domain/ids.ts';
import type { Payment } from './payments.ts';
import { getStack } from './stack.ts';

/** An event as a simulator sends it. */
export interface SentEvent {
  readonly id: string;
  readonly payment: object;
}

export interface Signing {
  /** The name of the provider, or the id of the account, that it is sent to. */
  readonly provider: string;
  /** `whsec_…` */
  readonly secret: string;
  readonly at?: Date;
  /** What is signed instead of the body. */
  readonly signedBody?: string;
}

/** Posts an event as a simulator does. @returns the status and the text of the response */
export async function postSimulatorWebhook(
  { id, payment }: SentEvent,
  { provider, secret, at = new Date(), signedBody }: Signing,
): Promise<{ readonly status: number; readonly text: string }> {
  const body = JSON.stringify({ id, type: 'payment.updated', data: payment });
  const response = await fetch(`${getStack().sandbox.baseUrl}/api/v1/providers/${provider}/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, signedBody ?? body),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** What a simulator reports about the first attempt of a payment. */
export function simulatorReport(payment: Payment, status: string, details: object = {}): object {
  return {
    id: `sim_of_${payment.id}`,
    reference: attemptIdOf(payment.id, 1),
    amount: payment.created.amount,
    currency: payment.created.currency,
    amountCaptured: status === 'captured' ? payment.created.amount : 0,
    status,
    ...details,
  };
}
