import type { Check } from './check.ts';

/** Two people could end each state that waits for a provider. */
export const exitsWork: Check = {
  name: 'what waits for a provider can be ended by hand',
  find: ({ failedExits }) => failedExits.map(({ paymentIntentId, what }) => ({ intentId: paymentIntentId, what })),
};
