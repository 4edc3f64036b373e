import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import type { Prisma } from '../../../prisma/generated/client.ts';
import {
  ENGINE_ROLES,
  type EngineRole,
  GRANTS,
  OWNERS_FUNCTIONS,
  roleNameOf,
  setRolePassword,
} from '../../../prisma/grants.ts';
import { applyMigrations } from '../../../prisma/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { sampleStatements, STATEMENT_SUBJECTS } from '../../support/sample-statements.ts';

const PASSWORD = 'only-for-this-test';
const INSUFFICIENT_PRIVILEGE = '42501';

/** What each process must not be able to do. */
const REFUSED: readonly (readonly [EngineRole, string])[] = [
  ['gateway', 'SELECT FROM payment_method'],
  ['gateway', 'SELECT ciphertext FROM payment_method_cvc'],
  ['gateway', 'SELECT * FROM api_key'],
  ['gateway', 'SELECT metadata FROM payment_intent'],
  ['gateway', 'SELECT secret_ciphertext FROM webhook_endpoint'],
  ['gateway', 'SELECT FROM provider_account'],
  ['gateway', 'SELECT FROM idempotency_record'],
  ['gateway', "UPDATE payment_intent SET status = 'succeeded'"],
  ['gateway', 'DELETE FROM event'],
  ['api', "UPDATE payment_intent SET status = 'succeeded'"],
  ['api', 'UPDATE payment_intent SET amount_captured_minor = 1'],
  ['api', 'DELETE FROM payment_intent'],
  ['api', "UPDATE payment_attempt SET outcome = 'approved'"],
  ['api', 'INSERT INTO transaction (id) VALUES (1)'],
  ['api', "UPDATE refund SET status = 'failed'"],
  ['api', "UPDATE merchant SET name = 'another'"],
  ['api', "INSERT INTO platform_staff (person_id, added_by) VALUES ('per_1', 'me')"],
  ['api', 'DELETE FROM platform_staff'],
  ['api', 'DELETE FROM platform_audit_event'],
  ['api', "UPDATE api_key SET environment = 'production', merchant_id = 'org_2'"],
  ['api', 'DELETE FROM api_key'],
  ['api', "UPDATE provider_account SET merchant_account_id = 'mer_2'"],
  ['api', 'DELETE FROM event'],
  ['api', 'DELETE FROM audit_event'],
  ['api', 'SELECT password FROM person_sign_in'],
  ['api', 'SELECT secret FROM person_second_factor'],
  ['api', "INSERT INTO membership (person_id, merchant_id, role) VALUES ('per_1', 'org_1', 'owner')"],
  ['api', "UPDATE membership SET merchant_id = 'org_2'"],
  ['api', 'UPDATE person SET email_verified = true'],
  ['api', "INSERT INTO person_session (id) VALUES ('1')"],
  ['dashboard', 'SELECT FROM api_key'],
  ['dashboard', 'SELECT FROM payment_intent'],
  ['dashboard', 'SELECT FROM payment_method'],
  ['dashboard', 'SELECT FROM audit_event'],
  ['dashboard', "UPDATE merchant_account SET status = 'active'"],
  ['dashboard', 'UPDATE merchant SET platform_suspended_at = NULL'],
  ['dashboard', "INSERT INTO platform_staff (person_id, added_by) VALUES ('per_1', 'me')"],
  ['dashboard', "UPDATE membership SET role = 'owner'"],
  ['dashboard', 'INSERT INTO invitation (id) VALUES (1)'],
  ['worker', 'SELECT token FROM person_session'],
  ['worker', 'SELECT salt_hash FROM api_key'],
  ['worker', 'UPDATE api_key SET revoked_at = NULL'],
  ['worker', 'SELECT response_body FROM idempotency_record'],
  ['worker', "INSERT INTO merchant (id, name) VALUES ('org_1', 'another')"],
  ['worker', "UPDATE merchant_account SET status = 'active'"],
  ['worker', 'UPDATE merchant SET platform_suspended_at = NULL'],
  ['worker', 'UPDATE payment_route SET active = true'],
  ['worker', 'UPDATE webhook_endpoint SET url = NULL'],
  ['worker', "UPDATE provider_account SET status = 'active'"],
  ['worker', 'SELECT ctid FROM audit_event'],
  ['worker', 'SELECT ctid FROM request_log'],
  ['worker', "SELECT add_partition('event', 'another', 'DEFAULT', false)"],
  ['worker', "SELECT drop_old_partition('audit_event', 89)"],
  ['worker', "SELECT drop_old_partition('audit_event', NULL)"],
  ['worker', "SELECT drop_old_partition('payment_intent', 4000)"],
  ['worker', "SELECT drop_old_partition('audit_event_default', 4000)"],
  ...(['api', 'gateway', 'dashboard'] as const).flatMap((role) =>
    ['SELECT make_partitions()', "SELECT drop_old_partition('audit_event', 400)", 'SELECT partition_problems()'].map(
      (statement) => [role, statement] as const,
    ),
  ),
  ...ENGINE_ROLES.flatMap((role) =>
    [
      "UPDATE audit_event SET action = 'none'",
      'TRUNCATE audit_event',
      'SELECT FROM audit_event_default',
      'INSERT INTO audit_event_default DEFAULT VALUES',
      'DELETE FROM audit_event_default',
      'TRUNCATE audit_event_default',
      'DROP TABLE audit_event_default',
      'ALTER TABLE audit_event DETACH PARTITION audit_event_default',
      'ALTER TABLE audit_event DISABLE TRIGGER ALL',
      'SET session_replication_role = replica',
      'DROP TABLE payment_intent',
      'CREATE TABLE another (id int)',
      'CREATE TRIGGER another AFTER INSERT ON event EXECUTE FUNCTION refuse_audit_event_change()',
      'SELECT FROM _prisma_migrations',
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT pg_ls_dir('/')",
      "COPY rate_limit FROM '/etc/passwd'",
      "COPY (SELECT 1) TO PROGRAM 'true'",
      'SELECT passwd FROM pg_shadow',
      'CREATE ROLE another SUPERUSER',
    ].map((statement) => [role, statement] as const),
  ),
];

