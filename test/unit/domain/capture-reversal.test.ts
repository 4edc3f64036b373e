import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { capturedByReports } from '../../../domain/capture-reversal.ts';
import { attemptIdOf } from '../../../domain/ids.ts';

const INTENT = 'pi_0123456789abcdef0123456789abcdef';
const attemptId = attemptIdOf(INTENT, 1);
const REFERENCE = { provider: 'alpha', eventId: 'evt_1' };
const money = { currency: 'EUR' };

function captured(amountMinor: number, captureReference: string, of = attemptId) {
  const outcome = { kind: 'approved', providerPaymentId: 'p_1', captured: true, amountMinor: 1_000, ...money };
  return { ...REFERENCE, attemptId: of, outcome: { ...outcome, capturedMinor: amountMinor }, captureReference };
}

function failed(amountMinor: number, captureReference: string, of = attemptId) {
  return { ...REFERENCE, captureFailure: { attemptId: of, amountMinor, ...money, reason: '', captureReference } };
}

const voided = { ...REFERENCE, attemptId, outcome: { kind: 'not_charged', voided: { amountMinor: 1_000, ...money } } };
const held = {
  ...REFERENCE,
  attemptId,
  outcome: { kind: 'approved', providerPaymentId: 'p_1', captured: false, amountMinor: 1_000, ...money },
};

function captureOf(reports: readonly unknown[], own: { capturedMinor?: number; isAutomatic?: boolean } = {}): number {
  return capturedByReports(reports, { attemptId, capturedMinor: 1_000, isAutomatic: false, ...own });
}

describe('what is captured by all reports', () => {
  const cases: readonly (readonly [title: string, reports: readonly unknown[], expected: number])[] = [
    ['no report of a capture', [held], 1_000],
    ["the payment's own capture", [captured(1_000, 'a')], 1_000],
    ['the same capture twice', [captured(1_000, 'a'), captured(1_000, 'a')], 1_000],
    ['a failure', [failed(1_000, 'a')], 0],
    ['a failure of a part', [failed(400, 'a')], 600],
    ['a failure, and the late report of what has failed', [failed(1_000, 'a'), captured(1_000, 'a')], 0],
    ['a failure of a part, and the late report of the whole', [failed(400, 'a'), captured(1_000, 'a')], 600],
    ['a failure, and another capture', [captured(1_000, 'a'), failed(1_000, 'a'), captured(1_000, 'b')], 1_000],
    ['a failure of a part, and its capture', [captured(1_000, 'a'), failed(400, 'a'), captured(400, 'b')], 1_000],
    [
      'the capture again, reported before the failure',
      [captured(1_000, 'a'), captured(1_000, 'b'), failed(1_000, 'a')],
      1_000,
    ],
    ['two failures, and one capture', [failed(1_000, 'a'), captured(1_000, 'b'), failed(1_000, 'b')], 0],
    [
      'three captures, of which two have failed',
      [failed(1_000, 'a'), captured(1_000, 'b'), failed(1_000, 'b'), captured(1_000, 'c')],
      1_000,
    ],
    ['more than was captured that has failed', [failed(2_000, 'a'), captured(300, 'b')], 300],
    [
      'reports of another attempt',
      [failed(1_000, 'a', attemptIdOf(INTENT, 2)), captured(1_000, 'b', attemptIdOf(INTENT, 2))],
      1_000,
    ],
    ['what cannot be read', [{ attemptId: 7 }, null], 1_000],
  ];
  for (const [title, reports, expected] of cases) {
    it(`${title}: ${expected}`, () => assert.equal(captureOf(reports), expected));
  }

  it('counts both parts of a capture that the payment knows in part', () => {
    assert.equal(captureOf([captured(600, 'a'), captured(400, 'b')], { capturedMinor: 600 }), 1_000);
    assert.equal(captureOf([captured(600, 'a'), captured(400, 'b'), failed(400, 'b')], { capturedMinor: 600 }), 600);
  });

  it('takes a void for a failure under automatic capture, and for the end of the rest after a manual one', () => {
    assert.equal(captureOf([voided], { isAutomatic: true }), 0);
    assert.equal(captureOf([voided], { isAutomatic: false }), 1_000);
  });
});
