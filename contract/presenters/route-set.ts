import { sharedWeightsOf, sharePercentOf } from '../../domain/route-shares.ts';
import type { RouteSet } from '../../prisma/generated/client.ts';
import type { RouteContents } from '../schemas/payment-route.ts';
import {
  type RouteSetChange,
  type RouteSetResource,
  routeSetResource,
  type RouteSetSummary,
} from '../schemas/route-set.ts';
import { presentCreator } from './creator.ts';

const { environment: environments } = routeSetResource.shape;

/** The set as lists show it. @param currentVersion of the routes that payments take now */
export function presentRouteSetSummary(row: Omit<RouteSet, 'routes'>, currentVersion: string): RouteSetSummary {
  return {
    id: row.id,
    object: 'route_set',
    environment: environments.parse(row.environment),
    description: row.description,
    routeCount: row.routeCount,
    routesVersion: row.routesVersion,
    isActive: row.routesVersion === currentVersion,
    activatedAt: row.activatedAt?.toISOString() ?? null,
    replacedSetId: row.replacedSetId,
    createdBy: presentCreator(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A set with its routes, and what its activation would change. */
export interface ComparedRouteSet {
  readonly row: RouteSet;
  readonly routes: readonly RouteContents[];
  readonly currentRoutesVersion: string;
  readonly changes: readonly RouteSetChange[];
}

/** The set as clients see it. */
export function presentRouteSet({ row, routes, currentRoutesVersion, changes }: ComparedRouteSet): RouteSetResource {
  const weights = sharedWeightsOf(routes);
  return {
    ...presentRouteSetSummary(row, currentRoutesVersion),
    routes: routes
      .toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
      .map((route) => ({ ...route, sharePercent: sharePercentOf(route, weights) })),
    currentRoutesVersion,
    changes: [...changes],
  };
}
