import type { AuditAction } from '../../../domain/audit.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { PaymentLink } from '../../../prisma/generated/client.ts';
import type { StoredPaymentLink } from '../../../prisma/queries/payment-link.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { CreatePaymentLink, UpdatePaymentLink } from '../../../contract/schemas/payment-link.ts';
import { type Audit, type AuditedResource, recordChange } from '../../../accounts/audit.ts';
import { ownedBy } from '../../../accounts/row-scope.ts';
import { updateOptimistically } from '../../../accounts/writes.ts';
import { ownLink, type PaymentPageAddress, readPaymentLink } from './stored-link.ts';
import { hashLinkToken, linkTokensOf } from './token.ts';
import { creatorOf } from '../../../accounts/created-by.ts';
import { readCustomerCountry } from '../customers/payer.ts';

/** The dependencies of the operations on payment links. */
export interface PaymentLinkDependencies extends PaymentPageAddress {
  readonly database: Database;
}

/**
 * Inserts a link, or finds the one that an interrupted execution of the same request inserted.
 * @throws ApiError `CUSTOMER_NOT_FOUND`
 */
export async function insertPaymentLink(
  { database, keyring }: PaymentLinkDependencies,
  scope: Principal,
  { id, fields }: { readonly id: string; readonly fields: CreatePaymentLink },
): Promise<StoredPaymentLink> {
  const [token] = linkTokensOf(keyring, id);
  const data = { id, ...ownedBy(scope), tokenHash: hashLinkToken(token), ...columnsOf(fields) };
  if (data.customerId !== null) await readCustomerCountry(database, scope, data.customerId);
  const creator = await creatorOf(database, scope);
  await database.$transaction(async (transaction) => {
    const [row] = await transaction.paymentLink.createManyAndReturn({
      data: [{ ...data, ...creator }],
      skipDuplicates: true,
    });
    if (row === undefined) return;
    await recordChange(transaction, auditOf(scope, 'payment_link.created'), { before: null, after: row });
  });
  return await readPaymentLink(database, scope, id);
}

function columnsOf({
  amount,
  description,
  reference,
  customerId,
  setupFutureUsage,
  expiresAt,
  ...fields
}: CreatePaymentLink) {
  return {
    ...fields,
    amountMinor: BigInt(amount),
    description: description ?? null,
    reference: reference ?? null,
    customerId: customerId ?? null,
    setupFutureUsage: setupFutureUsage ?? null,
    expiresAt: expiresAt ?? null,
  };
}

/** Changes the named fields. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export async function updatePaymentLink(
  { database }: PaymentLinkDependencies,
  scope: Principal,
  { id, fields: { description, active } }: { readonly id: string; readonly fields: UpdatePaymentLink },
): Promise<StoredPaymentLink> {
  const changes = {
    ...(description === undefined ? {} : { description }),
    ...(active === undefined ? {} : { active }),
  };
  await updateOptimistically<PaymentLink, typeof changes>(database, {
    audit: auditOf(scope, 'payment_link.updated'),
    read: () => database.paymentLink.findFirst({ where: ownLink(scope, id) }),
    changesOf: () => changes,
    write: async ({ version }, data, { paymentLink }) => {
      const where = { ...ownLink(scope, id), version };
      const [changed] = await paymentLink.updateManyAndReturn({ where, data });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
  return await readPaymentLink(database, scope, id);
}

function auditOf(author: Principal, action: AuditAction): Audit<PaymentLink> {
  return { author, action, describe };
}

/** The link as the audit log shows it: without its address, with which anybody can pay. */
function describe(row: PaymentLink): AuditedResource {
  const { id, merchantAccountId, amountMinor, currency, description, reference, active, maxPayments, expiresAt } = row;
  const { customerId, setupFutureUsage, allowSavedPaymentMethods } = row;
  const state = {
    id,
    object: 'payment_link',
    amount: Number(amountMinor),
    currency,
    description,
    reference,
    active,
    customerId,
    setupFutureUsage,
    allowSavedPaymentMethods,
    maxPayments,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
  return { id, merchantAccountId, state };
}
