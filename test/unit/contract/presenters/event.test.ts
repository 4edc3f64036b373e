import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventResource } from '../../../../contract/schemas/event.ts';
import { presentEvent } from '../../../../contract/presenters/event.ts';
import { storedIntent } from '../../../support/payment-intents.ts';

describe('the event of a reversed stray charge', () => {
  it('contains the payment intent, and besides it the reversed charge', () => {
    const { intent } = storedIntent();
    const strayCharge = {
      attemptId: 'att_1',
      provider: 'alpha',
      amount: 1_234,
      currency: 'USD',
      reversedBy: 'void',
    } as const;
    const event = presentEvent({
      id: 'evt_1',
      type: 'payment_intent.stray_charge_reversed',
      resourceId: intent.id,
      paymentIntentId: intent.id,
      merchantAccountId: 'mer_1',
      environment: 'sandbox',
      sequence: 7,
      createdAt: new Date('2026-06-01T12:00:10.000Z'),
      failure: null,
      snapshot: { intent, strayCharge },
      attempts: [],
      maskedPaymentMethod: null,
    });
    assert.deepEqual(eventResource.strict().parse(event), event);
    assert.equal(event.data.id, intent.id);
    assert.deepEqual(event.strayCharge, strayCharge);
  });
});
