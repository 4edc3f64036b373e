import type { Principal } from '../domain/principal.ts';
import type { AccountScope } from '../prisma/fragments/conditions.ts';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import { ID_PREFIXES, isId, RESOURCE_KINDS, type ResourceKind } from '../domain/ids.ts';
import { ApiError } from '../domain/api-error.ts';
import { mismatchMessage } from '../contract/field-messages.ts';

/** The rows that all accounts of a merchant share in one environment. */
export type MerchantScope = Pick<Principal, 'merchantId' | 'environment'>;

/** The condition on such rows. */
export function ofMerchant({ merchantId, environment }: MerchantScope): MerchantScope {
  return { merchantId, environment };
}

/** The condition on rows of one account. */
export function ownedBy({ merchantAccountId, environment }: AccountScope): AccountScope {
  return { merchantAccountId, environment };
}

const NOT_FOUND_CODES: Readonly<Partial<Record<ResourceKind, ErrorCode>>> = {
  paymentIntent: 'PAYMENT_INTENT_NOT_FOUND',
  transaction: 'TRANSACTION_NOT_FOUND',
  customer: 'CUSTOMER_NOT_FOUND',
  refund: 'REFUND_NOT_FOUND',
};

/**
 * Returns an id of that kind, which is then safe to compare with in the database.
 * @throws ApiError with the code of the resource's absence for any other text, whose message says which prefix was expected
 */
export function requireId(kind: ResourceKind, id: string): string {
  if (isId(kind, id)) return id;
  const other = RESOURCE_KINDS.find((each) => isId(each, id));
  const received = other === undefined ? 'another text' : `an id that begins with ${ID_PREFIXES[other]}_`;
  const expected = `an id that begins with ${ID_PREFIXES[kind]}_, followed by 32 hexadecimal digits`;
  throw new ApiError(NOT_FOUND_CODES[kind] ?? 'RESOURCE_NOT_FOUND', { message: mismatchMessage(expected, received) });
}
