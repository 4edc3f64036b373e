import assert from 'node:assert/strict';
import { DeterminismViolationError } from '@temporalio/workflow';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { before, describe, it } from 'mocha';
import { workflowSource } from '../../worker/workflow-source.ts';
import { DELIVERY_SCENARIOS } from './delivery-scenarios.ts';
import { readHistories } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

const NAMES = [...Object.keys(SCENARIOS), ...Object.keys(DELIVERY_SCENARIOS)];

describe('replay of recorded payments, refunds and webhooks', function () {
  this.timeout(60_000);
  let histories: ReadonlyMap<string, object>;

  before(async () => {
    const logging = { filter: { core: 'ERROR' as const, other: 'ERROR' as const }, forward: {} };
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
    histories = await readHistories();
  });

  it('has a history of every scenario', () => {
    assert.deepEqual([...histories.keys()].sort(), NAMES.toSorted());
  });

  for (const name of NAMES) {
    it(`replays ${name}`, async () => {
      const history = histories.get(name);
      assert.ok(history !== undefined);
      await Worker.runReplayHistory(workflowSource(), history);
    });
  }

  it('notices a workflow that does something else than was recorded', async () => {
    const recorded = JSON.stringify(histories.get('approved'));
    const altered: object = JSON.parse(recorded.replaceAll('"authorizePayment"', '"chargePayment"'));
    await assert.rejects(Worker.runReplayHistory(workflowSource(), altered), DeterminismViolationError);
  });
});
