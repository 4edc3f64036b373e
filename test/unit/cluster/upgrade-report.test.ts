import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type UpgradeRecord, upgradeResult, upgradeTable } from '../../../cluster/upgrade-report.ts';
import { clientAnswer, clientTry, INTENT, intentRow, snapshot } from '../../support/chaos-snapshot.ts';

const BEGAN_AT_MS = Date.parse('2026-01-01T00:00:00.000Z');
const secondsLater = (seconds: number): string => new Date(BEGAN_AT_MS + seconds * 1_000).toISOString();
const step = (what: string, phase: 'before' | 'during' | 'after', atSeconds: number, tookSeconds: number) => ({
  what,
  phase,
  startedAtMs: BEGAN_AT_MS + atSeconds * 1_000,
  tookMs: tookSeconds * 1_000,
});
const run = (workflowId: string, buildId: string, atSeconds: number) => ({
  workflowId,
  buildId,
  startedAtMs: BEGAN_AT_MS + atSeconds * 1_000,
});
const created = (id: string, atSeconds: number) =>
  intentRow({ id, timeline: [{ version: 0, at: secondsLater(atSeconds), kind: 'created', summary: 'Created' }] });

const record: UpgradeRecord = {
  steps: [
    step('opening', 'before', 0, 1),
    step('migrations', 'during', 10, 2),
    step('api-1', 'during', 20, 3),
    step('going on', 'after', 60, 3),
  ],
  opened: [],
  runs: [],
  earlierBuildId: 'v1',
};

describe('the report of an upgrade', () => {
  it('counts for each step the requests without a definite answer, and those that a repeat answered', () => {
    const tries = [
      clientTry(null, { idempotencyKey: 'a', sentAt: secondsLater(21) }),
      clientTry(clientAnswer(200), { idempotencyKey: 'a', sentAt: secondsLater(22) }),
      clientTry(clientAnswer(503), { idempotencyKey: 'b', sentAt: secondsLater(21) }),
      clientTry(null, { idempotencyKey: 'b', sentAt: secondsLater(23) }),
      clientTry(clientAnswer(200), { idempotencyKey: 'b', sentAt: secondsLater(61) }),
      clientTry(null, { idempotencyKey: 'd', sentAt: secondsLater(25) }),
      clientTry(clientAnswer(200), { idempotencyKey: 'c', sentAt: secondsLater(12) }),
    ];
    const { steps } = upgradeResult(record, snapshot({ tries }));
    assert.deepEqual(
      steps.map(({ requests, unanswered, repeated, answeredByFirstRepeat, answeredInTheEnd }) => [
        requests,
        unanswered,
        repeated,
        answeredByFirstRepeat,
        answeredInTheEnd,
      ]),
      [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [5, 4, 2, 1, 2],
        [1, 0, 0, 0, 0],
      ],
    );
  });

  it('counts payments by whether processes of the earlier release ran before, during or after the upgrade', () => {
    const intents = [created('pi_1', 9), created('pi_2', 10), created('pi_3', 22), created('pi_4', 24)];
    assert.deepEqual(upgradeResult(record, snapshot({ intents })).payments, { before: 1, during: 2, after: 1 });
  });

  it('names the versions on which a payment began and ended', () => {
    const runs = [
      run('pi_1', 'v1', 1),
      run('pi_2', 'v2', 30),
      run('pi_2', 'v1', 2),
      run('pi_3', 'v2', 31),
      run('re_1', 'v1', 1),
    ];
    assert.deepEqual(upgradeResult({ ...record, runs }, snapshot()).versions, {
      'began on old, ended on new': 1,
      'began on old, ended on old': 1,
      'began on new, ended on new': 1,
    });
  });

  it('has the payments that were open before, and what was refused to them', () => {
    const opened = [
      { id: INTENT, scenario: 'held, later captured', problem: null },
      { id: 'pi_2', scenario: 'held, later captured', problem: 'STATE_CONFLICT' },
    ];
    const result = upgradeResult({ ...record, opened }, snapshot());
    assert.deepEqual(result.opened, { 'held, later captured: succeeded': 1, 'held, later captured: missing': 1 });
    assert.deepEqual(result.problems, ['pi_2 (held, later captured): STATE_CONFLICT']);
    assert.match(upgradeTable(result), /^api-1 +20\.0 +3\.0 /m);
    assert.match(upgradeTable(result), /^refused: pi_2 /m);
  });
});
