import { newId } from '../../../domain/new-id.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  createSavedViewBody,
  deletedSavedView,
  listSavedViewsQuery,
  savedViewResource,
} from '../../../contract/schemas/saved-view.ts';
import { type ApiOperation, createOperation, listOperation, updateOperation } from '../api-operation.ts';
import { deleteView, listViews, saveView } from './stored-view.ts';
import { presentView } from '../../../contract/presenters/saved-view.ts';

const resource = 'me';
const newViewId = () => newId('savedView');

/** Everything below /saved-views. */
export function savedViewOperations(
  dependencies: { readonly database: Database } & IdempotencyDependencies,
): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    listOperation({
      path: '/saved-views',
      operationId: 'listSavedViews',
      summary: "List the person's saved views of the account, newest first",
      resource,
      query: listSavedViewsQuery,
      responseData: savedViewResource,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listViews(database, principal, query), presentView),
    }),
    createOperation(
      {
        path: '/saved-views',
        operationId: 'createSavedView',
        summary: 'Save the filters of a list under a name',
        description: 'A view of the same list and name is replaced. A person has up to 50 views.',
        resource,
        body: createSavedViewBody,
        responseData: savedViewResource,
        errors: ['STATE_CONFLICT'],
        newResourceId: newViewId,
        handle: async ({ principal, body }, { resourceId: id }) =>
          jsonResponse(201, presentView(await saveView(database, principal, { id, fields: body }))),
      },
      dependencies,
    ),
    updateOperation('delete', {
      path: '/saved-views/{id}',
      operationId: 'deleteSavedView',
      summary: 'Delete a saved view',
      resource,
      body: NO_FIELDS,
      responseData: deletedSavedView,
      errors: ['RESOURCE_NOT_FOUND'],
      newResourceId: newViewId,
      handle: async ({ principal, id }) => {
        await deleteView(database, principal, id);
        return jsonResponse(200, { id, object: 'saved_view', deleted: true });
      },
    }),
  ];
}
