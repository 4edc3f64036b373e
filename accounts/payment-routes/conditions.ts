import type { Database } from '../../prisma/connection/client.ts';
import {
  ROUTE_CONDITION_NAMES,
  routeConditionsOf,
  type StoredRouteConditions,
} from '../../contract/schemas/route-conditions.ts';
import { type FieldError, invalidFields } from '../../contract/validation.ts';
import { type MerchantScope, ofMerchant } from '../row-scope.ts';

type ConditionFields = { readonly [Name in keyof StoredRouteConditions]?: unknown };

/** The column with the conditions that a request changes; no column where it names none. */
export function changedConditions(
  fields: ConditionFields,
  row: unknown,
): { readonly conditions?: StoredRouteConditions } {
  const changes = ROUTE_CONDITION_NAMES.filter((name) => fields[name] !== undefined).map((name): [string, unknown] => [
    name,
    fields[name],
  ]);
  if (changes.length === 0) return {};
  return { conditions: routeConditionsOf({ ...routeConditionsOf(row), ...Object.fromEntries<unknown>(changes) }) };
}

interface ConditionedRoute {
  readonly method: string;
  readonly currencies: readonly string[];
  /** As its row has them. */
  readonly conditions: unknown;
}

/** @throws ApiError `VALIDATION_ERROR` where conditions contradict each other or the rest of the route */
export function requireConsistent(route: ConditionedRoute): void {
  const problems = conditionProblems(route);
  if (problems.length > 0) throw invalidFields(problems);
}

/** What contradicts itself in a route. @param prefix what the names of its fields begin with */
export function conditionProblems(
  { method, currencies, ...route }: ConditionedRoute,
  prefix = '',
): readonly FieldError[] {
  const { amountMin, amountMax, cardBrands, cardGroups } = routeConditionsOf(route.conditions);
  const isCard = method === 'card';
  const rules: readonly (readonly [broken: boolean, field: string, message: string])[] = [
    [
      (amountMin ?? amountMax) !== null && currencies.length !== 1,
      amountMin === null ? 'amountMax' : 'amountMin',
      `Expected no bound of the amount, or exactly one currency, whose minor units it counts; got ${currencies.length} currencies. Name one in currencies, or use a route for each.`,
    ],
    [
      amountMin !== null && amountMax !== null && amountMin > amountMax,
      'amountMax',
      `Expected amountMax to be ${amountMin} (amountMin) or more; got ${amountMax}. No payment could take the route.`,
    ],
    [!isCard && cardBrands.length > 0, 'cardBrands', noCard(method)],
    [!isCard && cardGroups.length > 0, 'cardGroups', noCard(method)],
  ];
  return rules.flatMap(([isBroken, field, message]) =>
    isBroken ? [{ field: `${prefix}${field}`, code: 'invalid' as const, message }] : [],
  );
}

function noCard(method: string): string {
  return `Expected none for the payment method ${method}; got some. Only a route for card looks at cards.`;
}

const UNKNOWN_GROUP =
  'Expected the id of one of your groups of cards in this environment; got another text. GET /card-groups lists them.';

/** @throws ApiError `VALIDATION_ERROR` that names the groups which the merchant does not have */
export async function requireCardGroups(
  database: Pick<Database, 'cardGroup'>,
  scope: MerchantScope,
  cardGroups: readonly string[] = [],
): Promise<void> {
  const known = await knownCardGroups(database, scope, cardGroups);
  const problems = unknownGroups(cardGroups, known);
  if (problems.length > 0) throw invalidFields(problems);
}

/** Which of these are groups of the merchant. */
export async function knownCardGroups(
  { cardGroup }: Pick<Database, 'cardGroup'>,
  scope: MerchantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const where = { ...ofMerchant(scope), id: { in: [...ids] } };
  return new Set((await cardGroup.findMany({ where, select: { id: true } })).map(({ id }) => id));
}

/** @param prefix what the names of the fields begin with */
export function unknownGroups(
  cardGroups: readonly string[],
  known: ReadonlySet<string>,
  prefix = '',
): readonly FieldError[] {
  return cardGroups.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `${prefix}cardGroups.${index}`, code: 'invalid' as const, message: UNKNOWN_GROUP }],
  );
}
