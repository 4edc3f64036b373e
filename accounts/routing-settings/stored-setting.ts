import { presentRoutingSetting, type RoutingSettingKey } from '../../contract/presenters/routing-setting.ts';
import type { RoutingSettingFields, RoutingSettingResource } from '../../contract/schemas/routing-setting.ts';
import type { Principal } from '../../domain/principal.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { type Database, transactionWithLock } from '../../prisma/connection/client.ts';
import type { ApprovalRate, RoutingSetting } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import { recordChange } from '../audit.ts';
import { ofMerchant, ownedBy } from '../row-scope.ts';
import { nextVersion } from '../writes.ts';

/** More providers than an account has. */
const MAXIMUM_RATES = 100;

/** The setting of a payment method with the rates of the account; the defaults where nothing is set. */
export async function readRoutingSetting(
  database: Database,
  principal: Principal,
  method: string,
): Promise<RoutingSettingResource> {
  const key = { ...ofMerchant(principal), method };
  const row = await database.routingSetting.findUnique({ where: { merchantId_environment_method: key } });
  return presentRoutingSetting(key, row, await ratesOf(database, principal, row));
}

/** Sets it; the next confirm follows it. */
export async function putRoutingSetting(
  database: Database,
  principal: Principal,
  { method, fields }: { readonly method: string; readonly fields: RoutingSettingFields },
): Promise<RoutingSettingResource> {
  const key = { ...ofMerchant(principal), method };
  const where = { merchantId_environment_method: key };
  const row = await transactionWithLock(database, lockMerchant(principal.merchantId), async (transaction) => {
    const before = await transaction.routingSetting.findUnique({ where });
    if (before !== null && isSame(before, fields)) return before;
    const after = await transaction.routingSetting.upsert({
      where,
      create: { ...key, ...fields },
      update: { ...fields, ...nextVersion() },
    });
    const describe = (each: RoutingSetting) => describeSetting(key, each);
    await recordChange(
      transaction,
      { author: principal, action: 'routing_setting.updated', describe },
      { before, after },
    );
    return after;
  });
  return presentRoutingSetting(key, row, await ratesOf(database, principal, row));
}

function isSame(row: RoutingSetting, fields: RoutingSettingFields): boolean {
  return (
    row.ordering === fields.ordering &&
    row.explorationShare === fields.explorationShare &&
    row.minimumAttempts === fields.minimumAttempts &&
    row.windowHours === fields.windowHours
  );
}

function describeSetting(key: RoutingSettingKey, row: RoutingSetting) {
  return { id: key.method, merchantAccountId: null, state: presentRoutingSetting(key, row, []) };
}

/** The rates of any currency and country that count. */
async function ratesOf(
  { approvalRate }: Database,
  principal: Principal,
  row: RoutingSetting | null,
): Promise<readonly ApprovalRate[]> {
  if (row?.ordering !== 'approval_rate') return [];
  return await approvalRate.findMany({
    where: {
      ...ownedBy(principal),
      method: row.method,
      currency: '',
      country: '',
      updatedAt: { gt: new Date(Date.now() - row.windowHours * HOUR_MS) },
    },
    take: MAXIMUM_RATES,
  });
}
