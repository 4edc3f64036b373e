import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { CaptureMethod } from '../../domain/payment.ts';
import type { AuthorizationRequest, PaymentMethodDetails, PaymentProvider } from '../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';

/** A provider to be held to the contract, and what its sandbox is asked to do. */
export interface ProviderUnderContract {
  readonly provider: PaymentProvider;
  /** The same provider, waiting for an answer only for a fraction of a second. */
  readonly impatient: PaymentProvider;
  /** The same provider at an address where nobody listens. */
  readonly unreachable: PaymentProvider;
  readonly methods: {
    readonly approved: PaymentMethodDetails;
    readonly declined: PaymentMethodDetails;
    readonly waiting: PaymentMethodDetails;
    /** Charged, but the reply never comes. */
    readonly replyLost: PaymentMethodDetails;
  };
  /** How often money was taken for an attempt, according to the provider's own books. */
  countCharges(attemptId: string): Promise<number>;
  stop(): Promise<void>;
}

/** What every adapter has to hold to, whichever provider it speaks to. */
export function describeProviderContract(name: string, start: () => Promise<ProviderUnderContract>): void {
  describe(`${name} keeps the contract of a payment provider`, () => {
    let subject: ProviderUnderContract;
    before(async () => {
      subject = await start();
    });
    after(() => subject.stop());

    it('takes the money once, however often the same attempt is sent', async () => {
      const request = requestWith(subject.methods.approved);
      const first = await subject.provider.authorize(request, newSignal());
      const second = await subject.provider.authorize(request, newSignal());
      assert.equal(first.kind, 'approved');
      assert.deepEqual(second, first);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('takes the money once when the same attempt is sent twelve times at once', async () => {
      const request = requestWith(subject.methods.approved);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => subject.provider.authorize(request, newSignal())),
      );
      assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('only holds the money under manual capture', async () => {
      const request = requestWith(subject.methods.approved, 'manual');
      const outcome = await subject.provider.authorize(request, newSignal());
      assert.equal(outcome.kind === 'approved' && outcome.captured, false);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('reports a decline as a value, and again when asked', async () => {
      const request = requestWith(subject.methods.declined);
      const outcome = await subject.provider.authorize(request, newSignal());
      assert.equal(outcome.kind, 'declined');
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), outcome);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('finds the charge whose reply was lost', async () => {
      const request = requestWith(subject.methods.replyLost);
      await assert.rejects(subject.impatient.authorize(request, newSignal()), { code: 'TSP_TIMEOUT' });
      const found = await subject.provider.inquire(request, newSignal());
      assert.equal(found.kind === 'approved' && found.captured, true);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('closes an unknown attempt when asked about it, so that a late request cannot charge', async () => {
      const request = requestWith(subject.methods.approved);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), { kind: 'not_charged' });
      await assert.rejects(subject.provider.authorize(request, newSignal()), ProviderOutageError);
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), { kind: 'not_charged' });
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('closes an unknown attempt when told to', async () => {
      const request = requestWith(subject.methods.approved);
      assert.deepEqual(await subject.provider.close(request, newSignal()), { kind: 'not_charged' });
      await assert.rejects(subject.provider.authorize(request, newSignal()), ProviderOutageError);
      assert.equal(await subject.countCharges(request.attemptId), 0);
    });

    it('calls off a payment that waits', async () => {
      const request = requestWith(subject.methods.waiting);
      const waiting = await subject.provider.authorize(request, newSignal());
      assert.ok(waiting.kind === 'pending' || waiting.kind === 'requires_action');
      assert.deepEqual(await subject.provider.close(request, newSignal()), { kind: 'not_charged' });
      assert.deepEqual(await subject.provider.inquire(request, newSignal()), { kind: 'not_charged' });
    });

    it('releases money that is only held', async () => {
      const request = requestWith(subject.methods.approved, 'manual');
      await subject.provider.authorize(request, newSignal());
      assert.deepEqual(await subject.provider.close(request, newSignal()), { kind: 'not_charged' });
      assert.deepEqual(await subject.provider.close(request, newSignal()), { kind: 'not_charged' });
    });

    it('leaves money that was taken where it is', async () => {
      const request = requestWith(subject.methods.approved);
      const taken = await subject.provider.authorize(request, newSignal());
      assert.deepEqual(await subject.provider.close(request, newSignal()), taken);
      assert.equal(await subject.countCharges(request.attemptId), 1);
    });

    it('says that it is unavailable where nobody answers', async () => {
      const request = requestWith(subject.methods.approved);
      const { unreachable } = subject;
      await assert.rejects(unreachable.authorize(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.inquire(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
      await assert.rejects(unreachable.close(request, newSignal()), { code: 'TSP_UNAVAILABLE' });
    });

    it('stops with the reason of the caller who gives up', async () => {
      const reason = new Error('given up');
      const waiting = subject.provider.authorize(requestWith(subject.methods.replyLost), AbortSignal.abort(reason));
      await assert.rejects(waiting, reason);
    });
  });
}

export function requestWith(
  method: PaymentMethodDetails,
  captureMethod: CaptureMethod = 'automatic',
): AuthorizationRequest {
  const unique = randomUUID().replaceAll('-', '');
  return {
    attemptId: `att_${unique}_1`,
    paymentIntentId: `pi_${unique}`,
    environment: 'sandbox',
    amountMinor: 12_34,
    currency: 'USD',
    captureMethod,
    method,
    returnUrl: null,
    metadata: {},
  };
}

export function cardOf(number: string): PaymentMethodDetails {
  return { type: 'card', number, expiryMonth: 12, expiryYear: 2039, cvc: '123', holderName: null };
}

export function newSignal(): AbortSignal {
  return new AbortController().signal;
}
