import { TestWorkflowEnvironment } from '@temporalio/testing';

/** `node run-download.js <dev-server|time-skipping> <version> <folder>`: the SDK downloads the program, and tries it. */
const [program, version = 'default', downloadDir = '.'] = process.argv.slice(2);
const executable = { type: 'cached-download', version, downloadDir, ttl: '1 day' } as const;
const server = await (program === 'dev-server'
  ? TestWorkflowEnvironment.createLocal({ server: { executable } })
  : TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }));
await server.teardown();
