import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { withTimeSkippingServer } from '../support/time-skipping-server.ts';

const TASK_QUEUE = 'endless-loop';
const manifestSchema = z.object({ version: z.string() });

describe('a workflow with an endless loop', function () {
  this.timeout(2 * MINUTE_MS);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('is named by the worker, which then ends; the next worker goes on with others', () =>
    withTimeSkippingServer(async ({ env: { address, client } }) => {
      const startWorker = () => {
        const program = path.join(DIST_DIR, 'test', 'support', 'looping-worker.js');
        const child = fork(program, [address, TASK_QUEUE], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
        children.push(child);
        return child;
      };
      const first = startWorker();
      const [ended, printed] = [once(first, 'exit'), text(first.stderr ?? assert.fail())];
      const options = { taskQueue: TASK_QUEUE, workflowExecutionTimeout: MINUTE_MS };
      const looping = await client.workflow.start('loopingWorkflow', { ...options, workflowId: 'loops' });
      assert.equal((await ended)[0], 1);
      assert.match(await printed, /"workflowId":"loops","workflowType":"loopingWorkflow","alert":"WORKFLOW_LOOPS"/);
      await looping.terminate();

      startWorker();
      assert.equal(await client.workflow.execute('quickWorkflow', { ...options, workflowId: 'quick' }), 'done');
    }));

  it('is found by means of parts of the SDK that may change: look at worker/engine-worker.ts again', () => {
    const manifest = readFileSync('node_modules/@temporalio/worker/package.json', 'utf8');
    assert.equal(manifestSchema.parse(JSON.parse(manifest)).version, '1.24.0');
  });
});
