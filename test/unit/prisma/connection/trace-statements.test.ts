import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { summaryOf } from '../../../../prisma/connection/trace-statements.ts';

describe('a statement in a trace', () => {
  it('is named by what it does and the first table that it names', () => {
    assert.equal(summaryOf('SELECT "id" FROM "public"."payment_intent" WHERE "id" = $1'), 'SELECT payment_intent');
    assert.equal(summaryOf('\n  UPDATE webhook_delivery SET status = $1'), 'UPDATE webhook_delivery');
    assert.equal(summaryOf('INSERT INTO refund (id) VALUES ($1)'), 'INSERT refund');
    assert.equal(summaryOf('WITH found AS (SELECT id FROM customer) DELETE FROM event'), 'WITH customer');
    assert.equal(summaryOf('BEGIN'), 'BEGIN');
    assert.equal(summaryOf(''), 'SQL');
  });
});
