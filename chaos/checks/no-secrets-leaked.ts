import type { Check } from './check.ts';

/** No secret is in any log, table, history or webhook. */
export const noSecretsLeaked: Check = {
  name: 'no secret in logs, tables, histories and webhooks',
  find: ({ secrets }) => [
    ...secrets.leaks.map(({ place, what }) => ({ intentId: null, what: `${what} is in ${place}` })),
    ...secrets.emptyPlaces.map((place) => ({ intentId: null, what: `nothing of the run was found in ${place}` })),
  ],
};
