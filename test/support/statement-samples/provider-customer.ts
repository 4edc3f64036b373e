import type * as providerCustomer from '../../../prisma/queries/provider-customer.ts';
import type { SamplesOf } from './samples-of.ts';

const CUSTOMER = { customerId: 'cus_1', provider: 'stripe_1' };

export const samples: SamplesOf<typeof providerCustomer> = {
  selectProviderCustomer: [[CUSTOMER]],
  insertProviderCustomer: [
    [CUSTOMER, 'cus_at_provider', null],
    [CUSTOMER, 'cus_at_provider', 'cus_before'],
  ],
};
