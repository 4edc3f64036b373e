import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import {
  actionOperation,
  updateOperation,
  createOperation,
  type ApiOperation,
  listOperation,
  readOperation,
} from '../api-operation.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  type AccountStatus,
  updateMerchantAccountBody,
  createMerchantAccountBody,
  listMerchantAccountsQuery,
  merchantAccountResource,
} from '../../../contract/schemas/merchant-account.ts';
import { listAccounts, readAccount } from '../../../accounts/merchants/stored-account.ts';
import { presentMerchantAccount } from '../../../contract/presenters/merchant-account.ts';
import { updateAccount, insertAccount, MAXIMUM_ACCOUNTS, setAccountStatus } from '../../../accounts/merchants/write.ts';

const resource = 'merchants';
const responseData = merchantAccountResource;
const newAccountId = () => newId('merchantAccount');

/** The dependencies of the operations on merchant accounts. */
export interface MerchantDependencies {
  readonly database: Database;
}

type Dependencies = MerchantDependencies & IdempotencyDependencies;

/** Everything below /merchants. */
export function merchantAccountOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listMerchantAccountsOperation(dependencies),
    createMerchantAccountOperation(dependencies),
    getMerchantAccountOperation(dependencies),
    updateMerchantAccountOperation(dependencies),
    suspendMerchantAccountOperation(dependencies),
    activateMerchantAccountOperation(dependencies),
  ];
}

function listMerchantAccountsOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/merchants',
    operationId: 'listMerchantAccounts',
    summary: 'List the merchant accounts that the key may act for, newest first',
    resource,
    query: listMerchantAccountsQuery,
    responseData,
    errors: [],
    handle: async ({ principal, query }) =>
      pageResponse(query, await listAccounts(database, principal, query), presentMerchantAccount),
  });
}

function createMerchantAccountOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return createOperation(
    {
      path: '/merchants',
      operationId: 'createMerchantAccount',
      summary: 'Create a merchant account',
      description:
        'The account belongs to the merchant and the environment of the key; `X-Merchant-ID` selects it from then on. ' +
        `A merchant has at most ${MAXIMUM_ACCOUNTS} accounts in each environment. A key that is \`accountBound\` ` +
        'creates none, and sees no account but its own.',
      resource,
      body: createMerchantAccountBody,
      responseData,
      errors: ['STATE_CONFLICT'],
      newResourceId: newAccountId,
      authorize: ({ principal }) => {
        if (!principal.keyLimits.accountBound) return;
        throw new ApiError('FORBIDDEN', { message: 'An API key that is bound to its account cannot create others.' });
      },
      handle: async ({ principal, body }, { resourceId: id }) =>
        jsonResponse(201, presentMerchantAccount(await insertAccount(database, principal, { id, fields: body }))),
    },
    dependencies,
  );
}

function getMerchantAccountOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/merchants/{id}',
    operationId: 'getMerchantAccount',
    summary: 'Retrieve a merchant account',
    resource,
    responseData,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) =>
      jsonResponse(200, presentMerchantAccount(await readAccount(database, principal, id))),
  });
}

function updateMerchantAccountOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/merchants/{id}',
    operationId: 'updateMerchantAccount',
    summary: 'Change a merchant account, and what customers see of it',
    description:
      'Customers see `businessProfile` on the pages of payment links; of its members, too, those that are left out stay unchanged. ' +
      'The retry budget applies to payments that are created from then on. With `requireIdempotencyKeys`, refunds and ' +
      'captures of the account need an `X-Idempotency-Key`; without one they get `MISSING_REQUIRED_FIELD`.',
    resource,
    body: updateMerchantAccountBody,
    responseData,
    errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newAccountId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(200, presentMerchantAccount(await updateAccount(database, principal, { id, fields: body }))),
  });
}

function suspendMerchantAccountOperation(dependencies: Dependencies): ApiOperation {
  return statusOperation(dependencies, {
    path: '/merchants/{id}/suspend',
    operationId: 'suspendMerchantAccount',
    summary: 'Suspend a merchant account: every request that acts for it is rejected',
    description:
      'Payments under way continue to their end. The keys of a suspended account are rejected whichever account they ' +
      'act for. A request may suspend the account that it acts for; activating it again takes a key of another ' +
      'account of the merchant, or the platform. Suspending a suspended account changes nothing.',
    status: 'suspended',
  });
}

function activateMerchantAccountOperation(dependencies: Dependencies): ApiOperation {
  return statusOperation(dependencies, {
    path: '/merchants/{id}/activate',
    operationId: 'activateMerchantAccount',
    summary: 'Activate a suspended merchant account',
    description:
      'The request must use a key of another account and act for another account, because everything else about a ' +
      'suspended account is rejected. An account that the platform suspended (`suspendedBy` is `platform`) can be ' +
      'activated by the platform only, with `npm run merchant -- activate <account>`; the response is then ' +
      '`STATE_CONFLICT`. Activating an active account changes nothing.',
    status: 'active',
  });
}

function statusOperation(
  dependencies: MerchantDependencies & IdempotencyDependencies,
  {
    status,
    ...description
  }: Pick<ApiOperation, 'path' | 'operationId' | 'summary'> & {
    readonly description: string;
    readonly status: AccountStatus;
  },
): ApiOperation {
  return actionOperation(
    {
      ...description,
      resource,
      body: NO_FIELDS,
      responseData,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newAccountId,
      handle: async ({ principal, id }) =>
        jsonResponse(
          200,
          presentMerchantAccount(await setAccountStatus(dependencies.database, principal, { id, status })),
        ),
    },
    dependencies,
  );
}
