import { type ApiKeyDependencies, apiKeyOperations } from './api-keys/operations.ts';
import { auditActorOperations } from './audit-events/actors.ts';
import { auditEventOperations } from './audit-events/operations.ts';
import { type ChannelLimitDependencies, channelLimitOperations } from './channel-limits/operations.ts';
import type { DisputeDependencies } from './disputes/answer.ts';
import { disputeOperations } from './disputes/operations.ts';
import { customerOperations, type CustomerDependencies } from './customers/operations.ts';
import type { ApiOperation } from './api-operation.ts';
import { createCsvExports, type ExportDependencies } from './csv-export.ts';
import { eventOperations } from './events/operations.ts';
import type { RedeliveryDependencies } from './events/redeliver.ts';
import type { IdempotencyDependencies } from '../idempotency/idempotency.ts';
import { invitationOperations } from './invitations/operations.ts';
import type { InvitationDependencies } from '../../accounts/invitations/write.ts';
import { meOperations } from './me/operations.ts';
import { type PlatformDependencies, platformOperations } from './platform/operations.ts';
import { teamMemberOperations } from './team-members/operations.ts';
import { merchantAccountOperations, type MerchantDependencies } from './merchants/operations.ts';
import type { PaymentIntentDependencies } from './payment-intents/stored-intent.ts';
import { paymentIntentOperations } from './payment-intents/operations.ts';
import { paymentLinkOperations } from './payment-links/operations.ts';
import type { PaymentLinkDependencies } from './payment-links/write.ts';
import { savedMethodOperations } from './payment-methods/operations.ts';
import { routingSettingOperations } from './routing-settings/operations.ts';
import { routeSetOperations } from './route-sets/operations.ts';
import { cardGroupOperations } from './card-groups/operations.ts';
import { paymentRouteOperations } from './payment-routes/operations.ts';
import type { PaymentRouteDependencies } from '../../accounts/payment-routes/write.ts';
import { providerAccountOperations } from './provider-accounts/operations.ts';
import type { ProviderAccountDependencies } from '../../accounts/provider-accounts/write.ts';
import { providerHealthOperations } from './provider-health/operations.ts';
import { reconciliationRunOperations } from './reconciliation-runs/operations.ts';
import type { ManualResolutionDependencies } from './manual-resolution.ts';
import type { RefundDependencies } from './refunds/create.ts';
import { requestOperations } from './requests/operations.ts';
import { refundOperations } from './refunds/operations.ts';
import { securityOperations } from './security/operations.ts';
import { savedViewOperations } from './saved-views/operations.ts';
import { statisticsOperations } from './statistics/operations.ts';
import { settlementOperations } from './settlements/operations.ts';
import { testClockOperations } from './test-clock/operations.ts';
import { transactionOperations } from './transactions/operations.ts';
import type { WebhookEndpointDependencies } from '../../accounts/webhook-endpoints/write.ts';
import { webhookEndpointOperations } from './webhook-endpoints/operations.ts';

/** The dependencies of all API operations. */
export type OperationDependencies = PaymentIntentDependencies &
  PaymentLinkDependencies &
  RefundDependencies &
  DisputeDependencies &
  CustomerDependencies &
  MerchantDependencies &
  ApiKeyDependencies &
  ProviderAccountDependencies &
  PaymentRouteDependencies &
  ChannelLimitDependencies &
  WebhookEndpointDependencies &
  RedeliveryDependencies &
  ManualResolutionDependencies &
  IdempotencyDependencies;

/** Every operation of the API, a call for each resource. */
export function createApiOperations(
  dependencies: OperationDependencies & Partial<ExportDependencies>,
): readonly ApiOperation[] {
  const exporting = { ...dependencies, csvExports: dependencies.csvExports ?? createCsvExports() };
  return [
    ...paymentIntentOperations(exporting),
    ...paymentLinkOperations(dependencies),
    ...customerOperations(exporting),
    ...savedMethodOperations(dependencies),
    ...merchantAccountOperations(dependencies),
    ...apiKeyOperations(dependencies),
    ...providerAccountOperations(dependencies),
    ...paymentRouteOperations(dependencies),
    ...cardGroupOperations(dependencies),
    ...routeSetOperations(dependencies),
    ...routingSettingOperations(dependencies),
    ...channelLimitOperations(dependencies),
    ...refundOperations(exporting),
    ...disputeOperations(exporting),
    ...settlementOperations(exporting),
    ...transactionOperations(exporting),
    ...eventOperations(dependencies),
    ...auditEventOperations(dependencies),
    ...requestOperations(dependencies),
    ...providerHealthOperations(dependencies),
    ...statisticsOperations(dependencies),
    ...reconciliationRunOperations(dependencies),
    ...webhookEndpointOperations(dependencies),
    ...testClockOperations(dependencies),
  ];
}

/** The dependencies of the operations for people alone. */
export type SessionOperationDependencies = InvitationDependencies & PlatformDependencies & IdempotencyDependencies;

/**
 * The operations that only people in a session of the dashboard may execute, because no API key has the scopes. The OpenAPI
 * document, which is for keys, does not have these operations.
 */
export function createSessionOperations(dependencies: SessionOperationDependencies): readonly ApiOperation[] {
  return [
    ...meOperations(dependencies),
    ...savedViewOperations(dependencies),
    ...auditActorOperations(dependencies),
    ...teamMemberOperations(dependencies),
    ...invitationOperations(dependencies),
    ...securityOperations(dependencies),
    ...platformOperations(dependencies),
  ];
}
