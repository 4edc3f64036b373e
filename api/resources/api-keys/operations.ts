import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, type JsonResponse, pageResponse, responseWithSecrets } from '../../../http/response.ts';
import {
  actionOperation,
  updateOperation,
  createOperation,
  type ApiOperation,
  listOperation,
  readOperation,
} from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import {
  updateApiKeyBody,
  apiKeyResource,
  createApiKeyBody,
  issuedApiKeyResource,
  listApiKeysQuery,
  rotateApiKeyBody,
} from '../../../contract/schemas/api-key.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import { updateKey, revokeKey } from '../../../accounts/api-keys/update.ts';
import { type IssuedKey, issueKey, MAXIMUM_LIVE_KEYS } from '../../../accounts/api-keys/issue.ts';
import { limitsOfNewKey, requireLimitsWithin } from '../../../accounts/api-keys/key-limits.ts';
import { rotateKey } from '../../../accounts/api-keys/rotate.ts';
import { listKeys, readKey, requireOwnScopes } from '../../../accounts/api-keys/stored-key.ts';
import { presentKey } from '../../../contract/presenters/api-key.ts';
import { createdResource, listCreatedResourcesQuery } from '../../../contract/schemas/created-by.ts';
import { findCreatedResources } from '../../../accounts/created-resources.ts';
import { slicePage } from '../../../accounts/lists.ts';

const resource = 'api-keys';
const newKeyId = () => newId('apiKey');

/** The dependencies of the operations on API keys. */
export interface ApiKeyDependencies {
  readonly database: Database;
}

type Dependencies = ApiKeyDependencies & IdempotencyDependencies;

/** Everything below /api-keys. */
export function apiKeyOperations(dependencies: Dependencies): readonly ApiOperation[] {
  return [
    listApiKeysOperation(dependencies),
    createApiKeyOperation(dependencies),
    getApiKeyOperation(dependencies),
    updateApiKeyOperation(dependencies),
    revokeApiKeyOperation(dependencies),
    rotateApiKeyOperation(dependencies),
    listCreatedResourcesOperation(dependencies),
  ];
}

function listApiKeysOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: "List the merchant account's API keys, newest first",
    resource,
    query: listApiKeysQuery,
    responseData: apiKeyResource,
    errors: [],
    handle: async ({ principal, query }) => pageResponse(query, await listKeys(database, principal, query), presentKey),
  });
}

function createApiKeyOperation(dependencies: Dependencies): ApiOperation {
  return createOperation(
    {
      path: '/api-keys',
      operationId: 'createApiKey',
      summary: 'Create an API key; its secrets are returned only once',
      description:
        'The new key belongs to the merchant account that the request acts for. It gets at most the rights of the key ' +
        'that creates it: scopes that one has itself, addresses that lie within its `ipAllowlist` if it is ' +
        '`ipRestricted`, no later `expiresAt`, `accountBound` if that one is, and no earlier `signatureVersion`. ' +
        'Limits that the request leaves out are those of that key, except that a new key is on signature version 2 unless the request ' +
        'names version 1. With a key that is `accountBound`, `X-Merchant-ID` ' +
        `may only name the own account of the key. The account has at most ${MAXIMUM_LIVE_KEYS} live keys. Only a repeat with the same idempotency key, made with ` +
        'the same API key, returns `apiKey` and `secretSalt` again; made with another key it returns `null` for both.',
      resource,
      body: createApiKeyBody,
      responseData: issuedApiKeyResource,
      errors: ['STATE_CONFLICT'],
      newResourceId: newKeyId,
      authorize: ({ principal, body }) => {
        requireOwnScopes(principal, body.scopes);
        requireLimitsWithin(limitsOfNewKey(body, principal.keyLimits), principal.keyLimits);
      },
      handle: async ({ principal, body }, { resourceId: id }) => {
        const fields = { ...body, ...limitsOfNewKey(body, principal.keyLimits) };
        return issuedResponse(201, await issueKey(dependencies, principal, { id, fields }));
      },
    },
    dependencies,
  );
}

function getApiKeyOperation({ database }: Dependencies): ApiOperation {
  return readOperation({
    path: '/api-keys/{id}',
    operationId: 'getApiKey',
    summary: 'Retrieve an API key, without its secrets',
    resource,
    responseData: apiKeyResource,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id }) => jsonResponse(200, presentKey(await readKey(database, principal, id))),
  });
}

