import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  type AttemptEnd,
  type CalledOff,
  resolveEnd,
  resolveOutcome,
  type ResolutionContext,
} from '../../../domain/payment-resolution.ts';
import type { Attempt } from '../../../domain/payment.ts';
import { advance } from '../../../domain/payment-step.ts';
import { isTerminal, type PaymentStatus } from '../../../domain/payment-state.ts';
import { type Approved, isFinal, type FinalOutcome, type InquiryOutcome } from '../../../domain/provider-outcome.ts';
import type { UnknownOutcome } from '../../../domain/unknown-outcome.ts';
import { attemptOf, NOW, PAYMENT_INTENT_ID, recordOf } from '../../support/attempts.ts';
import { approved, approveInApp, authorized, pending, voided } from '../../support/outcomes.ts';

const BUDGET = 5;

const outcome: fc.Arbitrary<FinalOutcome> = fc.constantFrom<FinalOutcome>(
  approved,
  authorized,
  { kind: 'declined', providerPaymentId: 'sim_1', code: 'CARD_DECLINED' },
  { kind: 'failed', providerPaymentId: null, code: 'TSP_PAYMENT_FAILED' },
  { kind: 'not_charged' },
  voided,
);
const unknown: fc.Arbitrary<UnknownOutcome | null> = fc.constantFrom<UnknownOutcome | null>(
  null,
  { kind: 'outage', code: 'TSP_TIMEOUT' },
  { kind: 'unrecognised', providerResponse: { status: 422 } },
  { kind: 'amount_differs', providerResponse: { reason: 'another amount' } },
  { kind: 'not_sent' },
  { kind: 'restarted' },
);
const attempt: fc.Arbitrary<Attempt> = fc
  .record({ number: fc.integer({ min: 1, max: 6 }), operationId: fc.constantFrom(null, 'confirm_1') })
  .map(({ number, operationId }) => attemptOf(number, { operationId }));

interface Case {
  readonly end: AttemptEnd;
  readonly context: ResolutionContext;
}

/** An attempt can expire only while it waits for the customer. */
const ending: fc.Arbitrary<Case> = fc
  .record({
    attempt,
    outcome,
    unknown,
    status: fc.constantFrom<PaymentStatus>('processing', 'requires_action'),
    cancellation: fc.constantFrom(null, 'duplicate' as const),
    isCalledOff: fc.boolean(),
  })
  .map(({ status, cancellation, isCalledOff, ...rest }) => {
    const calling: CalledOff | null = cancellation !== null ? 'cancel' : status === 'requires_action' ? 'expiry' : null;
    const calledOff = isCalledOff ? calling : null;
    const attempts = attemptsBefore(rest.attempt);
    const budget = { attemptBudget: BUDGET, attempts };
    const context = { paymentIntentId: PAYMENT_INTENT_ID, status, ...budget, cancellation, now: NOW };
    return { end: { ...rest, calledOff }, context };
  });

function attemptsBefore({ number }: Attempt): readonly Attempt[] {
  return Array.from({ length: number - 1 }, (_, index) => attemptOf(index + 1, { outcome: 'declined' }));
}

const isMoney = ({ outcome: { kind } }: AttemptEnd): boolean => kind === 'approved';

