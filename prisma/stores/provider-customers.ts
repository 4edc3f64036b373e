import type { CustomersAtProvider } from '../../domain/saved-payment-method.ts';
import type { Database } from '../connection/client.ts';
import { askAboutCredentials } from '../queries/saved-payment-method.ts';
import { insertProviderCustomer, selectProviderCustomer } from '../queries/provider-customer.ts';

/** The customers of one provider, in the database. */
export function createCustomersAtProvider({ direct }: Pick<Database, 'direct'>, provider: string): CustomersAtProvider {
  return {
    async find(customerId) {
      return (await direct.row(selectProviderCustomer({ customerId, provider })))?.providerCustomerId ?? null;
    },
    async store(customerId, providerCustomerId, replaces) {
      const stored = await direct.row(insertProviderCustomer({ customerId, provider }, providerCustomerId, replaces));
      return stored?.providerCustomerId ?? providerCustomerId;
    },
    async askAboutToken(attemptId) {
      await direct.execute(askAboutCredentials({ provider, of: { attemptId } }));
    },
  };
}
