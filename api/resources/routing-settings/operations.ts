import { putRoutingSetting, readRoutingSetting } from '../../../accounts/routing-settings/stored-setting.ts';
import {
  routingSettingBody,
  routingSettingPath,
  routingSettingResource,
} from '../../../contract/schemas/routing-setting.ts';
import { validate } from '../../../contract/validation.ts';
import { jsonResponse } from '../../../http/response.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import { type ApiOperation, readOperation, updateOperation } from '../api-operation.ts';

const resource = 'routing-settings';
const responseData = routingSettingResource;
const path = '/routing-settings/{paymentMethod}';
/** The payment method names a setting, so it needs no id. */
const noId = () => '';

/** Everything below /routing-settings. */
export function routingSettingOperations({ database }: { readonly database: Database }): readonly ApiOperation[] {
  return [
    readOperation({
      path,
      operationId: 'getRoutingSetting',
      summary: 'Retrieve how routes of equal priority are ordered, and the approval rates of their providers',
      resource,
      pathSchema: routingSettingPath,
      responseData,
      errors: ['INVALID_PAYMENT_METHOD'],
      handle: async ({ principal, pathParameters }) => {
        const { paymentMethod } = validate(routingSettingPath, pathParameters);
        return jsonResponse(200, await readRoutingSetting(database, principal, paymentMethod));
      },
    }),
    updateOperation('put', {
      path,
      operationId: 'putRoutingSetting',
      summary: 'Set how routes of equal priority are ordered',
      description:
        'Applies to all accounts of the merchant in the environment of the key, from the next confirm on. With `approval_rate`, the ' +
        'rates are measured from then on for each account; until a provider has `minimumAttempts`, its routes get their share by ' +
        '`weight`. Priorities and conditions of routes count as before, and providers with an open circuit are tried last.',
      resource,
      pathSchema: routingSettingPath,
      body: routingSettingBody,
      responseData,
      errors: ['INVALID_PAYMENT_METHOD'],
      newResourceId: noId,
      handle: async ({ principal, pathParameters, body: fields }) => {
        const { paymentMethod: method } = routingSettingPath.parse(pathParameters);
        return jsonResponse(200, await putRoutingSetting(database, principal, { method, fields }));
      },
    }),
  ];
}
