import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { Prisma } from '../../prisma/generated/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('statements past Prisma’s engine', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('give values of the types that Prisma gives', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const select = Prisma.sql`
      SELECT 9007199254740993::bigint AS big, 7 AS small, ${at}::timestamptz AS at, '{"a": [1]}'::jsonb AS json,
        ${Uint8Array.of(1, 2)}::bytea AS bytes, ARRAY['a', 'b'] AS texts, true AS yes, NULL AS nothing`;
    const [direct] = await test.database.direct.query<Record<string, unknown>[]>(select);
    const [prisma] = await test.database.$queryRaw<Record<string, unknown>[]>(select);
    assert.deepEqual({ ...direct, bytes: null }, { ...prisma, bytes: null });
    assert.deepEqual([...(direct?.bytes as Uint8Array)], [1, 2]);
    assert.equal(direct?.big, 9_007_199_254_740_993n);
  });

  it('take their values as parameters, never as text of the statement', async () => {
    const hostile = "'; DROP TABLE payment_intent; --";
    const rows = await test.database.direct.query<{ value: string }[]>`SELECT ${hostile}::text AS value`;
    assert.deepEqual(rows, [{ value: hostile }]);
  });

  it('say how many rows they have changed', async () => {
    const { direct } = test.database;
    const add = (scope: string) => direct.execute`INSERT INTO event_counter (scope, last_value) VALUES (${scope}, 1)`;
    assert.deepEqual([await add('one'), await add('two')], [1, 1]);
    assert.equal(await direct.execute`DELETE FROM event_counter WHERE scope = ANY(${['one', 'two']})`, 2);
    assert.equal(await direct.execute`DELETE FROM event_counter WHERE scope = 'one'`, 0);
  });
});