describe('the resolution of an attempt', () => {
  it('is a step that the state table allows, for every outcome', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        const { step } = resolveEnd(end, context);
        assert.equal(step.from, context.status);
        advance(recordOf(context.status, [end.attempt]), step, NOW);
      }),
    );
  });

  it('records money exactly if the provider captured or holds it, once and in full', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        const { step } = resolveEnd(end, context);
        const recorded = (step.columns?.amountCapturedMinor ?? 0) + (step.columns?.amountCapturableMinor ?? 0);
        assert.equal(recorded, isMoney(end) ? 1_999 : 0);
        assert.equal(step.to === 'succeeded' || step.to === 'requires_capture', isMoney(end));
        const moved = (step.transactions ?? []).map(({ amountMinor }) => amountMinor);
        if (isMoney(end)) assert.deepEqual(moved, [1_999]);
      }),
    );
  });

  it('says until when held money can be captured: as the provider says, else a week after the attempt began', () => {
    const attempt = attemptOf(1, { startedAt: '2026-11-01T00:00:00.000Z' });
    const context = { paymentIntentId: PAYMENT_INTENT_ID, status: 'processing', cancellation: null, now: NOW } as const;
    const approved = { kind: 'approved', providerPaymentId: 'sim_1', amountMinor: 1_999, currency: 'EUR' } as const;
    const deadline = (outcome: Approved) =>
      resolveOutcome(attempt, outcome, { ...context, attemptBudget: BUDGET, attempts: [] }).step.columns?.captureBefore;
    const captureBefore = '2026-12-01T00:00:00.000Z';
    assert.equal(deadline({ ...approved, captured: false, captureBefore }), captureBefore);
    assert.equal(deadline({ ...approved, captured: false }), '2026-11-08T00:00:00.000Z');
    assert.equal(deadline({ ...approved, captured: true }), null);
  });

  it('records a voided hold as an authorization and a void, and no other money', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        fc.pre(!isMoney(end));
        const { step } = resolveEnd(end, context);
        const isOver = step.to === 'expired' || step.columns?.cancellationReason === context.cancellation;
        const wasHeld = end.outcome.kind === 'not_charged' && end.outcome.voided !== undefined;
        const types = (step.transactions ?? []).map(({ type }) => type);
        if (types.length > 0) assert.deepEqual(types, ['authorization', 'void']);
        if (wasHeld && context.cancellation !== null && isOver) assert.equal(types.length, 2);
        if (!wasHeld) assert.deepEqual(types, []);
      }),
    );
  });

  it('answers the confirm that opened the attempt, with an error exactly if nothing was charged', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        const { step, result } = resolveEnd(end, context);
        assert.equal(result?.error === null, isMoney(end));
        assert.equal(step.operation?.id ?? null, end.attempt.operationId);
        if (step.operation !== undefined) assert.deepEqual(step.operation.result, result);
      }),
    );
  });

  it('allows no further attempt once the budget is used up', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        const { step } = resolveEnd(end, context);
        if (end.attempt.number < BUDGET || step.to === undefined) return;
        assert.ok(isTerminal(step.to) || step.to === 'requires_capture');
      }),
    );
  });

  it('does not count attempts of the budget by which nothing was sent', () => {
    const declined: FinalOutcome = { kind: 'declined', providerPaymentId: null, code: 'CARD_DECLINED' };
    const stateAfter = (last: Attempt, attempts: readonly Attempt[], attemptBudget: number) => {
      const budget = { attemptBudget, attempts };
      const context = {
        paymentIntentId: PAYMENT_INTENT_ID,
        status: 'processing',
        ...budget,
        cancellation: null,
      } as const;
      const end = { attempt: last, outcome: declined, unknown: null, calledOff: null };
      return resolveEnd(end, { ...context, now: NOW }).step.to;
    };
    const neverOpened = attemptOf(1, { tries: 0, outcome: 'not_charged' });
    assert.equal(stateAfter(neverOpened, [], 1), 'requires_payment_method');
    assert.equal(stateAfter(attemptOf(2), [neverOpened, attemptOf(2)], 2), 'requires_payment_method');
    assert.equal(stateAfter(attemptOf(2), [neverOpened, attemptOf(2)], 1), 'canceled');
  });

  it('ends a payment whose cancel was requested, unless it was charged or has failed', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        fc.pre(context.cancellation !== null && !isMoney(end) && end.outcome.kind !== 'failed');
        const { step } = resolveEnd(end, context);
        assert.deepEqual([step.to, step.columns?.cancellationReason], ['canceled', context.cancellation]);
      }),
    );
  });

  it('closes the attempt and erases the CVC once an issuer has answered', () => {
    fc.assert(
      fc.property(ending, ({ end, context }) => {
        const { step } = resolveEnd(end, context);
        assert.ok(step.attempts !== undefined && step.attempts.length > 0);
        assert.ok(step.attempts.every(({ outcome: how, finishedAt }) => how !== null && finishedAt === NOW));
        if (end.outcome.kind !== 'not_charged') assert.equal(step.eraseCvcOf, 'pm_1');
      }),
    );
  });
});

describe('the resolution of an outcome that may be open', () => {
  const answer: fc.Arbitrary<InquiryOutcome> = fc.oneof(outcome, fc.constantFrom(pending, approveInApp));

  it("leaves the attempt open exactly while the outcome is open, and keeps the provider's id of the payment", () => {
    fc.assert(
      fc.property(
        attempt,
        answer,
        fc.constantFrom<PaymentStatus>('processing', 'requires_action'),
        (of, said, status) => {
          const context = {
            paymentIntentId: PAYMENT_INTENT_ID,
            status,
            attemptBudget: BUDGET,
            attempts: [],
            cancellation: null,
            now: NOW,
          };
          const { step, result } = resolveOutcome(of, said, context);
          const { attempts } = advance(recordOf(status, [of]), step, NOW);
          assert.equal(attempts[0]?.outcome === null, !isFinal(said));
          if (!isFinal(said)) assert.equal(attempts[0]?.providerPaymentId, said.providerPaymentId);
          assert.equal(result === null, said.kind === 'pending');
        },
      ),
    );
  });
});
