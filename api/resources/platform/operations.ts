import type { SettingState } from '../../../config/programs.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { Principal } from '../../../domain/principal.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  listPlatformAuditEventsQuery,
  listPlatformMerchantsQuery,
  platformAuditEventResource,
  platformMerchantDetails,
  platformMerchantResource,
  platformPageQuery,
  platformPolicyReportResource,
  platformProviderHealthResource,
  platformSettingResource,
  platformStaffResource,
  suspensionBody,
} from '../../../contract/schemas/platform.ts';
import { providerAccountResource } from '../../../contract/schemas/provider-account.ts';
import { type ApiOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import { countedPage, PLACE, slicePage, smallPage } from '../../../accounts/lists.ts';
import { presentAccount as presentProviderAccount } from '../../../accounts/provider-accounts/stored-account.ts';
import { requireId } from '../../../accounts/row-scope.ts';
import { readOrThrow } from '../../../accounts/writes.ts';
import type { PlatformAuthor } from '../../../accounts/platform/audit.ts';
import { listAuditEvents, presentAuditEvent } from '../../../accounts/platform/audit-events.ts';
import { listMerchants, presentMerchant, readMerchant } from '../../../accounts/platform/merchants.ts';
import { listPolicyReports } from '../../../accounts/platform/policy-reports.ts';
import { readHealthOfAll, readHealthOfOne } from '../../../accounts/platform/provider-health.ts';
import { setSuspension } from '../../../accounts/platform/suspension.ts';

const resource = 'platform';

export interface PlatformDependencies {
  readonly database: Database;
  /** The settings of this process, without values. */
  readonly settingStates: readonly SettingState[];
}

/** Everything below /platform: for the staff of the platform. */
export function platformOperations(dependencies: PlatformDependencies): readonly ApiOperation[] {
  const { database, settingStates } = dependencies;
  return [
    readOperation({
      path: '/platform/me',
      operationId: 'getPlatformStaff',
      summary: 'Retrieve the person of the session, who is one of the staff',
      resource,
      responseData: platformStaffResource,
      errors: [],
      handle: async ({ principal }) => {
        const where = { id: principal.personId ?? '' };
        const select = { id: true, name: true, email: true };
        const person = await readOrThrow(() => database.person.findUnique({ where, select }), 'RESOURCE_NOT_FOUND');
        return jsonResponse(200, { object: 'platform_staff', ...person });
      },
    }),
    ...merchantOperations(database),
    listOperation({
      path: '/platform/policy-reports',
      operationId: 'listPolicyReports',
      summary: 'List what browsers reported of the policies of the payment pages in the last 90 days, the latest first',
      resource,
      query: platformPageQuery,
      responseData: platformPolicyReportResource,
      errors: [],
      handle: async ({ query }) => pageResponse(query, await listPolicyReports(database, query), (report) => report),
    }),
    listOperation({
      path: '/platform/provider-health',
      operationId: 'listPlatformProviderHealth',
      summary: 'List the health of the providers over all merchants and the last 24 hours, those that fail first',
      resource,
      query: platformPageQuery,
      responseData: platformProviderHealthResource,
      errors: [],
      handle: async ({ query }) =>
        pageResponse(
          query,
          slicePage(await readHealthOfAll(database), query, ({ id }) => id),
          (health) => health,
        ),
    }),
    readOperation({
      path: '/platform/provider-health/{id}',
      operationId: 'getPlatformProviderHealth',
      summary: 'Retrieve the health of a provider over all merchants, by hour',
      resource,
      responseData: platformProviderHealthResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ id }) => jsonResponse(200, await readHealthOfOne(database, id)),
    }),
    listOperation({
      path: '/platform/settings',
      operationId: 'listPlatformSettings',
      summary: 'List the settings of the API process that answers, without their values',
      resource,
      query: platformPageQuery,
      responseData: platformSettingResource,
      errors: [],
      handle: ({ query }) =>
        Promise.resolve(
          pageResponse(
            query,
            slicePage(settingStates, query, ({ name }) => name),
            presentSetting,
          ),
        ),
    }),
    listOperation({
      path: '/platform/audit-events',
      operationId: 'listPlatformAuditEvents',
      summary: 'List what staff and operators changed, newest first; old entries are purged',
      resource,
      query: listPlatformAuditEventsQuery,
      responseData: platformAuditEventResource,
      errors: [],
      handle: async ({ query: { page, limit, startingAfter, ...filters } }) => {
        const found = await listAuditEvents(database, { page, limit, startingAfter }, filters);
        return pageResponse({ page, limit }, found, presentAuditEvent);
      },
    }),
  ];
}

function merchantOperations(database: Database): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/platform/merchants',
      operationId: 'listPlatformMerchants',
      summary: 'List or search all merchants, newest first',
      resource,
      query: listPlatformMerchantsQuery,
      responseData: platformMerchantResource,
      errors: [],
      handle: async ({ query }) => pageResponse(query, await listMerchants(database, query), presentMerchant),
    }),
    readOperation({
      path: '/platform/merchants/{id}',
      operationId: 'getPlatformMerchant',
      summary: 'Retrieve a merchant with its accounts',
      resource,
      responseData: platformMerchantDetails,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ id }) => jsonResponse(200, await readMerchant(database, id)),
    }),
    updateOperation('put', {
      path: '/platform/merchants/{id}/suspension',
      operationId: 'putPlatformSuspension',
      summary: 'Suspend a merchant with all its accounts, or lift the suspension',
      description: 'Nothing that the merchant requests lifts it. A repeat changes nothing.',
      resource,
      body: suspensionBody,
      responseData: platformMerchantDetails,
      errors: ['RESOURCE_NOT_FOUND'],
      newResourceId: () => newId('platformAuditEvent'),
      handle: async ({ principal, id, body }) => {
        await setSuspension(database, authorOf(principal), { id: requireId('merchant', id), ...body });
        return jsonResponse(200, await readMerchant(database, id));
      },
    }),
    listOperation({
      path: '/platform/merchants/{id}/provider-accounts',
      operationId: 'listPlatformProviderAccounts',
      summary: "List a merchant's accounts at providers in both environments, without secrets, newest first",
      resource,
      query: platformPageQuery,
      responseData: providerAccountResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ id, query }) => {
        const where = { merchantAccount: { merchantId: requireId('merchant', id) } };
        const { providerAccount } = database;
        const { after, window } = await smallPage(query, (place) =>
          providerAccount.findFirst({ where: { ...where, id: place }, select: PLACE }),
        );
        const rows = providerAccount.findMany({ where: { AND: [where, after] }, ...window });
        return pageResponse(query, await countedPage(rows, providerAccount.count({ where })), presentProviderAccount);
      },
    }),
  ];
}

function authorOf({ actor, staffEmail = '' }: Principal): PlatformAuthor {
  return { actor, name: staffEmail };
}

function presentSetting({ name: id, ...state }: SettingState) {
  return { id, object: 'platform_setting', ...state };
}
