import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { AMOUNT_MINOR_LIMITS } from '../../../domain/money.ts';
import { SUPPORTED_CURRENCIES } from '../../../domain/currencies.ts';
import { CAPTURE_METHODS } from '../../../domain/payment.ts';
import {
  agreesWithRequest,
  captureAgrees,
  refundAgrees,
  type Approved,
  type Captured,
  type Refunded,
} from '../../../domain/provider-outcome.ts';

const amountMinor = fc.integer({ min: AMOUNT_MINOR_LIMITS.minimum, max: AMOUNT_MINOR_LIMITS.maximum });
const currency = fc.constantFrom(...SUPPORTED_CURRENCIES);
const captureMethod = fc.constantFrom(...CAPTURE_METHODS);
const asked = fc.record({ amountMinor, currency, captureMethod });

const approvedOf = (changes: Partial<Approved> & Pick<Approved, 'amountMinor' | 'currency'>): Approved => ({
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: true,
  ...changes,
});

const MANUAL = { amountMinor: 1_999, currency: 'EUR', captureMethod: 'manual' } as const;
const AUTOMATIC = { ...MANUAL, captureMethod: 'automatic' } as const;

describe('an approval', () => {
  it('agrees with a request of the same amount and currency, captured in full', () => {
    fc.assert(
      fc.property(asked, (request) => {
        const { amountMinor, currency } = request;
        assert.ok(agreesWithRequest(approvedOf({ amountMinor, currency }), request));
        assert.ok(agreesWithRequest(approvedOf({ amountMinor, currency, capturedMinor: amountMinor }), request));
      }),
    );
  });

  it('never agrees with another amount', () => {
    fc.assert(
      fc.property(asked, amountMinor, fc.boolean(), (request, reported, captured) => {
        fc.pre(reported !== request.amountMinor);
        const outcome = approvedOf({ amountMinor: reported, currency: request.currency, captured });
        assert.equal(agreesWithRequest(outcome, request), false);
      }),
    );
  });

  it('never agrees with another currency, or the same in another case or form', () => {
    fc.assert(
      fc.property(asked, currency, fc.boolean(), (request, other, captured) => {
        fc.pre(other !== request.currency);
        for (const reported of [other, request.currency.toLowerCase(), ` ${request.currency}`, '']) {
          const outcome = approvedOf({ amountMinor: request.amountMinor, currency: reported, captured });
          assert.equal(agreesWithRequest(outcome, request), false);
        }
      }),
    );
  });

  it('agrees with a manual capture if it holds the money or captured a part of it', () => {
    const { amountMinor, currency } = MANUAL;
    assert.ok(agreesWithRequest(approvedOf({ amountMinor, currency, captured: false }), MANUAL));
    for (const capturedMinor of [1, 700, 1_999]) {
      assert.ok(agreesWithRequest(approvedOf({ amountMinor, currency, capturedMinor }), MANUAL));
    }
    for (const capturedMinor of [-1, 0, 2_000, Number.NaN]) {
      assert.equal(agreesWithRequest(approvedOf({ amountMinor, currency, capturedMinor }), MANUAL), false);
    }
  });

  it('does not agree with an automatic capture if less or more was captured', () => {
    const { amountMinor, currency } = AUTOMATIC;
    assert.equal(agreesWithRequest(approvedOf({ amountMinor, currency, captured: false }), AUTOMATIC), false);
    for (const capturedMinor of [0, 1_998, 2_000]) {
      assert.equal(agreesWithRequest(approvedOf({ amountMinor, currency, capturedMinor }), AUTOMATIC), false);
    }
  });
});

describe('a capture and a refund', () => {
  const capturedOf = (capturedMinor: number, currency: string): Captured => ({
    kind: 'captured',
    providerPaymentId: 'sim_1',
    capturedMinor,
    currency,
  });
  const refundedOf = (amountMinor: number, currency: string): Refunded => ({
    kind: 'refunded',
    providerRefundId: 'simre_1',
    amountMinor,
    currency,
  });
  const money = fc.record({ amountMinor, currency });

  it('agree with exactly the requested amount', () => {
    fc.assert(
      fc.property(money, money, (request, reported) => {
        for (const { amountMinor, currency } of [request, reported]) {
          const agrees = amountMinor === request.amountMinor && currency === request.currency;
          assert.equal(captureAgrees(capturedOf(amountMinor, currency), request), agrees);
          assert.equal(refundAgrees(refundedOf(amountMinor, currency), request), agrees);
          assert.equal(refundAgrees({ ...refundedOf(amountMinor, currency), kind: 'pending' }, request), agrees);
        }
      }),
    );
  });

  it('do not agree with one minor unit more or less, or the currency in another case', () => {
    fc.assert(
      fc.property(money, ({ amountMinor, currency }) => {
        const others = [
          [amountMinor + 1, currency],
          [amountMinor - 1, currency],
          [amountMinor, currency.toLowerCase()],
        ] as const;
        for (const [reportedMinor, reportedCurrency] of others) {
          const request = { amountMinor, currency };
          assert.equal(captureAgrees(capturedOf(reportedMinor, reportedCurrency), request), false);
          assert.equal(refundAgrees(refundedOf(reportedMinor, reportedCurrency), request), false);
        }
      }),
    );
  });
});
