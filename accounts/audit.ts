import type { AuditAction } from '../domain/audit.ts';
import { newId } from '../domain/new-id.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import type { Principal } from '../domain/principal.ts';

/** Who changes what belongs to a merchant. */
export type Author = Pick<Principal, 'merchantId' | 'environment' | 'actor'>;

/** A resource as the audit log shows it. */
export interface AuditedResource {
  readonly id: string;
  /** The account that it belongs to; null where it belongs to the merchant. */
  readonly merchantAccountId: string | null;
  /** The resource as the API shows it, without secrets. */
  readonly state: object;
}

/** How the changes of one kind of row are recorded. */
export interface Audit<Row> {
  readonly author: Author;
  readonly action: AuditAction;
  readonly describe: (row: Row) => AuditedResource;
}

/** A row before and after a change; null before its creation and after its deletion. */
export interface RecordedChange<Row> {
  /** The id of its entry; a new one where it is absent. */
  readonly id?: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Writes a change into the audit log, in the transaction that makes it. */
export async function recordChange<Row>(
  transaction: Pick<Prisma.TransactionClient, 'auditEvent'>,
  audit: Audit<Row>,
  change: RecordedChange<Row>,
): Promise<void> {
  await transaction.auditEvent.create({ data: auditRow(audit, change) });
}

/** Writes the creation of rows into the audit log, in the transaction that makes them. */
export async function recordCreations<Row>(
  transaction: Pick<Prisma.TransactionClient, 'auditEvent'>,
  audit: Audit<Row>,
  rows: readonly Row[],
): Promise<void> {
  const changes = rows.map((after) => ({ before: null, after }));
  await recordChanges(transaction, audit, changes);
}

/** Writes changes of several rows into the audit log, in the transaction that makes them. */
export async function recordChanges<Row>(
  transaction: Pick<Prisma.TransactionClient, 'auditEvent'>,
  audit: Audit<Row>,
  changes: readonly RecordedChange<Row>[],
): Promise<void> {
  await transaction.auditEvent.createMany({ data: changes.map((change) => auditRow(audit, change)) });
}

function auditRow<Row>(
  { author, action, describe }: Audit<Row>,
  { id = newId('auditEvent'), before, after }: RecordedChange<Row>,
) {
  const { merchantId, environment, actor } = author;
  const was = before === null ? undefined : describe(before);
  const is = after === null ? undefined : describe(after);
  const described = is ?? was;
  if (described === undefined) throw new TypeError('a change has a row before it or after it');
  const { id: resourceId, merchantAccountId } = described;
  return {
    id,
    merchantId,
    environment,
    merchantAccountId,
    action,
    resourceId,
    actorType: actor.type,
    actorId: actor.id,
    actorAddress: actor.address,
    ...(was === undefined ? {} : { before: was.state }),
    ...(is === undefined ? {} : { after: is.state }),
  };
}
