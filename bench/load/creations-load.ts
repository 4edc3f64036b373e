import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Intents that are made and then left alone. */
serveTurns(merchantSchema, (credentials): Work => {
  const { create } = createMerchantCalls(credentials);
  return async (timer) => {
    const id = await create();
    timer.endStep('create');
    return id;
  };
});