function updateApiKeyOperation({ database }: Dependencies): ApiOperation {
  return updateOperation('patch', {
    path: '/api-keys/{id}',
    operationId: 'updateApiKey',
    summary: 'Change the name, scopes, expiry or address list of an API key',
    description:
      'The change takes effect with the next request. A revoked or expired key cannot be changed, and no key can be ' +
      'restricted to an empty list of addresses. The request needs a key that has all scopes of the changed key, ' +
      'before and after; unless only the name changes, the addresses, expiry and account binding of the changed key ' +
      'must lie within those of that key afterwards. `signatureVersion` does not change: rotate the key to get one on ' +
      'version 2.',
    resource,
    body: updateApiKeyBody,
    responseData: apiKeyResource,
    errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
    newResourceId: newKeyId,
    handle: async ({ principal, id, body }) =>
      jsonResponse(200, presentKey(await updateKey(database, principal, { id, fields: body }))),
  });
}

function revokeApiKeyOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return actionOperation(
    {
      path: '/api-keys/{id}/revoke',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key for good',
      description:
        'The request needs a key that has all scopes of the revoked one; a key may revoke itself. If no other key is left, the command `npm run merchant -- key <account>` creates one. ' +
        'The key that replaced it in a rotation (`replacedBy`), and what it has made, stay as they are: ' +
        '`GET /api-keys/{id}/created-resources` lists it. Revoke and disable it too if somebody else may have had the key. Revoking a revoked key changes nothing.',
      resource,
      body: NO_FIELDS,
      responseData: apiKeyResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newKeyId,
      handle: async ({ principal, id }) => jsonResponse(200, presentKey(await revokeKey(database, principal, id))),
    },
    dependencies,
  );
}

function listCreatedResourcesOperation({ database }: Dependencies): ApiOperation {
  return listOperation({
    path: '/api-keys/{id}/created-resources',
    operationId: 'listApiKeyCreatedResources',
    summary: 'List what an API key has made that still stands, newest first',
    description:
      'API keys, webhook endpoints, accounts at providers, routes and payment links that requests with the key have made, in all ' +
      'accounts that it acts for: they go on working when the key is revoked. Of each kind at most the newest 500 are listed, and only ' +
      'kinds whose `:read` scope the request has.',
    resource,
    query: listCreatedResourcesQuery,
    responseData: createdResource,
    errors: ['RESOURCE_NOT_FOUND'],
    handle: async ({ principal, id, query }) => {
      const { id: createdByKeyId } = await readKey(database, principal, id);
      const found = await findCreatedResources(database, principal, { createdByKeyId });
      return pageResponse(
        query,
        slicePage(found, query, (made) => made.id),
        (made) => made,
      );
    },
  });
}

function rotateApiKeyOperation(dependencies: Dependencies): ApiOperation {
  const { database } = dependencies;
  return actionOperation(
    {
      path: '/api-keys/{id}/rotate',
      operationId: 'rotateApiKey',
      summary: 'Rotate an API key: replace it by a new one with the same settings; both are valid for an overlap',
      description:
        'Returns the new key with its secrets. The old key expires after `overlapSeconds`, or at its own expiry if that ' +
        'is sooner. A key can be rotated once, and only by a key that has all of its scopes and ' +
        'could have created it: with no earlier expiry, no narrower list of addresses, and not bound to its account ' +
        'unless the old key is. The new key has the signature version of the old one; with `signatureVersion: 2` it takes version 2; a key on version ' +
        '2 stays there, and rotates no key to version 1. Leave an overlap where a key rotates itself: with ' +
        '`overlapSeconds: 0` it could not repeat the request if the response with the new secrets is lost.',
      resource,
      body: rotateApiKeyBody,
      responseData: issuedApiKeyResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newKeyId,
      authorize: async ({ principal, id }) =>
        requireOwnScopes(principal, (await readKey(database, principal, id)).scopes),
      handle: async ({ principal, id, body }, { resourceId }) =>
        issuedResponse(200, await rotateKey(dependencies, principal, { id, newId: resourceId, fields: body })),
    },
    dependencies,
  );
}

function issuedResponse(status: 200 | 201, { row, secrets: { apiKey, secretSalt } }: IssuedKey): JsonResponse {
  return responseWithSecrets(status, presentKey(row), { apiKey, secretSalt });
}
