import type { Intent } from './objects.ts';

/** A request that Stripe refuses. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { readonly type: string; readonly code?: string; readonly [name: string]: unknown },
  ) {
    super(error.code ?? error.type);
  }
}

/** The refusal of a request that is wrong in itself, or names what does not exist. */
export function invalidRequest(code: string, status: number, param?: string): StripeRefusal {
  return new StripeRefusal(status, { type: 'invalid_request_error', code, ...(param === undefined ? {} : { param }) });
}

/** The refusal of what the payment's state does not allow. */
export function unexpectedState(intent: Intent): StripeRefusal {
  const type = 'invalid_request_error';
  return new StripeRefusal(400, { type, code: 'payment_intent_unexpected_state', payment_intent: intent });
}

/** The answer to a confirmation that has declined the payment. */
export function declineRefusal(intent: Intent): StripeRefusal {
  const { type = 'card_error', code, decline_code: declineCode } = intent.last_payment_error ?? {};
  return new StripeRefusal(402, {
    type,
    ...(code === undefined ? {} : { code }),
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    payment_intent: intent,
  });
}
