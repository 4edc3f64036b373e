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

/**
 * Writes deliveries that were planned and never started to the endpoints of an account, of copies of one of its events: each payment
 * has three events, of which the later ones wait for the first.
 */
export function fillDeliveries(superuserUrl: string, merchantAccountId: string, ofEach: number): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(INSERT_DELIVERIES, [merchantAccountId, ofEach]);
    await client.query('VACUUM ANALYZE webhook_delivery');
  });
}

/** Makes all payments of an account due for a sweep, since an hour. */
export function makeAllDue(superuserUrl: string, merchantAccountId: string, since: string): Promise<void> {
  return fill(superuserUrl, async (client) => {
    await client.query(`UPDATE payment_intent SET next_due_at = now() - $2::interval WHERE merchant_account_id = $1`, [
      merchantAccountId,
      since,
    ]);
  });
}

/** How many payments of an account are due for a sweep. */
export async function countDue(client: pg.Client, merchantAccountId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM payment_intent WHERE merchant_account_id = $1 AND next_due_at <= now()`,
    [merchantAccountId],
  );
  return rows[0]?.count ?? 0;
}

/** How many deliveries of an account have not ended. */
export async function countPending(client: pg.Client, merchantAccountId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_delivery WHERE merchant_account_id = $1 AND status = 'pending'`,
    [merchantAccountId],
  );
  return rows[0]?.count ?? 0;
}

const INSERT_DELIVERIES = `
  INSERT INTO webhook_delivery (id, event_id, webhook_endpoint_id, merchant_account_id, environment, event_type,
    payment_intent_id, position, round, blocked_by)
  SELECT 'whd_' || md5(w.id || n), e.id, w.id, w.merchant_account_id, w.environment, e.type, 'pi_' || md5(w.id || n / 3),
    e.position, 100 + n, CASE WHEN n % 3 <> 0 THEN 'whd_' || md5(w.id || (n - 1)) END
  FROM webhook_endpoint w
    CROSS JOIN LATERAL (
      SELECT id, type, position FROM event
      WHERE merchant_account_id = w.merchant_account_id AND position IS NOT NULL ORDER BY position LIMIT 1
    ) e
    CROSS JOIN generate_series(0, $2::int - 1) AS n
  WHERE w.merchant_account_id = $1`;
