import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { EngineWorker } from '../../worker/engine-worker.ts';

/** `node looping-worker.js ADDRESS TASK_QUEUE`: runs the workflows of `looping-workflow.ts`, and prints errors as JSON. */
const [address = '', taskQueue = ''] = process.argv.slice(2);
const print = ({ message, meta }: { message: string; meta?: object }): void =>
  console.error(JSON.stringify({ message, ...meta }));
Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR', print) });
process.once('disconnect', () => process.exit());
const worker = await EngineWorker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: fileURLToPath(new URL('looping-workflow.js', import.meta.url)),
});
await worker.run();
