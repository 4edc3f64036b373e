import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CHECKS } from '../../../chaos/checks/all-checks.ts';
import { readOptions } from '../../../chaos/options.ts';
import { describeFindings, runChecks, hasProblems, resultOf, resultTable } from '../../../chaos/report.ts';
import { clientAnswer, clientTry, INTENT, unpaidIntentRow, snapshot } from '../../support/chaos-snapshot.ts';

const SEED = 7;
const options = readOptions(['--seed', String(SEED), '--minutes', '2'], 0);
const figures = { payments: 1, faults: { kill: 2 } };

/** A payment that was reported as succeeded, and was canceled by an operator. */
const contradictory = snapshot({
  intents: [unpaidIntentRow('canceled')],
  tries: [clientTry(null), clientTry(clientAnswer(200, { intentStatus: 'succeeded' }))],
  operatorActions: [{ at: '2026-01-01T00:00:00.500Z', workflowId: INTENT, what: 'operator_cancel' }],
});

describe('the report of a chaos run', () => {
  it('counts the checks that passed', () => {
    const right = snapshot();
    const findings = runChecks(right);
    assert.equal(hasProblems(findings), false);
    const table = resultTable(resultOf({ ...figures, findings, snapshot: right }, options));
    assert.match(table, /faults +kill 2$/m);
    assert.match(table, /intents +succeeded 1$/m);
    assert.match(table, /attempts +alpha 1$/m);
    assert.ok(table.endsWith(`${CHECKS.length} passed, 0 failed`));
  });

  it('counts those that failed, and requests without a definite answer', () => {
    const findings = runChecks(contradictory);
    const table = resultTable(resultOf({ ...figures, findings, snapshot: contradictory }, options));
    assert.match(table, /requests +2, of which 1 got no definite answer/);
    assert.match(table, /^answers +200 1, none 1$/m);
    assert.match(table, /answers agree.* +FAILED \(1\)/);
    assert.match(table, /\d passed, \d failed$/);
  });

  it('includes the seed, the problems, and the timeline of the intent in order', () => {
    const text = describeFindings(runChecks(contradictory), contradictory, SEED);
    assert.match(text, /^FAILED with seed 7: /);
    const lines = [
      'confirm of .* was reported as succeeded, and is canceled',
      'created: Created',
      'operator_cancel',
      'no answer',
    ];
    assert.match(text, new RegExp(lines.join('[\\s\\S]*')));
  });

  it('is empty where no check failed', () => {
    assert.equal(describeFindings(runChecks(snapshot()), snapshot(), SEED), '');
  });
});
