import { PLATFORM } from '../../domain/audit.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { type Database, takeLock, transactionWithLock } from '../../prisma/connection/client.ts';
import type { Merchant, MerchantAccount, Prisma } from '../../prisma/generated/client.ts';
import { lockAccountsOf, lockMerchant } from '../../prisma/queries/lock.ts';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../contract/schemas/merchant-account.ts';
import { type AuditedResource, recordChanges } from '../audit.ts';
import { describeAccount } from '../merchants/stored-account.ts';
import { STATUS_ACTIONS } from '../merchants/write.ts';
import { nextVersion, readOrThrow } from '../writes.ts';
import { type PlatformAuthor, recordPlatformChange } from './audit.ts';

export interface SuspensionChange {
  /** The merchant. */
  readonly id: string;
  readonly suspended: boolean;
  /** The reason of a suspension, which the merchant's people read, or of its lift. */
  readonly reason: string;
}

/**
 * Suspends a merchant for the platform, with all its accounts in both environments, or lifts the suspension: then every account is as
 * it was before. A repeat changes nothing.
 * @throws ApiError `RESOURCE_NOT_FOUND`
 */
export function setSuspension(database: Database, author: PlatformAuthor, change: SuspensionChange): Promise<Merchant> {
  const { id, suspended, reason } = change;
  return transactionWithLock(database, lockMerchant(id), async (transaction) => {
    const where = { id };
    const merchant = await readOrThrow(() => transaction.merchant.findUnique({ where }), 'RESOURCE_NOT_FOUND');
    if ((merchant.platformSuspendedAt !== null) === suspended) return merchant;
    const at = suspended ? new Date() : null;
    await changeAccounts(transaction, change, at);
    await recordPlatformChange(transaction, author, {
      action: suspended ? 'merchant.suspended' : 'merchant.suspension_lifted',
      resource: merchant,
      reason,
    });
    const data = { platformSuspendedAt: at, platformSuspensionReason: suspended ? reason : null };
    return transaction.merchant.update({ where, data });
  });
}

async function changeAccounts(
  transaction: Prisma.TransactionClient,
  { id: merchantId, reason }: SuspensionChange,
  at: Date | null,
): Promise<void> {
  // Without this lock a request that is under way could change an account in between.
  await takeLock(transaction, lockAccountsOf(merchantId));
  const before = await transaction.merchantAccount.findMany({ where: { merchantId } });
  for (const status of ACCOUNT_STATUSES) {
    const after = await transaction.merchantAccount.updateManyAndReturn({
      where: {
        merchantId,
        ...(at === null ? { statusBeforeSuspension: status } : { status, platformSuspendedAt: null }),
      },
      data: at === null ? restored(status) : suspendedAt(at, status),
    });
    await recordInMerchantsLog(transaction, { merchantId, reason, before, after });
  }
}

function suspendedAt(at: Date, status: AccountStatus) {
  return { status: 'suspended', platformSuspendedAt: at, statusBeforeSuspension: status, ...nextVersion() };
}

function restored(status: AccountStatus) {
  return { status, platformSuspendedAt: null, statusBeforeSuspension: null, ...nextVersion() };
}

interface ChangedAccounts {
  readonly merchantId: string;
  readonly reason: string;
  readonly before: readonly MerchantAccount[];
  /** Those that were changed. */
  readonly after: readonly MerchantAccount[];
}

async function recordInMerchantsLog(
  transaction: Prisma.TransactionClient,
  { merchantId, reason, before, after }: ChangedAccounts,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    for (const status of ACCOUNT_STATUSES) {
      const changed = after.filter((row) => row.environment === environment && row.status === status);
      const changes = changed.map((row) => ({ before: before.find(({ id }) => id === row.id) ?? null, after: row }));
      const author = { merchantId, environment, actor: PLATFORM };
      const describe = (row: MerchantAccount) => describeWithReason(row, reason);
      await recordChanges(transaction, { author, action: STATUS_ACTIONS[status], describe }, changes);
    }
  }
}

/** The account as the merchant's audit log shows it, with what the platform says of its suspension. */
function describeWithReason(row: MerchantAccount, reason: string): AuditedResource {
  const { state, ...rest } = describeAccount(row);
  return { ...rest, state: row.statusBeforeSuspension === null ? state : { ...state, suspensionReason: reason } };
}
