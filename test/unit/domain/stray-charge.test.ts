import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Approved, InquiryOutcome } from '../../../domain/provider-outcome.ts';
import {
  describeStrayCharge,
  endOfRefund,
  endWithoutRefund,
  resolveStrayCharge,
  type StrayChargeEnd,
  strayChargeOf,
  strayChargeResult,
} from '../../../domain/stray-charge.ts';

const MONEY = { providerPaymentId: 'sim_1', amountMinor: 1_999, currency: 'EUR' } as const;
const CAPTURED: Approved = { kind: 'approved', ...MONEY, captured: true };
const ATTEMPT = { attemptId: 'att_1', attemptNumber: 2, provider: 'alpha' } as const;

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

  const ends: readonly (readonly [StrayChargeEnd, string, RegExp, string | null])[] = [
    [
      { kind: 'refunded', money: MONEY },
      'reversed',
      /reversed: EUR 19\.99 of attempt 2 is refunded at alpha/,
      'refund',
    ],
    [{ kind: 'voided', money: MONEY }, 'reversed', /reversed: the hold of EUR 19\.99 .* voided at alpha/, 'void'],
    [{ kind: 'refused', money: MONEY, details: {} }, 'failed', /not reversed: .*STRAY_CHARGE_NOT_REVERSED/, null],
    [{ kind: 'unfounded' }, 'unfounded', /Nothing to reverse: alpha/, null],
  ];
  for (const [end, status, words, reversedBy] of ends) {
    it(`as ${end.kind} is one step of the payment, with an event only when it is reversed`, () => {
      const { timeline, events, strayCharge, ...rest } = resolveStrayCharge(ATTEMPT, end);
      assert.deepEqual(rest, {});
      assert.equal(timeline.length, 1);
      assert.equal(timeline[0].kind, 'decision');
      assert.match(timeline[0].summary, words);
      assert.deepEqual(strayCharge, { attemptId: 'att_1', status, money: end.kind === 'unfounded' ? null : MONEY });
      const payload = { attemptId: 'att_1', provider: 'alpha', amount: 1_999, currency: 'EUR', reversedBy };
      const event = { type: 'payment_intent.stray_charge_reversed', strayCharge: payload };
      assert.deepEqual(events, reversedBy === null ? [] : [event]);
      assert.equal(strayChargeResult(end).status, status);
    });
  }
});
