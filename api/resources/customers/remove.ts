import { isTerminal, PAYMENT_STATUSES } from '../../../domain/payment-state.ts';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { ApiError } from '../../middleware/errors.ts';
import type { Owner } from '../lists/conditions.ts';
import { storableId } from '../path-id.ts';

const OPEN_STATUSES = Prisma.join(PAYMENT_STATUSES.filter((status) => !isTerminal(status)));

/**
 * Deletes a customer who has no payment open. Whatever gives a payment to a customer holds that customer's row meanwhile
 * (`keep.ts`): either it has committed before the row is ours, and the second statement sees it, or it finds nobody.
 * @throws ApiError `CUSTOMER_NOT_FOUND`, or `STATE_CONFLICT` while a payment of theirs is open
 */
export async function deleteCustomer(database: Database, owner: Owner, id: string): Promise<void> {
  const { merchantAccountId, environment } = owner;
  const customerId = storableId('customer', id);
  const isOwned = Prisma.sql`id = ${customerId} AND merchant_account_id = ${merchantAccountId}
    AND environment = ${environment}`;
  const [held, deleted] = await database.$transaction([
    database.$queryRaw<{ id: string }[]>`SELECT id FROM customer WHERE ${isOwned} FOR UPDATE`,
    database.$executeRaw`
      DELETE FROM customer WHERE ${isOwned}
        AND NOT EXISTS (
          SELECT FROM payment_intent i
          WHERE i.merchant_account_id = ${merchantAccountId} AND i.customer_id = ${customerId}
            AND i.status IN (${OPEN_STATUSES})
        )
        AND NOT EXISTS (
          SELECT FROM payment_intent_amendment a
          JOIN payment_intent i ON i.id = a.payment_intent_id
          WHERE a.changes->>'customerId' = ${customerId} AND i.status IN (${OPEN_STATUSES})
        )`,
  ]);
  if (held.length === 0) throw new ApiError('CUSTOMER_NOT_FOUND');
  if (deleted === 0) {
    throw new ApiError('STATE_CONFLICT', { message: 'A payment intent of the customer is still open.' });
  }
}
