import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { handlingOf, type ReportHandling, type StoredReport } from '../../../domain/report-handling.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const REFERENCE = { provider: 'alpha', eventId: 'evt_1' };
const ATTEMPT_ID = attemptIdOf('pi_0123456789abcdef0123456789abcdef', 1);
const MONEY = { amountMinor: 1_000, currency: 'EUR' };
const CAPTURED = { kind: 'approved', providerPaymentId: 'p_1', captured: true, ...MONEY };
const VOIDED = { kind: 'not_charged', voided: MONEY };

function handled(event: object, report: Partial<StoredReport> = {}): ReportHandling {
  const known = {
    status: 'processing',
    isVoidAfterCapture: false,
    isVoidOfOpenAttempt: false,
    isCaptureAfterFailure: false,
    receivedAt: NOW,
  };
  return handlingOf({ ...REFERENCE, ...known, event: { ...REFERENCE, ...event }, ...report }, NOW);
}

describe('what is done about a report', () => {
  const cases: readonly (readonly [title: string, event: object, ReportHandling['kind'], Partial<StoredReport>?])[] = [
    ['a charge', { attemptId: ATTEMPT_ID, outcome: CAPTURED }, 'deliver_to_payment'],
    [
      'a report that is not understood',
      { attemptId: ATTEMPT_ID, outcome: { kind: 'pending' }, notUnderstood: 'x' },
      'ask_provider',
    ],
    [
      'a capture with a name after the payment has failed',
      { attemptId: ATTEMPT_ID, outcome: CAPTURED, captureReference: 'c_2' },
      'book_late_capture',
      { status: 'failed', isCaptureAfterFailure: true },
    ],
    [
      'a capture with a name after the payment has succeeded',
      { attemptId: ATTEMPT_ID, outcome: CAPTURED, captureReference: 'c_2' },
      'book_late_capture',
      { status: 'succeeded' },
    ],
    [
      'a capture with a name of a hold',
      { attemptId: ATTEMPT_ID, outcome: CAPTURED, captureReference: 'c_1' },
      'deliver_to_payment',
      { status: 'requires_capture' },
    ],
    [
      'a capture without a name after its capture has failed',
      { attemptId: ATTEMPT_ID, outcome: CAPTURED },
      'ask_provider',
      { status: 'failed', isCaptureAfterFailure: true },
    ],
    [
      'a capture without a name of another attempt of a payment that has failed',
      { attemptId: ATTEMPT_ID, outcome: CAPTURED },
      'deliver_to_payment',
      { status: 'failed' },
    ],
    [
      'a void of what was captured',
      { attemptId: ATTEMPT_ID, outcome: VOIDED },
      'book_capture_failure',
      { isVoidAfterCapture: true },
    ],
    [
      'a void of an open attempt',
      { attemptId: ATTEMPT_ID, outcome: VOIDED },
      'deliver_to_payment',
      { isVoidOfOpenAttempt: true },
    ],
    [
      'a void of an open attempt that its run has got for a minute',
      { attemptId: ATTEMPT_ID, outcome: VOIDED },
      'wait',
      { isVoidOfOpenAttempt: true, receivedAt: new Date(NOW.getTime() - MINUTE_MS) },
    ],
    [
      'a capture that was refused',
      { captureRefusal: { attemptId: ATTEMPT_ID, captureReference: 'c_1' } },
      'leave_to_capture',
    ],
    [
      'a refund',
      { refundId: 're_0123456789abcdef0123456789abcdef', refundOutcome: { kind: 'refunded' } },
      'deliver_to_refund',
    ],
    [
      'a refund of a stray charge',
      { refundId: strayChargeIdOf(ATTEMPT_ID), refundOutcome: { kind: 'refused' } },
      'fail_reversal',
    ],
  ];
  for (const [title, event, kind, report] of cases) {
    it(`${title}: ${kind}`, () => assert.equal(handled(event, report).kind, kind));
  }

  it('books the voided amount as a capture that failed', () => {
    const handling = handled({ attemptId: ATTEMPT_ID, outcome: VOIDED }, { isVoidAfterCapture: true });
    const captureFailure = { attemptId: ATTEMPT_ID, ...MONEY, reason: 'voided' };
    assert.deepEqual(handling, { kind: 'book_capture_failure', event: { ...REFERENCE, captureFailure } });
  });

  it('names a report of no known form', () => {
    assert.throws(() => handled({ attemptId: 7 }), /provider event alpha evt_1 has no known form/);
  });
});
