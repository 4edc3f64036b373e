import type * as failingEndpoint from '../../../prisma/queries/failing-endpoint.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof failingEndpoint> = {
  claimUnmailedFailures: [[3_600_000]],
};
