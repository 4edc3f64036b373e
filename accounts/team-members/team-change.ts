import type { AuditAction } from '../../domain/audit.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { roleHas } from '../../domain/roles.ts';
import { type Database, transactionWithLock } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import { ApiError } from '../../domain/api-error.ts';
import { type AuditedResource, type Author, recordChange, type RecordedChange } from '../audit.ts';

const TEAM_SCOPE = 'team:write';

/** Who changes what belongs to the whole merchant. */
export type TeamAuthor = Omit<Author, 'environment'>;

/**
 * Changes a team. Its changes wait for each other, and a person who has left it meanwhile, or may not change it any more, changes
 * nothing.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`, and what the work throws
 */
export function changeTeam<Result>(
  database: Database,
  author: TeamAuthor,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  return transactionWithLock(database, lockMerchant(author.merchantId), async (transaction) => {
    await requireStillHasScope(transaction, author, TEAM_SCOPE);
    return await work(transaction);
  });
}

/**
 * Checks again whether a person is a member with a scope; authors of other types pass. The merchant must be locked.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export async function requireStillHasScope(
  { membership }: Prisma.TransactionClient,
  { merchantId, actor }: TeamAuthor,
  scope: string,
): Promise<void> {
  if (actor.type !== 'person') return;
  const found = await membership.findFirst({ where: { personId: actor.id, merchantId }, select: { role: true } });
  if (!roleHas(found?.role, scope)) throw new ApiError('INSUFFICIENT_PERMISSIONS');
}

/** Whether a role may change the team. */
export function mayChangeTeam(role: string | undefined): boolean {
  return roleHas(role, TEAM_SCOPE);
}

/** Writes a change of the team into the audit log of both environments, in the transaction that makes it. */
export async function recordTeamChange<Row>(
  transaction: Prisma.TransactionClient,
  audit: {
    readonly author: TeamAuthor;
    readonly action: AuditAction;
    readonly describe: (row: Row) => AuditedResource;
  },
  change: RecordedChange<Row>,
): Promise<void> {
  const { merchantId, actor } = audit.author;
  for (const environment of ENVIRONMENTS) {
    await recordChange(transaction, { ...audit, author: { merchantId, actor, environment } }, change);
  }
}
