import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { userMessageOf } from '../../../../sandbox/stack/explain-error.ts';

describe('a right that the user of the database lacks', () => {
  const MESSAGE = /^The user of DATABASE_URL lacks a right\. Name the user who owns the database/;

  it('is explained where pg reports it', () => {
    const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    assert.match(userMessageOf(error) ?? '', MESSAGE);
  });

  it('is explained where Prisma reports it', () => {
    const cause = { originalCode: '42501', originalMessage: 'permission denied for table merchant_account' };
    const error = Object.assign(new Error('Database error'), {
      code: 'P2039',
      meta: { driverAdapterError: { cause } },
    });
    assert.match(userMessageOf(error) ?? '', MESSAGE);
  });
});
