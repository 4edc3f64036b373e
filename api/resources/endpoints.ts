import { type ApiKeyDependencies, apiKeyOperations } from './api-keys/endpoints.ts';
import { type ChannelLimitDependencies, channelLimitOperations } from './channel-limits/endpoints.ts';
import { customerOperations, type CustomerDependencies } from './customers/endpoints.ts';
import type { ApiOperation } from './endpoint.ts';
import { eventOperations } from './events/endpoints.ts';
import type { RedeliveryDependencies } from './events/redeliver.ts';
import type { IdempotencyDependencies } from '../middleware/idempotency.ts';
import { merchantAccountOperations, type MerchantDependencies } from './merchants/endpoints.ts';
import type { PaymentIntentDependencies } from './payment-intents/dependencies.ts';
import { paymentIntentOperations } from './payment-intents/endpoints.ts';
import { paymentRouteOperations, type PaymentRouteDependencies } from './payment-routes/endpoints.ts';
import type { RefundDependencies } from './refunds/dependencies.ts';
import { refundOperations } from './refunds/endpoints.ts';
import { transactionOperations } from './transactions/endpoints.ts';
import type { WebhookEndpointDependencies } from './webhook-endpoints/dependencies.ts';
import { webhookEndpointOperations } from './webhook-endpoints/endpoints.ts';

/** What the operations of the API work with. */
export type OperationDependencies = PaymentIntentDependencies &
  RefundDependencies &
  CustomerDependencies &
  MerchantDependencies &
  ApiKeyDependencies &
  PaymentRouteDependencies &
  ChannelLimitDependencies &
  WebhookEndpointDependencies &
  RedeliveryDependencies &
  IdempotencyDependencies;

/** Every operation of the API, a call for each resource. */
export function createApiOperations(dependencies: OperationDependencies): readonly ApiOperation[] {
  return [
    ...paymentIntentOperations(dependencies),
    ...customerOperations(dependencies),
    ...merchantAccountOperations(dependencies),
    ...apiKeyOperations(dependencies),
    ...paymentRouteOperations(dependencies),
    ...channelLimitOperations(dependencies),
    ...refundOperations(dependencies),
    ...transactionOperations(dependencies),
    ...eventOperations(dependencies),
    ...webhookEndpointOperations(dependencies),
  ];
}
