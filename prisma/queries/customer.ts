import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { type AccountScope, type CreationTimes, isOwned, withValues } from '../fragments/conditions.ts';
import { type Customer, Prisma } from '../generated/client.ts';
import { boolean, integer, json, nullable, returning, text, timestamp } from '../connection/statement.ts';
import { foundAccountRows, type ListedRows } from './list.ts';
import { detaching } from './saved-payment-method.ts';

/** A customer as Prisma Client reads it, from a row that is called `r`. */
export const STORED_CUSTOMER = returning<Customer>({
  id: text,
  merchantAccountId: text,
  environment: text,
  reference: nullable(text),
  name: nullable(text),
  email: nullable(text),
  phone: nullable(text),
  description: nullable(text),
  country: nullable(text),
  metadata: json<Prisma.JsonObject>(),
  version: integer,
  createdAt: timestamp,
  updatedAt: timestamp,
})`
  r.id, r.merchant_account_id AS "merchantAccountId", r.environment, r.reference, r.name, r.email, r.phone, r.description, r.country,
  r.metadata, r.version, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

/** Which of an account's customers are listed. */
export interface AccountCustomerFilter extends CreationTimes {
  readonly email?: string | undefined;
  readonly reference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The list of an account's customers. */
export function accountCustomers(
  scope: AccountScope,
  { email, reference, metadata, ...times }: AccountCustomerFilter,
): ListedRows {
  return foundAccountRows('customer', scope, {
    metadata,
    conditions: [...withValues({ reference }), ...withEmail(email)],
    times,
  });
}

/** Customers with an e-mail address, however it is capitalised. */
function withEmail(email: string | undefined): readonly Prisma.Sql[] {
  return email === undefined ? [] : [Prisma.sql`lower(email) = lower(${email}::text)`];
}

const OPEN_STATUSES = Prisma.join(PAYMENT_STATUSES.filter((status) => !isTerminal(status)));

/**
 * Deletes a customer of an account unless a payment of theirs is open, and removes their saved payment methods. It returns no row if there is no such customer. Raw,
 * because payments that a stored update is about to give the customer are found only by an index on the content of updates.
 */
export function deleteCustomerWithoutPayment(id: string, scope: AccountScope) {
  return returning({ isDeleted: boolean })`
    WITH deleted AS (
      DELETE FROM customer WHERE ${isOwned(id, scope)}
        AND NOT EXISTS (
          SELECT FROM payment_intent i
          WHERE i.merchant_account_id = ${scope.merchantAccountId} AND i.customer_id = ${id}
            AND i.status IN (${OPEN_STATUSES})
        )
        AND NOT EXISTS (
          SELECT FROM payment_intent_update a JOIN payment_intent i ON i.id = a.payment_intent_id
          WHERE a.changes->>'customerId' = ${id} AND i.status IN (${OPEN_STATUSES})
        )
      RETURNING id
    ), ${detaching(Prisma.sql`m.merchant_account_id = ${scope.merchantAccountId} AND m.customer_id = (SELECT deleted.id FROM deleted)`, 'customer_deleted')}
    SELECT EXISTS (SELECT FROM deleted) AS "isDeleted" FROM customer WHERE ${isOwned(id, scope)}`;
}
