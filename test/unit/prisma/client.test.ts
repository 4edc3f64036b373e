import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createStatementNames } from '../../../prisma/client.ts';

describe('names of prepared statements', () => {
  it('are the same for the same text, different for another, and fit PostgreSQL', () => {
    const nameOf = createStatementNames(10);
    const name = nameOf({ sql: 'SELECT 1' });
    assert.equal(nameOf({ sql: 'SELECT 1' }), name);
    assert.notEqual(nameOf({ sql: 'SELECT 2' }), name);
    assert.ok(name.length > 0 && name.length < 64);
  });

  it('are limited, so that the server keeps a bounded number of them', () => {
    const nameOf = createStatementNames(1);
    const first = nameOf({ sql: 'SELECT 1' });
    assert.equal(nameOf({ sql: 'SELECT 2' }), '');
    assert.equal(nameOf({ sql: 'SELECT 1' }), first);
  });
});
