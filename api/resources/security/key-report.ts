import type { Database } from '../../../prisma/connection/client.ts';
import { keyUsesByAddress, keyUsesByOperation } from '../../../prisma/queries/key-use.ts';
import type { AuditAction } from '../../../domain/audit.ts';
import type { Principal } from '../../../domain/principal.ts';
import { type ApiKeyReport, apiKeyReport } from '../../../contract/schemas/security.ts';
import { presenterOf } from '../audit-events/present.ts';
import { findTouchedResources } from '../../../accounts/created-resources.ts';
import { NO_SECRETS } from '../../../accounts/api-keys/stored-key.ts';
import { ofMerchant, requireId } from '../../../accounts/row-scope.ts';
import { readOrThrow } from '../../../accounts/writes.ts';
import { NEWEST_FIRST, presentKeyUse } from './overview.ts';

const MAXIMUM_USES = 200;
const MAXIMUM_CHANGES = 100;
/** Changes in which it is looked for what still stands. */
const MAXIMUM_SEARCHED = 2_000;

const ACCOUNT_MADE: AuditAction = 'merchant_account.created';

type Scope = Pick<Principal, 'merchantId' | 'environment'>;

/** What became of a key of the merchant: its uses, what it changed, and what it made or changed that still stands. */
export async function readKeyReport(database: Database, scope: Scope, id: string): Promise<ApiKeyReport> {
  const { merchantId, environment } = scope;
  const apiKeyId = requireId('apiKey', id);
  const key = await readOrThrow(
    () => database.apiKey.findFirst({ where: { id: apiKeyId, merchantId, environment }, omit: NO_SECRETS }),
    'RESOURCE_NOT_FOUND',
  );
  const where = { merchantId, environment, actorId: apiKeyId };
  const [places, operations, changes, changeCount, remaining] = await Promise.all([
    database.direct.rows(keyUsesByAddress(apiKeyId, MAXIMUM_USES)),
    database.direct.rows(keyUsesByOperation(apiKeyId, MAXIMUM_USES)),
    database.auditEvent.findMany({ where, orderBy: NEWEST_FIRST, take: MAXIMUM_CHANGES }),
    database.auditEvent.count({ where }),
    findRemaining(database, ofMerchant(scope), apiKeyId),
  ]);
  const presentChange = await presenterOf(database, scope, changes);
  return apiKeyReport.parse({
    object: 'api_key_report',
    apiKey: presentKeyUse(key),
    places: places.map(withTimes),
    operations: operations.map(withTimes),
    changes: changes.map(presentChange),
    changeCount,
    remaining,
  });
}

function withTimes<Use extends { readonly firstAt: Date; readonly lastAt: Date }>({ firstAt, lastAt, ...use }: Use) {
  return { ...use, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() };
}

/** What a key made or changed that was not deleted since. Of a merchant's accounts only the audit log says who made them. */
async function findRemaining(database: Database, scope: Scope, apiKeyId: string) {
  const changes = await database.auditEvent.findMany({
    where: { ...scope, actorId: apiKeyId },
    select: { action: true, resourceId: true },
    orderBy: NEWEST_FIRST,
    take: MAXIMUM_SEARCHED,
  });
  const changed = [...new Set(changes.map(({ resourceId }) => resourceId))];
  const made = new Set(changes.filter(({ action }) => action === ACCOUNT_MADE).map(({ resourceId }) => resourceId));
  const [touched, accounts] = await Promise.all([
    findTouchedResources(database, scope, { apiKeyId, changed }),
    database.merchantAccount.findMany({
      where: { id: { in: changed }, ...scope },
      select: { id: true, name: true, status: true },
    }),
  ]);
  return [...touched, ...accounts.map((row) => ({ resource: 'merchant_account', ...row, isMade: made.has(row.id) }))];
}
