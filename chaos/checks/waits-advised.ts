import type { Check } from './check.ts';

/** Nothing has waited for a provider for long without an advisory, at any time of the run. */
export const waitsAdvised: Check = {
  name: 'what waits for a provider has an advisory',
  find: ({ unadvisedWaits }) =>
    unadvisedWaits.map(({ paymentIntentId, what }) => ({ intentId: paymentIntentId, what })),
};
