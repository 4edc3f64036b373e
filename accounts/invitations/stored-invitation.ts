import type { Database } from '../../prisma/connection/client.ts';
import type { Invitation } from '../../prisma/generated/client.ts';
import { presentInvitation } from '../../contract/presenters/team.ts';
import type { AuditedResource } from '../audit.ts';
import { countedPage, type CountedPage, type PageRequest, PLACE, smallPage } from '../lists.ts';
import { requireId } from '../row-scope.ts';
import { readOrThrow } from '../writes.ts';

/** Which merchant's invitations. */
interface TeamScope {
  readonly merchantId: string;
}

/** The invitation as the audit log shows it. */
export function describeInvitation(row: Invitation): AuditedResource {
  return { id: row.id, merchantAccountId: null, state: presentInvitation(row) };
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readInvitation(
  database: Pick<Database, 'invitation'>,
  { merchantId }: TeamScope,
  id: string,
): Promise<Invitation> {
  const where = { id: requireId('invitation', id), merchantId };
  return readOrThrow(() => database.invitation.findFirst({ where }), 'RESOURCE_NOT_FOUND');
}

/** One page of the merchant's invitations, newest first, and how many there are in all. */
export async function listInvitations(
  database: Pick<Database, 'invitation'>,
  { merchantId }: TeamScope,
  page: PageRequest,
): Promise<CountedPage<Invitation>> {
  const where = { merchantId };
  const { invitation } = database;
  const { after, window } = await smallPage(page, (id) =>
    invitation.findFirst({ where: { ...where, id }, select: PLACE }),
  );
  return countedPage(invitation.findMany({ where: { AND: [where, after] }, ...window }), invitation.count({ where }));
}
