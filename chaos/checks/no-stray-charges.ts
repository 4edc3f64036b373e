import type { Check } from './check.ts';

/**
 * No attempt ended as uncharged before its provider had said so. The simulators of these runs charge nothing that they have
 * closed, so a stray charge shows that the engine did not ask: its reversal would hide it from the comparison of ledgers.
 */
export const noStrayCharges: Check = {
  name: 'attempts ended only when the provider was sure',
  find: ({ strayCharges }) =>
    strayCharges.map(({ attemptId, paymentIntentId, status }) => ({
      intentId: paymentIntentId,
      what: `${attemptId} had ended without a charge, and its provider has charged it (stray charge ${status})`,
    })),
};
