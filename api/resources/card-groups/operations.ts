import { presentCardGroup } from '../../../contract/presenters/card-group.ts';
import {
  deleteCardGroup,
  insertCardGroup,
  listCardGroups,
  MAXIMUM_CARD_GROUPS,
  readCardGroup,
  updateCardGroup,
} from '../../../accounts/card-groups/stored-group.ts';
import {
  cardGroupResource,
  createCardGroupBody,
  deletedCardGroup,
  listCardGroupsQuery,
  updateCardGroupBody,
} from '../../../contract/schemas/card-group.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import { type ApiOperation, createOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';

const resource = 'card-groups';
const responseData = cardGroupResource;
const newResourceId = () => newId('cardGroup');

type Dependencies = IdempotencyDependencies & { readonly database: Database };

/** Everything below /card-groups. */
export function cardGroupOperations(dependencies: Dependencies): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    listOperation({
      path: '/card-groups',
      operationId: 'listCardGroups',
      summary: 'List groups of cards, newest first',
      resource,
      query: listCardGroupsQuery,
      responseData,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listCardGroups(database, principal, query), presentCardGroup),
    }),
    createOperation(
      {
        path: '/card-groups',
        operationId: 'createCardGroup',
        summary: 'Create a group of cards, which routes can ask for',
        description:
          'A card that is sent from now on belongs to the group if its number begins with one of the prefixes. Only the ids of ' +
          'its groups are kept with the card, no digits. A route takes the cards of the groups that it names in `cardGroups`. ' +
          `The group belongs to the merchant and the environment of the key; a merchant has at most ${MAXIMUM_CARD_GROUPS}.`,
        resource,
        body: createCardGroupBody,
        responseData,
        errors: ['STATE_CONFLICT'],
        newResourceId,
        handle: async ({ principal, body }, { resourceId: id }) =>
          jsonResponse(201, presentCardGroup(await insertCardGroup(database, principal, { id, fields: body }))),
      },
      dependencies,
    ),
    readOperation({
      path: '/card-groups/{id}',
      operationId: 'getCardGroup',
      summary: 'Retrieve a group of cards',
      resource,
      responseData,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) =>
        jsonResponse(200, presentCardGroup(await readCardGroup(database, principal, id))),
    }),
    updateOperation('patch', {
      path: '/card-groups/{id}',
      operationId: 'updateCardGroup',
      summary: 'Change a group of cards',
      description: 'Cards that were sent before stay in the groups to which they belonged then.',
      resource,
      body: updateCardGroupBody,
      responseData,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, presentCardGroup(await updateCardGroup(database, principal, { id, fields: body }))),
    }),
    updateOperation('delete', {
      path: '/card-groups/{id}',
      operationId: 'deleteCardGroup',
      summary: 'Delete a group of cards that no route names',
      resource,
      body: NO_FIELDS,
      responseData: deletedCardGroup,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId,
      handle: async ({ principal, id }) => {
        await deleteCardGroup(database, principal, id);
        return jsonResponse(200, { id, object: 'card_group', deleted: true });
      },
    }),
  ];
}
