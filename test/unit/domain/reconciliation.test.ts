import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  comparePayment,
  DIFFERENCE_ACTIONS,
  isComparable,
  type ListedPayment,
  type ListedRefund,
  missingPayment,
  nextWindow,
  type RecordedAttempt,
  repairEventOf,
} from '../../../domain/reconciliation.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { listedPayment, recordedAttempt } from '../../support/reconciliations.ts';

const TO = new Date('2026-11-23T12:00:00Z');
const HELD = { heldMinor: 1_999, outcome: 'approved', captureMethod: 'manual' } as const;
const CAPTURED = { capturedMinor: 1_999, outcome: 'approved' } as const;
const VOIDED = { ...HELD, voidedMinor: 1_999 };
const UNCHARGED = { outcome: 'not_charged' } as const;

const kindsOf = (listed: Partial<ListedPayment>, recorded?: Partial<RecordedAttempt>): string[] =>
  comparePayment(listedPayment(listed), recorded && recordedAttempt(recorded), TO).map(({ kind }) => kind);

const refund = (change: Partial<ListedRefund>): ListedRefund => ({
  refundId: 're_1',
  providerRefundId: 'sim_re_1',
  amountMinor: 500,
  currency: 'USD',
  status: 'succeeded',
  ...change,
});
const recordedRefund = (status: 'pending' | 'succeeded' | 'failed', change: object = {}) => ({
  refundId: 're_1',
  amountMinor: 500,
  currency: 'USD',
  status,
  providerRefundId: null,
  changedAt: '2026-11-23T10:00:00Z',
  ...change,
});

