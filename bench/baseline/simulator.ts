import { z } from 'zod';
import { startSimulator } from '../../sandbox/simulator/server.ts';
import { serveTurns } from '../load/serve-turns.ts';

const settingsSchema = z.object({ port: z.number(), apiKey: z.string(), dataFile: z.string() });

/** The simulator of the baseline, in a process of its own like the engine's. It sends no webhooks. */
serveTurns(settingsSchema, async ({ port, apiKey, dataFile }) => {
  const publicUrl = `http://127.0.0.1:${port}`;
  const { url } = await startSimulator({
    name: 'baseline',
    port,
    apiKey,
    dataFile,
    publicUrl,
    webhookUrl: publicUrl,
    webhookSecret: `whsec_${Buffer.alloc(24).toString('base64')}`,
    logLevel: 'warn',
  });
  const response = await fetch(`${url}/simulate/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhookDropRate: 1 }),
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
  return null;
});
