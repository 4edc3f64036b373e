import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { captureRefusedStep, type HoldContext, type HoldEnd, resolveHold } from '../../../domain/hold-resolution.ts';
import { advance } from '../../../domain/payment-step.ts';
import { attemptOf, NOW, PAYMENT_INTENT_ID, recordOf } from '../../support/attempts.ts';

const HELD_MINOR = 1_999;
const attempt = attemptOf(1, { outcome: 'approved', providerPaymentId: 'sim_1', finishedAt: NOW });
const held = recordOf('requires_capture', [attempt], { amountCapturableMinor: HELD_MINOR, captureBefore: NOW });

const end: fc.Arbitrary<HoldEnd> = fc.oneof(
  fc.constant({ kind: 'not_charged' as const }),
  fc.option(fc.integer({ min: 1, max: HELD_MINOR }), { nil: undefined }).map((capturedMinor) => ({
    kind: 'approved' as const,
    providerPaymentId: 'sim_1',
    captured: true,
    amountMinor: HELD_MINOR,
    currency: 'EUR',
    ...(capturedMinor === undefined ? {} : { capturedMinor }),
  })),
);
const context: fc.Arbitrary<HoldContext> = fc.record({
  paymentIntentId: fc.constant(PAYMENT_INTENT_ID),
  cancellation: fc.constantFrom(null, 'duplicate' as const),
  captured: fc.constant('captured'),
  captureId: fc.constantFrom(null, 'capture_1'),
  now: fc.constant(NOW),
});

describe('resolveHold', () => {
  it('captures or voids the hold, once and in full', () => {
    fc.assert(
      fc.property(end, context, (ended, around) => {
        const step = resolveHold(attempt, ended, around);
        const { columns } = advance(held, step, NOW);
        const taken = ended.kind === 'approved' ? (ended.capturedMinor ?? HELD_MINOR) : 0;
        assert.deepEqual([columns.amountCapturedMinor, columns.amountCapturableMinor], [taken, 0]);
        assert.deepEqual(
          step.transactions?.map(({ type, amountMinor }) => [type, amountMinor]),
          [ended.kind === 'approved' ? ['capture', taken] : ['void', HELD_MINOR]],
        );
        assert.equal(columns.status, ended.kind === 'approved' ? 'succeeded' : 'canceled');
        assert.equal(columns.captureBefore, null);
      }),
    );
  });

  it('answers the requested capture, with an error exactly if nothing was captured', () => {
    fc.assert(
      fc.property(end, context, (ended, around) => {
        const { operation, columns } = resolveHold(attempt, ended, around);
        assert.equal(operation?.id ?? null, around.captureId);
        if (operation === undefined) return;
        assert.equal(operation.result?.error === null, ended.kind === 'approved');
        if (ended.kind === 'not_charged') assert.equal(columns?.lastError?.code, 'PAYMENT_FAILED');
      }),
    );
  });

  it('records the reason of a void: a cancel, or the lapse of the authorization', () => {
    fc.assert(
      fc.property(context, (around) => {
        const { columns } = resolveHold(attempt, { kind: 'not_charged' }, around);
        assert.equal(columns?.cancellationReason, around.cancellation ?? 'authorization_lapsed');
      }),
    );
  });

  it('keeps the hold if the provider refused the capture', () => {
    const { step, result } = captureRefusedStep(attempt, {
      captureId: 'capture_1',
      providerResponse: { status: 422 },
      now: NOW,
    });
    const { columns } = advance(held, step, NOW);
    assert.deepEqual([columns.status, columns.amountCapturableMinor], ['requires_capture', HELD_MINOR]);
    assert.equal(columns.lastError?.code, 'PROVIDER_VALIDATION_ERROR');
    assert.deepEqual(step.operation?.result, result);
    assert.equal(result.error?.code, 'PROVIDER_VALIDATION_ERROR');
  });
});
