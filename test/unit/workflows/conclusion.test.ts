import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { FinalOutcome } from '../../../domain/provider-outcome.ts';
import { canTransition, isTerminal } from '../../../domain/payment-state.ts';
import type { AttemptEnd, CalledOff } from '../../../workflows/payment-intent/attempt.ts';
import { conclude, type Circumstances } from '../../../workflows/payment-intent/conclusion.ts';
import { advance, initialProgress, type PaymentProgress } from '../../../workflows/payment-intent/progress.ts';
import type { PaymentIntentInput } from '../../../workflows/messages.ts';
import type { Doubt } from '../../../workflows/shared/doubt.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const INPUT: PaymentIntentInput = {
  paymentIntentId: `pi_${'0'.repeat(32)}`,
  merchantAccountId: `mer_${'0'.repeat(32)}`,
  environment: 'sandbox',
  terms: { amountMinor: 1_999, currency: 'EUR', country: null, captureMethod: 'automatic' },
  expiresAt: NOW,
  attemptBudget: 5,
};

function processing(): PaymentProgress {
  return advance(initialProgress(INPUT, NOW), { to: 'processing', timeline: [] }, NOW);
}

const outcome: fc.Arbitrary<FinalOutcome> = fc.constantFrom(
  { kind: 'approved' as const, providerPaymentId: 'sim_1', captured: true, amountMinor: 1_999, currency: 'EUR' },
  { kind: 'approved' as const, providerPaymentId: 'sim_1', captured: false, amountMinor: 1_999, currency: 'EUR' },
  { kind: 'declined' as const, providerPaymentId: 'sim_1', code: 'CARD_DECLINED' as const },
  { kind: 'failed' as const, providerPaymentId: null, code: 'TSP_PAYMENT_FAILED' as const },
  { kind: 'not_charged' as const },
);
const doubt: fc.Arbitrary<Doubt | null> = fc.constantFrom(
  null,
  { kind: 'outage' as const, code: 'TSP_TIMEOUT' as const },
  { kind: 'unrecognised' as const, providerResponse: { status: 422 } },
  { kind: 'unreadable' as const },
);
const end: fc.Arbitrary<AttemptEnd> = fc.record({
  attempt: fc.integer({ min: 1, max: 6 }).map((number) => ({
    id: `att_${'0'.repeat(32)}_${number}`,
    number,
    routeId: 'rt_1',
    provider: 'alpha',
    paymentMethodId: 'pm_1',
    amountMinor: 1_999,
    currency: 'EUR',
    tries: 1,
    outcome: null,
    code: null,
    providerPaymentId: null,
    startedAt: NOW,
    finishedAt: null,
  })),
  outcome,
  doubt,
  calledOff: fc.constantFrom<CalledOff | null>(null, 'cancel'),
});
const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  progress: fc.constant(processing()),
  attemptBudget: fc.constant(5),
  cancellation: fc.constantFrom(null, 'duplicate' as const),
  now: fc.constant(NOW),
});

describe('the conclusion of an attempt', () => {
  it('is a step the state table allows, whatever happened', () => {
    fc.assert(
      fc.property(end, circumstances, (ended, around) => {
        const { step } = conclude(ended, around);
        assert.ok(step.to !== undefined && canTransition('processing', step.to), step.to);
        advance(around.progress, step, NOW);
      }),
    );
  });

  it('books money exactly when the provider took or holds it, once and in full', () => {
    fc.assert(
      fc.property(end, circumstances, (ended, around) => {
        const { step } = conclude(ended, around);
        const approved = ended.outcome.kind === 'approved';
        assert.deepEqual(
          (step.transactions ?? []).map(({ amountMinor }) => amountMinor),
          approved ? [1_999] : [],
        );
        assert.equal(step.to === 'succeeded' || step.to === 'requires_capture', approved);
        const booked = (step.columns?.amountCapturedMinor ?? 0) + (step.columns?.amountCapturableMinor ?? 0);
        assert.equal(booked, approved ? 1_999 : 0);
      }),
    );
  });

  it('answers with a failure exactly when no money came', () => {
    fc.assert(
      fc.property(end, circumstances, (ended, around) => {
        const { result } = conclude(ended, around);
        assert.equal(result.error === null, ended.outcome.kind === 'approved');
      }),
    );
  });

  it('leaves no way to a further attempt once the budget is used up', () => {
    fc.assert(
      fc.property(end, circumstances, (ended, around) => {
        const { step } = conclude(ended, around);
        if (ended.attempt.number < around.attemptBudget || step.to === undefined) return;
        assert.ok(isTerminal(step.to) || step.to === 'requires_capture');
      }),
    );
  });

  it('closes the attempt and forgets the CVC once an issuer has answered', () => {
    fc.assert(
      fc.property(end, circumstances, (ended, around) => {
        const { step } = conclude(ended, around);
        assert.ok(step.attempts?.every(({ outcome: how, finishedAt }) => how !== null && finishedAt === NOW));
        if (ended.outcome.kind !== 'not_charged') assert.equal(step.eraseCvcOf, 'pm_1');
      }),
    );
  });
});
