import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse } from '../../../http/response.ts';
import { apiKeyReport, securityOverview } from '../../../contract/schemas/security.ts';
import { type ApiOperation, readOperation } from '../api-operation.ts';
import { readKeyReport } from './key-report.ts';
import { readOverview } from './overview.ts';

const resource = 'security';

/** Everything below /security. */
export function securityOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    readOperation({
      path: '/security',
      operationId: 'getSecurityOverview',
      summary:
        'Retrieve who and what can act for the merchant: API keys, people with their sessions, webhook endpoints',
      resource,
      responseData: securityOverview,
      errors: [],
      handle: async ({ principal }) => jsonResponse(200, await readOverview(database, principal)),
    }),
    readOperation({
      path: '/security/api-keys/{id}',
      operationId: 'getApiKeyReport',
      summary: 'Retrieve from where an API key was used, what was read and changed with it, and what still stands',
      resource,
      responseData: apiKeyReport,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, await readKeyReport(database, principal, id)),
    }),
  ];
}
