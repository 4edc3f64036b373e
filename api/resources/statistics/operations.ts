import type { z } from 'zod';
import type { Database } from '../../../prisma/connection/client.ts';
import {
  selectNewestCurrency,
  selectStatisticCurrencies,
  selectStatistics,
  selectStatisticsTime,
} from '../../../prisma/queries/statistics.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse } from '../../../http/response.ts';
import { statisticsQuery, type StatisticsResource, statisticsResource } from '../../../contract/schemas/statistics.ts';
import { disputeStatisticsQuery, disputeStatisticsResource } from '../../../contract/schemas/dispute-statistics.ts';
import { type ApiOperation, readOperation } from '../api-operation.ts';
import { readDisputeStatistics } from './disputes.ts';
import { presentGroups } from './present.ts';
import { wholeRangeOf } from './range.ts';

/** Everything below /statistics. */
export function statisticsOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    readOperation({
      path: '/statistics',
      operationId: 'getStatistics',
      summary: 'Retrieve volume, approval rates, failures and refunds of a time',
      description:
        'Counts and sums of the account in one currency, by hour or by day of UTC, kept as long as payments. Everything counts when it ' +
        'happened: a refund counts in the hour in which it succeeded, not in that of its payment. The figures follow ' +
        'within seconds; `asOf` says how far they are.',
      resource: 'statistics',
      query: statisticsQuery,
      responseData: statisticsResource,
      errors: [],
      handle: async ({ principal, query }) => jsonResponse(200, await readStatistics(database, principal, query)),
    }),
    readOperation({
      path: '/statistics/disputes',
      operationId: 'getDisputeStatistics',
      summary: 'Retrieve disputes by month, and what card schemes allow',
      description:
        'Counts of the account in all currencies, by calendar month of UTC, by provider and by reason. A dispute counts when it began, ' +
        'became a chargeback, or ended.',
      resource: 'statistics',
      query: disputeStatisticsQuery,
      responseData: disputeStatisticsResource,
      errors: [],
      handle: async ({ principal, query: { months } }) =>
        jsonResponse(200, await readDisputeStatistics(database, principal, months)),
    }),
  ];
}

async function readStatistics(
  { direct }: Database,
  principal: Principal,
  query: z.output<typeof statisticsQuery>,
): Promise<StatisticsResource> {
  const range = wholeRangeOf(query, Date.now());
  const { merchantAccountId, environment } = principal;
  // The time is read first, because the figures can only grow after it.
  const time = await direct.row(selectStatisticsTime());
  const currencies = await direct.rows(selectStatisticCurrencies({ merchantAccountId, environment }));
  const currency =
    query.currency ?? (await direct.row(selectNewestCurrency({ merchantAccountId, environment })))?.currency;
  const { interval: period, from, to } = range;
  const rows =
    currency === undefined
      ? []
      : await direct.rows(selectStatistics({ merchantAccountId, environment, currency, period, from, to }));
  return {
    object: 'statistics',
    merchantId: merchantAccountId,
    environment,
    currency: currency ?? null,
    currencies: currencies.map((row) => row.currency),
    interval: range.interval,
    from: from.toISOString(),
    to: to.toISOString(),
    asOf: (time?.asOf ?? from).toISOString(),
    ...presentGroups(rows, range),
  };
}
