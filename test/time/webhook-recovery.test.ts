import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HeldBatchResult, ProbeResult, WebhookActivities } from '../../protocol/webhook-activities.ts';
import { newId } from '../../domain/new-id.ts';
import { PAYMENTS_TASK_QUEUE, recoveryWorkflowId, WEBHOOK_RECOVERY_WORKFLOW } from '../../protocol/messages.ts';
import { currentDetailsOf } from '../support/time-skipping.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from '../support/time-skipping-server.ts';

const MORE: HeldBatchResult = { kind: 'more', delivered: 99, failed: 1 };

describe('webhook recovery workflow', function () {
  this.timeout(60_000);

  /** Runs a recovery; the last batch is repeated. @returns its result, its details, and the batches that it asked for */
  const recover = async (probe: ProbeResult, batches: readonly HeldBatchResult[]) => {
    const asked: boolean[] = [];
    let result = '';
    let details = '';
    await withTimeSkippingServer(async ({ env: { client }, play }) => {
      const activities: Pick<WebhookActivities, 'probeEndpoint' | 'deliverHeld'> = {
        probeEndpoint: () => Promise.resolve(probe),
        deliverHeld: ({ isLast }) => {
          asked.push(isLast);
          const batch = batches[Math.min(asked.length, batches.length) - 1];
          assert.ok(batch);
          return Promise.resolve(batch);
        },
      };
      play({ activities, clock: Date.now });
      const webhookEndpointId = newId('webhookEndpoint');
      const input = { webhookEndpointId, merchantAccountId: newId('merchantAccount'), environment: 'sandbox' } as const;
      const recovery = await client.workflow.start(WEBHOOK_RECOVERY_WORKFLOW, {
        workflowId: recoveryWorkflowId(webhookEndpointId),
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [input],
        workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
      });
      result = String(await recovery.result());
      details = await currentDetailsOf(client, recovery);
    });
    return { result, details, asked };
  };

  it('ends with a probe that fails, and sends nothing else', async () => {
    const { result, details, asked } = await recover({ kind: 'failing', summary: 'status 500' }, []);
    assert.deepEqual([result, asked], ['failing', []]);
    assert.match(details, /^- The probe failed: status 500\.$/m);
  });

  it('sends what was held until nothing is', async () => {
    const emptied: HeldBatchResult = { kind: 'emptied', delivered: 0, failed: 0 };
    const { result, details, asked } = await recover({ kind: 'answers' }, [MORE, MORE, emptied]);
    assert.deepEqual([result, asked.length], ['emptied', 3]);
    assert.match(details, /^- Sent: 198 delivered, 2 failed\. None waits any more\.$/m);
  });

  it('leaves the rest to another turn after some batches, the last of which it marks', async () => {
    const { result, asked } = await recover({ kind: 'answers' }, [MORE]);
    assert.deepEqual([result, asked.length], ['more', 10]);
    assert.deepEqual(asked.indexOf(true), 9);
  });

  it('stops when the endpoint fails again', async () => {
    const { result, asked } = await recover({ kind: 'answers' }, [{ kind: 'stopped', delivered: 0, failed: 5 }]);
    assert.deepEqual([result, asked.length], ['stopped', 1]);
  });
});
