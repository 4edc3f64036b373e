import type { Database } from '../../prisma/connection/client.ts';
import { presentTeam, type StoredTeam } from '../../contract/presenters/team.ts';
import type { UpdateTeam } from '../../contract/schemas/team.ts';
import type { AuditedResource } from '../audit.ts';
import { readOrThrow } from '../writes.ts';
import { changeTeam, recordTeamChange } from './team-change.ts';
import type { Principal } from '../../domain/principal.ts';
import { ApiError } from '../../domain/api-error.ts';

const COLUMNS = { id: true, requireSecondFactor: true } as const;

function describeTeam(row: StoredTeam): AuditedResource {
  return { id: row.id, merchantAccountId: null, state: presentTeam(row) };
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readTeam(
  { merchant }: Pick<Database, 'merchant'>,
  { merchantId: id }: Pick<Principal, 'merchantId'>,
): Promise<StoredTeam> {
  return readOrThrow(() => merchant.findUnique({ where: { id }, select: COLUMNS }), 'RESOURCE_NOT_FOUND');
}

/**
 * Changes what a team demands of its people, from their next request on.
 * @throws ApiError `STATE_CONFLICT` for a demand that the session of the person does not meet itself
 */
export function updateTeam(
  database: Database,
  principal: Principal,
  { requireSecondFactor }: UpdateTeam,
): Promise<StoredTeam> {
  return changeTeam(database, principal, async (transaction) => {
    const before = await readTeam(transaction, principal);
    if (requireSecondFactor === before.requireSecondFactor) return before;
    if (requireSecondFactor && principal.session?.gaveSecondFactor !== true) throw withoutSecondFactor();
    const where = { id: principal.merchantId };
    const after = await transaction.merchant.update({ where, data: { requireSecondFactor }, select: COLUMNS });
    const audit = { author: principal, action: 'team.updated', describe: describeTeam } as const;
    await recordTeamChange(transaction, audit, { before, after });
    return after;
  });
}

/** Otherwise the owner would be shut out by the own demand. */
function withoutSecondFactor(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message:
      'Expected a session that began with a second factor; yours did not. Turn your own second factor on first, and sign in with it.',
  });
}
