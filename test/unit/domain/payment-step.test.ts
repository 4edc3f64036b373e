import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Attempt } from '../../../domain/payment.ts';
import { advance, appliesTo, type PaymentRecord, type PaymentStep } from '../../../domain/payment-step.ts';
import { canTransition, PAYMENT_STATUSES } from '../../../domain/payment-state.ts';
import { anyAttempt, attemptOf, NOW, recordOf } from '../../support/attempts.ts';

const LATER = '2026-01-01T00:01:00.000Z';
const ADVISORY = { code: 'PAYMENT_STUCK', since: NOW } as const;

const status = fc.constantFrom(...PAYMENT_STATUSES);
const attempts: fc.Arbitrary<Attempt[]> = fc.uniqueArray(anyAttempt, { maxLength: 4, selector: ({ id }) => id });
const payment: fc.Arbitrary<PaymentRecord> = fc
  .record({ status, attempts })
  .map(({ status: state, attempts: made }) => recordOf(state, made, { advisory: ADVISORY }));
const step: fc.Arbitrary<PaymentStep> = fc
  .record({ from: fc.option(status, { nil: undefined }), to: fc.option(status, { nil: undefined }), attempts })
  .map(({ from, to, attempts: moved }) => ({
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    attempts: moved,
    timeline: [{ kind: 'decision', summary: 'a step' }],
  }));

const isLegal = ({ columns }: PaymentRecord, { to }: PaymentStep): boolean =>
  to === undefined || to === columns.status || canTransition(columns.status, to);

const endedIn = ({ attempts: made }: PaymentRecord): readonly Attempt[] =>
  made.filter(({ outcome }) => outcome !== null);

describe('a step of a payment', () => {
  it('never changes an attempt that has ended, and increments the version', () => {
    fc.assert(
      fc.property(payment, step, (before, next) => {
        fc.pre(appliesTo(next, before) && isLegal(before, next));
        const after = advance(before, next, LATER);
        assert.equal(after.version, before.version + 1);
        for (const ended of endedIn(before)) assert.ok(after.attempts.includes(ended));
      }),
    );
  });

  it('keeps every attempt, once and in order, with the changes of the step', () => {
    fc.assert(
      fc.property(payment, step, (before, next) => {
        fc.pre(appliesTo(next, before) && isLegal(before, next));
        const after = advance(before, next, LATER).attempts;
        const numbers = after.map(({ number }) => number);
        assert.deepEqual(
          numbers,
          [...new Set([...before.attempts, ...(next.attempts ?? [])].map(({ number }) => number))].sort(
            (a, b) => a - b,
          ),
        );
        for (const moved of next.attempts ?? []) {
          const known = before.attempts.find(({ id }) => id === moved.id);
          const providerPaymentId = moved.providerPaymentId ?? known?.providerPaymentId ?? null;
          const tries = Math.max(moved.tries, known?.tries ?? 0);
          const found = after.find(({ id }) => id === moved.id);
          assert.deepEqual(found, { ...moved, providerPaymentId, tries });
        }
      }),
    );
  });

  it('throws if the transition is not allowed, or an ended attempt would change', () => {
    fc.assert(
      fc.property(payment, step, (before, next) => {
        const isFit = isLegal(before, next) && appliesTo({ ...next, from: before.columns.status }, before);
        if (isFit) advance(before, next, LATER);
        else assert.throws(() => advance(before, next, LATER));
      }),
    );
  });

  it('applies in the state in which it was decided, and in every state if it names none', () => {
    fc.assert(
      fc.property(payment, status, (before, from) => {
        const timeline: PaymentStep['timeline'] = [{ kind: 'decision', summary: 'a step' }];
        assert.equal(appliesTo({ from, timeline }, before), from === before.columns.status);
        assert.ok(appliesTo({ timeline }, before));
      }),
    );
  });

  it('keeps the advisory of a stray charge until that has ended, whatever becomes of the payment', () => {
    const waiting = { code: 'WAITING_FOR_PROVIDER', since: NOW, operation: 'reversal' } as const;
    const timeline = [{ kind: 'decision', summary: 'a step' }] as const;
    const before = recordOf('requires_payment_method', [attemptOf(1, { outcome: 'not_charged' })], {
      advisory: waiting,
    });
    const expired = advance(before, { to: 'expired', timeline }, LATER);
    assert.deepEqual(expired.columns.advisory, waiting);
    const strayCharge = { attemptId: attemptOf(1).id, status: 'reversed', money: null } as const;
    assert.equal(advance(expired, { strayCharge, timeline }, LATER).columns.advisory, null);
  });

  it('clears the advisory and sets the time when the state changes, and keeps both otherwise', () => {
    const timeline: PaymentStep['timeline'] = [{ kind: 'decision', summary: 'a step' }];
    const before = recordOf('processing', [attemptOf(1)], { advisory: ADVISORY });
    const moved = advance(before, { to: 'succeeded', timeline }, LATER);
    assert.deepEqual([moved.columns.advisory, moved.statusSince], [null, LATER]);
    const stayed = advance(before, { to: 'processing', timeline }, LATER);
    assert.deepEqual([stayed.columns.advisory, stayed.statusSince], [ADVISORY, NOW]);
  });
});
