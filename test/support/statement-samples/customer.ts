import type * as customer from '../../../prisma/queries/customer.ts';
import type { SamplesOf } from './samples-of.ts';

const OWNER = { merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

export const samples: SamplesOf<typeof customer> = {
  deleteCustomerWithoutPayment: [['cus_1', OWNER]],
};
