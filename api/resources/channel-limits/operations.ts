import type { Database } from '../../../prisma/connection/client.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { updateOperation, type ApiOperation, listOperation } from '../api-operation.ts';
import {
  channelLimitBody,
  channelLimitPath,
  channelLimitResource,
  deletedChannelLimit,
  listChannelLimitsQuery,
} from '../../../contract/schemas/channel-limit.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import { listLimits } from '../../../accounts/channel-limits/stored-limit.ts';
import { idOfLimit, presentLimit } from '../../../contract/presenters/channel-limit.ts';
import { putLimit, deleteLimit } from '../../../accounts/channel-limits/stored-limit.ts';

const resource = 'channel-limits';
/** Method and currency identify a limit, so it needs no id. */
const noId = () => '';

/** The dependencies of the operations on channel limits. */
export interface ChannelLimitDependencies {
  readonly database: Database;
}

/** Everything below /channel-limits. */
export function channelLimitOperations({ database }: ChannelLimitDependencies): readonly ApiOperation[] {
  return [
    listOperation({
      path: '/channel-limits',
      operationId: 'listChannelLimits',
      summary: 'List the smallest and largest amounts by payment method and currency, newest first',
      resource,
      query: listChannelLimitsQuery,
      responseData: channelLimitResource,
      errors: ['INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD'],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listLimits(database, principal, query), presentLimit),
    }),
    updateOperation('put', {
      path: '/channel-limits/{paymentMethod}/{currency}',
      operationId: 'putChannelLimit',
      summary: 'Set the smallest and largest amount of a payment method in a currency',
      description:
        'Creates the limit or replaces it, for all accounts of the merchant in the environment of the key. The next ' +
        'confirm applies it.',
      resource,
      pathSchema: channelLimitPath,
      body: channelLimitBody,
      responseData: channelLimitResource,
      errors: ['INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD', 'STATE_CONFLICT'],
      newResourceId: noId,
      handle: async ({ principal, pathParameters, body }) => {
        const key = channelLimitPath.parse(pathParameters);
        return jsonResponse(200, presentLimit(await putLimit(database, principal, { key, amounts: body })));
      },
    }),
    updateOperation('delete', {
      path: '/channel-limits/{paymentMethod}/{currency}',
      operationId: 'deleteChannelLimit',
      summary: 'Delete a limit, so that any amount is allowed',
      resource,
      pathSchema: channelLimitPath,
      body: NO_FIELDS,
      responseData: deletedChannelLimit,
      errors: ['RESOURCE_NOT_FOUND', 'INVALID_CURRENCY', 'INVALID_PAYMENT_METHOD'],
      newResourceId: noId,
      handle: async ({ principal, pathParameters }) => {
        const key = channelLimitPath.parse(pathParameters);
        await deleteLimit(database, principal, key);
        return jsonResponse(200, { id: idOfLimit(key), object: 'channel_limit', deleted: true });
      },
    }),
  ];
}
