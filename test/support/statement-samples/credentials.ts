import type * as credentials from '../../../prisma/queries/credentials.ts';
import type { SamplesOf } from './samples-of.ts';

const OWN_ACCOUNT = { keyHash: 'hash', merchantAccountId: null };

export const samples: SamplesOf<typeof credentials> = {
  selectCredentials: [[OWN_ACCOUNT], [{ keyHash: 'hash', merchantAccountId: 'mer_1' }]],
  countRequests: [
    [
      { ...OWN_ACCOUNT, saltHash: 'hash' },
      { requests: 1, nowMs: 1_750_000_000_000 },
    ],
  ],
  selectClientCredentials: [['hash']],
  insertNonce: [['key_1', 'nonce-of-a-request']],
};
