import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import type { ListSavedMethods, UpdateSavedMethod } from '../../../contract/schemas/saved-payment-method.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { cardExpiryOf } from '../../../domain/saved-payment-method.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import { lockCustomer, lockSavedMethod } from '../../../prisma/queries/lock.ts';
import {
  accountSavedMethods,
  detachSavedMethod,
  selectSavedMethod,
  STORED_SAVED_METHOD,
  type StoredSavedMethod,
  updateSavedMethod,
} from '../../../prisma/queries/saved-payment-method.ts';

/**
 * One saved payment method of the account.
 * @throws ApiError `RESOURCE_NOT_FOUND`
 */
export async function readSavedMethod(
  { direct }: Pick<Database, 'direct'>,
  scope: AccountScope,
  id: string,
): Promise<StoredSavedMethod> {
  const stored = await direct.row(selectSavedMethod(requireId('savedPaymentMethod', id), scope));
  if (stored === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return stored;
}

/** One page of the account's saved payment methods, newest first, and how many there are in all. */
export function listSavedMethods(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListSavedMethods,
): Promise<ReadPage<StoredSavedMethod>> {
  return readPage(database, accountSavedMethods(scope, filter), STORED_SAVED_METHOD, { page, limit, startingAfter });
}

/**
 * Changes the named fields. The lock of the customer lets one default replace another.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` once it is detached
 */
export async function changeSavedMethod(
  database: Database,
  scope: AccountScope,
  { id, fields }: { readonly id: string; readonly fields: UpdateSavedMethod },
): Promise<StoredSavedMethod> {
  const { method } = await readSavedMethod(database, scope, id);
  const { isDefault, metadata, expiryMonth: month, expiryYear: year } = fields;
  const expiry = month === undefined || year === undefined ? undefined : { month, year, at: cardExpiryOf(month, year) };
  const [changed] = await database.direct.rowsLocked(
    lockCustomer(method.customer_id, scope),
    updateSavedMethod(id, scope, { isDefault, metadata, expiry }),
  );
  if (changed === undefined) throw detachedAlready();
  return readSavedMethod(database, scope, id);
}

/**
 * Detaches a saved payment method, and erases its card number in the same statement. Its workflow has the providers remove their
 * tokens.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` if it is detached already, or a payment with it is under way
 */
export async function removeSavedMethod(
  database: Database,
  scope: AccountScope,
  id: string,
): Promise<StoredSavedMethod> {
  const known = requireId('savedPaymentMethod', id);
  // An attempt with it that begins at this moment is waited for, and then found.
  const [removed] = await database.direct.rowsLocked(lockSavedMethod(known, scope), detachSavedMethod(known, scope));
  const stored = await readSavedMethod(database, scope, id);
  if (removed === undefined) throw stored.method.status === 'detached' ? detachedAlready() : inUse();
  return stored;
}

function detachedAlready(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message: 'Expected a saved payment method that is active or invalid; this one is detached already.',
  });
}

function inUse(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message:
      'Expected a saved payment method with which no payment is processing or requires_action; there is one. Remove it once that ' +
      'payment has its outcome.',
  });
}
