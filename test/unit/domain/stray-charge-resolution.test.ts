import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StrayChargeEnd } from '../../../domain/stray-charge.ts';
import { resolveStrayCharge, strayChargeResult } from '../../../domain/stray-charge-resolution.ts';

const MONEY = { providerPaymentId: 'sim_1', amountMinor: 1_999, currency: 'EUR' } as const;
const ATTEMPT = { attemptId: 'att_1', attemptNumber: 2, provider: 'alpha' } as const;

describe('the end of a stray charge, as recorded', () => {
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
