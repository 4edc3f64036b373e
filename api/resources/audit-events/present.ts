import { type AuditEventResource, auditEventResource } from '../../../contract/schemas/audit-event.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { StoredAuditEvent } from '../../../prisma/queries/audit-event.ts';
import { readActorNames } from './actor-names.ts';

const { environment: environments, action: actions, actor: actors, before: states } = auditEventResource.shape;

/** Presents these rows as clients see them, with the names of who made the changes. */
export async function presenterOf(
  database: Database,
  { merchantId }: Pick<Principal, 'merchantId'>,
  rows: readonly StoredAuditEvent[],
): Promise<(row: StoredAuditEvent) => AuditEventResource> {
  const nameOf = await readActorNames(database, merchantId, rows.map(actorOf));
  return (row) => presentAuditEvent(row, nameOf(actorOf(row)));
}

function actorOf({ actorType: type, actorId: id }: StoredAuditEvent) {
  return { type, id };
}

function presentAuditEvent(row: StoredAuditEvent, name: string | null): AuditEventResource {
  return {
    id: row.id,
    object: 'audit_event',
    environment: environments.parse(row.environment),
    merchantId: row.merchantAccountId,
    action: actions.parse(row.action),
    resourceId: row.resourceId,
    actor: actors.parse({ ...actorOf(row), name, address: row.actorAddress }),
    before: states.parse(row.before),
    after: states.parse(row.after),
    createdAt: row.createdAt.toISOString(),
  };
}
