import type { Check } from './check.ts';

/** Each authorization at a provider was scheduled by the workflow history of its payment. */
export const callsScheduled: Check = {
  name: 'every authorization was scheduled by a workflow history',
  find: ({ ledger, scheduledAttempts }) =>
    ledger
      .filter(({ status, idempotencyKey }) => status !== null && !scheduledAttempts.has(idempotencyKey))
      .map(({ provider, idempotencyKey, paymentIntentId }) => ({
        intentId: paymentIntentId,
        what: `${provider} was called to authorize ${idempotencyKey}, which no history has scheduled`,
      })),
};
