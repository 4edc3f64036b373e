import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { ENGINE_ROLES, roleNameOf } from '../../../prisma/grants.ts';
import { applyMigrations } from '../../../prisma/migrate.ts';
import { prepareDatabases } from '../../../scripts/compose/databases.ts';
import { type ComposeSecrets, provideComposeSecrets } from '../../../scripts/compose/secrets.ts';
import { createTestDatabase, runStatement, type TestDatabase } from '../../support/database.ts';

describe('the databases of an installation by compose', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let passwords: ComposeSecrets['passwords'];
  before(async () => {
    test = await createTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-compose-'));
    ({ passwords } = await provideComposeSecrets(path.join(folder, 'secrets.json')));
    await rm(folder, { recursive: true });
  });
  after(async () => {
    const statements = [
      ...['payment_engine', 'temporal', 'temporal_visibility'].map((name) => `DROP DATABASE IF EXISTS ${name}`),
      ...['payment_engine', 'temporal'].map((name) => `DROP ROLE IF EXISTS ${name}`),
      ...ENGINE_ROLES.map((role) => `ALTER ROLE ${roleNameOf(role)} NOLOGIN PASSWORD NULL`),
    ];
    for (const statement of statements) await runStatement(test.url, statement);
    await test.close();
  });

  function urlOf(user: string, password: string, database: string): string {
    const url = new URL(test.url);
    return Object.assign(url, { username: user, password, pathname: `/${database}` }).href;
  }

  it('lets every process and Temporal connect to their own, and to no other', async () => {
    // A second `docker compose up` does it again.
    for (let times = 0; times < 2; times++) await prepareDatabases(test.url, passwords);
    const owner = urlOf('payment_engine', passwords.owner, 'payment_engine');
    const { missingRoles } = await applyMigrations({ url: owner, directory: path.resolve('prisma/migrations') });
    assert.deepEqual(missingRoles, []);
    for (const role of ENGINE_ROLES) {
      await runStatement(urlOf(roleNameOf(role), passwords[role], 'payment_engine'), 'SELECT FROM event_counter');
    }
    for (const name of ['temporal', 'temporal_visibility']) {
      await runStatement(urlOf('temporal', passwords.temporal, name), 'CREATE TABLE schema_version (version int)');
    }
    const refused = /permission denied for database/;
    await assert.rejects(runStatement(urlOf('temporal', passwords.temporal, 'payment_engine'), 'SELECT 1'), refused);
    await assert.rejects(runStatement(urlOf(roleNameOf('api'), passwords.api, 'temporal'), 'SELECT 1'), refused);
  });
});
