import { type ApiKeyDependencies, createApiKeyEndpoints } from './api-keys/endpoints.ts';
import { type ChannelLimitDependencies, createChannelLimitEndpoints } from './channel-limits/endpoints.ts';
import { createCustomerEndpoints, type CustomerDependencies } from './customers/endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { createEventEndpoints } from './events/endpoints.ts';
import type { RedeliveryDependencies } from './events/redeliver.ts';
import type { IdempotencyDependencies } from '../middleware/idempotency.ts';
import { createMerchantEndpoints, type MerchantDependencies } from './merchants/endpoints.ts';
import type { PaymentIntentDependencies } from './payment-intents/dependencies.ts';
import { createPaymentIntentEndpoints } from './payment-intents/endpoints.ts';
import { createPaymentRouteEndpoints, type PaymentRouteDependencies } from './payment-routes/endpoints.ts';
import type { RefundDependencies } from './refunds/dependencies.ts';
import { createRefundEndpoints } from './refunds/endpoints.ts';
import { createTransactionEndpoints } from './transactions/endpoints.ts';
import type { WebhookEndpointDependencies } from './webhook-endpoints/dependencies.ts';
import { createWebhookEndpointEndpoints } from './webhook-endpoints/endpoints.ts';

/** What the operations of the API work with. */
export type EndpointDependencies = PaymentIntentDependencies &
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
export function createEndpoints(dependencies: EndpointDependencies): readonly Endpoint[] {
  return [
    ...createPaymentIntentEndpoints(dependencies),
    ...createCustomerEndpoints(dependencies),
    ...createMerchantEndpoints(dependencies),
    ...createApiKeyEndpoints(dependencies),
    ...createPaymentRouteEndpoints(dependencies),
    ...createChannelLimitEndpoints(dependencies),
    ...createRefundEndpoints(dependencies),
    ...createTransactionEndpoints(dependencies),
    ...createEventEndpoints(dependencies),
    ...createWebhookEndpointEndpoints(dependencies),
  ];
}
