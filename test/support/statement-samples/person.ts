import type * as person from '../../../prisma/queries/person.ts';
import type { SamplesOf } from './samples-of.ts';

const SESSION = { token: 'a-token', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof person> = {
  selectStaffSession: [['a-token']],
  selectSession: [[{ ...SESSION, account: null }], [{ ...SESSION, account: 'mer_1' }]],
};
