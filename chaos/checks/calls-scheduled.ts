import type { Check } from './check.ts';

/** No provider was asked for money but by an activity that the history of a run had scheduled before. */
export const callsScheduled: Check = {
  name: 'every call for money was scheduled by a history',
  find: ({ ledger, scheduledAttempts }) =>
    ledger
      .filter(({ status, idempotencyKey }) => status !== null && !scheduledAttempts.has(idempotencyKey))
      .map(({ provider, idempotencyKey, paymentIntentId }) => ({
        intentId: paymentIntentId,
        what: `${provider} was asked for money under ${idempotencyKey}, which no history has scheduled`,
      })),
};
