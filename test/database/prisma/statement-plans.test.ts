import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { selectAccountEvents } from '../../../prisma/queries/event.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { fillTables } from '../../support/fill-tables.ts';
import { executedPlanOf, rowsReadBy } from '../../support/query-plans.ts';
import { sampleStatements, STATEMENT_SUBJECTS } from '../../support/sample-statements.ts';

/** So many that PostgreSQL reads tables by their indexes, as it does when they are large. */
const ROWS = 20_000;
/** More than any statement needs, and far fewer than a table has. */
const MOST_ROWS_READ = 4_000;

/** Tables that statements may read as a whole: there are far fewer webhook endpoints than payments. */
const MAY_READ_ALL_OF: Readonly<Record<string, string>> = { insertPlanned: 'webhook_endpoint' };

describe('the statements of prisma/queries on large tables', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let client: pg.Client;
  before(async () => {
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
    await fillTables(client, ROWS);
  });
  after(async () => {
    await client.end();
    await test.close();
  });

  for (const subject of STATEMENT_SUBJECTS) {
    it(`${subject}: read few rows`, async () => {
      for (const { name, args, built } of await sampleStatements(subject)) {
        const statement = 'columns' in built ? built.sql : built;
        if (statement.text.trimStart().startsWith('EXPLAIN')) continue;
        const longReads = await longReadsOf(statement, MAY_READ_ALL_OF[name]);
        assert.deepEqual(longReads, [], `${name} ${inspect(args)}`);
      }
    });
  }

  it('a page of events reads few rows, however many the account has', async () => {
    await client.query(
      `INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, snapshot,
         position, sequence, created_at)
       SELECT 'evt_many_' || n, 'mer_many', 'sandbox', 'payment_intent.processing', 'pi_' || n, 'pi_' || n, 1, '{}',
         1000000 + n, n, now()
       FROM generate_series(1, $1::int) n`,
      [2 * MOST_ROWS_READ],
    );
    await client.query('ANALYZE event');
    const { sql } = selectAccountEvents({ merchantAccountId: 'mer_many', sequence: 10, limit: 200 });
    assert.deepEqual(await longReadsOf(sql, undefined), []);
  });

  /** The steps of the statement's plan that read more rows than any should, but for those of an exempt table. */
  async function longReadsOf(statement: Prisma.Sql, exempt: string | undefined): Promise<readonly string[]> {
    await client.query('BEGIN');
    try {
      const nodes = await executedPlanOf(client, statement);
      return nodes
        .filter(
          (node) => rowsReadBy(node) > MOST_ROWS_READ && (exempt === undefined || node['Relation Name'] !== exempt),
        )
        .map((node) => `${node['Node Type']} of ${node['Relation Name'] ?? 'rows'} reads ${rowsReadBy(node)} rows`);
    } finally {
      await client.query('ROLLBACK');
    }
  }
});
