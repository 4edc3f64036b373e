import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { pino } from 'pino';
import { sweepRefunds } from '../../../../worker/jobs/refund-sweeper.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { WAITING_AFTER_MS } from '../../../../domain/time-limits.ts';
import { acceptRefund } from '../../../../prisma/queries/refund.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import type { WorkflowState } from '../../../../workflow-client/workflow-states.ts';
import type { RefundInput } from '../../../../protocol/messages.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent, insertRefund } from '../../../support/payment-rows.ts';
import { scriptedStates, type StatesScript } from '../../../support/scripted-workflow-states.ts';

const { signal } = new AbortController();
const RUNNING: WorkflowState = { kind: 'running', runId: 'run_1' };
const COMPLETED: WorkflowState = { kind: 'completed' };

describe('refund sweeper', function () {
  this.timeout(60_000);
  const test = useTestDatabase();
  let intent: string;

  before(async () => {
    const account = await insertMerchantAccount(test.database);
    intent = await insertPaymentIntent(test.database, account, { status: 'succeeded' });
  });
  beforeEach(() => test.database.refund.deleteMany());

  const insert = (status = 'pending', updatedAt = new Date()): Promise<string> =>
    insertRefund(test.database, intent, { status, updatedAt, nextDueAt: new Date(Date.now() - 1) });
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
    const alerts: unknown[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void alerts.push(JSON.parse(line).alert) });
    const count = await sweepRefunds({ database: test.database, states, refundWorkflows, logger }, signal);
    return { orders, inputs, count, alerts };
  }

  it('starts the workflow of a refund that never had one, once per due time', async () => {
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
    it(`takes over a refund whose workflow was ${as}, even if the refund has ended`, async () => {
      const [pending, ended] = [await insert(), await insert('succeeded')];
      const state: WorkflowState = { kind: 'ended', as };
      const { orders } = await sweepAs({ states: { [pending]: state, [ended]: state } });
      assert.deepEqual(orders.sort(), [`take over ${pending}, ${as}`, `take over ${ended}, ${as}`].sort());
      assert.deepEqual([await isSettled(pending), await isSettled(ended)], [false, false]);
    });
  }

  it('adds each takeover to the timeline, also for several refunds of one payment at once', async () => {
    const pending = await Promise.all(Array.from({ length: 8 }, () => insert()));
    const ended = await insert('succeeded');
    const { version } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
    const state: WorkflowState = { kind: 'ended', as: 'terminated' };
    await sweepAs({ states: Object.fromEntries([...pending, ended].map((id) => [id, state])) });
    const lines = await test.database.timelineEntry.findMany({
      where: { paymentIntentId: intent, version: { gt: version } },
    });
    const refundIds = lines.map(({ details }) => (details as { readonly refundId: string }).refundId);
    assert.deepEqual(refundIds.sort(), pending.sort());
    assert.match(lines[0]?.summary ?? '', /had ended \(terminated\); another run asks alpha again under the same key$/);
  });

  it('gives a refund that has waited for long its advisory, once; one that was accepted may take days', async () => {
    const createdAt = new Date(Date.now() - WAITING_AFTER_MS - MINUTE_MS);
    const [id, accepted] = [await insert(), await insert()];
    await test.database.refund.updateMany({ data: { createdAt } });
    await test.database.direct.execute(acceptRefund(accepted, 'simre_1'));
    const script = { listed: { [id]: RUNNING, [accepted]: RUNNING } };
    assert.deepEqual((await sweepAs(script)).orders, [`show advisory ${id}`]);
    await test.database.refund.updateMany({ data: { nextDueAt: new Date(Date.now() - 1) } });
    assert.deepEqual((await sweepAs(script)).orders, []);
    const { advisory } = await test.database.refund.findUniqueOrThrow({ where: { id } });
    assert.deepEqual(advisory, {
      code: 'WAITING_FOR_PROVIDER',
      since: createdAt.toISOString(),
      operation: 'refund',
    });
    const events = await test.database.event.findMany({ where: { resourceId: { in: [id, accepted] } } });
    assert.deepEqual(
      events.map(({ type, resourceId }) => [type, resourceId]),
      [['refund.waiting_for_provider', id]],
    );
    const line = await test.database.timelineEntry.findFirst({ where: { stepId: `${id}:waiting` } });
    assert.match(
      line?.summary ?? '',
      /alpha has not answered since .* refund the money: advisory WAITING_FOR_PROVIDER$/,
    );
  });

  it('does nothing while the workflow runs', async () => {
    const id = await insert();
    assert.deepEqual((await sweepAs({ listed: { [id]: RUNNING } })).orders, []);
    assert.equal(await isSettled(id), false);
  });

  for (const [taskTries, isTold, isReplaced] of [
    [0, false, false],
    [4, false, false],
    [5, true, false],
    [10, true, true],
  ] as const) {
    it(`on a task of a quiet refund that has failed ${taskTries} times: alert ${isTold}, replaced ${isReplaced}`, async () => {
      const id = await insert('pending', new Date(Date.now() - 6 * MINUTE_MS));
      const details = { [id]: { runId: 'run_1', taskTries } };
      const { orders, alerts } = await sweepAs({ listed: { [id]: RUNNING }, details });
      assert.deepEqual(alerts, isTold ? ['WORKFLOW_TASK_FAILS'] : []);
      assert.deepEqual(orders, isReplaced ? [`terminate run_1 of ${id}`, `take over ${id}, failing`] : []);
      assert.equal(await isSettled(id), false);
    });
  }

  for (const status of ['succeeded', 'failed']) {
    it(`ends the checks of a refund that has ${status} with its workflow, or whose workflow Temporal has forgotten`, async () => {
      const [completed, forgotten] = [await insert(status), await insert(status)];
      const { orders } = await sweepAs({ listed: { [completed]: COMPLETED } });
      assert.deepEqual(orders, []);
      assert.deepEqual([await isSettled(completed), await isSettled(forgotten)], [true, true]);
    });
  }

  it('stops while Temporal is unavailable', async () => {
    await insert();
    await assert.rejects(sweepAs({ isAway: true }), TemporalUnavailableError);
  });
});
