import { queryStack } from './stack-database.ts';

/** The columns by which rows belong to a merchant; the first one that a table has is used. */
const OWNERS = {
  merchant_id: 'merchant_id = $1',
  merchant_account_id: 'merchant_account_id IN (SELECT id FROM merchant_account WHERE merchant_id = $1)',
  payment_intent_id: `payment_intent_id IN (SELECT i.id FROM payment_intent i
    JOIN merchant_account a ON a.id = i.merchant_account_id WHERE a.merchant_id = $1)`,
} as const;

/** What a worker's jobs write after a payment has ended, and what has refused requests too. */
const MOVES_BY_ITSELF = ['payment_statistic', 'provider_event', 'request_log'];

/**
 * A digest of every row that belongs to a merchant, by table: equal as long as nothing of the merchant has changed, except the
 * times at which a sweeper looks at a row again, and the last use of each key.
 */
export async function fingerprintOf(merchantId: string): Promise<Readonly<Record<string, string>>> {
  const tables = await queryStack<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
     JOIN pg_class ON pg_class.oid = format('%I', table_name)::regclass
     WHERE table_schema = 'public' AND NOT relispartition AND table_name <> ALL ($1)
     GROUP BY table_name ORDER BY table_name`,
    [MOVES_BY_ITSELF],
  );
  const selections = tables.flatMap(({ name, columns }) => {
    const owner = Object.entries(OWNERS).find(([column]) => columns.includes(column));
    if (owner === undefined) return [];
    return [
      `SELECT '${name}' AS name, count(*) || ' rows ' || coalesce(md5(string_agg(content, ',' ORDER BY content)), '') AS digest
       FROM (SELECT (to_jsonb(t) - ARRAY['next_due_at', 'last_used_at', 'last_used_from'])::text AS content FROM ${name} t WHERE ${owner[1]}) AS contents`,
    ];
  });
  const rows = await queryStack<{ name: string; digest: string }>(selections.join(' UNION ALL '), [merchantId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
