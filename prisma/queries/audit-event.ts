import { createdBetween, type CreationTimes, withValues } from '../fragments/conditions.ts';
import { type AuditEvent, Prisma } from '../generated/client.ts';
import { nullable, returning, type Statement, text, timestamp, unknownJson } from '../connection/statement.ts';
import { type ListedRows, NEWEST_FIRST } from './list.ts';

/** A row as Prisma Client reads it; the reader checks the states. */
export type StoredAuditEvent = Omit<AuditEvent, 'before' | 'after'> & {
  readonly before: unknown;
  readonly after: unknown;
};

/** An audit event, from a row that is called `r`. */
export const STORED_AUDIT_EVENT = returning<StoredAuditEvent>({
  id: text,
  merchantId: text,
  environment: text,
  merchantAccountId: nullable(text),
  action: text,
  resourceId: text,
  actorType: text,
  actorId: text,
  actorAddress: text,
  before: unknownJson,
  after: unknownJson,
  createdAt: timestamp,
})`
  r.id, r.merchant_id AS "merchantId", r.environment, r.merchant_account_id AS "merchantAccountId", r.action,
  r.resource_id AS "resourceId", r.actor_type AS "actorType", r.actor_id AS "actorId",
  r.actor_address AS "actorAddress", r.before, r.after, r.created_at AS "createdAt"`;

/** The audit events that a key may see. */
export interface AuditScope {
  readonly merchantId: string;
  readonly environment: string;
  /** The only account whose events the key may see; undefined for all accounts of the merchant. */
  readonly merchantAccountId: string | undefined;
}

export interface AuditFilter extends CreationTimes {
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  /** The id of the API key or the person, or the operator's user name. */
  readonly actorId?: string | undefined;
}

/** The list of a merchant's audit events. */
export function auditEvents(
  { merchantId, environment, merchantAccountId }: AuditScope,
  { action, resourceId, actorId, ...times }: AuditFilter,
): ListedRows {
  const scope = withValues({ merchant_id: merchantId, environment, merchant_account_id: merchantAccountId });
  return {
    table: 'audit_event',
    scope,
    conditions: [
      ...scope,
      ...withValues({ action, resource_id: resourceId, actor_id: actorId }),
      ...createdBetween(times),
    ],
    order: NEWEST_FIRST,
  };
}

/** One of a merchant's audit events. */
export function selectAuditEvent(id: string, scope: AuditScope): Statement<StoredAuditEvent> {
  const { conditions } = auditEvents(scope, {});
  return returning(STORED_AUDIT_EVENT.columns)`
    SELECT ${STORED_AUDIT_EVENT.sql} FROM audit_event r
    WHERE id = ${id} AND ${Prisma.join([...conditions], ' AND ')}`;
}

/** Who is in the log, without the address, which differs from entry to entry. */
interface StoredActor {
  readonly type: string;
  readonly id: string;
}

/** At most this many actors are found. */
const MAXIMUM_ACTORS = 500;

/** Who is in a merchant's log, from one to the next in the index, however many entries each has. */
export function selectActors({ merchantId, environment }: Pick<AuditScope, 'merchantId' | 'environment'>) {
  const next = (after: Prisma.Sql) => Prisma.sql`
    SELECT actor_id, actor_type FROM audit_event
    WHERE merchant_id = ${merchantId} AND environment = ${environment} AND actor_id > ${after}
    ORDER BY actor_id LIMIT 1`;
  return returning<StoredActor>({ id: text, type: text })`
    WITH RECURSIVE actors (id, type) AS (
      (${next(Prisma.sql`''`)})
      UNION ALL
      SELECT later.actor_id, later.actor_type FROM actors, LATERAL (${next(Prisma.sql`actors.id`)}) later
    )
    SELECT id, type FROM actors LIMIT ${MAXIMUM_ACTORS}`;
}
