import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { sweepRefunds } from '../../background/refund-sweeper.ts';
import { TemporalUnavailableError } from '../../temporal/calls.ts';
import type { WorkflowState } from '../../temporal/workflow-states.ts';
import type { RefundInput } from '../../workflows/messages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../support/payment-rows.ts';
import { scriptedStates, type StatesScript } from '../support/scripted-workflow-states.ts';

const { signal } = new AbortController();
const COMPLETED: WorkflowState = { kind: 'completed' };

describe('sweeper of refunds', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let intent: string;

  before(async () => {
    test = await createTestDatabase();
    const account = await insertMerchantAccount(test.database);
    intent = await insertPaymentIntent(test.database, account, { status: 'succeeded' });
  });
  after(() => test.close());
  beforeEach(() => test.database.refund.deleteMany());

  const insert = (status = 'pending'): Promise<string> =>
    insertRefund(test.database, intent, { status, nextDueAt: new Date(Date.now() - 1) });
  const isSettled = async (id: string): Promise<boolean> =>
    (await test.database.refund.findUniqueOrThrow({ where: { id } })).nextDueAt === null;

  async function sweepAs(script: StatesScript) {
    const { states, orders } = scriptedStates(script);
    const inputs: RefundInput[] = [];
    const refundWorkflows = {
      start: async (input: RefundInput) => {
        inputs.push(input);
        orders.push(`start ${input.refundId}`);
      },
      takeOver: async ({ refundId }: RefundInput, endedAs: string) => {
        orders.push(`take over ${refundId}, ${endedAs}`);
        return true;
      },
    };
    const logger = { warn: () => undefined };
    const count = await sweepRefunds({ database: test.database, states, refundWorkflows, logger }, signal);
    return { orders, inputs, count };
  }

  it('starts the workflow of a refund that never had one, once while it is not due again', async () => {
    const id = await insert();
    const { orders, inputs } = await sweepAs({});
    assert.deepEqual(orders, [`start ${id}`]);
    const [input] = inputs;
    assert.deepEqual(
      [input?.refundId, input?.amountMinor, input?.paymentIntentId, input?.provider],
      [id, 300, intent, 'alpha'],
    );
    assert.equal((await sweepAs({})).count, 0);
  });

  for (const as of ['terminated', 'failed', 'canceled', 'timed out']) {
    it(`takes over a refund whose workflow was ${as}, also where it has ended`, async () => {
      const [pending, ended] = [await insert(), await insert('succeeded')];
      const state: WorkflowState = { kind: 'ended', as };
      const { orders } = await sweepAs({ states: { [pending]: state, [ended]: state } });
      assert.deepEqual(orders.sort(), [`take over ${pending}, ${as}`, `take over ${ended}, ${as}`].sort());
      assert.deepEqual([await isSettled(pending), await isSettled(ended)], [false, false]);
    });
  }

  it('leaves a refund alone whose workflow runs', async () => {
    const id = await insert();
    assert.deepEqual((await sweepAs({ listed: { [id]: { kind: 'running', runId: 'run_1' } } })).orders, []);
    assert.equal(await isSettled(id), false);
  });

  for (const status of ['succeeded', 'failed']) {
    it(`looks no more at a refund that has ${status} with its workflow, or whose workflow is forgotten`, async () => {
      const [completed, forgotten] = [await insert(status), await insert(status)];
      const { orders } = await sweepAs({ listed: { [completed]: COMPLETED } });
      assert.deepEqual(orders, []);
      assert.deepEqual([await isSettled(completed), await isSettled(forgotten)], [true, true]);
    });
  }

  it('gives up while Temporal is away', async () => {
    await insert();
    await assert.rejects(sweepAs({ isAway: true }), TemporalUnavailableError);
  });
});
