import type { AuditAction } from '../../domain/audit.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { MerchantAccount, Prisma } from '../../prisma/generated/client.ts';
import { lockAccountsOf, lockMerchant } from '../../prisma/queries/lock.ts';
import { ApiError } from '../../domain/api-error.ts';
import { insertWithinLimit, type OptimisticUpdate, updateOptimistically } from '../writes.ts';
import { ofMerchant } from '../row-scope.ts';
import type { Author } from '../audit.ts';
import type {
  AccountStatus,
  CreateMerchantAccount,
  UpdateMerchantAccount,
} from '../../contract/schemas/merchant-account.ts';
import { digestOfLogo, writeLogo } from './logo.ts';
import { type AccountsScope, describeAccount, findAccount, ofAccounts } from './stored-account.ts';

/** Accounts of one merchant in one environment. */
export const MAXIMUM_ACCOUNTS = 1_000;

/** Inserts the account, or finds the one that an interrupted execution of the request inserted. @throws ApiError `STATE_CONFLICT` */
export function insertAccount(
  database: Database,
  scope: Author,
  { id, fields }: { readonly id: string; readonly fields: CreateMerchantAccount },
): Promise<MerchantAccount> {
  const { logo = null } = fields.businessProfile ?? {};
  return insertWithinLimit(database, {
    lock: lockMerchant(scope.merchantId),
    insert: async (transaction) => {
      await requireNotSuspended(transaction.merchant, scope.merchantId);
      const account = await transaction.merchantAccount.upsert({
        where: { id },
        create: {
          id,
          ...ofMerchant(scope),
          ...columnsOf(fields),
          name: fields.name,
        },
        update: {},
      });
      if (logo !== null) await writeLogo(transaction, account, logo);
      return account;
    },
    count: ({ merchantAccount }) => merchantAccount.count({ where: ofMerchant(scope) }),
    maximum: MAXIMUM_ACCOUNTS,
    refusal: `A merchant has at most ${MAXIMUM_ACCOUNTS} accounts.`,
    audit: { author: scope, action: 'merchant_account.created', describe: describeAccount },
  });
}

/** For requests that were authenticated before the platform suspended the merchant. @throws ApiError `MERCHANT_SUSPENDED` */
async function requireNotSuspended(merchants: Prisma.TransactionClient['merchant'], id: string): Promise<void> {
  const merchant = await merchants.findUnique({ where: { id }, select: { platformSuspendedAt: true } });
  if (merchant !== null && merchant.platformSuspendedAt !== null) throw new ApiError('MERCHANT_SUSPENDED');
}

/** Updates the named fields. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function updateAccount(
  database: Database,
  scope: AccountsScope & Author,
  { id, fields }: { readonly id: string; readonly fields: UpdateMerchantAccount },
): Promise<MerchantAccount> {
  const { logo } = fields.businessProfile ?? {};
  return updateAccountRow(database, scope, id, {
    action: 'merchant_account.updated',
    changesOf: () => columnsOf(fields),
    ...(logo === undefined
      ? {}
      : { writeMore: (row: MerchantAccount, transaction) => writeLogo(transaction, row, logo) }),
  });
}

/** The columns of the fields that are given. */
function columnsOf({
  name,
  retryBudget,
  refundWindowDays,
  requireIdempotencyKeys,
  refundConfirmationAmount,
  declineRetries = {},
  businessProfile = {},
}: UpdateMerchantAccount) {
  return withoutUndefined({
    name,
    attemptBudget: retryBudget,
    refundWindowDays,
    requireIdempotencyKeys,
    refundConfirmationMinor: refundConfirmationAmount === undefined ? undefined : minorOf(refundConfirmationAmount),
    ...declineRetryColumns(declineRetries),
    ...profileColumns(businessProfile),
  });
}

function minorOf(amount: number | null): bigint | null {
  return amount === null ? null : BigInt(amount);
}

function declineRetryColumns({
  enabled,
  maxRetries,
  issuerDeclines,
}: NonNullable<UpdateMerchantAccount['declineRetries']>) {
  return {
    declineRetriesEnabled: enabled,
    declineRetriesMaximum: maxRetries,
    declineRetriesIssuerDeclines: issuerDeclines,
  };
}

type ProfileChange = NonNullable<UpdateMerchantAccount['businessProfile']>;

function profileColumns({ name, logo, ...columns }: ProfileChange) {
  const logoDigest = logo === undefined || logo === null ? logo : digestOfLogo(logo);
  return { ...columns, publicName: name, logoDigest };
}

type Given<Columns> = { [Name in keyof Columns]?: Exclude<Columns[Name], undefined> };

function withoutUndefined<Columns extends object>(columns: Columns): Given<Columns> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Given<Columns>;
}

export const STATUS_ACTIONS = {
  active: 'merchant_account.activated',
  suspended: 'merchant_account.suspended',
} as const satisfies Readonly<Record<AccountStatus, AuditAction>>;

/**
 * Suspends or activates an account for its merchant; a repeat changes nothing.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT`, also for activating an account that the platform suspended
 */
export function setAccountStatus(
  database: Database,
  scope: AccountsScope & Author,
  { id, status }: { readonly id: string; readonly status: AccountStatus },
): Promise<MerchantAccount> {
  return updateAccountRow(database, scope, id, {
    action: STATUS_ACTIONS[status],
    changesOf: (row) => {
      if (row.status === status) return {};
      if (row.platformSuspendedAt !== null) throw suspendedByPlatform();
      return { status };
    },
    lock: lockAccountsOf(scope.merchantId),
  });
}

function suspendedByPlatform(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message: 'The platform suspended this account, and only the platform can activate it again. Contact its support.',
    details: { suspendedBy: 'platform' },
  });
}

function updateAccountRow(
  database: Database,
  scope: AccountsScope & Author,
  id: string,
  {
    action,
    writeMore,
    ...rest
  }: Pick<OptimisticUpdate<MerchantAccount, Prisma.MerchantAccountUncheckedUpdateManyInput>, 'changesOf' | 'lock'> & {
    readonly action: AuditAction;
    /** Writes what is not in the account's row, in the same transaction. */
    readonly writeMore?: (row: MerchantAccount, transaction: Prisma.TransactionClient) => Promise<unknown>;
  },
): Promise<MerchantAccount> {
  return updateOptimistically(database, {
    ...rest,
    audit: { author: scope, action, describe: describeAccount },
    read: (transaction) => findAccount(transaction, scope, id),
    write: async (row, data, transaction) => {
      const where = { id, version: row.version, ...ofAccounts(scope) };
      const [changed] = await transaction.merchantAccount.updateManyAndReturn({ where, data });
      if (changed !== undefined) await writeMore?.(changed, transaction);
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}