describe('rules of reconciliation', () => {
  const rows: readonly [
    ours: string,
    Partial<RecordedAttempt>,
    theirs: ListedPayment['status'],
    kind: string | null,
  ][] = [
    ['an open attempt', {}, 'open', null],
    ['an open attempt', {}, 'declined', null],
    ['an open attempt', {}, 'captured', 'outcome_not_recorded'],
    ['an open attempt with manual capture', { captureMethod: 'manual' }, 'held', 'outcome_not_recorded'],
    ['an open attempt whose capture is automatic', {}, 'held', 'amount_differs'],
    ['an attempt that ended without a charge', UNCHARGED, 'declined', null],
    ['an attempt that ended without a charge', UNCHARGED, 'held', 'stray_charge'],
    ['an attempt that ended without a charge', UNCHARGED, 'captured', 'stray_charge'],
    ['a stray charge on its way back', { ...UNCHARGED, strayCharge: 'pending' }, 'captured', null],
    ['a stray charge that was denied', { ...UNCHARGED, strayCharge: 'unfounded' }, 'captured', 'stray_charge'],
    ['a stray charge that seems reversed', { ...UNCHARGED, strayCharge: 'reversed' }, 'captured', 'status_differs'],
    ['a stray charge that seems reversed', { ...UNCHARGED, strayCharge: 'reversed' }, 'voided', null],
    ['a stray charge that was not reversed', { ...UNCHARGED, strayCharge: 'failed' }, 'captured', 'status_differs'],
    ['a hold', HELD, 'held', null],
    ['a hold', HELD, 'captured', 'capture_not_recorded'],
    ['a hold', HELD, 'voided', 'hold_ended'],
    ['a capture', CAPTURED, 'captured', null],
    ['a capture', CAPTURED, 'held', 'status_differs'],
    ['a capture', CAPTURED, 'declined', 'status_differs'],
    ['a voided hold', VOIDED, 'voided', null],
    ['a voided hold', VOIDED, 'captured', 'stray_charge'],
    ['a voided hold', VOIDED, 'held', 'status_differs'],
  ];
  for (const [ours, recorded, status, kind] of rows) {
    it(`${ours}, ${status} at the provider: ${kind ?? 'they agree'}`, () => {
      assert.deepEqual(kindsOf({ status }, recorded), kind === null ? [] : [kind]);
    });
  }

  it('reports another amount or currency, whatever the states, and repairs nothing', () => {
    for (const recorded of [{}, UNCHARGED, HELD, CAPTURED, VOIDED]) {
      assert.deepEqual(kindsOf({ status: 'captured', amountMinor: 2_000 }, recorded), ['amount_differs']);
      assert.deepEqual(kindsOf({ status: 'captured', capturedMinor: 0 }, recorded), ['amount_differs']);
      assert.deepEqual(kindsOf({ status: 'captured', currency: 'EUR' }, recorded), ['currency_differs']);
    }
    assert.deepEqual(kindsOf({ status: 'captured', capturedMinor: 1_000 }, CAPTURED), ['amount_differs']);
  });

  it('reports a charge that is none of ours, and nothing where the provider has charged nothing', () => {
    assert.deepEqual(kindsOf({ status: 'captured' }), ['unknown_payment']);
    assert.deepEqual(kindsOf({ status: 'held', capturedMinor: 0 }), ['unknown_payment']);
    assert.deepEqual(kindsOf({ status: 'declined' }), []);
  });

  it('compares refunds by their ids', () => {
    const refunded = (theirs: Partial<ListedRefund>, ours?: object): string[] =>
      kindsOf({ refunds: [refund(theirs)] }, { ...CAPTURED, refunds: ours ? [recordedRefund('pending', ours)] : [] });
    assert.deepEqual(refunded({}, {}), ['refund_outcome_not_recorded']);
    assert.deepEqual(refunded({ status: 'failed' }, {}), ['refund_outcome_not_recorded']);
    assert.deepEqual(refunded({ status: 'pending' }, {}), []);
    assert.deepEqual(refunded({ amountMinor: 499 }, {}), ['refund_differs']);
    assert.deepEqual(refunded({}, { status: 'failed' }), ['refund_differs']);
    assert.deepEqual(
      refunded({ status: 'failed' }, { status: 'succeeded' }),
      ['refund_outcome_not_recorded'],
      'failed late',
    );
    assert.deepEqual(refunded({}, { status: 'succeeded' }), []);
    assert.deepEqual(refunded({}, { changedAt: '2026-11-23T12:00:01Z' }), [], 'in flight');
    assert.deepEqual(refunded({ refundId: null }), ['unknown_refund']);
    assert.deepEqual(kindsOf({}, { ...CAPTURED, refunds: [recordedRefund('succeeded')] }), ['missing_refund']);
    assert.deepEqual(kindsOf({}, { ...CAPTURED, refunds: [recordedRefund('failed')] }), []);
  });

  it('counts the refund of a stray charge as its reversal', () => {
    const refunds = [refund({ refundId: 'stray_1', amountMinor: 1_999 })];
    assert.deepEqual(kindsOf({ refunds }, { ...UNCHARGED, strayCharge: 'reversed' }), []);
  });

  it('leaves to the next run what has changed after the window', () => {
    const late = '2026-11-23T12:00:01Z';
    const window = { from: new Date('2026-11-23T10:00:00Z'), to: TO };
    assert.equal(isComparable(listedPayment(), undefined, window), true);
    assert.equal(isComparable(listedPayment(), recordedAttempt(), window), true);
    assert.equal(isComparable(listedPayment({ updatedAt: late }), recordedAttempt(), window), false);
    assert.equal(isComparable(listedPayment({ updatedAt: '2026-11-23T09:59:59Z' }), undefined, window), false);
    assert.equal(isComparable(listedPayment(), recordedAttempt({ changedAt: late }), window), false);
  });

  const listedArbitrary = fc.record({
    status: fc.constantFrom<ListedPayment['status']>('open', 'declined', 'failed', 'held', 'captured', 'voided'),
    amountMinor: fc.integer({ min: 1, max: 3 }),
    capturedMinor: fc.integer({ min: 0, max: 3 }),
    currency: fc.constantFrom('USD', 'EUR'),
  });
  const recordedArbitrary = fc.record({
    outcome: fc.constantFrom(null, 'approved' as const, 'not_charged' as const, 'declined' as const),
    captureMethod: fc.constantFrom('automatic' as const, 'manual' as const),
    amountMinor: fc.integer({ min: 1, max: 3 }),
    heldMinor: fc.integer({ min: 0, max: 3 }),
    voidedMinor: fc.integer({ min: 0, max: 3 }),
    capturedMinor: fc.integer({ min: 0, max: 3 }),
    strayCharge: fc.constantFrom(null, 'pending' as const, 'reversed' as const, 'unfounded' as const),
  });

  it('repairs only what has the amount and currency of the attempt, by an event of its own in each run', () => {
    fc.assert(
      fc.property(listedArbitrary, recordedArbitrary, (listed, recorded) => {
        const [difference, ...others] = comparePayment(listedPayment(listed), recordedAttempt(recorded), TO);
        assert.equal(others.length, 0);
        if (difference === undefined) return;
        const event = repairEventOf(difference, 'alpha', 'rec_1');
        assert.equal(event !== null, DIFFERENCE_ACTIONS[difference.kind] === 'repaired');
        if (event === null || !('outcome' in event)) return;
        assert.equal(event.eventId, `reconciliation:rec_1:${event.attemptId}`);
        if (event.outcome.kind !== 'approved') return;
        assert.deepEqual([event.outcome.amountMinor, event.outcome.currency], [recorded.amountMinor, 'USD']);
        assert.ok((event.outcome.capturedMinor ?? 0) <= recorded.amountMinor);
      }),
    );
  });

  it('never finds a difference where both sides have the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), (amountMinor, captured) => {
        const capturedMinor = Math.min(captured, amountMinor);
        const same = { amountMinor, capturedMinor };
        assert.deepEqual(kindsOf({ status: 'captured', ...same }, { ...CAPTURED, ...same }), []);
      }),
    );
  });

  it('reports a charge that the provider does not list', () => {
    const { kind, theirs, report } = missingPayment(recordedAttempt(CAPTURED));
    assert.deepEqual([kind, theirs, report], ['missing_payment', null, null]);
  });

  it('follows on the window before, overlaps with it, and leaves out what is in flight', () => {
    const first = nextWindow(null, TO);
    assert.equal(TO.getTime() - first.to.getTime(), 5 * MINUTE_MS);
    assert.equal(first.to.getTime() - first.from.getTime(), 24 * HOUR_MS);
    const next = nextWindow(first.to, new Date(TO.getTime() + 6 * HOUR_MS));
    assert.equal(next.from.getTime(), first.to.getTime() - HOUR_MS);
    const afterMonth = nextWindow(first.to, new Date(TO.getTime() + 30 * 24 * HOUR_MS));
    assert.equal(afterMonth.to.getTime() - afterMonth.from.getTime(), 7 * 24 * HOUR_MS);
  });
});
