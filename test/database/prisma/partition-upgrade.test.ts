import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { applyGrants, roleNameOf, setRolePassword } from '../../../prisma/grants.ts';
import { type Migration, readMigrations } from '../../../prisma/migrate.ts';
import type { PartitionedTable } from '../../../prisma/queries/partition.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { idMadeAt } from '../../support/partitions.ts';

const DIRECTORY = path.resolve('prisma/migrations');
const FIRST = '20261126010000_bound_aging_tables';
const PASSWORD = 'only-for-this-test';
const ROWS = 2_000;

/** What the purge of the release before runs. */
const EARLIER_PURGE = `DELETE FROM request_log WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM request_log WHERE created_at < now() - interval '7 days' ORDER BY created_at LIMIT 500))`;

/** What `npm run migrate` of the release before has given to its processes. */
const RIGHTS_BEFORE = `
  GRANT SELECT, INSERT ON request_log, audit_event TO ${roleNameOf('api')};
  GRANT SELECT (ctid, created_at), DELETE ON request_log TO ${roleNameOf('worker')}`;

const INSERT_REQUEST = `
  INSERT INTO request_log (id, request_id, merchant_account_id, environment, api_key_id, method, path, status, duration_ms, created_at)
  VALUES ($1, 'req_1', 'mer_1', 'sandbox', 'key_1', 'GET', '/', 200, 1, $2)`;
const INSERT_AUDIT = `
  INSERT INTO audit_event (id, merchant_id, environment, action, resource_id, actor_type, actor_id, actor_address, created_at)
  VALUES ($1, 'org_1', 'sandbox', 'api_key.created', 'key_1', 'api_key', 'key_1', '203.0.113.7', $2)`;

describe('an upgrade to tables with partitions', function () {
  this.timeout(2 * MINUTE_MS);
  let server: TestDatabase;
  let url: string;
  let client: pg.Client;
  /** How many rows a process of the release before has written to each table during the upgrade. */
  let written: number;
  const name = `upgraded_${randomBytes(4).toString('hex')}`;

  before(async () => {
    server = await createTestDatabase();
    await server.database.$executeRawUnsafe(`CREATE DATABASE ${name}`);
    url = addressOf(server.url, { database: name });
    client = await connect(url);
    await applyAll((await readMigrations(DIRECTORY)).filter((migration) => migration.name < FIRST));
    await client.query(RIGHTS_BEFORE);
    await setRolePassword(client, 'api', PASSWORD);
    await setRolePassword(client, 'worker', PASSWORD);
    for (let count = 0; count < ROWS; count += 1) {
      const at = new Date(Date.now() - (count / ROWS) * 300 * DAY_MS);
      await insert(client, 'request_log', at);
      await insert(client, 'audit_event', at);
    }
    const writing = startWriting();
    await writing.hasWritten();
    await applyRest();
    await writing.hasWritten();
    written = await writing.stop();
  });
  after(async () => {
    await client.end();
    await server.database.$executeRawUnsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.close();
  });

  it('keeps every row, and those that processes of the release before write meanwhile', async () => {
    for (const table of ['request_log', 'audit_event']) {
      const { rows } = await client.query(
        `SELECT tableoid::regclass::text AS partition, count(*)::int FROM ${table} GROUP BY 1`,
      );
      assert.deepEqual(rows, [{ partition: `${table}_before`, count: ROWS + written }]);
    }
  });

  it('goes on with partitions where the old table ends', async () => {
    const { rows } = await client.query<{ ends_at: Date }>(
      `SELECT ends_at FROM partitions_of('audit_event') ORDER BY 1`,
    );
    const [old, next] = rows.map(({ ends_at: endsAt }) => endsAt);
    assert.ok(old !== undefined && next !== undefined);
    assert.ok(old.getTime() > Date.now() + 27 * DAY_MS, 'later than a failed upgrade is tried again');
    await insert(client, 'audit_event', new Date(old.getTime() - 1));
    await insert(client, 'audit_event', old);
    const partitions = await client.query<{ partition: string }>(
      `SELECT tableoid::regclass::text AS partition FROM audit_event ORDER BY id DESC LIMIT 2`,
    );
    const expected = [`audit_event_${old.toISOString().slice(0, 10).replaceAll('-', '')}`, 'audit_event_before'];
    assert.deepEqual(
      partitions.rows.map(({ partition }) => partition),
      expected,
    );
    assert.deepEqual((await client.query('SELECT * FROM partition_problems()')).rows, []);
  });

  it('leaves the old rows append-only, in the old table too', async () => {
    for (const statement of [
      "UPDATE audit_event_before SET actor_id = 'another'",
      'DELETE FROM audit_event_before',
      'TRUNCATE audit_event_before',
    ]) {
      await assert.rejects(client.query(statement), /append-only/);
    }
  });

  it('has partitions of the present time at once where a table was empty', async () => {
    const { rows } = await client.query<{ partition: string }>(
      `SELECT partition::text FROM partitions_of('platform_audit_event')`,
    );
    assert.equal(rows.length, 4);
    assert.ok(rows.every(({ partition }) => !partition.includes('before')));
  });

  it('makes the purge of the release before fail, which would delete rows of other partitions', async () => {
    const worker = await connect(addressOf(url, { user: roleNameOf('worker'), password: PASSWORD }));
    try {
      await assert.rejects(worker.query(EARLIER_PURGE), { code: '42501' });
      await applyGrants(client);
      await assert.rejects(worker.query(EARLIER_PURGE), { code: '42501' });
    } finally {
      await worker.end();
    }
  });

  async function applyAll(migrations: readonly Migration[]): Promise<void> {
    for (const { script } of migrations) await client.query(`BEGIN; ${script}; COMMIT`);
  }

  async function applyRest(): Promise<void> {
    const rest = (await readMigrations(DIRECTORY)).filter((migration) => migration.name >= FIRST);
    assert.ok(rest.length >= 3);
    await applyAll(rest);
  }

  /** Writes rows one after the other on a connection of its own, by prepared statements and with the rights of a process. */
  function startWriting() {
    let isStopping = false;
    let rows = 0;
    const wanted = { rows: 0, reached: () => undefined as void };
    const ended = (async () => {
      const writer = await connect(addressOf(url, { user: roleNameOf('api'), password: PASSWORD }));
      try {
        while (!isStopping) {
          await insert(writer, 'request_log', new Date());
          await insert(writer, 'audit_event', new Date());
          rows += 1;
          if (rows >= wanted.rows) wanted.reached();
        }
      } finally {
        await writer.end();
      }
    })();
    return {
      hasWritten: () =>
        Promise.race([
          ended,
          new Promise<void>((resolve) => {
            wanted.rows = rows + 5;
            wanted.reached = resolve;
          }),
        ]),
      async stop() {
        isStopping = true;
        await ended;
        return rows;
      },
    };
  }
});

async function insert(client: pg.Client, table: PartitionedTable & keyof typeof INSERTS, at: Date): Promise<void> {
  await client.query({ name: table, text: INSERTS[table], values: [idMadeAt(table, at), at] });
}

const INSERTS = { request_log: INSERT_REQUEST, audit_event: INSERT_AUDIT } as const;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function addressOf(
  url: string,
  { database, user, password }: { readonly database?: string; readonly user?: string; readonly password?: string },
): string {
  const address = new URL(url);
  if (database !== undefined) address.pathname = database;
  if (user !== undefined) address.username = user;
  if (password !== undefined) address.password = password;
  return address.href;
}
