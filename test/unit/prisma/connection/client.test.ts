import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createStatementNames } from '../../../../prisma/connection/client.ts';

describe('names of prepared statements', () => {
  it('are equal for equal text, different for different text, and short enough for PostgreSQL', () => {
    const nameOf = createStatementNames(10);
    const name = nameOf({ sql: 'SELECT 1' });
    assert.equal(nameOf({ sql: 'SELECT 1' }), name);
    assert.notEqual(nameOf({ sql: 'SELECT 2' }), name);
    assert.ok(name.length > 0 && name.length < 64);
  });

  it("are limited in number, which bounds the server's cache", () => {
    const nameOf = createStatementNames(1);
    const first = nameOf({ sql: 'SELECT 1' });
    assert.equal(nameOf({ sql: 'SELECT 2' }), '');
    assert.equal(nameOf({ sql: 'SELECT 1' }), first);
  });
});
