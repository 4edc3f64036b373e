import type { Check } from './check.ts';

/**
 * No attempt ended as uncharged before its provider had confirmed it. The simulators of these runs charge no closed key, so
 * a stray charge shows that the engine did not inquire. Its reversal would hide it from the comparison of ledgers. One that is
 * unfounded shows nothing: the provider authorized, the engine closed the attempt, and the report of the authorization came
 * after that.
 */
export const noStrayCharges: Check = {
  name: 'no stray charges',
  find: ({ strayCharges }) =>
    strayCharges
      .filter(({ status }) => status !== 'unfounded')
      .map(({ attemptId, paymentIntentId, status }) => ({
        intentId: paymentIntentId,
        what: `${attemptId} had ended without a charge, and its provider has charged it (stray charge ${status})`,
      })),
};
