import { z } from 'zod';
import { ENVIRONMENTS } from '../../../domain/payment.ts';
import { FUTURE_USAGES, type FutureUsage } from '../../../domain/saved-payment-method.ts';
import { paymentLinkStatus } from '../../../domain/payment-link.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { PaymentLink } from '../../../prisma/generated/client.ts';
import {
  accountPaymentLinks,
  selectPaymentLink,
  STORED_PAYMENT_LINK,
  type StoredPaymentLink,
} from '../../../prisma/queries/payment-link.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import type { ListPaymentLinks, PaymentLinkResource } from '../../../contract/schemas/payment-link.ts';
import { readPage, type ReadPage } from '../../../accounts/lists.ts';
import { ownedBy, requireId } from '../../../accounts/row-scope.ts';
import { readOrThrow } from '../../../accounts/writes.ts';
import { hashLinkToken, linkTokensOf, PAGES_PATH } from './token.ts';
import { presentCreator } from '../../../contract/presenters/creator.ts';

const pairs = z.record(z.string(), z.string());
const environments = z.enum(ENVIRONMENTS);

/** What the address of a link's page is derived from. */
export interface PaymentPageAddress {
  readonly keyring: Keyring;
  /** The origin of the API as customers see it; null where the pages are not served. */
  readonly apiPublicUrl: string | null;
}

/** The link as clients see it. */
export function presentPaymentLink(address: PaymentPageAddress, row: StoredPaymentLink): PaymentLinkResource {
  const { active, maxPayments, paidPayments, openPayments, expiresAt } = row;
  return {
    id: row.id,
    object: 'payment_link',
    merchantId: row.merchantAccountId,
    environment: environments.parse(row.environment),
    url: urlOf(address, row),
    amount: Number(row.amountMinor),
    currency: row.currency,
    description: row.description,
    reference: row.reference,
    metadata: pairs.parse(row.metadata),
    active,
    status: paymentLinkStatus(row, Date.now()),
    customerId: row.customerId,
    setupFutureUsage: futureUsageOf(row),
    allowSavedPaymentMethods: row.allowSavedPaymentMethods,
    maxPayments,
    paidPayments,
    openPayments,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdBy: presentCreator(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What the page of a link offers to save a card for; null for nothing. */
export function futureUsageOf({ setupFutureUsage }: Pick<PaymentLink, 'setupFutureUsage'>): FutureUsage | null {
  return FUTURE_USAGES.find((usage) => usage === setupFutureUsage) ?? null;
}

/** The address of the link's page; null if the pages are not served, or the root key from which the token was derived is gone. */
function urlOf({ keyring, apiPublicUrl }: PaymentPageAddress, { id, tokenHash }: PaymentLink): string | null {
  const token = linkTokensOf(keyring, id).find((candidate) => hashLinkToken(candidate) === tokenHash);
  return apiPublicUrl === null || token === undefined ? null : `${apiPublicUrl}${PAGES_PATH}/${token}`;
}

/** The condition on one of the account's links. @throws ApiError `RESOURCE_NOT_FOUND` for what is no such id */
export function ownLink(scope: AccountScope, id: string) {
  return { id: requireId('paymentLink', id), ...ownedBy(scope) };
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readPaymentLink(database: Database, scope: AccountScope, id: string): Promise<StoredPaymentLink> {
  const statement = selectPaymentLink(requireId('paymentLink', id), scope);
  return readOrThrow(async () => (await database.direct.row(statement)) ?? null, 'RESOURCE_NOT_FOUND');
}

/** One page of the account's links, newest first, and how many there are in all. */
export function listPaymentLinks(
  database: Database,
  scope: AccountScope,
  { page, limit, startingAfter, ...filter }: ListPaymentLinks,
): Promise<ReadPage<StoredPaymentLink>> {
  return readPage(database, accountPaymentLinks(scope, filter), STORED_PAYMENT_LINK, { page, limit, startingAfter });
}
