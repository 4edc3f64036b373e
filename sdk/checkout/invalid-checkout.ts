import { createEmitter } from './emitter.ts';
import type { Platform } from './platform.ts';
import type { Checkout, CheckoutError, CheckoutEvents } from './types.ts';

const ERROR: CheckoutError = {
  code: 'INVALID_CLIENT_SECRET',
  message: 'This is not the client secret of a payment intent.',
  details: null,
};

/** The checkout of a page that passes no valid client secret: every result has the error, and nothing is thrown. */
export function invalidCheckout(platform: Platform): Checkout {
  const emitter = createEmitter<CheckoutEvents>((error) => platform.report(error));
  const cancel = platform.schedule(0, () => emitter.emit({ type: 'connection', state: 'closed', error: ERROR }));
  return {
    paymentIntentId: '',
    on: (name, listener) => emitter.on(name, listener),
    confirm: () => Promise.resolve({ outcome: 'refused', payment: null, nextAction: null, action: null, error: ERROR }),
    status: () => Promise.resolve({ status: null, nextAction: null, payment: null, error: ERROR }),
    savedCards: () => Promise.resolve({ cards: [], error: ERROR }),
    startAction: () => 'nothing_to_do',
    close: cancel,
  };
}
