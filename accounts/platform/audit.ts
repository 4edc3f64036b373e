import type { Actor, PlatformAction } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

/** Who acts for the platform: one of its staff in the console, or an operator by a command. */
export interface PlatformAuthor {
  readonly actor: Actor;
  /** The person's e-mail address, or the operator's user name. */
  readonly name: string;
}

export interface PlatformChange {
  readonly action: PlatformAction;
  /** The merchant or the person whom it concerns. */
  readonly resource: { readonly id: string; readonly name: string };
  readonly reason: string | null;
}

/** Writes a change into the log of the platform, in the transaction that makes it. */
export async function recordPlatformChange(
  transaction: Pick<Prisma.TransactionClient, 'platformAuditEvent'>,
  { actor, name }: PlatformAuthor,
  { action, resource, reason }: PlatformChange,
): Promise<void> {
  await transaction.platformAuditEvent.create({
    data: {
      id: newId('platformAuditEvent'),
      action,
      resourceId: resource.id,
      resourceName: resource.name,
      actorType: actor.type,
      actorId: actor.id,
      actorName: name,
      actorAddress: actor.address,
      reason,
    },
  });
}
