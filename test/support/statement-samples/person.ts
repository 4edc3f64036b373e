import type * as person from '../../../prisma/queries/person.ts';
import type { SamplesOf } from './samples-of.ts';

const LIMITS = { maximumMs: 86_400_000, staffMaximumMs: 28_800_000, staffIdleMs: 1_800_000 };
const SESSION = { token: 'a-token', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof person> = {
  selectStaffSession: [['a-token', LIMITS]],
  selectSession: [
    [{ ...SESSION, account: null }, LIMITS],
    [{ ...SESSION, account: 'mer_1' }, LIMITS],
  ],
  noteSessionUse: [['a-token']],
  endPastSessions: [['a-token', LIMITS]],
};
