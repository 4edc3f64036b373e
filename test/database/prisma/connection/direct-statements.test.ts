import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Prisma } from '../../../../prisma/generated/client.ts';
import {
  bigint,
  boolean,
  bytes,
  integer,
  json,
  nullable,
  returning,
  text,
  texts,
  timestamp,
} from '../../../../prisma/connection/statement.ts';
import { useTestDatabase } from '../../../support/database.ts';

describe('direct statements', () => {
  const test = useTestDatabase();

  it('return values of the same types as Prisma', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const statement = returning({
      big: bigint,
      small: integer,
      at: timestamp,
      json: json(),
      bytes,
      texts,
      yes: boolean,
      nothing: nullable(text),
    })`
      SELECT 9007199254740993::bigint AS big, 7 AS small, ${at}::timestamptz AS at, '{"a": [1]}'::jsonb AS json,
        ${Uint8Array.of(1, 2)}::bytea AS bytes, ARRAY['a', 'b'] AS texts, true AS yes, NULL AS nothing`;
    const direct = await test.database.direct.row(statement);
    const [prisma] = await test.database.$queryRaw<Record<string, unknown>[]>(statement.sql);
    assert.deepEqual({ ...direct, bytes: null }, { ...prisma, bytes: null });
    assert.deepEqual([...(direct?.bytes ?? [])], [1, 2]);
    assert.equal(direct?.big, 9_007_199_254_740_993n);
  });

  it('pass values as parameters, never as text of the statement', async () => {
    const hostile = "'; DROP TABLE payment_intent; --";
    const rows = await test.database.direct.rows(returning({ value: text })`SELECT ${hostile}::text AS value`);
    assert.deepEqual(rows, [{ value: hostile }]);
  });

  it('return how many rows they have changed', async () => {
    const { direct } = test.database;
    const add = (scope: string) =>
      direct.execute(Prisma.sql`INSERT INTO event_counter (scope, last_value) VALUES (${scope}, 1)`);
    assert.deepEqual([await add('one'), await add('two')], [1, 1]);
    assert.equal(await direct.execute(Prisma.sql`DELETE FROM event_counter WHERE scope = ANY(${['one', 'two']})`), 2);
    assert.equal(await direct.execute(Prisma.sql`DELETE FROM event_counter WHERE scope = 'one'`), 0);
  });

  it('see, under a lock, the changes of earlier holders of the lock', async () => {
    const { direct } = test.database;
    await direct.execute(Prisma.sql`INSERT INTO event_counter (scope, last_value) VALUES ('locked', 0)`);
    const lock = Prisma.sql`SELECT FROM event_counter WHERE scope = 'locked' FOR UPDATE`;
    const add = returning({ value: bigint })`
      WITH before AS MATERIALIZED (SELECT last_value FROM event_counter WHERE scope = 'locked')
      UPDATE event_counter SET last_value = before.last_value + 1 FROM before WHERE scope = 'locked'
      RETURNING event_counter.last_value AS value`;
    const rows = await Promise.all(Array.from({ length: 5 }, () => direct.rowsLocked(lock, add)));
    assert.deepEqual(
      rows
        .flat()
        .map(({ value }) => Number(value))
        .sort(),
      [1, 2, 3, 4, 5],
    );
  });

  it('roll back completely, and release locks, if one of them fails', async () => {
    const { direct } = test.database;
    const write = Prisma.sql`INSERT INTO event_counter (scope, last_value) VALUES ('undone', 1)`;
    await assert.rejects(direct.rowsLocked(write, returning({})`SELECT 1 / 0`), /division by zero/);
    assert.deepEqual(await test.database.$queryRaw`SELECT FROM event_counter WHERE scope = 'undone'`, []);
    assert.equal((await direct.rowsLocked(write, returning({ one: integer })`SELECT 1 AS one`)).length, 1);
  });
});
