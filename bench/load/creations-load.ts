import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Intents that are made and then left alone. */
serveTurns(merchantSchema, (credentials): Work => {
  const { create } = createMerchantCalls(credentials);
  return async (stopwatch) => {
    const id = await create();
    stopwatch.lap('create');
    return id;
  };
});
