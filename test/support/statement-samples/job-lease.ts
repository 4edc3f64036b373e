import type * as jobLease from '../../../prisma/queries/job-lease.ts';
import type { SamplesOf } from './samples-of.ts';

const LEASE = { name: 'jobs', holder: 'one', durationMs: 5_000 };

export const samples: SamplesOf<typeof jobLease> = {
  takeJobLease: [[LEASE]],
  releaseJobLease: [[LEASE]],
};
