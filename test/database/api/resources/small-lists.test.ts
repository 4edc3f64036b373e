import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { listLimits } from '../../../../accounts/channel-limits/stored-limit.ts';
import { listEndpoints } from '../../../../accounts/webhook-endpoints/stored-endpoint.ts';
import { listChannelLimitsQuery } from '../../../../contract/schemas/channel-limit.ts';
import { listWebhookEndpointsQuery } from '../../../../contract/schemas/webhook-endpoint.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { insertWebhookEndpoint } from '../../../support/webhook-rows.ts';

const CREATED_AT = new Date('2026-01-01T00:00:00Z');

describe('lists that are limited in number', () => {
  const test = useTestDatabase();
  let scope: { merchantAccountId: string; merchantId: string; environment: 'sandbox' };
  let others: typeof scope;

  before(async () => {
    [scope, others] = await Promise.all([newScope(), newScope()]);
  });

  async function newScope(): Promise<typeof scope> {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    return { merchantAccountId, merchantId, environment: 'sandbox' };
  }

  /** What a list has, read on from each last element. */
  async function readOn<Row>(
    read: (query: Readonly<Record<string, string>>) => Promise<{ readonly rows: readonly Row[] }>,
    idOf: (row: Row) => string,
  ): Promise<string[]> {
    const found: string[] = [];
    for (let place = {}; ;) {
      const { rows } = await read({ limit: '2', ...place });
      found.push(...rows.map(idOf));
      if (rows.length < 2) return found;
      place = { startingAfter: found.at(-1) ?? '' };
    }
  }

  it('go on after an element, also where several are of one moment', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await insertWebhookEndpoint(test.database, scope.merchantAccountId, { createdAt: CREATED_AT }));
    }
    const list = (query: object) => listEndpoints(test.database, scope, listWebhookEndpointsQuery.parse(query));
    assert.deepEqual(await readOn(list, ({ id }) => id), ids.toSorted().reverse());
    const other = await insertWebhookEndpoint(test.database, others.merchantAccountId);
    await assert.rejects(list({ startingAfter: other }), { code: 'RESOURCE_NOT_FOUND' });
  });

  it('go on after an element that two values name', async () => {
    const { merchantId, environment } = scope;
    const currencies = ['EUR', 'USD', 'INR', 'JPY', 'KWD'];
    await test.database.channelLimit.createMany({
      data: currencies.map((currency) => ({
        merchantId,
        environment,
        method: 'card',
        currency,
        minimumMinor: 1,
        maximumMinor: 2,
        createdAt: CREATED_AT,
      })),
    });
    const list = (query: object) => listLimits(test.database, scope, listChannelLimitsQuery.parse(query));
    const found = await readOn(list, ({ method, currency }) => `${method}:${currency}`);
    assert.deepEqual(
      found,
      currencies.toSorted().map((currency) => `card:${currency}`),
    );
    await assert.rejects(list({ startingAfter: 'card:CHF' }), { code: 'RESOURCE_NOT_FOUND' });
  });
});
