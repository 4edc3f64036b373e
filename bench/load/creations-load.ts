import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Creates intents that are never confirmed. */
serveTurns(merchantSchema, (credentials): Work => {
  const { create } = createMerchantCalls(credentials);
  return async (timer) => {
    const id = await create();
    timer.endStep('create');
    return id;
  };
});
