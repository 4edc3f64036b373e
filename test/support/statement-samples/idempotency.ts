import type * as idempotency from '../../../prisma/queries/idempotency.ts';
import type { SamplesOf } from './samples-of.ts';

const KEY = { merchantAccountId: 'mer_1', environment: 'sandbox', key: 'order 1' } as const;
const SEALED = { keyId: 'key', ciphertext: new Uint8Array([1]) };
const RUN = { lockedUntil: new Date(0) };

export const samples: SamplesOf<typeof idempotency> = {
  claimIdempotencyKey: [[KEY, { fingerprints: ['one', 'other'], resourceId: 'pi_1', lockMs: 1_000 }]],
  releaseIdempotencyKey: [
    [KEY, { ...RUN, nextGeneration: 1, status: null, sealed: null, secretBody: null }],
    [KEY, { ...RUN, nextGeneration: 0, status: 201, sealed: SEALED, secretBody: null }],
    [KEY, { ...RUN, nextGeneration: 0, status: 201, sealed: SEALED, secretBody: new Uint8Array([2]) }],
  ],
};
