import { Prisma } from '../generated/client.ts';
import { integer, nullable, returning, text, timestamp } from '../connection/statement.ts';
import { SEALED_VALUES, type SealedValues } from './sealed.ts';

/** How many connections this user may open, and how many others have opened. */
export function selectConnectionLimits() {
  return returning({ serverLimit: integer, roleLimit: nullable(integer), openByOthers: integer })`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "serverLimit",
      (SELECT NULLIF(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user) AS "roleLimit",
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())
        AS "openByOthers"`;
}

/** The clock of the database server. */
export function selectServerTime() {
  return returning({ now: timestamp })`SELECT clock_timestamp() AS now`;
}

/** The ids of the keys that encrypt the values of the last rows by primary key. Erased values need no key. */
export function selectKeyIdsInUse(values: SealedValues, limit: number) {
  const { table, primaryKey, keyId, ciphertext } = SEALED_VALUES[values];
  const order = Prisma.raw(primaryKey.map((column) => `${column} DESC`).join(', '));
  return returning({ keyId: nullable(text) })`
    SELECT DISTINCT newest.key_id AS "keyId"
    FROM (
      SELECT ${Prisma.raw(keyId)} AS key_id, ${Prisma.raw(ciphertext)} IS NULL AS is_erased
      FROM ${Prisma.raw(table)} ORDER BY ${order} LIMIT ${limit}
    ) newest
    WHERE NOT is_erased`;
}

/**
 * The providers of the newest approved attempts, up to a number and without deposits, with the time of the first of them and
 * whether any webhook of the provider has arrived since.
 */
export function selectWebhookArrivals(limit: number) {
  return returning({ provider: text, payments: integer, since: timestamp, webhooks: integer })`
    SELECT recent.provider, recent.payments, recent.since,
      (SELECT count(*)::int FROM (
        SELECT 1 FROM provider_event WHERE provider = recent.provider AND received_at >= recent.since LIMIT 1
      ) arrived) AS webhooks
    FROM (
      SELECT newest.provider, count(*)::int AS payments, min(newest.started_at) AS since
      FROM (SELECT id, provider, outcome, started_at FROM payment_attempt ORDER BY id DESC LIMIT ${limit}) newest
      WHERE newest.outcome = 'approved'
        AND NOT EXISTS (SELECT 1 FROM deposit_address WHERE deposit_address.attempt_id = newest.id)
      GROUP BY newest.provider
    ) recent
    ORDER BY recent.provider`;
}
