import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { CaptureMethod } from '../../domain/payment.ts';
import { agreesWithRequest, refundAgrees } from '../../domain/provider-outcome.ts';
import type {
  AuthorizationRequest,
  InquiryRequest,
  PaymentMethodDetails,
  PaymentProvider,
} from '../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';

const AMOUNT_MINOR = 12_34;
const CURRENCY = 'USD';
const MONEY = { amountMinor: AMOUNT_MINOR, currency: CURRENCY } as const;
const NOT_CHARGED = { kind: 'not_charged' } as const;

/** A provider under test, and the inputs that make its sandbox behave in each way. */
export interface ProviderUnderContract {
  readonly provider: PaymentProvider;
  /** The same provider with a timeout of a fraction of a second. */
  readonly impatient: PaymentProvider;
  /** The same provider at an address where nobody listens. */
  readonly unreachable: PaymentProvider;
  readonly methods: {
    readonly approved: PaymentMethodDetails;
    readonly declined: PaymentMethodDetails;
    readonly waiting: PaymentMethodDetails;
    /** Charged, but the reply never comes. */
    readonly replyLost: PaymentMethodDetails;
    readonly refundRefused: PaymentMethodDetails;
    readonly refundReplyLost: PaymentMethodDetails;
    readonly refundWaiting: PaymentMethodDetails;
  };
  /** Metadata with which the sandbox reports another amount, or another currency, than requested. */
  readonly misreporting: {
    readonly amount: Readonly<Record<string, string>>;
    readonly currency: Readonly<Record<string, string>>;
  };
  /** How often an attempt was charged, according to the provider's own ledger. */
  countCharges(attemptId: string): Promise<number>;
  /** The captured less the refunded amount of an attempt in the provider's own ledger, in minor units. */
  keptMinor(attemptId: string): Promise<number>;
  stop(): Promise<void>;
}

