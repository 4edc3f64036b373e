import { createMerchantCalls, merchantSchema } from './merchant-calls.ts';
import type { Work } from './run-turn.ts';
import { serveTurns } from './serve-turns.ts';

/** Makes payments as a merchant's server does: create, then confirm. */
serveTurns(merchantSchema, (credentials): Work => {
  const { create, confirm } = createMerchantCalls(credentials);
  return async (timer) => {
    const id = await create();
    timer.endStep('create');
    await confirm(id);
    timer.endStep('confirm');
    return id;
  };
});
