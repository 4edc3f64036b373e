import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import type { Figure } from '../benchmark.ts';
import type { Subject } from './subjects.ts';
import { takeTurn } from './turns.ts';

/** Many payments, because tables and indexes grow by pages of 8 KiB. */
const MANY = { kind: 'clients', clients: 32, durationMs: 10 * SECOND_MS } as const;
const KIB = 1_024;
/** Tables that grow by less are added up. */
const LEAST_KIB = 0.2;

interface Sizes {
  /** Bytes with indexes, by table. */
  readonly tables: ReadonlyMap<string, number>;
  /** Bytes of the write-ahead log since its beginning. */
  readonly log: number;
}

/** What a payment adds to the database: KiB of each table with its indexes, and of the write-ahead log. */
export async function sizeOf(databaseUrl: string, subject: Subject): Promise<readonly Figure[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const before = await readSizes(client);
    const { result } = await takeTurn(subject, MANY);
    const after = await readSizes(client);
    const ofPayment = (bytes: number): number => bytes / KIB / result.done;
    const grown = [...after.tables].map(([table, bytes]) => ({
      table,
      value: ofPayment(bytes - (before.tables.get(table) ?? 0)),
    }));
    const total = (values: readonly { readonly value: number }[]): number =>
      values.reduce((sum, { value }) => sum + value, 0);
    const [large, small] = [grown.filter(isLarge), grown.filter((each) => !isLarge(each))];
    return [
      ...large
        .toSorted((a, b) => b.value - a.value)
        .map(({ table, value }) => ({ what: `a payment adds to ${table}`, value, unit: 'KiB' })),
      { what: 'a payment adds to other tables', value: total(small), unit: 'KiB' },
      { what: 'a payment adds to the database', value: total(grown), unit: 'KiB' },
      { what: 'write-ahead log of a payment', value: ofPayment(after.log - before.log), unit: 'KiB' },
    ];
  } finally {
    await client.end();
  }
}

function isLarge({ value }: { readonly value: number }): boolean {
  return value >= LEAST_KIB;
}

async function readSizes(client: pg.Client): Promise<Sizes> {
  const tables = await client.query<{ name: string; bytes: string }>(
    `SELECT coalesce(parent.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
     LEFT JOIN pg_inherits ON inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = inhparent
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  const log = await client.query<{ bytes: string }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes");
  return {
    tables: new Map(tables.rows.map(({ name, bytes }) => [name, Number(bytes)])),
    log: Number(log.rows[0]?.bytes ?? 0),
  };
}
