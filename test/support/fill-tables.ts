import type pg from 'pg';

/** Tables with few rows, however long the engine runs: of what is under way, or a fixed number. */
const SMALL_TABLES = [
  '_prisma_migrations',
  'card_digest',
  'deposit_cursor',
  'event_counter',
  'installation',
  'job_lease',
  'payment_method_cvc',
  'payment_method_save',
  'provider_account_previous_credentials',
  'provider_health',
  'statistics_cursor',
  'webhook_cursor',
  'webhook_previous_secret',
];

/**
 * The value of a column in row `n`, by the column's name, also with its table: rows of a hundred merchants, with which nothing is
 * left to do.
 */
const VALUES: Readonly<Record<string, string>> = {
  id: `'row_' || md5(n::text)`,
  merchant_id: `'org_' || n % 100`,
  merchant_account_id: `'mer_' || n % 100`,
  environment: `'sandbox'`,
  position: 'n',
  sequence: 'n',
  insertion: 'n',
  blocked_by: 'NULL',
  next_due_at: 'NULL',
  recovery_due_at: 'NULL',
  next_probe_at: 'NULL',
  'payment_method.ciphertext': 'NULL',
  // In an hour: the statements may run minutes after the tables were filled.
  'rate_limit.expire': '(extract(epoch FROM now()) * 1000)::bigint + 3600000 + n',
};

/** The same by the column's type. */
const VALUES_BY_TYPE: Readonly<Record<string, string>> = {
  text: `'value ' || n`,
  varchar: `'value ' || n`,
  int2: '1',
  int4: 'n',
  int8: 'n',
  numeric: 'n',
  float8: 'n',
  bool: 'false',
  timestamptz: `now() - n * interval '1 minute'`,
  date: 'current_date - n',
  jsonb: `'{"number": 1}'`,
  bytea: `decode(md5(n::text), 'hex')`,
};

interface FilledColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/**
 * Gives each table that grows `rows` rows, and brings the planner's statistics up to date.
 * @param client of a user who may switch constraints off
 */
export async function fillTables(client: pg.Client, rows: number): Promise<void> {
  await client.query('SET session_replication_role = replica');
  const { rows: columns } = await client.query<FilledColumn>(
    `SELECT c.relname AS "table", a.attname AS name, t.typname AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = '' AND c.relname <> ALL ($1)`,
    [SMALL_TABLES],
  );
  for (const table of new Set(columns.map((column) => column.table))) {
    await dropChecks(client, table);
    const ofTable = columns.filter((column) => column.table === table);
    const names = ofTable.map(({ name }) => `"${name}"`).join(', ');
    const values = ofTable.map(valueOf).join(', ');
    await client.query(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(1, ${rows}) AS n ON CONFLICT DO NOTHING`,
    );
  }
  await client.query('UPDATE webhook_cursor SET position = $1', [rows]);
  await client.query('UPDATE statistics_cursor SET position = $1', [rows]);
  await client.query('VACUUM ANALYZE');
}

/** Three rows of a table refer to the same row of another. */
function valueOf({ table, name, type }: FilledColumn): string {
  const value = VALUES[`${table}.${name}`] ?? VALUES[name];
  if (value !== undefined) return value;
  if (name === 'status') return type === 'text' ? `'succeeded'` : '200';
  if (name.endsWith('_id') && type === 'text') return `'row_' || md5((n / 3)::text)`;
  if (type.startsWith('_')) return `'{}'`;
  return VALUES_BY_TYPE[type] ?? 'NULL';
}

async function dropChecks(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [table],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
}
