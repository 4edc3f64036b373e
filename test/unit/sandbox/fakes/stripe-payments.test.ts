import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Payments } from '../../../../sandbox/fakes/stripe/payments.ts';

const CHALLENGED = '4000000000003220';

describe('a payment at the fake of Stripe', () => {
  it('asks for nothing more of the customer once it is canceled, or has expired', () => {
    for (const end of ['cancel', 'expire'] as const) {
      const payments = new Payments({ onEvent: () => undefined });
      const { id: methodId } = payments.createMethod({ card: { number: CHALLENGED } });
      const { id } = payments.createIntent({ amount: '1999', currency: 'eur', payment_method: methodId });
      assert.notEqual(payments.confirm(id, {}).next_action, null);
      payments[end](id);
      const { status, next_action: nextAction } = payments.find(id);
      assert.deepEqual([status, nextAction], ['canceled', null], end);
    }
  });
});
