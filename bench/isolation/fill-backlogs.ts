import pg from 'pg';

/** The tables are filled as a user who may switch foreign keys and triggers off. */
async function fill(superuserUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await work(client);
  } finally {
    await client.end();
  }
}

/** Adds an account to the merchant of another one. */
export async function addAccount(
  client: pg.Client,
  { like, account }: { readonly like: string; readonly account: string },
): Promise<void> {
  await client.query(
    `INSERT INTO merchant_account (id, merchant_id, environment, name, updated_at)
     SELECT $2, merchant_id, environment, name, now() FROM merchant_account WHERE id = $1`,
    [like, account],
  );
}

/**
 * Writes deliveries that were planned and never started to the endpoints of accounts, of copies of one event of each: each payment
 * has three events, of which the later ones wait for the first.
 */
export function fillDeliveries(superuserUrl: string, accounts: readonly string[], ofEach: number): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(INSERT_DELIVERIES, [accounts, ofEach, false]);
    await client.query('VACUUM ANALYZE webhook_delivery');
  });
}

/** The same, as they wait for endpoints that fail. */
export function fillHeldDeliveries(superuserUrl: string, accounts: readonly string[], ofEach: number): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(INSERT_DELIVERIES, [accounts, ofEach, true]);
    await client.query('VACUUM ANALYZE webhook_delivery');
  });
}

/** Has the endpoints of accounts fail since a day: their next probes come within half an hour. */
export function makeEndpointsFail(superuserUrl: string, accounts: readonly string[]): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(FAIL_ENDPOINTS, [accounts]);
    await client.query('VACUUM ANALYZE webhook_endpoint');
  });
}

/** Tables whose rows the sweeps check. */
export const DUE_TABLES = ['payment_intent', 'refund', 'stray_charge'] as const;
export type DueTable = (typeof DUE_TABLES)[number];

/** Writes a refund and a stray charge that have ended for each payment of accounts. */
export function fillDue(superuserUrl: string, accounts: readonly string[]): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(INSERT_REFUNDS, [accounts]);
    await client.query(INSERT_STRAY_CHARGES, [accounts]);
    await client.query('VACUUM ANALYZE refund, stray_charge');
  });
}

interface DueRows {
  readonly merchantAccountId: string;
  /** An interval of PostgreSQL. */
  readonly since: string;
}

/** Makes all rows of an account due for a sweep. */
export function makeAllDue(
  superuserUrl: string,
  table: DueTable,
  { merchantAccountId, since }: DueRows,
): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(`UPDATE ${table} SET next_due_at = now() - $2::interval WHERE merchant_account_id = $1`, [
      merchantAccountId,
      since,
    ]);
  });
}

/** How many rows of an account are due for a sweep. */
export async function countDue(client: pg.Client, table: DueTable, merchantAccountId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE merchant_account_id = $1 AND next_due_at <= now()`,
    [merchantAccountId],
  );
  return rows[0]?.count ?? 0;
}

/** How many deliveries of accounts have not ended. */
export async function countPending(client: pg.Client, accounts: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_delivery WHERE merchant_account_id = ANY($1) AND status = 'pending'`,
    [accounts],
  );
  return rows[0]?.count ?? 0;
}

/** Writes events of an account, of whichever of its payments, which the sequencer has yet to number. The first is `evt_bench_1`. */
export function fillEvents(superuserUrl: string, merchantAccountId: string, count: number): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(INSERT_EVENTS, [merchantAccountId, count]);
    await client.query('VACUUM ANALYZE event');
  });
}

const INSERT_DELIVERIES = `
  INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
    payment_intent_id, position, round, is_held, blocked_by)
  SELECT 'whd_' || md5(w.id || n), e.id, w.id, w.merchant_account_id, w.environment, e.type, 'pi_' || md5(w.id || n / 3),
    e.position, 100 + n, $3::boolean, CASE WHEN n % 3 <> 0 THEN 'whd_' || md5(w.id || (n - 1)) END
  FROM webhook_endpoint w
    CROSS JOIN LATERAL (
      SELECT id, type, position FROM event
      WHERE merchant_account_id = w.merchant_account_id AND position IS NOT NULL ORDER BY position LIMIT 1
    ) e
    CROSS JOIN generate_series(0, $2::int - 1) AS n
  WHERE w.merchant_account_id = ANY($1::text[])`;

const FAIL_ENDPOINTS = `
  UPDATE webhook_endpoint SET failing_since = now() - interval '1 day', last_failure_at = now(), last_failure = 'status 500',
    consecutive_failures = 50, probe_count = 40, next_probe_at = due_at, recovery_due_at = due_at
  FROM (
    SELECT id AS endpoint_id, now() + random() * interval '30 minutes' AS due_at FROM webhook_endpoint
    WHERE merchant_account_id = ANY($1::text[])
  ) AS probe WHERE id = endpoint_id`;

const INSERT_REFUNDS = `
  INSERT INTO refund (id, payment_intent_id, transaction_id, attempt_id, merchant_account_id, environment, amount_minor,
    currency, status, provider, provider_payment_id, next_due_at, created_at, updated_at)
  SELECT 're_' || substr(id, 4), id, 'txn_' || substr(id, 4), 'att_' || substr(id, 4) || '_1', merchant_account_id,
    environment, 1, currency, 'succeeded', 'alpha', 'sim_' || substr(id, 4), NULL, created_at, created_at
  FROM payment_intent WHERE merchant_account_id = ANY($1::text[])`;

const INSERT_STRAY_CHARGES = `
  INSERT INTO stray_charge (attempt_id, payment_intent_id, merchant_account_id, environment, provider, status,
    next_due_at, created_at, updated_at)
  SELECT 'att_' || substr(id, 4) || '_1', id, merchant_account_id, environment, 'alpha', 'unfounded', NULL, created_at,
    created_at
  FROM payment_intent WHERE merchant_account_id = ANY($1::text[])`;

const INSERT_EVENTS = `
  INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, snapshot, created_at)
  SELECT 'evt_bench_' || n, $1, 'sandbox', 'payment_intent.processing', 'pi_' || n, 'pi_' || n, 1,
    jsonb_build_object('intent', jsonb_build_object('status', 'processing')), now()
  FROM generate_series(1, $2::int) AS n`;
