import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { describe, it } from 'mocha';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { startOnce } from '../../workflow-client/start-once.ts';
import { withTemporal } from '../support/temporal-view.ts';

const WAITING = 200;
const OF_OTHER = 5;
/** How many tasks a worker takes until it has those of the other account, at most. */
const TAKEN_AT_MOST = 20;
const NAMESPACE = 'default';

describe('tasks that wait for a worker', function () {
  this.timeout(2 * MINUTE_MS);

  it('are taken from each account in turn, however many wait of one', () =>
    withTemporal(async (client) => {
      const taskQueue = `fairness-${crypto.randomUUID()}`;
      const start = async (account: string, count: number): Promise<readonly string[]> => {
        const ids = Array.from({ length: count }, (_, number) => `${taskQueue} ${account} ${number}`);
        const merchantAccountId = account;
        const each = {
          taskQueue,
          merchantAccountId,
          input: { provider: account },
          searchAttributes: [],
          summary: account,
        };
        await inBatches(ids, (workflowId) => startOnce(client, 'nobodyRunsIt', { ...each, workflowId }));
        return ids;
      };
      await start('many', WAITING);
      const few = await start('few', OF_OTHER);
      try {
        const taken: string[] = [];
        while (few.some((id) => !taken.includes(id)) && taken.length < TAKEN_AT_MOST) {
          taken.push(await takeTask(client, taskQueue));
        }
        assert.deepEqual(
          few.filter((id) => !taken.includes(id)),
          [],
          `taken: ${taken.join(', ')}`,
        );
      } finally {
        await terminateAll(client, taskQueue);
      }
    }));
});

/** Has the server end the workflows of a queue, beside what follows. */
async function terminateAll(client: Client, taskQueue: string): Promise<void> {
  await client.connection.workflowService.startBatchOperation({
    namespace: NAMESPACE,
    jobId: taskQueue,
    reason: 'the test is over',
    visibilityQuery: `TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Running'`,
    terminationOperation: {},
  });
}

const AT_ONCE = 25;

/** Does the work for all, a few at a time, so that a busy server answers each in time. */
async function inBatches(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < ids.length; done += AT_ONCE) await Promise.all(ids.slice(done, done + AT_ONCE).map(work));
}

/** Takes the next workflow task of a queue, as a worker with one slot does. @returns whose it is */
async function takeTask(client: Client, name: string): Promise<string> {
  const { connection } = client;
  const poll = { namespace: NAMESPACE, taskQueue: { name }, identity: 'test of fairness' };
  const task = await connection.withDeadline(Date.now() + 10 * SECOND_MS, () =>
    connection.workflowService.pollWorkflowTaskQueue(poll),
  );
  return task.workflowExecution?.workflowId ?? '';
}
