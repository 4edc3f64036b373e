import type { Database } from '../../prisma/connection/client.ts';
import type { AuditedResource } from '../audit.ts';
import { type CountedPage, type PageRequest, slicePage } from '../lists.ts';
import { requireId } from '../row-scope.ts';
import { readOrThrow } from '../writes.ts';
import { presentMember, type StoredMember } from '../../contract/presenters/team.ts';

/** What the API reads of a person. */
export const PERSON_COLUMNS = { select: { id: true, name: true, email: true, twoFactorEnabled: true } } as const;

/** The member as the audit log shows it. */
export function describeMember(row: StoredMember): AuditedResource {
  return { id: row.personId, merchantAccountId: null, state: presentMember(row) };
}

/** A member of the merchant's team, or null. */
function findMember(
  database: Pick<Database, 'membership'>,
  { merchantId }: { readonly merchantId: string },
  id: string,
): Promise<StoredMember | null> {
  const where = { personId: requireId('person', id), merchantId };
  return database.membership.findFirst({ where, include: { person: PERSON_COLUMNS } });
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export function readMember(
  database: Pick<Database, 'membership'>,
  scope: { readonly merchantId: string },
  id: string,
): Promise<StoredMember> {
  return readOrThrow(() => findMember(database, scope, id), 'RESOURCE_NOT_FOUND');
}

/** One page of the merchant's team, newest first, and how many there are in all. */
export async function listMembers(
  database: Pick<Database, 'membership'>,
  { merchantId }: { readonly merchantId: string },
  page: PageRequest,
): Promise<CountedPage<StoredMember>> {
  const team = await database.membership.findMany({
    where: { merchantId },
    include: { person: PERSON_COLUMNS },
    orderBy: [{ createdAt: 'desc' }, { personId: 'desc' }],
  });
  return slicePage(team, page, ({ personId }) => personId);
}
