import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Approved, InquiryOutcome } from '../../../domain/provider-outcome.ts';
import { describeStrayCharge, endOfRefund, endWithoutRefund, strayChargeOf } from '../../../domain/stray-charge.ts';

const MONEY = { providerPaymentId: 'sim_1', amountMinor: 1_999, currency: 'EUR' } as const;
const CAPTURED: Approved = { kind: 'approved', ...MONEY, captured: true };

describe('the state of a stray charge at its provider', () => {
  const answers: readonly (readonly [string, InquiryOutcome, object, string])[] = [
    ['captured', CAPTURED, { kind: 'captured', ...MONEY }, 'EUR 19.99 captured'],
    [
      'captured in part',
      { ...CAPTURED, capturedMinor: 700 },
      { kind: 'captured', ...MONEY, amountMinor: 700 },
      'EUR 7.00 captured',
    ],
    ['held', { ...CAPTURED, captured: false }, { kind: 'held', ...MONEY }, 'EUR 19.99 held'],
    ['voided', { kind: 'not_charged', voided: MONEY }, { kind: 'voided', ...MONEY }, 'EUR 19.99 voided'],
    ['not charged', { kind: 'not_charged' }, { kind: 'nothing' }, 'nothing charged'],
    [
      'declined',
      { kind: 'declined', providerPaymentId: 'sim_1', code: 'CARD_DECLINED' },
      { kind: 'nothing' },
      'nothing charged',
    ],
    ['pending', { kind: 'pending', providerPaymentId: 'sim_1' }, { kind: 'open' }, 'still under way'],
  ];
  for (const [what, outcome, charge, words] of answers) {
    it(`follows from the inquiry: ${what}`, () => {
      assert.deepEqual(strayChargeOf(outcome), charge);
      assert.equal(describeStrayCharge(strayChargeOf(outcome)), words);
    });
  }
});

describe('the end of a stray charge', () => {
  it('without a refund is a void only if the reversal can have voided the hold', () => {
    const voided = { kind: 'voided', ...MONEY } as const;
    assert.deepEqual(endWithoutRefund(voided, true), { kind: 'voided', money: MONEY });
    assert.deepEqual(endWithoutRefund(voided, false), { kind: 'unfounded' });
    assert.deepEqual(endWithoutRefund({ kind: 'nothing' }, true), { kind: 'unfounded' });
  });

  it("with a refund is the provider's outcome of the refund", () => {
    const captured = { kind: 'captured', ...MONEY } as const;
    const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 1_999, currency: 'EUR' } as const;
    assert.deepEqual(endOfRefund(captured, refunded, null), { kind: 'refunded', money: MONEY });
    const details = { providerResponse: { reason: 'no' } };
    assert.deepEqual(endOfRefund(captured, { kind: 'refused', providerRefundId: null, details }, null), {
      kind: 'refused',
      money: MONEY,
      details,
    });
    assert.deepEqual(endOfRefund(captured, { kind: 'not_refunded' }, { status: 400 }), {
      kind: 'refused',
      money: MONEY,
      details: { providerResponse: { status: 400 } },
    });
  });
});
