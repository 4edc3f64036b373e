import type { ApprovalRate, RoutingSetting } from '../../prisma/generated/client.ts';
import { ROUTING_DEFAULTS, type RoutingSettingResource, routingSettingResource } from '../schemas/routing-setting.ts';

const { ordering: orderings, environment: environments, paymentMethod: methods } = routingSettingResource.shape;

/** A method in an environment, by which a setting is named. */
export type RoutingSettingKey = Pick<RoutingSetting, 'environment' | 'method'>;

/** The setting as clients see it; the defaults where there is no row. */
export function presentRoutingSetting(
  { environment, method }: RoutingSettingKey,
  row: RoutingSetting | null,
  rates: readonly ApprovalRate[],
): RoutingSettingResource {
  const { ordering, explorationShare, minimumAttempts, windowHours } = row ?? ROUTING_DEFAULTS;
  return {
    id: method,
    object: 'routing_setting',
    environment: environments.parse(environment),
    paymentMethod: methods.parse(method),
    ordering: orderings.parse(ordering),
    explorationShare,
    minimumAttempts,
    windowHours,
    rates: rates
      .map(({ provider, approved, weight, attempts }) => ({
        provider,
        approvalRate: Number((approved / weight).toFixed(4)),
        attempts: Number(attempts),
      }))
      .sort((a, b) => b.approvalRate - a.approvalRate),
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