/** Whose processes run the code of a folder or file; the first that matches counts. */
const PROCESSES: readonly (readonly [string, readonly EngineRole[]])[] = [
  ['http/authentication/session', ['api']],
  ['http/authentication', ['api', 'gateway']],
  ['http', ['api']],
  ['accounts', ['api']],
  ['api', ['api']],
  ['gateway', ['api', 'gateway']],
  ['dashboard', ['dashboard']],
  // `npm run rewrap` connects as the owner.
  ['vault/rewrap', []],
  ['vault/provider-accounts', ['api', 'worker']],
  ['vault', ['api']],
  ['contract', ['api', 'worker']],
  ['activities', ['worker']],
  ['worker', ['worker']],
  ['prisma/stores/payment-store', ['worker']],
  ['prisma/stores/deposit-store', ['worker']],
  ['prisma/stores/provider-customers', ['worker']],
];

/** What the worker runs of the vault: it reads the card that it charges. */
const READS_CARD = 'selectMethod';

describe('the roles of the processes in PostgreSQL', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  const clients = new Map<EngineRole, pg.Client>();

  before(async () => {
    test = await createTestDatabase();
    owner = await connect(test.url);
    for (const role of ENGINE_ROLES) {
      await setRolePassword(owner, role, PASSWORD);
      clients.set(role, await connect(addressFor(roleNameOf(role))));
    }
  });
  after(async () => {
    for (const client of [owner, ...clients.values()]) await client.end();
    await test.close();
  });

  it('have a row of grants for each table', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
         AND NOT relispartition AND relname <> '_prisma_migrations'`,
    );
    assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(GRANTS).sort());
  });

  it('have exactly these grants, even after something else was granted', async () => {
    await owner.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO payment_engine_gateway');
    await owner.query('GRANT SELECT (salt_hash) ON api_key TO payment_engine_worker');
    const { missingRoles } = await applyMigrations({ url: test.url, directory: path.resolve('prisma/migrations') });
    assert.deepEqual(missingRoles, []);
    const { rows } = await owner.query<{ fact: string }>(GRANTED);
    const granted = rows.map(({ fact }) => fact);
    assert.deepEqual(granted.sort(), [...expectedFacts()].sort());
  });

  it('may call the functions that act with the rights of the owner as far as they need them, and nobody else may', async () => {
    const { rows } = await owner.query<{ signature: string; callers: string[] }>(
      `SELECT format('%s(%s)', proname, replace(pg_get_function_identity_arguments(oid), 'integer', 'int')) AS signature,
         ARRAY(SELECT grantee::regrole::text FROM aclexplode(coalesce(proacl, acldefault('f', proowner)))
           WHERE grantee <> proowner ORDER BY 1) AS callers
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
    );
    const found = rows.map(
      ({ signature, callers }) => [signature.replaceAll(/\w+ (?=text|int)/g, ''), callers] as const,
    );
    const expected = Object.entries(OWNERS_FUNCTIONS).map(([name, roles]) => [name, roles.map(roleNameOf)] as const);
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
  });

  for (const [role, statement] of REFUSED) {
    it(`refuse to the ${role}: ${statement}`, async () => {
      await assert.rejects(clientOf(role).query(statement), { code: INSUFFICIENT_PRIVILEGE });
    });
  }

  for (const subject of STATEMENT_SUBJECTS) {
    it(`suffice for each statement of queries/${subject} in the processes that run it`, async () => {
      for (const { name, built } of await sampleStatements(subject)) {
        for (const role of processesThatImport(subject, name)) {
          await explain(role, 'columns' in built ? built.sql : built, name);
        }
      }
    });
  }

  it('are named as missing where the owner may not create them, and the migrations are applied', async () => {
    const name = roleNameOf('gateway');
    await owner.query(`ALTER ROLE ${name} RENAME TO ${name}_away`);
    await owner.query(`CREATE ROLE plain_owner LOGIN PASSWORD '${PASSWORD}'`);
    await owner.query('CREATE DATABASE plain OWNER plain_owner');
    try {
      const url = new URL(addressFor('plain_owner'));
      url.pathname = 'plain';
      const result = await applyMigrations({ url: url.href, directory: path.resolve('prisma/migrations') });
      assert.deepEqual(result.missingRoles, [name]);
      assert.ok(result.applied.length > 0);
    } finally {
      await owner.query('DROP DATABASE plain WITH (FORCE)');
      await owner.query('DROP ROLE plain_owner');
      await owner.query(`ALTER ROLE ${name}_away RENAME TO ${name}`);
    }
  });

  function addressFor(user: string): string {
    const url = new URL(test.url);
    url.username = user;
    url.password = PASSWORD;
    return url.href;
  }

  function clientOf(role: EngineRole): pg.Client {
    const client = clients.get(role);
    assert.ok(client !== undefined);
    return client;
  }

  /** Plans a statement, for which PostgreSQL checks all its privileges. */
  async function explain(role: EngineRole, { text, values }: Prisma.Sql, name: string): Promise<void> {
    const statement = text.trimStart().startsWith('EXPLAIN') ? text : `EXPLAIN ${text}`;
    await clientOf(role)
      .query(statement, [...values])
      .catch((error: unknown) => assert.fail(`${name} as ${role}: ${String(error)}`));
  }
});

