import type { Database } from '../../../prisma/connection/client.ts';
import {
  accountRequests,
  selectRequest,
  STORED_REQUEST,
  type StoredRequest,
} from '../../../prisma/queries/request-log.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { isRequestId } from '../../../http/request-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { listRequestsQuery, type RequestResource, requestResource } from '../../../contract/schemas/request.ts';
import { type ApiOperation, listOperation, readOperation } from '../api-operation.ts';
import { readPage } from '../../../accounts/lists.ts';

const resource = 'requests';
const responseData = requestResource;

const NOT_LOGGED =
  'No request with this id is in the log of the merchant account. Expected the X-Request-Id of a response, a few seconds old at ' +
  'least and 7 days at most. Logged are requests with a valid signature: those that change something, and those that failed, but ' +
  'none that a rate limit refused.';

/** Everything below /requests. */
export function requestOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/requests',
      operationId: 'listRequests',
      summary: 'List the logged requests of the merchant account, newest first',
      description:
        'Requests that change something, and those that failed, with masked bodies. Reads that succeed, requests whose signature is ' +
        'not valid and those that a rate limit refused are not logged. A request appears some seconds after its response, and is ' +
        'kept for 7 days.',
      resource,
      query: listRequestsQuery,
      responseData,
      errors: [],
      handle: async ({ principal, query: { page, limit, startingAfter, ...filter } }) =>
        pageResponse(
          { page, limit },
          await readPage(database, accountRequests(principal, filter), STORED_REQUEST, {
            page,
            limit,
            startingAfter,
          }),
          presentRequest,
        ),
    }),
    readOperation({
      path: '/requests/{id}',
      operationId: 'getRequest',
      summary: 'Retrieve one logged request by the id that its response carried',
      description:
        'Of several requests with one id, which a client may send in `X-Request-Id`, it is the latest; the id in the header ' +
        '`X-Engine-Request-Id` of a response is of that request alone.',
      resource,
      responseData,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => {
        const row = isRequestId(id) ? await database.direct.row(selectRequest(id, principal)) : undefined;
        if (row === undefined) throw new ApiError('RESOURCE_NOT_FOUND', { message: NOT_LOGGED });
        return jsonResponse(200, presentRequest(row));
      },
    }),
  ];
}

const { environment: environments } = requestResource.shape;

/** The logged request as clients see it. */
function presentRequest(row: StoredRequest): RequestResource {
  const { requestId, merchantAccountId, environment, createdAt, ...rest } = row;
  const { apiKeyId, address, method, path, status, code, durationMs, requestBody, responseBody } = rest;
  return {
    id: requestId,
    object: 'request',
    merchantId: merchantAccountId,
    environment: environments.parse(environment),
    apiKeyId,
    address,
    method,
    path,
    status,
    code,
    durationMs,
    requestBody,
    responseBody,
    createdAt: createdAt.toISOString(),
  };
}
