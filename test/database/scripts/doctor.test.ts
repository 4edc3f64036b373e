import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { newId } from '../../../domain/new-id.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { runChecks } from '../../../scripts/doctor/check.ts';
import { DATABASE_CHECKS, type DatabasePlace } from '../../../scripts/doctor/database-checks.ts';
import { useTestDatabase } from '../../support/database.ts';
import {
  insertMerchantAccount,
  insertOpenDeposit,
  insertPaymentAttempt,
  insertPaymentIntent,
} from '../../support/payment-rows.ts';

const MIGRATIONS = path.resolve('prisma/migrations');

describe('the checks of a database by npm run doctor', function () {
  this.timeout(MINUTE_MS);
  const test = useTestDatabase();
  let place: DatabasePlace;

  beforeEach(() => {
    place = {
      database: test.database,
      databaseUrl: test.url,
      poolSize: 10,
      migrationsDirectory: MIGRATIONS,
      vaultKeyIds: ['r1'],
      cardKeyIds: ['c1'],
      nowMs: Date.now,
    };
  });

  /** What is found, by severity; nothing for what holds. */
  async function findings(overrides: Partial<DatabasePlace> = {}): Promise<readonly string[]> {
    const results = await runChecks(DATABASE_CHECKS, { ...place, ...overrides });
    return results.flatMap(({ finding }) => (finding === null ? [] : [`${finding.severity}: ${finding.problem}`]));
  }

  it('find nothing where everything is right', async () => {
    assert.deepEqual(await findings(), []);
  });

  it('name the migrations that are missing', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    try {
      await cp(MIGRATIONS, directory, { recursive: true });
      await mkdir(path.join(directory, '29990101000000_later'));
      await writeFile(path.join(directory, '29990101000000_later', 'migration.sql'), 'SELECT 1;');
      const [found = '', ...others] = await findings({ migrationsDirectory: directory });
      assert.match(found, /^failed: The database lacks 1 migration, from 29990101000000_later on/);
      assert.deepEqual(others, []);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('compare the size of the pool with the connections of the server', async () => {
    const [tooMany = ''] = await findings({ poolSize: 400 });
    assert.match(tooMany, /^failed: DATABASE_POOL_SIZE is 400, and the server gives this user \d+ connections/);
    const [perhaps = ''] = await findings({ poolSize: 90 });
    assert.match(perhaps, /^warning: 4 processes may open 360 connections/);
  });

  it('notice a clock that is a minute off', async () => {
    for (const offsetMs of [-MINUTE_MS, MINUTE_MS]) {
      const [found = ''] = await findings({ nowMs: () => Date.now() + offsetMs });
      assert.match(found, /^failed: The clock of this machine and that of the database server differ by \d+ seconds/);
    }
  });

  it('name the root key that rows need and the settings lack', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const key = { merchantAccountId, environment: 'sandbox', key: 'order 1' };
    await test.database.idempotencyRecord.create({
      data: {
        ...key,
        fingerprint: 'r0:1',
        resourceId: 'x_1',
        responseKeyId: 'root:r0',
        responseBody: Buffer.from('x'),
      },
    });
    const [found = ''] = await findings();
    assert.match(found, /^failed: The stored responses are encrypted under the key r0, which VAULT_KEYS does not have/);
    assert.deepEqual(await findings({ vaultKeyIds: ['r1', 'r0'] }), []);
    await test.database.idempotencyRecord.deleteMany();
  });

  it('name the card key under which cards are stored and the settings lack', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const card = { merchantAccountId, environment: 'sandbox', paymentIntentId: 'pi_1', type: 'card', masked: {} };
    await test.database.paymentMethod.createMany({
      data: [
        { ...card, id: newId('paymentMethod'), keyId: 'card:c0', ciphertext: null },
        { ...card, id: newId('paymentMethod'), keyId: 'card:c2', ciphertext: Buffer.from('x') },
      ],
    });
    const [found = ''] = await findings();
    assert.match(found, /^failed: Payment methods are encrypted under the key c2, which CARD_KEYS does not have/);
    assert.deepEqual(await findings({ cardKeyIds: ['c1', 'c2'] }), []);
    assert.deepEqual(await findings({ cardKeyIds: null }), [
      'warning: It could not be found out (CARD_KEYS is not set)',
    ]);
    await test.database.paymentMethod.deleteMany();
  });

  it('name a provider whose webhooks do not arrive', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    for (let payments = 0; payments < 10; payments += 1) {
      const id = await insertPaymentIntent(test.database, merchantAccountId);
      await insertApproved(id, 'alpha');
    }
    const found = await findings();
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^warning: No webhook .*: alpha \(10 payments\)/);
    const event = { provider: 'alpha', eventId: 'evt_1', paymentIntentId: 'pi_1', event: {} };
    await test.database.providerEvent.create({ data: event });
    assert.deepEqual(await findings(), []);
  });

  it('name a table that gets rows for which it has no partition', async () => {
    const entry = {
      action: 'staff.added',
      resourceId: 'per_1',
      resourceName: 'me',
      actorType: 'operator',
      actorId: 'me',
    };
    // An id that the engine does not make, as of a machine whose clock is wrong.
    const data = { id: 'pau_f', ...entry, actorName: 'me', actorAddress: 'here' };
    await test.database.platformAuditEvent.create({ data });
    const found = await findings();
    assert.deepEqual(found, [
      'warning: The table platform_audit_event got rows in the last day for which there was no partition.',
    ]);
    await test.database.$transaction([
      test.database.$executeRaw`SET LOCAL session_replication_role = replica`,
      test.database.$executeRaw`DELETE FROM platform_audit_event`,
    ]);
  });

  it('expect no webhooks of deposits', async () => {
    await test.database.paymentAttempt.deleteMany();
    await test.database.providerEvent.deleteMany();
    const merchantAccountId = await insertMerchantAccount(test.database);
    for (let payments = 0; payments < 10; payments += 1) {
      const id = await insertPaymentIntent(test.database, merchantAccountId);
      await insertOpenDeposit(test.database, id);
      await insertApproved(id, 'evm');
    }
    assert.deepEqual(await findings(), []);
  });

  async function insertApproved(paymentIntentId: string, provider: string): Promise<void> {
    const ended = { provider, outcome: 'approved', finishedAt: new Date() };
    await insertPaymentAttempt(test.database, paymentIntentId, ended);
  }
});
