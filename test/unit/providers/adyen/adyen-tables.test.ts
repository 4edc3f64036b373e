import assert from 'node:assert/strict';
import type { PaymentCancelResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentCancelResponse.js';
import type { PaymentCaptureResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureResponse.js';
import type { PaymentRefundResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundResponse.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { StandalonePaymentCancelResponse } from '@adyen/api-library/lib/src/typings/checkout/standalonePaymentCancelResponse.js';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { z } from 'zod';
import { currencyExponent, SUPPORTED_CURRENCIES } from '../../../../domain/currencies.ts';
import { AMOUNT_MINOR_LIMITS } from '../../../../domain/money.ts';
import { REFUSALS, refusalOf, reportedRefusalOf, requestErrorOf } from '../../../../providers/adyen/error-codes.ts';
import {
  parsePaymentReference,
  paymentReferenceOf,
  paymentReplySchema,
  type receivedSchema,
  type refundReceivedSchema,
} from '../../../../providers/adyen/messages.ts';
import { fromAdyenAmount, toAdyenAmount } from '../../../../providers/adyen/money.ts';
import { outcomeOf } from '../../../../providers/adyen/outcomes.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';

/** Does not compile where a reply of the vendor's own type could not be read. */
type Readable<Schema extends z.ZodType, Reply extends z.input<Schema>> = Reply extends z.input<Schema> ? true : never;
const readable: readonly [
  Readable<typeof paymentReplySchema, PaymentResponse & { resultCode: string }>,
  Readable<typeof receivedSchema, Received<PaymentCancelResponse>>,
  Readable<typeof receivedSchema, Received<StandalonePaymentCancelResponse>>,
  Readable<typeof receivedSchema, Received<PaymentCaptureResponse>>,
  Readable<typeof refundReceivedSchema, Received<PaymentRefundResponse>>,
] = [true, true, true, true, true];

/** The vendor names the only value of `status` by an enum, which exists only in its package. */
type Received<Reply extends { status: string }> = Omit<Reply, 'status'> & { status: `${Reply['status']}` };

/** As Adyen documents them: https://docs.adyen.com/development-resources/refusal-reasons */
const DOCUMENTED_REFUSALS = [
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
  ...[31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46],
].map(String);

/** As Checkout v72 documents them. */
const RESULTS: Readonly<Record<string, string>> = {
  Authorised: 'approved',
  PartiallyAuthorised: 'approved',
  Refused: 'declined',
  Error: 'declined',
  Cancelled: 'declined',
  Pending: 'pending',
  Received: 'pending',
  PresentToShopper: 'pending',
  RedirectShopper: 'declined',
  IdentifyShopper: 'declined',
  ChallengeShopper: 'declined',
  AuthenticationFinished: 'pending',
  AuthenticationNotRequired: 'pending',
  Success: 'pending',
} satisfies Record<`${PaymentResponse.ResultCodeEnum}`, string>;

const ANSWERED = { captureMethod: 'automatic', canRedirect: false, startedAt: '2026-11-01T00:00:00.000Z' } as const;

describe("the tables of Adyen's adapter", () => {
  it("read every reply of the vendor's own types", () => {
    assert.ok(readable.every(Boolean));
  });

  it('map every refusal that Adyen documents, and no other', () => {
    assert.deepEqual(Object.keys(REFUSALS), DOCUMENTED_REFUSALS);
    for (const [code, refusal] of Object.entries(REFUSALS)) {
      const outcome = refusalOf(code, 'psp');
      assert.equal(outcome.code, refusal.code);
      assert.equal(outcome.kind, refusal.code === 'FRAUD_DETECTED' ? 'failed' : 'declined');
      assert.deepEqual(outcome.details, refusal.reason === undefined ? undefined : { reason: refusal.reason });
      const reported = reportedRefusalOf(refusal.text.toUpperCase(), 'psp');
      assert.equal(reported.code, refusal.code === 'FRAUD_DETECTED' ? 'PAYMENT_DECLINED' : refusal.code);
    }
    for (const code of ['1', '47', '', undefined]) assert.equal(refusalOf(code, null).code, 'PAYMENT_DECLINED');
    assert.equal(reportedRefusalOf('something else', 'psp').code, 'PAYMENT_DECLINED');
    assert.equal(requestErrorOf('101')?.code, 'CARD_DECLINED');
    assert.equal(requestErrorOf('704'), null);
  });

  it('map every result code that Adyen documents', () => {
    const amount = { value: 100, currency: 'USD' };
    for (const [resultCode, kind] of Object.entries(RESULTS)) {
      assert.equal(outcomeOf({ resultCode, pspReference: 'psp', amount }, ANSWERED).kind, kind, resultCode);
    }
    assert.deepEqual(outcomeOf({ resultCode: 'NewAtAdyen' }, ANSWERED), { kind: 'pending', providerPaymentId: null });
    assert.throws(() => outcomeOf({ resultCode: 'Authorised', amount }, ANSWERED), ProviderOutageError);
  });

  it("give a hold the card scheme's validity, and the shortest one where the scheme is not known", () => {
    const amount = { value: 100, currency: 'USD' };
    for (const [paymentMethod, captureBefore] of [
      ['visa', '2026-11-11T00:00:00.000Z'],
      ['visa_googlepay', '2026-11-11T00:00:00.000Z'],
      ['mc', '2026-11-08T00:00:00.000Z'],
      ['cartebancaire', '2026-11-13T00:00:00.000Z'],
      ['newAtAdyen', '2026-11-08T00:00:00.000Z'],
      [undefined, '2026-11-08T00:00:00.000Z'],
    ] as const) {
      const reply = { resultCode: 'Authorised', pspReference: 'psp', amount, additionalData: { paymentMethod } };
      const held = outcomeOf(reply, { ...ANSWERED, captureMethod: 'manual' });
      assert.ok(held.kind === 'approved' && !held.captured);
      assert.equal(held.captureBefore, captureBefore, paymentMethod);
      assert.ok(!('captureBefore' in outcomeOf(reply, ANSWERED)));
    }
  });

  it('reads a number where Adyen documents a text', () => {
    const reply = paymentReplySchema.parse({ resultCode: 'Refused', pspReference: 'psp', refusalReasonCode: 12 });
    const outcome = outcomeOf(reply, ANSWERED);
    assert.equal(outcome.kind === 'declined' && outcome.code, 'INSUFFICIENT_FUNDS');
  });

  it('convert amounts of every currency that Adyen takes without a loss', () => {
    const amounts = fc.record({
      amountMinor: fc.integer({ min: AMOUNT_MINOR_LIMITS.minimum, max: AMOUNT_MINOR_LIMITS.maximum }),
      currency: fc.constantFrom(...SUPPORTED_CURRENCIES),
    });
    const convert = ({ amountMinor, currency }: { amountMinor: number; currency: string }): void => {
      const amount = toAdyenAmount({ amountMinor, currency });
      if (amount === null) return;
      assert.ok(Number.isSafeInteger(amount.value) && amount.value > 0);
      assert.deepEqual(fromAdyenAmount(amount), { amountMinor, currency });
    };
    fc.assert(fc.property(amounts, convert), { numRuns: 2_000 });
    const taken = SUPPORTED_CURRENCIES.filter((currency) => toAdyenAmount({ amountMinor: 100, currency }) !== null);
    assert.ok(taken.length > 120, String(taken.length));
  });

  it("count the currencies that differ from ISO 4217 as Adyen's table does", () => {
    const differing = SUPPORTED_CURRENCIES.filter((currency) => {
      const amount = toAdyenAmount({ amountMinor: 10 ** currencyExponent(currency) * 100, currency });
      return amount !== null && amount.value !== 10 ** currencyExponent(currency) * 100;
    });
    assert.deepEqual(differing, ['CLP', 'CVE', 'IDR', 'ISK']);
    for (const currency of ['CLP', 'ISK']) {
      assert.deepEqual(toAdyenAmount({ amountMinor: 1_500, currency }), { value: 150_000, currency });
      assert.equal(fromAdyenAmount({ value: 150_050, currency }), null);
    }
    for (const currency of ['CVE', 'IDR']) {
      assert.deepEqual(toAdyenAmount({ amountMinor: 150_000, currency }), { value: 1_500, currency });
      assert.equal(toAdyenAmount({ amountMinor: 150_050, currency }), null);
    }
    assert.equal(toAdyenAmount({ amountMinor: 100, currency: 'KPW' }), null);
  });

  it('read back the reference of a payment, and take no other for one', () => {
    const attemptId = `att_${'0a'.repeat(16)}_12`;
    for (const captureMethod of ['automatic', 'manual'] as const) {
      const reference = paymentReferenceOf({ attemptId, captureMethod, amountMinor: 99_999_999_999 });
      assert.ok(reference.length <= 80);
      const heldMinor = captureMethod === 'manual' ? 99_999_999_999 : null;
      assert.deepEqual(parsePaymentReference(reference), { attemptId, heldMinor });
    }
    for (const foreign of ['', 'ORDER-1', attemptId.slice(1), `${attemptId}-`, `${attemptId}-1-2`, `${attemptId}-x`]) {
      assert.equal(parsePaymentReference(foreign), null, foreign);
    }
  });
});
