import { z } from 'zod';
import { CAPTURE_METHODS } from '../../domain/payment.ts';
import { INITIATORS, ROUTED_CARD_BRANDS } from '../../domain/route-conditions.ts';

/** Each value once. */
const several = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .default([])
    .transform((values) => [...new Set(values)]);

const conditions = z.object({
  amountMin: z.number().nullable().default(null),
  amountMax: z.number().nullable().default(null),
  cardBrands: several(z.enum(ROUTED_CARD_BRANDS)),
  cardGroups: several(z.string()),
  metadata: z.record(z.string(), z.string()).default({}),
  captureMethods: several(z.enum(CAPTURE_METHODS)),
  initiators: several(z.enum(INITIATORS)),
});

/** The conditions of a route, as clients see them and its row keeps them. */
export type StoredRouteConditions = z.output<typeof conditions>;
export const ROUTE_CONDITION_NAMES = conditions.keyof().options;

/** The conditions in a row or a request: what it leaves out holds for every payment. */
export function routeConditionsOf(fields: unknown): StoredRouteConditions {
  return conditions.parse(fields);
}
