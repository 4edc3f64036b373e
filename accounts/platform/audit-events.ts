import type { Database } from '../../prisma/connection/client.ts';
import type { PlatformAuditEvent } from '../../prisma/generated/client.ts';
import { type PlatformAuditEventResource, platformAuditEventResource } from '../../contract/schemas/platform.ts';
import { countedPage, type CountedPage, type PageRequest, PLACE, smallPage } from '../lists.ts';

export interface AuditFilters {
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
}

/** One page of the log of the platform, newest first, and how many entries match. */
export async function listAuditEvents(
  database: Database,
  page: PageRequest,
  filters: AuditFilters,
): Promise<CountedPage<PlatformAuditEvent>> {
  const where = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const { after, window } = await smallPage(page, (id) =>
    database.platformAuditEvent.findUnique({ where: { id }, select: PLACE }),
  );
  return countedPage(
    database.platformAuditEvent.findMany({ where: { AND: [where, after] }, ...window }),
    database.platformAuditEvent.count({ where }),
  );
}

const { action: actions, actor: actors } = platformAuditEventResource.shape;

/** The entry as the console shows it. */
export function presentAuditEvent(row: PlatformAuditEvent): PlatformAuditEventResource {
  return {
    id: row.id,
    object: 'platform_audit_event',
    action: actions.parse(row.action),
    resource: { id: row.resourceId, name: row.resourceName },
    actor: actors.parse({ type: row.actorType, id: row.actorId, name: row.actorName, address: row.actorAddress }),
    reason: row.reason,
    createdAt: row.createdAt.toISOString(),
  };
}