const GRANTED = `
  SELECT grantee::regrole || ' ' || relname || ' ' || privilege_type AS fact
  FROM pg_class, aclexplode(relacl)
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND grantee <> relowner
  UNION ALL
  SELECT grantee::regrole || ' ' || relname || ' ' || privilege_type || ' ' || attname
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl)
  WHERE relnamespace = 'public'::regnamespace`;

/** The grants of the table, one fact for each privilege and column. */
function* expectedFacts(): Iterable<string> {
  for (const [table, grants] of Object.entries(GRANTS)) {
    for (const [role, privileges] of Object.entries(grants) as [EngineRole, string][]) {
      for (const [, privilege = '', columns] of privileges.matchAll(/([A-Z]+)(?: \(([^)]*)\))?/g)) {
        const fact = `${roleNameOf(role)} ${table} ${privilege}`;
        if (columns === undefined) yield fact;
        else for (const column of columns.split(',')) yield `${fact} ${column.trim()}`;
      }
    }
  }
}

/** The processes whose code imports a function of `prisma/queries`. */
function processesThatImport(subject: string, name: string): ReadonlySet<EngineRole> {
  const found = new Set<EngineRole>();
  for (const [file, source] of sources()) {
    const imports = [...source.matchAll(/import \{([^}]*)\} from '[^']*queries\/([\w-]+)\.ts'/g)];
    if (!imports.some(([, names = '', from]) => from === subject && new RegExp(`\\b${name}\\b`).test(names))) continue;
    const place = PROCESSES.find(([start]) => file.startsWith(start));
    assert.ok(place !== undefined, `no process is known for ${file}`);
    place[1].forEach((role) => found.add(role));
    if (name === READS_CARD) found.add('worker');
  }
  return found;
}

let read: ReadonlyMap<string, string> | undefined;

function sources(): ReadonlyMap<string, string> {
  read ??= new Map(
    ['accounts', 'api', 'http', 'gateway', 'dashboard', 'vault', 'contract', 'activities', 'worker', 'prisma'].flatMap(
      (folder) =>
        readdirSync(path.resolve(folder), { recursive: true, encoding: 'utf8' })
          .map((name) => path.join(folder, name))
          .filter((file) => file.endsWith('.ts') && !/^prisma\/(?:generated|queries)\//.test(file))
          .map((file) => [file, readFileSync(file, 'utf8')] as const),
    ),
  );
  return read;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
