import { createHmac } from 'node:crypto';
import { depositScenarioOf } from './deposit-state-machine.ts';
import type { PaymentRequest } from './protocol.ts';

/**
 * Identifies repeats of a request. Keyed, since a card number could be guessed from a bare hash. The card's CVC is
 * left out: it may not be stored in any form, and a repeat may come without it.
 */
export function fingerprintOf(request: PaymentRequest, secret: string): string {
  const { reference, paymentIntentId, amount, currency, capture, returnUrl, method } = request;
  const terms = [reference, paymentIntentId, amount, currency, capture, returnUrl];
  const { initiator = '', reason = '' } = request.credential ?? {};
  const parts = [...terms, method.type, ...instrumentOf(request), initiator, reason];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

function instrumentOf({ method, scenario }: PaymentRequest): readonly (string | number)[] {
  switch (method.type) {
    case 'card':
      return [method.number, method.expiryMonth, method.expiryYear];
    case 'card_token':
    case 'stored_card':
      return [method.token];
    case 'upi':
      return [method.vpa?.toLowerCase() ?? ''];
    case 'crypto':
      return [method.asset, method.network, depositScenarioOf(scenario)];
  }
}