/** The contract that every provider adapter must meet. */
export function describeProviderContract(name: string, start: () => Promise<ProviderUnderContract>): void {
  describe(`${name} implements the contract of payment providers`, () => {
    let subject: ProviderUnderContract;
    before(async () => {
      subject = await start();
    });
    after(() => subject.stop());

    const payWith = async (method: PaymentMethodDetails): Promise<PaidAttempt> => {
      const request = requestWith(method);
      const outcome = await subject.provider.authorize(request, newSignal());
      assert.ok(outcome.kind === 'approved' && outcome.captured);
      return { ...request, providerPaymentId: outcome.providerPaymentId };
    };

    /** Authorizes an attempt without a capture. */
    const hold = async () => {
      const request = requestWith(subject.methods.approved, 'manual');
      const outcome = await subject.provider.authorize(request, newSignal());
      assert.ok(outcome.kind === 'approved' && !outcome.captured);
      return { request, providerPaymentId: outcome.providerPaymentId };
    };

    it('charges once, however often the same attempt is sent', async () => {
      const request = requestWith(subject.methods.approved);
      const first = await subject.provider.authorize(request, newSignal());
      const second = await subject.provider.authorize(request, newSignal());
      assert.equal(first.kind, 'approved');
      assert.deepEqual(second, first);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('charges once for twelve concurrent requests of one attempt', async () => {
      const request = requestWith(subject.methods.approved);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => subject.provider.authorize(request, newSignal())),
      );
      assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('only authorizes under manual capture', async () => {
      const { request } = await hold();
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('reports the amount and currency that were authorized or captured, also to an inquiry', async () => {
      for (const captureMethod of ['automatic', 'manual'] as const) {
        const request = requestWith(subject.methods.approved, captureMethod);
        const outcome = await subject.provider.authorize(request, newSignal());
        assert.ok(outcome.kind === 'approved');
        assert.deepEqual({ amountMinor: outcome.amountMinor, currency: outcome.currency }, MONEY);
        assert.ok(agreesWithRequest(outcome, request));
        assert.deepEqual(await subject.provider.inquire(request, newSignal()), outcome);
      }
    });

    for (const what of ['amount', 'currency'] as const) {
      it(`reports another ${what} than requested as the provider has it, never as requested`, async () => {
        for (const captureMethod of ['automatic', 'manual'] as const) {
          const metadata = subject.misreporting[what];
          const request = { ...requestWith(subject.methods.approved, captureMethod), metadata };
          const outcome = await subject.provider.authorize(request, newSignal());
          assert.ok(outcome.kind === 'approved');
          assert.equal(outcome.amountMinor !== AMOUNT_MINOR, what === 'amount');
          assert.equal(outcome.currency !== CURRENCY, what === 'currency');
          assert.equal(agreesWithRequest(outcome, request), false);
          assert.deepEqual(await subject.provider.inquire(request, newSignal()), outcome);
        }
      });
    }

    it('returns a decline as a value, also for an inquiry', async () => {
      const request = requestWith(subject.methods.declined);
      const outcome = await subject.provider.authorize(request, newSignal());
      assert.equal(outcome.kind, 'declined');
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), outcome);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('finds the charge of a lost reply by an inquiry', async () => {
      const request = requestWith(subject.methods.replyLost);
      await assert.rejects(subject.impatient.authorize(request, newSignal()), { code: 'TSP_TIMEOUT' });
      const found = await subject.provider.inquire(request, newSignal());
      assert.equal(found.kind === 'approved' && found.captured, true);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('closes an unknown attempt by an inquiry, so that a late request cannot charge', async () => {
      const request = requestWith(subject.methods.approved);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), NOT_CHARGED);
      await assert.rejects(subject.provider.authorize(request, newSignal()), ProviderOutageError);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), NOT_CHARGED);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('closes an unknown attempt by a closure', async () => {
      const request = requestWith(subject.methods.approved);
      assert.deepEqual(await subject.provider.close(request, newSignal()), NOT_CHARGED);
      await assert.rejects(subject.provider.authorize(request, newSignal()), ProviderOutageError);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('cancels an open payment by a closure', async () => {
      const request = requestWith(subject.methods.waiting);
      const waiting = await subject.provider.authorize(request, newSignal());
      assert.ok(waiting.kind === 'pending' || waiting.kind === 'requires_action');
      assert.deepEqual(await subject.provider.close(request, newSignal()), NOT_CHARGED);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), NOT_CHARGED);
    });

    it('voids a hold, and reports that again for a further closure or inquiry', async () => {
      const { request, providerPaymentId } = await hold();
      const voided = { ...NOT_CHARGED, voided: { providerPaymentId, ...MONEY } };
      assert.deepEqual(await subject.provider.close(request, newSignal()), voided);
      assert.deepEqual(await subject.provider.close(request, newSignal()), voided);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), voided);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('keeps captured money at a closure', async () => {
      const request = requestWith(subject.methods.approved);
      const taken = await subject.provider.authorize(request, newSignal());
      assert.deepEqual(await subject.provider.close(request, newSignal()), taken);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('captures the whole hold or a part of it, once, and reports the amount', async () => {
      for (const amountMinor of [AMOUNT_MINOR, 10_00]) {
        const { request, providerPaymentId } = await hold();
        const captured = await subject.provider.capture({ ...request, amountMinor }, newSignal());
        assert.deepEqual(captured, {
          kind: 'captured',
          providerPaymentId,
          capturedMinor: amountMinor,
          currency: CURRENCY,
        });
        assert.equal(await subject.countCharges(request.attemptId), 1);
        assert.equal(await subject.keptMinor(request.attemptId), amountMinor);
        const found = await subject.provider.inquire(request, newSignal());
        assert.ok(found.kind === 'approved' && found.captured);
        assert.deepEqual({ amountMinor: found.amountMinor, currency: found.currency }, MONEY);
        assert.equal(found.capturedMinor ?? AMOUNT_MINOR, amountMinor);
      }
    });

    it('answers a repeated capture like the first one, and a capture of another amount with the captured amount', async () => {
      const { request } = await hold();
      const first = await subject.provider.capture({ ...request, amountMinor: 10_00 }, newSignal());
      assert.equal(first.kind, 'captured');
      for (const amountMinor of [10_00, 10_01, 1, AMOUNT_MINOR]) {
        assert.deepEqual(await subject.provider.capture({ ...request, amountMinor }, newSignal()), first);
      }
      assert.equal(await subject.countCharges(request.attemptId), 1);
      assert.equal(await subject.keptMinor(request.attemptId), 10_00);
    });

    it('reports a voided payment as not held, and captures no more than the hold', async () => {
      const { request } = await hold();
      const more = { ...request, amountMinor: AMOUNT_MINOR + 1 };
      assert.equal((await subject.provider.capture(more, newSignal())).kind, 'unrecognised');
      await subject.provider.close(request, newSignal());
      const outcome = await subject.provider.capture({ ...request, amountMinor: AMOUNT_MINOR }, newSignal());
      assert.deepEqual(outcome, { kind: 'not_held' });
      assert.equal(await subject.keptMinor(request.attemptId), 0);
    });

    it('refunds once, however often the same refund is sent, and no more than was captured', async () => {
      const paid = await payWith(subject.methods.approved);
      const refund = refundOf(paid, 10_00);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => subject.provider.refund(refund, newSignal())),
      );
      const [first] = outcomes;
      assert.ok(first?.kind === 'refunded');
      assert.deepEqual([first.amountMinor, first.currency], [10_00, CURRENCY]);
      for (const outcome of outcomes) assert.deepEqual(outcome, first);
      assert.deepEqual(await subject.provider.inquireRefund(refund, newSignal()), first);
      assert.equal((await subject.provider.refund(refundOf(paid, 2_35), newSignal())).kind, 'refused');
      assert.equal((await subject.provider.refund(refundOf(paid, 2_34), newSignal())).kind, 'refunded');
      assert.equal(await subject.keptMinor(paid.attemptId), 0);
    });

    it('returns a refused refund as a value, also for an inquiry', async () => {
      const paid = await payWith(subject.methods.refundRefused);
      const refund = refundOf(paid, 10_00);
      const outcome = await subject.provider.refund(refund, newSignal());
      assert.equal(outcome.kind, 'refused');
      assert.deepEqual(await subject.provider.inquireRefund(refund, newSignal()), outcome);
      assert.equal(await subject.keptMinor(paid.attemptId), AMOUNT_MINOR);
    });

    it('finds the refund of a lost reply by an inquiry', async () => {
      const paid = await payWith(subject.methods.refundReplyLost);
      const refund = refundOf(paid, 10_00);
      await assert.rejects(subject.impatient.refund(refund, newSignal()), { code: 'TSP_TIMEOUT' });
      assert.equal((await subject.provider.inquireRefund(refund, newSignal())).kind, 'refunded');
      assert.equal(await subject.keptMinor(paid.attemptId), 2_34);
    });

    it('reports a slow refund as pending', async () => {
      const paid = await payWith(subject.methods.refundWaiting);
      const refund = refundOf(paid, 10_00);
      const outcome = await subject.provider.refund(refund, newSignal());
      assert.ok(outcome.kind === 'pending');
      assert.ok(refundAgrees(outcome, refund));
      assert.deepEqual(await subject.provider.inquireRefund(refund, newSignal()), outcome);
      assert.equal(await subject.keptMinor(paid.attemptId), AMOUNT_MINOR);
    });

    it('closes an unknown refund by an inquiry, so that a late request cannot refund', async () => {
      const paid = await payWith(subject.methods.approved);
      const refund = refundOf(paid, 10_00);
      assert.deepEqual(await subject.provider.inquireRefund(refund, newSignal()), { kind: 'not_refunded' });
      assert.equal((await subject.provider.refund(refund, newSignal())).kind, 'unrecognised');
      assert.deepEqual(await subject.provider.inquireRefund(refund, newSignal()), { kind: 'not_refunded' });
      assert.equal(await subject.keptMinor(paid.attemptId), AMOUNT_MINOR);
    });

    it('throws an outage if nobody answers', async () => {
      const request = requestWith(subject.methods.approved);
      const { unreachable } = subject;
      await assert.rejects(unreachable.authorize(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.inquire(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.close(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.capture(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      const refund = refundOf({ ...request, providerPaymentId: 'unknown' }, 1);
      await assert.rejects(unreachable.refund(refund, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.inquireRefund(refund, newSignal()), { code: 'TSP_UNAVAILABLE' });
    });

    it("stops with the reason of the caller's signal", async () => {
      const reason = new Error('given up');
      const waiting = subject.provider.authorize(requestWith(subject.methods.replyLost), AbortSignal.abort(reason));
      await assert.rejects(waiting, reason);
    });
  });
}

type PaidAttempt = Omit<AuthorizationRequest, 'providerPaymentId'> & { readonly providerPaymentId: string };

function refundOf({ attemptId, providerPaymentId, environment, currency }: PaidAttempt, amountMinor: number) {
  const refundId = `re_${randomUUID().replaceAll('-', '')}`;
  const loadReported = () => Promise.resolve(null);
  return { refundId, attemptId, providerPaymentId, environment, amountMinor, currency, loadReported };
}

export function requestWith(
  method: PaymentMethodDetails,
  captureMethod: CaptureMethod = 'automatic',
): AuthorizationRequest & InquiryRequest {
  const unique = randomUUID().replaceAll('-', '');
  const request: AuthorizationRequest = {
    attemptId: `att_${unique}_1`,
    paymentIntentId: `pi_${unique}`,
    environment: 'sandbox',
    amountMinor: AMOUNT_MINOR,
    currency: CURRENCY,
    captureMethod,
    method,
    returnUrl: null,
    reference: 'ORDER-1042',
    metadata: {},
    providerPaymentId: null,
    startedAt: new Date().toISOString(),
    storePaymentId: () => Promise.resolve(),
  };
  return {
    ...request,
    loadAuthorization: () => Promise.resolve(request),
    loadReported: () => Promise.resolve(null),
  };
}

export function cardOf(number: string): PaymentMethodDetails {
  return { type: 'card', number, expiryMonth: 12, expiryYear: 2039, cvc: '123', holderName: null };
}

export function newSignal(): AbortSignal {
  return new AbortController().signal;
}
