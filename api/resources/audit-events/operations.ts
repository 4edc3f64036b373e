import type { Database } from '../../../prisma/connection/client.ts';
import {
  type AuditScope,
  auditEvents,
  selectAuditEvent,
  STORED_AUDIT_EVENT,
} from '../../../prisma/queries/audit-event.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { auditEventResource, listAuditEventsQuery } from '../../../contract/schemas/audit-event.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import { readPage } from '../../../accounts/lists.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import { presenterOf } from './present.ts';

const resource = 'audit-events';
const responseData = auditEventResource;

/** Everything below /audit-events. */
export function auditEventOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/audit-events',
      operationId: 'listAuditEvents',
      summary: "List the changes of the merchant's settings, newest first",
      description:
        'Who changed API keys, merchant accounts, accounts at providers, payment routes, channel limits and webhook endpoints of the merchant ' +
        'in the environment of the key, from where, and how; what support staff did about its payments; and the sign-ins of its team, which are ' +
        'in both environments. A key that is `accountBound` sees the changes of what ' +
        'belongs to its account. Old entries are purged.',
      resource,
      query: listAuditEventsQuery,
      responseData,
      errors: [],
      handle: async ({ principal, query: { page, limit, startingAfter, ...filters } }) => {
        const listed = auditEvents(scopeOf(principal), filters);
        const read = await readPage(database, listed, STORED_AUDIT_EVENT, { page, limit, startingAfter });
        const present = await presenterOf(database, principal, read.rows);
        return pageResponse({ page, limit }, read, present);
      },
    }),
    readOperation({
      path: '/audit-events/{id}',
      operationId: 'getAuditEvent',
      summary: 'Retrieve one change of the settings; old ones are purged',
      resource,
      responseData,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => {
        const statement = selectAuditEvent(requireId('auditEvent', id), scopeOf(principal));
        const row = await database.direct.row(statement);
        if (row === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
        const present = await presenterOf(database, principal, [row]);
        return jsonResponse(200, present(row));
      },
    }),
  ];
}

function scopeOf({ merchantId, environment, merchantAccountId, keyLimits }: Principal): AuditScope {
  return { merchantId, environment, merchantAccountId: keyLimits.accountBound ? merchantAccountId : undefined };
}
