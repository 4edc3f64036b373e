import type * as customer from '../../../prisma/queries/customer.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof customer> = {
  deleteCustomerWithoutPayment: [['cus_1', ACCOUNT]],
};
