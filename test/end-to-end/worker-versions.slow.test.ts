import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { createWorkerVersions } from '../../workflow-client/worker-versions.ts';
import { workflowBuildId } from '../../worker/workflow-source.ts';
import { PAYMENTS_TASK_QUEUE } from '../../protocol/messages.ts';
import { eventually } from '../support/eventually.ts';
import { createPayment } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { silenceRuntime } from '../support/silence-runtime.ts';
import { getStack } from '../support/stack.ts';
import { greetUpdate, leaveSignal, waitingWorkflow } from '../support/waiting-workflow.ts';

const DEPLOYMENT = 'test-deployment';
const TASK_QUEUE = 'test-versions';

/** The version that a run is pinned to, by build id. */
function versionOf({ raw }: WorkflowExecutionDescription): string | undefined {
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

describe('versions of the workflow code', function () {
  this.timeout(3 * MINUTE_MS);

  let client: Client;
  let connection: NativeConnection;
  let bundle: WorkflowBundle;
  const stops: (() => Promise<void>)[] = [];

  before(async () => {
    silenceRuntime();
    const address = getStack().sandbox.temporalAddress;
    client = createTemporalClient({ address, namespace: 'default' });
    connection = await NativeConnection.connect({ address });
    const workflowsPath = fileURLToPath(new URL('../support/waiting-workflow.js', import.meta.url));
    bundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  });

  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await Promise.all([client.connection.close(), connection.close()]);
  });

  async function startWorker(buildId: string): Promise<() => Promise<void>> {
    const worker = await Worker.create({
      connection,
      taskQueue: TASK_QUEUE,
      workflowBundle: bundle,
      workerDeploymentOptions: {
        version: { deploymentName: DEPLOYMENT, buildId },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'PINNED',
      },
    });
    const running = worker.run();
    const stop = (): Promise<void> => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      return running;
    };
    stops.push(stop);
    return stop;
  }

  const start = (workflowId: string) =>
    client.workflow.start(waitingWorkflow, { taskQueue: TASK_QUEUE, workflowId, startDelay: HOUR_MS });
  const greet = (workflowId: string) => client.workflow.getHandle(workflowId).executeUpdate(greetUpdate);
  const describeRun = (workflowId: string) => client.workflow.getHandle(workflowId).describe();

  it('pin payments to the version of the worker, which is the current one', async () => {
    const { current } = await createWorkerVersions(client).deployment();
    assert.equal(current, workflowBuildId());
    const payment = await createPayment();
    await payment.confirm(card('threeDSecure'));
    await payment.reach('requires_action');
    assert.equal(versionOf(await describeRun(payment.id)), current);
    const polled = await createWorkerVersions(client).polled(PAYMENTS_TASK_QUEUE);
    assert.ok(polled.has(workflowBuildId()));
  });

  it('keep runs on the version that began them, and list versions without a worker', async () => {
    const versions = createWorkerVersions(client, { deploymentName: DEPLOYMENT, polledWithinMs: 2 * SECOND_MS });
    const { signal } = new AbortController();
    assert.equal(await versions.makeCurrent('old', signal), false);
    const stopOld = await startWorker('old');
    await eventually(async () => assert.ok(await versions.makeCurrent('old', signal)));
    await Promise.all(['begun', 'ended', 'open'].map(start));
    await Promise.all(['begun', 'ended'].map(greet));

    assert.equal(await versions.makeCurrent('new', signal), false);
    await startWorker('new');
    await eventually(async () => assert.ok(await versions.makeCurrent('new', signal)));
    assert.deepEqual(await versions.deployment(), { current: 'new', activated: new Set(['old', 'new']) });
    await Promise.all(['begun', 'open'].map(greet));
    assert.equal(versionOf(await describeRun('begun')), 'old');
    assert.equal(versionOf(await describeRun('open')), 'new');
    await client.workflow.getHandle('ended').signal(leaveSignal);
    await client.workflow.getHandle('ended').result();

    await stopOld();
    await eventually(async () => {
      // A first task makes the new worker poll again.
      const { workflowId } = await start(`next-${randomUUID()}`);
      await greet(workflowId);
      await client.workflow.getHandle(workflowId).terminate();
      assert.deepEqual(await versions.versionsWithoutWorker(TASK_QUEUE), ['old']);
    });
    const { runId } = await describeRun('begun');
    assert.deepEqual(await versions.runsOf(TASK_QUEUE, ['old'], 10), [{ workflowId: 'begun', runId }]);
    await Promise.all(['begun', 'open'].map((id) => client.workflow.getHandle(id).terminate()));
  });
});
