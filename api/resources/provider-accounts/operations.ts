import { newUniquePart } from '../../../domain/new-id.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { presentKinds } from '../../../contract/presenters/provider-account.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  createProviderAccountBody,
  deletedProviderAccount,
  listProviderAccountsQuery,
  providerAccountResource,
  providerAccountTestResource,
  providerKindsResource,
  rotateProviderCredentialsBody,
  updateProviderAccountBody,
} from '../../../contract/schemas/provider-account.ts';
import {
  actionOperation,
  type ApiOperation,
  createOperation,
  listOperation,
  readOperation,
  updateOperation,
} from '../api-operation.ts';
import { listAccounts, presentAccount, readAccount } from '../../../accounts/provider-accounts/stored-account.ts';
import {
  checkCredentials,
  deleteAccount,
  insertAccount,
  MAXIMUM_ACCOUNTS,
  type ProviderAccountDependencies,
  rotateCredentials,
  updateAccount,
} from '../../../accounts/provider-accounts/write.ts';

const resource = 'provider-accounts';
const responseData = providerAccountResource;
/** The id of an account begins with the kind that the body names. */
const newResourceId = newUniquePart;

type Dependencies = ProviderAccountDependencies & IdempotencyDependencies;

/** Everything below /provider-accounts. */
export function providerAccountOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listProviderAccountsOperation(dependencies),
    createProviderAccountOperation(dependencies),
    getProviderKindsOperation(dependencies),
    getProviderAccountOperation(dependencies),
    updateProviderAccountOperation(dependencies),
    rotateProviderAccountCredentialsOperation(dependencies),
    testProviderAccountOperation(dependencies),
    deleteProviderAccountOperation(dependencies),
  ];
}

function listProviderAccountsOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/provider-accounts',
    operationId: 'listProviderAccounts',
    summary: "List the merchant account's accounts at providers, newest first",
    resource,
    query: listProviderAccountsQuery,
    responseData,
    errors: [],
    handle: async ({ principal, query }) =>
      pageResponse(query, await listAccounts(database, principal, query), presentAccount),
  });
}

function createProviderAccountOperation(dependencies: Dependencies): ApiOperation {
  return createOperation(
    {
      path: '/provider-accounts',
      operationId: 'createProviderAccount',
      summary: 'Create an account at a provider, with its credentials',
      description:
        'The account belongs to the merchant account and the environment of the key. Its credentials are stored ' +
        'encrypted, and no response has the secret ones. Test them with `POST /provider-accounts/{id}/test`, enter ' +
        "`webhookPath` in the provider's dashboard, and name the account's id as the provider of payment routes. A " +
        `merchant account has at most ${MAXIMUM_ACCOUNTS} accounts at providers.`,
      resource,
      body: createProviderAccountBody,
      responseData,
      errors: ['STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, body }, { resourceId: unique }) =>
        jsonResponse(201, presentAccount(await insertAccount(dependencies, principal, { unique, fields: body }))),
    },
    dependencies,
  );
}

function getProviderKindsOperation({ providerKinds }: Dependencies): ApiOperation {
  return readOperation({
    path: '/provider-accounts/kinds',
    operationId: 'getProviderKinds',
    summary: 'Retrieve the providers at which accounts can be created, with the credentials of each',
    description: 'For a form in which a person enters the credentials of an account.',
    resource,
    responseData: providerKindsResource,
    errors: [],
    handle: ({ principal }) =>
      Promise.resolve(jsonResponse(200, presentKinds(providerKinds.namesFor(principal.environment)))),
  });
}

function getProviderAccountOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/provider-accounts/{id}',
    operationId: 'getProviderAccount',
    summary: 'Retrieve an account at a provider, without its secrets',
    resource,
    responseData,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) => jsonResponse(200, presentAccount(await readAccount(database, principal, id))),
  });
}

function updateProviderAccountOperation(dependencies: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/provider-accounts/{id}',
    operationId: 'updateProviderAccount',
    summary: 'Rename an account at a provider, or switch it off or on',
    description:
      'Omitted fields stay unchanged. Routes to a disabled account are skipped; payments, captures and refunds that ' +
      'are under way there are still completed.',
    resource,
    body: updateProviderAccountBody,
    responseData,
    errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(200, presentAccount(await updateAccount(dependencies, principal, { id, fields: body }))),
  });
}

function rotateProviderAccountCredentialsOperation(dependencies: Dependencies): ApiOperation {
  return actionOperation(
    {
      path: '/provider-accounts/{id}/rotate',
      operationId: 'rotateProviderAccountCredentials',
      summary: 'Replace the credentials of an account at a provider',
      description:
        'The new credentials replace all earlier ones, and are used from the next call on. Webhooks that were signed with ' +
        'an earlier secret are accepted until its own overlap ends, however often the credentials are replaced meanwhile.',
      resource,
      body: rotateProviderCredentialsBody,
      responseData,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, body }, { resourceId: rotationId }) =>
        jsonResponse(
          200,
          presentAccount(await rotateCredentials(dependencies, principal, { id, rotationId, ...body })),
        ),
    },
    dependencies,
  );
}

function testProviderAccountOperation(dependencies: Dependencies): ApiOperation {
  return actionOperation(
    {
      path: '/provider-accounts/{id}/test',
      operationId: 'testProviderAccount',
      summary: 'Test whether the credentials of an account at a provider work',
      description:
        'Sends the provider a request that changes nothing. `ok` is false if the provider refuses the credentials; if ' +
        'it gives no usable answer, the error says so.',
      resource,
      body: NO_FIELDS,
      responseData: providerAccountTestResource,
      errors: ['RESOURCE_NOT_FOUND', 'TSP_ERROR', 'TSP_TIMEOUT', 'TSP_UNAVAILABLE'],
      newResourceId,
      handle: async ({ principal, id }) => {
        const reason = await checkCredentials(dependencies, principal, id);
        return jsonResponse(200, {
          object: 'provider_account_test',
          providerAccountId: id,
          ok: reason === null,
          reason,
        });
      },
    },
    dependencies,
  );
}

function deleteProviderAccountOperation(dependencies: Dependencies): ApiOperation {
  return updateOperation('delete', {
    path: '/provider-accounts/{id}',
    operationId: 'deleteProviderAccount',
    summary: 'Delete an account at a provider, with its credentials',
    description:
      'Refused while a payment route names the account, or a payment, refund or stray charge is under way there. Afterwards ' +
      'attempts still show its id; payments that were captured there can no longer be refunded here.',
    resource,
    body: NO_FIELDS,
    responseData: deletedProviderAccount,
    errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId,
    handle: async ({ principal, id }) => {
      await deleteAccount(dependencies, principal, id);
      return jsonResponse(200, { id, object: 'provider_account', deleted: true });
    },
  });
}
