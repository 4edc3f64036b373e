import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { after, before, describe, it } from 'mocha';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { DIST_DIR } from '../../sandbox/stack/project.ts';
import { runChecks } from '../../scripts/doctor/check.ts';
import { TEMPORAL_CHECKS } from '../../scripts/doctor/temporal-checks.ts';
import { latestActivityWaitsMs } from '../../workflow-client/activity-waits.ts';
import { createTemporalClient } from '../../workflow-client/connection.ts';
import { createWorkerVersions } from '../../workflow-client/worker-versions.ts';
import { eventually } from '../support/eventually.ts';
import { getDataDir, getStack } from '../support/stack.ts';

const HOLDING = [
  'The database answers',
  'Every migration is applied',
  'Temporal answers',
  'The namespace exists',
  'The namespace has the search attributes of payments',
  'Workers poll for payments and webhooks',
];

describe('npm run doctor', function () {
  this.timeout(2 * MINUTE_MS);
  let connection: Connection;
  before(async () => {
    connection = await Connection.connect({ address: getStack().sandbox.temporalAddress });
  });
  after(() => connection.close());

  /** What is wrong with a namespace. */
  async function problemsOf(namespace: string): Promise<string> {
    const client = createTemporalClient({ address: getStack().sandbox.temporalAddress, namespace });
    try {
      const activityWaits = () => latestActivityWaitsMs(client);
      const place = { connection, namespace, versions: createWorkerVersions(client), activityWaits };
      const results = await runChecks(TEMPORAL_CHECKS, place);
      return results.map(({ finding }) => finding?.problem ?? '').join('\n');
    } finally {
      await client.connection.close();
    }
  }

  it('finds the servers, the tables and the workers of the sandbox', async () => {
    await eventually(async () => {
      const program = path.join(DIST_DIR, 'scripts', 'doctor.js');
      const env = { PATH: process.env.PATH, DATA_DIR: getDataDir() };
      // What other tests leave in the database of the engine may be worth a finding.
      const output = await new Promise<string>((resolve) => {
        execFile(process.execPath, [program], { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
      });
      for (const { title } of TEMPORAL_CHECKS) assert.ok(output.includes(title), output);
      for (const title of HOLDING) assert.ok(output.includes(`✔ ${title}`), output);
    });
  });

  it('names a namespace that does not exist', async () => {
    assert.match(await problemsOf('nowhere'), /^The Temporal server has no namespace nowhere/);
  });

  it('names search attributes and workers that a namespace lacks', async () => {
    const namespace = `empty-${randomUUID()}`;
    const workflowExecutionRetentionPeriod = msToTs(DAY_MS);
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    await eventually(async () => {
      const problems = await problemsOf(namespace);
      assert.match(problems, /lacks the search attributes MerchantAccount/);
      assert.match(problems, /No worker polls the task queue payments/);
    });
  });
});
