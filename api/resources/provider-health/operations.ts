import type { Database } from '../../../prisma/connection/client.ts';
import { HEALTH_WINDOW_SECONDS, selectProviderHealth } from '../../../prisma/queries/provider-health.ts';
import type { RowOf } from '../../../prisma/connection/statement.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  listProviderHealthQuery,
  type ProviderHealthResource,
  providerHealthResource,
} from '../../../contract/schemas/provider-health.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import { slicePage } from '../../../accounts/lists.ts';

const resource = 'provider-health';
const responseData = providerHealthResource;

/** Everything below /provider-health. */
export function providerHealthOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/provider-health',
      operationId: 'listProviderHealth',
      summary: 'List the health of the providers, by name',
      description:
        "The attempts of the account's payment intents of the last hour at each provider that the merchant has routes " +
        'to, and the circuit breaker of the environment, which all accounts share.',
      resource,
      query: listProviderHealthQuery,
      responseData,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(
          query,
          slicePage(await readAll(database, principal), query, ({ id }) => id),
          (health) => health,
        ),
    }),
    readOperation({
      path: '/provider-health/{provider}',
      operationId: 'getProviderHealth',
      summary: 'Retrieve the health of one provider',
      resource,
      responseData,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, pathParameters }) => {
        const all = await readAll(database, principal);
        const found = all.find(({ provider }) => provider === pathParameters.provider);
        if (found === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
        return jsonResponse(200, found);
      },
    }),
  ];
}

/** A merchant has few providers, so that pages are cut from the whole list. */
async function readAll(database: Database, principal: Principal): Promise<readonly ProviderHealthResource[]> {
  const rows = await database.direct.rows(selectProviderHealth(principal));
  return rows.map((row) => present(row, principal));
}

function present(
  row: RowOf<ReturnType<typeof selectProviderHealth>>,
  { environment }: Principal,
): ProviderHealthResource {
  const { provider, attempts, approved, unanswered, medianMs, p95Ms, circuit, openUntil, failingSince } = row;
  return {
    id: provider,
    provider,
    object: 'provider_health',
    environment,
    windowSeconds: HEALTH_WINDOW_SECONDS,
    attempts,
    approved,
    unanswered,
    successRate: attempts === 0 ? null : approved / attempts,
    latency: medianMs === null || p95Ms === null ? null : { medianMs: Math.round(medianMs), p95Ms: Math.round(p95Ms) },
    circuit: {
      state: circuit,
      openUntil: openUntil?.toISOString() ?? null,
      failingSince: failingSince?.toISOString() ?? null,
    },
  };
}
