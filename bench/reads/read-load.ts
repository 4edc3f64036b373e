import { Agent, get } from 'node:http';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { signedHeaders } from '../../sdk/server/sign.ts';
import type { Work } from '../load/run-turn.ts';
import { serveTurns } from '../load/serve-turns.ts';

const settingsSchema = z.object({
  url: z.string(),
  /** Null for requests without a signature. */
  credentials: z.object({ apiKey: z.string(), secretSalt: z.string(), merchantId: z.string() }).nullable(),
});

/** A signature is valid for minutes, so this process saves the time to make one for each request. */
const SIGN_EVERY_MS = 10 * SECOND_MS;
const TIMEOUT_MS = 30 * SECOND_MS;

/** Reads one URL repeatedly over kept-alive connections. */
function createReads({ url, credentials }: z.infer<typeof settingsSchema>): Work {
  const agent = new Agent({ keepAlive: true });
  let headers: Record<string, string> = {};
  let signedAtMs = -Infinity;
  return async (timer) => {
    if (credentials !== null && performance.now() - signedAtMs > SIGN_EVERY_MS) {
      headers = signedHeaders(credentials, undefined);
      signedAtMs = performance.now();
    }
    await read(url, headers, agent);
    timer.endStep('read');
    return url;
  };
}

function read(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers, timeout: TIMEOUT_MS }, (response) => {
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} was answered with ${response.statusCode}`));
      });
      response.resume();
    });
    request.on('timeout', () => request.destroy(new Error(`${url} was not answered`)));
    request.on('error', reject);
  });
}

serveTurns(settingsSchema, createReads);
