import { returning, text } from '../connection/statement.ts';

/** A customer of a merchant at one provider. */
export interface CustomerAtProvider {
  readonly customerId: string;
  readonly provider: string;
}

/** The provider's id of a customer; no row where it has none. */
export function selectProviderCustomer({ customerId, provider }: CustomerAtProvider) {
  return returning({ providerCustomerId: text })`
    SELECT provider_customer_id AS "providerCustomerId" FROM provider_customer
    WHERE customer_id = ${customerId} AND provider = ${provider}`;
}

/**
 * Stores the provider's id of a customer, unless another one is stored. Returns the one that is stored; no row where the customer
 * was deleted.
 * @param replaces the stored id that the provider does not know any more
 */
export function insertProviderCustomer(
  { customerId, provider }: CustomerAtProvider,
  providerCustomerId: string,
  replaces: string | null,
) {
  return returning({ providerCustomerId: text })`
    INSERT INTO provider_customer AS known (customer_id, provider, merchant_account_id, environment, provider_customer_id)
    SELECT id, ${provider}, merchant_account_id, environment, ${providerCustomerId} FROM customer WHERE id = ${customerId}
    ON CONFLICT (customer_id, provider) DO UPDATE SET provider_customer_id =
      CASE WHEN known.provider_customer_id = ${replaces} THEN excluded.provider_customer_id ELSE known.provider_customer_id END
    RETURNING provider_customer_id AS "providerCustomerId"`;
}
