import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Prisma } from '../../../../prisma/generated/client.ts';
import type { DisputeInput } from '../../../../protocol/messages.ts';
import { sweepDisputes } from '../../../../worker/jobs/dispute-sweeper.ts';
import type { WorkflowState } from '../../../../workflow-client/workflow-states.ts';
import { newId } from '../../../../domain/new-id.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertPaymentIntent } from '../../../support/payment-rows.ts';
import { scriptedStates } from '../../../support/scripted-workflow-states.ts';

const { signal } = new AbortController();
const RUNNING: WorkflowState = { kind: 'running', runId: 'run_1' };
const TERMINATED: WorkflowState = { kind: 'ended', as: 'terminated' };

describe('dispute sweeper', function () {
  this.timeout(60_000);
  const test = useAccount();
  let intent: string;

  beforeEach(async () => {
    intent = await insertPaymentIntent(test.database, test.account, { status: 'succeeded' });
    await test.database.dispute.deleteMany();
  });

  const insert = async (change: Partial<Prisma.DisputeUncheckedCreateInput> = {}): Promise<string> => {
    const { id } = await test.database.dispute.create({
      data: {
        id: newId('dispute'),
        paymentIntentId: intent,
        attemptId: 'att_1',
        merchantAccountId: test.account,
        environment: 'sandbox',
        provider: 'alpha',
        providerReference: 'simdp_1',
        stage: 'chargeback',
        status: 'needs_response',
        reason: 'general',
        reports: [],
        nextDueAt: new Date(Date.now() - 1),
        createdAt: new Date(),
        updatedAt: new Date(),
        ...change,
      },
    });
    return id;
  };
  const sweep = async (known: Readonly<Record<string, WorkflowState>>): Promise<readonly string[]> => {
    const { states } = scriptedStates({
      states: known,
      details: Object.fromEntries(Object.keys(known).map((id) => [id, { runId: 'run_1', taskTries: 1 }])),
    });
    const orders: string[] = [];
    const disputeWorkflows = {
      start: async ({ disputeId }: DisputeInput) => orders.push(`start ${disputeId}`) > 0,
      wake: async ({ disputeId }: DisputeInput) => void orders.push(`wake ${disputeId}`),
    };
    const logger = { warn: () => undefined, error: () => undefined };
    await sweepDisputes({ database: test.database, states, disputeWorkflows, logger }, signal);
    return orders;
  };
  const isSettled = async (id: string): Promise<boolean> =>
    (await test.database.dispute.findUniqueOrThrow({ where: { id } })).nextDueAt === null;

  it('starts the workflow of a dispute that has none, or whose workflow was terminated', async () => {
    const [fresh, terminated] = [await insert(), await insert()];
    const orders = await sweep({ [terminated]: TERMINATED });
    assert.deepEqual([...orders].sort(), [`start ${fresh}`, `start ${terminated}`].sort());
  });

  it('wakes a workflow that has not heard of a requested answer, and no other', async () => {
    const [waiting, answered] = [
      await insert(),
      await insert({ status: 'accepting', operation: 'accept', operationId: 'op_1' }),
    ];
    assert.deepEqual(await sweep({ [waiting]: RUNNING, [answered]: RUNNING }), [`wake ${answered}`]);
  });

  it('checks a dispute no more once it and its workflow have ended', async () => {
    const [ended, open] = [await insert({ status: 'lost', outcomeAt: new Date() }), await insert()];
    const completed: WorkflowState = { kind: 'completed' };
    assert.deepEqual(await sweep({ [ended]: completed, [open]: completed }), [`start ${open}`]);
    assert.deepEqual([await isSettled(ended), await isSettled(open)], [true, false]);
  });
});
