import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import pg from 'pg';
import pino from 'pino';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../domain/time.ts';
import { Prisma } from '../../../../prisma/generated/client.ts';
import { selectAuditEvent } from '../../../../prisma/queries/audit-event.ts';
import {
  dropOldPartition,
  makePartitions,
  PARTITION_DAYS,
  type PartitionedTable,
  selectPartitionProblems,
} from '../../../../prisma/queries/partition.ts';
import { keepPartitions } from '../../../../worker/jobs/keep-partitions.ts';
import { purge } from '../../../../worker/jobs/purge.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { addPartition, idMadeAt, partitionsOf } from '../../../support/partitions.ts';
import { queryPlansOf } from '../../../support/query-plans.ts';

const RETENTION = {
  eventsDays: 30,
  providerEventsDays: 30,
  paymentsDays: 2_555,
  auditEventsDays: 400,
  requestsDays: 7,
  savedCardsUnusedDays: 730,
};
const TABLES = Object.keys(PARTITION_DAYS) as readonly PartitionedTable[];
const { signal } = new AbortController();
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const OLD_DAY = '2020-03-01';
const onOldDay = (hour: number): Date => new Date(Date.parse(OLD_DAY) + hour * HOUR_MS);

describe('partitions', function () {
  this.timeout(MINUTE_MS);
  const test = useAccount();
  const logger = pino({ level: 'silent' });

  const keep = (): Promise<void> => keepPartitions({ database: test.database, retention: RETENTION, logger }, signal);
  const partitions = (table: PartitionedTable) => partitionsOf(test.database, table);

  /** Leaves partitions without rows, as they are after the migrations. */
  afterEach(async () => {
    await test.database.$transaction([
      test.database.$executeRaw`SET LOCAL session_replication_role = replica`,
      ...TABLES.map((table) => test.database.$executeRaw(Prisma.sql`DELETE FROM ${Prisma.raw(table)}`)),
    ]);
    await keep();
  });

  /** Inserts a row that was made at a time. @returns the partition that has it */
  async function insert(table: PartitionedTable, madeAt: Date, createdAt = madeAt): Promise<string> {
    const id = idMadeAt(table, madeAt);
    await INSERTS[table](id, createdAt);
    const [row] = await test.database.$queryRaw<{ partition: string }[]>(
      Prisma.sql`SELECT tableoid::regclass::text AS partition FROM ${Prisma.raw(table)} WHERE id = ${id}`,
    );
    return row?.partition ?? 'none';
  }

  const INSERTS: Readonly<Record<PartitionedTable, (id: string, createdAt: Date) => Promise<unknown>>> = {
    request_log: (id, createdAt) =>
      test.database.requestLogEntry.create({
        data: {
          id,
          requestId: id,
          merchantAccountId: test.account,
          environment: 'sandbox',
          apiKeyId: 'key_1',
          address: '192.0.2.1',
          method: 'GET',
          path: '/api/v1/refunds',
          status: 200,
          durationMs: 1,
          createdAt,
        },
      }),
    audit_event: (id, createdAt) =>
      test.database.auditEvent.create({
        data: {
          id,
          merchantId: 'org_1',
          environment: 'sandbox',
          action: 'api_key.created',
          resourceId: 'key_1',
          actorType: 'api_key',
          actorId: 'key_1',
          actorAddress: '203.0.113.7',
          createdAt,
        },
      }),
    platform_audit_event: (id, createdAt) =>
      test.database.platformAuditEvent.create({
        data: {
          id,
          action: 'staff.added',
          resourceId: 'per_1',
          resourceName: 'a@example.com',
          actorType: 'operator',
          actorId: 'me',
          actorName: 'me',
          actorAddress: 'here',
          createdAt,
        },
      }),
  };

  for (const table of TABLES) {
    it(`of ${table} have the rows of their time, and rows of any other time are not lost`, async () => {
      const now = await insert(table, new Date());
      const soon = await insert(table, daysAgo(-PARTITION_DAYS[table]));
      const [never, far] = [await insert(table, daysAgo(9_000)), await insert(table, daysAgo(-9_000))];
      assert.match(now, new RegExp(`^${table}_\\d{8}$`));
      assert.ok(soon > now, `${soon} comes after ${now}`);
      assert.deepEqual([never, far], [`${table}_default`, `${table}_default`]);
    });

    it(`of ${table} have the indexes and triggers of the table, the one against TRUNCATE too`, async () => {
      const facts = await test.database.$queryRaw<{ name: string; indexes: bigint; triggers: bigint }[]>`
        SELECT relname AS name, (SELECT count(*) FROM pg_index WHERE indrelid = c.oid AND indisvalid) AS indexes,
          (SELECT count(*) FROM pg_trigger WHERE tgrelid = c.oid AND tgenabled = 'O') AS triggers
        FROM pg_class c WHERE oid = ${table}::regclass
          OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = ${table}::regclass)`;
      const own = facts.find(({ name }) => name === table);
      assert.ok(own !== undefined && facts.length > 4);
      for (const { name, ...counts } of facts) {
        assert.deepEqual(counts, { indexes: own.indexes, triggers: own.triggers }, name);
      }
    });
  }

  it('are made for weeks and months ahead, once', async () => {
    for (const table of TABLES) {
      for (const name of (await partitions(table)).filter((each) => /_\d{8}$/.test(each))) {
        await test.database.$executeRaw(Prisma.sql`DROP TABLE ${Prisma.raw(name)}`);
      }
      assert.deepEqual(await partitions(table), [`${table}_default`]);
    }
    await keep();
    assert.equal((await partitions('request_log')).length, 6, 'this week, four weeks ahead, and all other times');
    assert.equal((await partitions('audit_event')).length, 5, 'this month, three months ahead, and all other times');
    assert.deepEqual(await test.database.direct.row(makePartitions()), { made: 0 });
  });

  it('are dropped when every row is older than the retention; younger ones stay', async () => {
    for (const table of TABLES) {
      const old = await addPartition(test.database, table, OLD_DAY);
      assert.equal(await insert(table, onOldDay(1)), old);
      await insert(table, new Date());
    }
    const before = await Promise.all(TABLES.map(partitions));
    const dropped = await test.database.direct.row(dropOldPartition({ table: 'request_log', keepDays: 7 }));
    assert.deepEqual(dropped, { partition: 'request_log_20200301' });
    await keep();
    const after = await Promise.all(TABLES.map(partitions));
    assert.deepEqual(
      after,
      before.map((names) => names.filter((name) => !name.includes('2020'))),
    );
    assert.deepEqual(await countRows(), [1, 1, 1]);
  });

  const countRows = () =>
    Promise.all([
      test.database.requestLogEntry.count(),
      test.database.auditEvent.count(),
      test.database.platformAuditEvent.count(),
    ]);

  it('stay while they have a row that is younger than the retention, and the older rows are deleted in batches', async () => {
    const name = await addPartition(test.database, 'audit_event', OLD_DAY);
    await insert('audit_event', onOldDay(1));
    await insert('audit_event', onOldDay(2));
    await insert('audit_event', onOldDay(3), daysAgo(RETENTION.auditEventsDays - 1));
    await keep();
    assert.ok((await partitions('audit_event')).includes(name));
    assert.equal(await purge(test.database, RETENTION, signal, 1), 2);
    assert.equal(await test.database.auditEvent.count(), 1);
  });

  it('keep a log append-only, whichever partition is named: no change, no deletion for 90 days, no TRUNCATE', async () => {
    await addPartition(test.database, 'audit_event', OLD_DAY);
    const names = [
      await insert('audit_event', onOldDay(1), daysAgo(89)),
      await insert('audit_event', daysAgo(9_000), daysAgo(89)),
      await insert('audit_event', new Date()),
      await insert('platform_audit_event', new Date()),
    ];
    for (const name of [...names, 'audit_event', 'platform_audit_event']) {
      for (const statement of [`UPDATE ${name} SET actor_id = 'another'`, `DELETE FROM ${name}`, `TRUNCATE ${name}`]) {
        await assert.rejects(test.database.$executeRawUnsafe(statement), /append-only/, statement);
      }
    }
    assert.deepEqual(await countRows(), [0, 3, 1]);
  });

  it('are never dropped for a log while a row is younger than 90 days, and for no other table', async () => {
    const name = await addPartition(test.database, 'audit_event', OLD_DAY);
    await insert('audit_event', onOldDay(1), daysAgo(89));
    const drop = (table: string, keepDays: number) =>
      test.database.$queryRaw`SELECT drop_old_partition(${table}, ${keepDays}::int)`;
    await assert.rejects(drop('audit_event', 89), /may not be dropped/);
    await assert.rejects(drop('event', 9_000), /may not be dropped/);
    await drop('audit_event', 90);
    assert.ok((await partitions('audit_event')).includes(name));
  });

  it('are left to the next run while somebody uses the table, who then does not keep others waiting', async () => {
    const name = await addPartition(test.database, 'request_log', OLD_DAY);
    const reader = new pg.Client({ connectionString: test.url });
    await reader.connect();
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT count(*) FROM request_log');
      const [dropped] = await Promise.all([
        test.database.direct.row(dropOldPartition({ table: 'request_log', keepDays: 7 })),
        insert('request_log', new Date()),
      ]);
      assert.deepEqual(dropped, { partition: null });
      await reader.query('COMMIT');
    } finally {
      await reader.end();
    }
    assert.ok((await partitions('request_log')).includes(name));
    await keep();
    assert.ok(!(await partitions('request_log')).includes(name));
    assert.equal(await test.database.requestLogEntry.count(), 1);
  });

  it('are not made for a time that has rows already, which stay where they are until they are deleted in batches', async () => {
    const [present = ''] = (await partitions('request_log')).filter((name) => /_\d{8}$/.test(name));
    await test.database.$executeRaw(Prisma.sql`DROP TABLE ${Prisma.raw(present)}`);
    assert.equal(await insert('request_log', new Date()), 'request_log_default');
    await keep();
    assert.ok(!(await partitions('request_log')).includes(present));
    assert.equal(await insert('request_log', new Date(), daysAgo(14.9)), 'request_log_default');
    await insert('request_log', new Date(), daysAgo(15.1));
    assert.equal(await purge(test.database, RETENTION, signal), 1);
    assert.equal(await test.database.requestLogEntry.count(), 2);
  });

  it('are reported when the next one is missing, and when rows found none in the last day', async () => {
    const problems = async () =>
      (await test.database.direct.rows(selectPartitionProblems())).map(({ table, problem }) => `${table}: ${problem}`);
    assert.deepEqual(await problems(), []);
    await insert('request_log', daysAgo(9_000), daysAgo(2));
    assert.deepEqual(await problems(), []);
    await insert('request_log', daysAgo(9_000), daysAgo(0.5));
    const [, ...ahead] = (await partitions('audit_event')).filter((name) => /_\d{8}$/.test(name));
    for (const name of ahead) await test.database.$executeRaw(Prisma.sql`DROP TABLE ${Prisma.raw(name)}`);
    assert.deepEqual(await problems(), ['request_log: rows_without_partition', 'audit_event: no_next_partition']);
  });

  it('are all left out but one when a row is looked up by its id', async () => {
    const scope = { merchantId: 'org_1', environment: 'sandbox', merchantAccountId: undefined };
    const nodes = await queryPlansOf(test.database, (database) =>
      database.direct.row(selectAuditEvent(idMadeAt('audit_event', new Date()), scope)),
    );
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
    assert.equal(scans.length, 1, JSON.stringify(scans));
  });
});
