import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Payments as a merchant's server makes them: create, then confirm. */
serveTurns(merchantSchema, (credentials): Work => {
  const { create, confirm } = createMerchantCalls(credentials);
  return async (stopwatch) => {
    const id = await create();
    stopwatch.lap('create');
    await confirm(id);
    stopwatch.lap('confirm');
    return id;
  };
});
