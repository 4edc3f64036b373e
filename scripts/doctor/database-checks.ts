import { SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { findPendingMigrations } from '../../prisma/migrate.ts';
import {
  selectConnectionLimits,
  selectKeyIdsInUse,
  selectServerTime,
  selectWebhookArrivals,
} from '../../prisma/queries/installation.ts';
import { type PartitionProblem, selectPartitionProblems } from '../../prisma/queries/partition.ts';
import type { SealedValues } from '../../prisma/queries/sealed.ts';
import { cardKeyIdOf } from '../../vault/card-keys.ts';
import { rootKeyIdOf } from '../../vault/keyring.ts';
import { type Check, failed, type Finding, warning } from './check.ts';

export interface DatabasePlace {
  readonly database: Pick<Database, 'direct'>;
  readonly databaseUrl: string;
  /** Most connections that each process opens. */
  readonly poolSize: number;
  readonly migrationsDirectory: string;
  /** The ids of the root keys of the settings. */
  readonly vaultKeyIds: readonly string[];
  /** The ids of the card keys; null where they are not among the settings. */
  readonly cardKeyIds: readonly string[] | null;
  readonly nowMs: () => number;
}

/** Beyond it an API whose clock is behind has every confirm refused; servers that keep their time are milliseconds apart. */
const CLOCK_FAILED_MS = 20 * SECOND_MS;
const CLOCK_WARNING_MS = 2 * SECOND_MS;
/** API, worker, gateway and dashboard, one of each. */
const USUAL_PROCESSES = 4;
const VALUES_READ = 1_000;
const ATTEMPTS_READ = 1_000;
/** With fewer payments, their webhooks may still be on their way. */
const PAYMENTS_WITH_WEBHOOKS = 10;

const UNDER_ROOT_KEYS: Readonly<Partial<Record<SealedValues, string>>> = {
  api_key_salts: 'salts of API keys',
  webhook_secrets: 'secrets of webhook endpoints',
  provider_credentials: 'credentials of provider accounts',
  stored_responses: 'stored responses',
};

export const DATABASE_CHECKS: readonly Check<DatabasePlace>[] = [
  { title: 'Every migration is applied', look: lookAtMigrations },
  { title: 'The database server has enough connections', look: lookAtConnections },
  { title: 'The clocks agree', look: lookAtClock },
  { title: 'The settings have every root key that rows need', look: lookAtKeys },
  { title: 'The settings have every card key that rows need', look: lookAtCardKeys },
  { title: 'Webhooks of providers arrive', look: lookAtWebhooks },
  { title: 'The next weeks and months have their partitions', look: lookAtPartitions },
];

async function lookAtMigrations({ databaseUrl: url, migrationsDirectory: directory }: DatabasePlace) {
  const pending = await findPendingMigrations({ url, directory });
  if (pending.length === 0) return null;
  const count = pending.length === 1 ? '1 migration' : `${pending.length} migrations`;
  return failed(`The database lacks ${count}, from ${pending[0] ?? ''} on.`, 'Run npm run migrate.');
}

async function lookAtConnections({ database, poolSize }: DatabasePlace): Promise<Finding | null> {
  const limits = await database.direct.row(selectConnectionLimits());
  if (limits === undefined) return null;
  const limit = Math.min(limits.serverLimit, limits.roleLimit ?? Infinity);
  if (poolSize > limit) {
    return failed(
      `DATABASE_POOL_SIZE is ${poolSize}, and the server gives this user ${limit} connections.`,
      `Set DATABASE_POOL_SIZE to less than ${limit} divided by the number of processes, or raise max_connections.`,
    );
  }
  if (poolSize * USUAL_PROCESSES <= limit) return null;
  return warning(
    `${USUAL_PROCESSES} processes may open ${poolSize * USUAL_PROCESSES} connections, and the server gives ${limit}, of which others have ${limits.openByOthers}.`,
    'Lower DATABASE_POOL_SIZE, raise max_connections, or put a pooler before the server.',
  );
}

async function lookAtClock({ database, nowMs }: DatabasePlace): Promise<Finding | null> {
  const before = nowMs();
  const row = await database.direct.row(selectServerTime());
  const after = nowMs();
  if (row === undefined) return null;
  const serverMs = row.now.getTime();
  const differenceMs = Math.max(before - serverMs, serverMs - after, 0);
  if (differenceMs < CLOCK_WARNING_MS) return null;
  const finding = differenceMs < CLOCK_FAILED_MS ? warning : failed;
  return finding(
    `The clock of this machine and that of the database server differ by ${Math.round(differenceMs / SECOND_MS)} seconds.`,
    'Have both keep their time by NTP (timedatectl set-ntp true). If the API is 20 seconds behind the database, no confirm begins in time.',
  );
}

async function lookAtKeys({ database, vaultKeyIds }: DatabasePlace): Promise<Finding | null> {
  for (const [values, name] of Object.entries(UNDER_ROOT_KEYS) as [SealedValues, string][]) {
    const needed = new Set((await keyIdsInUse(database, values)).map(rootKeyIdOf));
    const missing = [...needed].filter((id) => !vaultKeyIds.includes(id));
    if (missing.length > 0) {
      return failed(
        `The ${name} are encrypted under the key ${missing.join(', ')}, which VAULT_KEYS does not have.`,
        'Add that key to VAULT_KEYS after the current one; npm run rewrap then makes it needless.',
      );
    }
  }
  return null;
}

/** Without its key a card cannot be sent to a provider, so that the payment fails. */
async function lookAtCardKeys({ database, cardKeyIds }: DatabasePlace): Promise<Finding | null> {
  if (cardKeyIds === null) throw new Error('CARD_KEYS is not set');
  const needed = (await keyIdsInUse(database, 'payment_methods')).map(cardKeyIdOf);
  const missing = needed.filter((id) => !cardKeyIds.includes(id));
  if (missing.length === 0) return null;
  return failed(
    `Payment methods are encrypted under the key ${missing.join(', ')}, which CARD_KEYS does not have.`,
    'Add that key to CARD_KEYS of all workers, or correct CARD_PUBLIC_KEY of the APIs, which encrypts under it.',
  );
}

async function keyIdsInUse({ direct }: DatabasePlace['database'], values: SealedValues): Promise<readonly string[]> {
  const rows = await direct.rows(selectKeyIdsInUse(values, VALUES_READ));
  return rows.flatMap(({ keyId }) => keyId ?? []);
}

async function lookAtWebhooks({ database }: DatabasePlace): Promise<Finding | null> {
  const arrivals = await database.direct.rows(selectWebhookArrivals(ATTEMPTS_READ));
  const silent = arrivals.filter(({ payments, webhooks }) => payments >= PAYMENTS_WITH_WEBHOOKS && webhooks === 0);
  if (silent.length === 0) return null;
  const names = silent.map(({ provider, payments }) => `${provider} (${payments} payments)`).join(', ');
  return warning(
    `No webhook of these providers has arrived during their latest payments: ${names}.`,
    'Give the provider the address that docs/providers names for it, and let it through to the API.',
  );
}

const PARTITION_PROBLEMS: Readonly<Record<PartitionProblem, string>> = {
  no_next_partition: 'has no partition for its next week or month',
  rows_without_partition: 'got rows in the last day for which there was no partition',
};

/** A warning: without a partition nothing is lost, but rows are deleted one by one. */
async function lookAtPartitions({ database }: DatabasePlace): Promise<Finding | null> {
  const problems = await database.direct.rows(selectPartitionProblems());
  if (problems.length === 0) return null;
  return warning(
    problems.map(({ table, problem }) => `The table ${table} ${PARTITION_PROBLEMS[problem]}.`).join(' '),
    'Look for "background loop failed" with partitions in the workers\' logs, and compare the clocks of the machines.',
  );
}
