import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** What the API asks for in `Retry-After`. */
const RETRY_AFTER_MS = 2 * SECOND_MS;

const settingsSchema = merchantSchema.extend({
  /** Whether a client waits after a refusal; arrivals of an open loop need not. */
  waits: z.boolean(),
});

/** Makes payments in one request each. A payment is one step, a refusal another. */
serveTurns(settingsSchema, ({ waits, ...credentials }): Work => {
  const { pay } = createMerchantCalls(credentials);
  return async (timer) => {
    const outcome = await pay();
    timer.endStep(outcome);
    if (outcome === 'refused' && waits) await sleep(RETRY_AFTER_MS);
    return outcome;
  };
});
