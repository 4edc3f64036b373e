import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { z } from 'zod';
import { readWorkerTuning } from '../../config/engine.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { createProviderHttp } from '../../providers/provider-http.ts';
import { workerConnectionOptions } from '../../worker/connect-with-retries.ts';
import { paymentWorkerTuning } from '../../worker/create-worker.ts';
import { EngineWorker } from '../../worker/engine-worker.ts';
import { serveTurns } from '../load/serve-turns.ts';
import { BASELINE_TASK_QUEUE, type BaselineActivities } from './messages.ts';

const settingsSchema = z.object({
  address: z.string(),
  namespace: z.string(),
  simulator: z.object({ port: z.number(), apiKey: z.string() }),
});
const paymentSchema = z.object({ status: z.string() });

const TIMEOUT_MS = 10 * SECOND_MS;
const METHOD = { type: 'card', number: '4242424242424242', expiryMonth: 12, expiryYear: 2040, cvc: '123' };

const workflowsPath = fileURLToPath(new URL('workflow.js', import.meta.url));
const STACK_TRACES = fileURLToPath(new URL('../../workflows/shared/stack-traces.js', import.meta.url));

function createBaselineActivities(simulatorUrl: string, simulatorApiKey: string): BaselineActivities {
  const http = createProviderHttp(simulatorUrl, TIMEOUT_MS);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return {
    async callProvider(key) {
      const headers = {
        authorization: `Bearer ${simulatorApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      };
      const names = { reference: key, paymentIntentId: key };
      const body = { ...names, amount: 1999, currency: 'USD', capture: true, returnUrl: null, method: METHOD };
      const { text } = await http.post('/v1/payments', headers, JSON.stringify(body), signal);
      return paymentSchema.parse(JSON.parse(text)).status;
    },
    note: () => Promise.resolve(),
  };
}

/** The worker of the baseline, in a process of its own like the payments worker, and with the same settings. */
serveTurns(settingsSchema, async ({ address, namespace, simulator }) => {
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('WARN') });
  const worker = await EngineWorker.create({
    ...paymentWorkerTuning(readWorkerTuning()),
    connection: await NativeConnection.connect(workerConnectionOptions({ address })),
    namespace,
    taskQueue: BASELINE_TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({ workflowsPath, preloadModules: [STACK_TRACES, workflowsPath] }),
    activities: { ...createBaselineActivities(`http://127.0.0.1:${simulator.port}`, simulator.apiKey) },
  });
  worker.run().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  return null;
});
