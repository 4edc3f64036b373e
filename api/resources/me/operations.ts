import type { Database } from '../../../prisma/connection/client.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { jsonResponse } from '../../../http/response.ts';
import { type MeResource, meResource } from '../../../contract/schemas/team.ts';
import { type ApiOperation, readOperation } from '../api-operation.ts';
import type { Principal } from '../../../domain/principal.ts';
import { presentMerchant } from '../../../accounts/platform/merchants.ts';
import { PERSON_COLUMNS } from '../../../accounts/team-members/stored-member.ts';

/** The response names at most this many accounts; `GET /merchants` lists all. */
const MAXIMUM_SHOWN_ACCOUNTS = 200;

/** GET /me. */
export function meOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    readOperation({
      path: '/me',
      operationId: 'getMe',
      summary: 'Retrieve the person of the session: merchant, role, scopes and accounts',
      resource: 'me',
      responseData: meResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal }) => jsonResponse(200, await readMe(database, principal)),
    }),
  ];
}

async function readMe(database: Database, principal: Principal): Promise<MeResource> {
  const { personId = '', merchantId, merchantAccountId, environment, scopes } = principal;
  const [membership, accounts] = await Promise.all([
    database.membership.findUnique({
      where: { personId },
      include: {
        person: { select: { ...PERSON_COLUMNS.select, platformStaff: { select: { personId: true } } } },
        merchant: true,
      },
    }),
    database.merchantAccount.findMany({
      where: { merchantId },
      select: { id: true, environment: true, name: true, status: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MAXIMUM_SHOWN_ACCOUNTS,
    }),
  ]);
  // The person was removed from the team since the request was authenticated.
  if (membership === null) throw new ApiError('RESOURCE_NOT_FOUND');
  const { person, role } = membership;
  const { id, name, suspension } = presentMerchant(membership.merchant);
  return meResource.parse({
    object: 'me',
    person,
    isPlatformStaff: person.platformStaff !== null,
    merchant: { id, name, suspension },
    role,
    scopes: [...scopes],
    account: merchantAccountId,
    environment,
    accounts,
  });
}
