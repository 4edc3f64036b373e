import type { Database } from '../../../prisma/connection/client.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';

/**
 * The country of one of the account's customers, or null where none is known.
 * @throws ApiError `CUSTOMER_NOT_FOUND`
 */
export async function readCustomerCountry(
  database: Database,
  { merchantAccountId, environment }: Principal,
  customerId: string,
): Promise<string | null> {
  const customer = await database.customer.findFirst({
    where: { id: customerId, merchantAccountId, environment },
    select: { country: true },
  });
  if (customer === null) throw customerNotFound(customerId);
  return customer.country;
}

/** The error of a payment that names an unknown customer. */
export function customerNotFound(customerId: string): ApiError {
  return new ApiError('CUSTOMER_NOT_FOUND', { details: { customerId } });
}
