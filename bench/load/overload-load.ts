import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Makes payments in one request each. A payment is one step, a refusal another. */
serveTurns(merchantSchema, (credentials): Work => {
  const { pay } = createMerchantCalls(credentials);
  return async (timer) => {
    const outcome = await pay();
    timer.endStep(outcome);
    return outcome;
  };
});
