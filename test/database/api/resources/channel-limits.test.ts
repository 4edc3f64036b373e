import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { putLimit, deleteLimit } from '../../../../accounts/channel-limits/stored-limit.ts';
import type { Environment } from '../../../../domain/payment.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';

const KEY = { paymentMethod: 'card', currency: 'EUR' } as const;

describe('channel limits in the database', () => {
  const test = useTestDatabase();
  let merchantId: string;

  before(async () => {
    const accountId = await insertMerchantAccount(test.database);
    ({ merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: accountId } }));
  });

  const author = (environment: Environment) => principalWith({ merchantId, environment });
  const put = (minimumAmount: number, maximumAmount: number, environment: 'sandbox' | 'production' = 'sandbox') =>
    putLimit(test.database, author(environment), { key: KEY, amounts: { minimumAmount, maximumAmount } });

  it('are created by the first PUT, replaced by later ones, and unchanged by a repeat', async () => {
    const created = await put(10, 20);
    assert.deepEqual([created.minimumMinor, created.maximumMinor, created.version], [10n, 20n, 0]);
    assert.equal((await put(10, 99_999_999_999)).maximumMinor, 99_999_999_999n);
    assert.equal((await put(10, 99_999_999_999)).version, 1);
  });

  it('have the value of one of several concurrent PUTs, and the others fail', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => put(index + 1, index + 100)));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.minimumMinor] : []));
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'STATE_CONFLICT');
    const [row] = await test.database.channelLimit.findMany({ where: { merchantId, environment: 'sandbox' } });
    assert.ok(row !== undefined && done.includes(row.minimumMinor));
    assert.equal(row.maximumMinor, row.minimumMinor + 99n);
  });

  it('belong to one environment, and are deleted once', async () => {
    await put(1, 2, 'production');
    await deleteLimit(test.database, author('sandbox'), KEY);
    await assert.rejects(deleteLimit(test.database, author('sandbox'), KEY), {
      code: 'RESOURCE_NOT_FOUND',
    });
    assert.equal((await put(1, 2, 'production')).version, 0);
  });
});
