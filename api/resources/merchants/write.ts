import type { Database } from '../../../prisma/client.ts';
import { type MerchantAccount, Prisma } from '../../../prisma/generated/client.ts';
import { insertAndRead, nextVersion, type OptimisticUpdate, updateOptimistically } from '../writes.ts';
import { type MerchantScope, ofMerchant } from '../row-scope.ts';
import type { AccountStatus, CreateMerchantAccount, UpdateMerchantAccount } from '../../schemas/merchant-account.ts';
import { findAccount } from './stored-account.ts';

/** Accounts of one merchant in one environment. */
export const MAXIMUM_ACCOUNTS = 1_000;

/** Inserts the account, or finds the one that an interrupted execution of the request inserted. @throws ApiError `STATE_CONFLICT` */
export function insertAccount(
  database: Database,
  owner: MerchantScope,
  { id, fields }: { readonly id: string; readonly fields: CreateMerchantAccount },
): Promise<MerchantAccount> {
  const { merchantId, environment } = owner;
  const insertion = {
    lock: Prisma.sql`SELECT FROM merchant WHERE id = ${merchantId} FOR NO KEY UPDATE`,
    insert: Prisma.sql`
      INSERT INTO merchant_account (id, merchant_id, environment, name, attempt_budget, refund_window_days, updated_at)
      SELECT ${id}, ${merchantId}, ${environment}, ${fields.name}, ${fields.retryBudget}::int,
        ${fields.refundWindowDays}::int, now()
      WHERE (SELECT count(*) FROM merchant_account WHERE merchant_id = ${merchantId} AND environment = ${environment})
        < ${MAXIMUM_ACCOUNTS}::int
      ON CONFLICT (id) DO NOTHING`,
    refusal: `A merchant has at most ${MAXIMUM_ACCOUNTS} accounts.`,
  };
  return insertAndRead(database, insertion, () => findAccount(database, owner, id));
}

/** Updates the named fields. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function updateAccount(
  database: Database,
  owner: MerchantScope,
  { id, fields }: { readonly id: string; readonly fields: UpdateMerchantAccount },
): Promise<MerchantAccount> {
  const { name, retryBudget, refundWindowDays } = fields;
  return updateAccountRow(database, owner, id, {
    changes: {
      ...(name === undefined ? {} : { name }),
      ...(retryBudget === undefined ? {} : { attemptBudget: retryBudget }),
      ...(refundWindowDays === undefined ? {} : { refundWindowDays }),
    },
  });
}

/** Suspends or activates an account; a repeat changes nothing. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export function setAccountStatus(
  database: Database,
  owner: MerchantScope,
  { id, status }: { readonly id: string; readonly status: AccountStatus },
): Promise<MerchantAccount> {
  return updateAccountRow(database, owner, id, { changes: { status }, isDone: (row) => row.status === status });
}

function updateAccountRow(
  database: Database,
  owner: MerchantScope,
  id: string,
  {
    changes,
    ...rest
  }: Pick<OptimisticUpdate<MerchantAccount>, 'isDone'> & {
    readonly changes: Prisma.MerchantAccountUncheckedUpdateManyInput;
  },
): Promise<MerchantAccount> {
  return updateOptimistically({
    ...rest,
    read: () => findAccount(database, owner, id),
    write: async ({ version }) => {
      const where = { id, version, ...ofMerchant(owner) };
      const data = { ...changes, ...nextVersion() };
      const [changed] = await database.merchantAccount.updateManyAndReturn({ where, data });
      return changed;
    },
    notFound: 'RESOURCE_NOT_FOUND',
  });
}
