import type { Database } from '../../../prisma/connection/client.ts';
import { selectActors } from '../../../prisma/queries/audit-event.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse } from '../../../http/response.ts';
import { type AuditActor, auditActors } from '../../../contract/schemas/audit-event.ts';
import { type ApiOperation, readOperation } from '../api-operation.ts';
import { readActorNames } from './actor-names.ts';

/** GET /audit-actors: what the dashboard offers as a filter of the log. */
export function auditActorOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    readOperation({
      path: '/audit-actors',
      operationId: 'listAuditActors',
      summary: "List who is in the merchant's audit log, by name; 500 at most",
      // Every person may read the log.
      resource: 'me',
      responseData: auditActors,
      errors: [],
      handle: async ({ principal }) => jsonResponse(200, await readActors(database, principal)),
    }),
  ];
}

async function readActors(
  database: Database,
  { merchantId, environment }: Pick<Principal, 'merchantId' | 'environment'>,
): Promise<readonly AuditActor[]> {
  const rows = await database.direct.rows(selectActors({ merchantId, environment }));
  const nameOf = await readActorNames(database, merchantId, rows);
  return auditActors
    .parse(rows.map(({ type, id }) => ({ type, id, name: nameOf({ type, id }) })))
    .toSorted((one, other) => (one.name ?? one.id).localeCompare(other.name ?? other.id));
}
