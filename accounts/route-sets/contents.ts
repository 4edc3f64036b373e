import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type RouteContents, routeContents } from '../../contract/schemas/payment-route.ts';
import type { CreateRouteSet, RouteSetChange } from '../../contract/schemas/route-set.ts';
import { routeConditionsOf } from '../../contract/schemas/route-conditions.ts';
import { type FieldError, invalidFields } from '../../contract/validation.ts';
import { newId } from '../../domain/new-id.ts';
import { sharingKeyOf } from '../../domain/route-shares.ts';
import { unusableProvider } from '../../contract/schemas/payment-route.ts';
import { conditionProblems, unknownGroups } from '../payment-routes/conditions.ts';
import { MAXIMUM_ROUTES } from '../payment-routes/write.ts';

/** The routes in the row of a set. */
export function routesOfSet(stored: unknown): readonly RouteContents[] {
  return routeContents.array().parse(stored);
}

/** A name for exactly these routes, whatever their order: SHA-256, hex. */
export function versionOfRoutes(routes: readonly RouteContents[]): string {
  const canonical = sorted(routes).map((route) => {
    const metadata = Object.entries(route.metadata).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.entries({ ...route, metadata }).sort(([one], [other]) => (one < other ? -1 : 1));
  });
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

function sorted(routes: readonly RouteContents[]): readonly RouteContents[] {
  return routes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** What has to change so that `before` becomes `after`. */
export function differencesOf(
  before: readonly RouteContents[],
  after: readonly RouteContents[],
): readonly RouteSetChange[] {
  const was = new Map(before.map((route) => [route.id, route]));
  const is = new Map(after.map((route) => [route.id, route]));
  const gone = before.filter(({ id }) => !is.has(id));
  return [
    ...sorted(gone).map((route) => ({ routeId: route.id, change: 'deleted' as const, before: route, after: null })),
    ...sorted(after).flatMap((route): RouteSetChange[] => {
      const known = was.get(route.id);
      if (known === undefined) return [{ routeId: route.id, change: 'created', before: null, after: route }];
      if (isDeepStrictEqual(known, route)) return [];
      return [{ routeId: route.id, change: 'updated', before: known, after: route }];
    }),
  ];
}

/** A route that a request creates or changes, with the place of its fields in the request. */
interface ChangedRoute {
  /** Such as `update.1.`. */
  readonly place: string;
  readonly route: RouteContents;
  /** In percent; undefined where the request does not give one. */
  readonly sharePercent: number | undefined;
}

/** What the merchant has that routes may name. */
export interface Nameable {
  readonly providers: readonly string[];
  readonly cardGroups: ReadonlySet<string>;
}

/**
 * The merchant's routes with the changes of a request.
 * @throws ApiError `VALIDATION_ERROR` that names the fields which contradict each other, name what there is not, or make too many routes
 */
export function routesWith(
  current: readonly RouteContents[],
  fields: CreateRouteSet,
  nameable: Nameable,
): readonly RouteContents[] {
  const updated = fields.update.flatMap((change, index) => updatedRoute(current, change, `update.${index}.`));
  const created = fields.create.map((change, index) => createdRoute(change, `create.${index}.`));
  const changed = [...updated, ...created];
  const removed = new Set([...fields.delete, ...updated.map(({ route }) => route.id)]);
  const kept = current.filter(({ id }) => !removed.has(id));
  const routes = [...kept, ...changed.map(({ route }) => route)];
  const problems = [
    ...idProblems(current, fields),
    ...changed.flatMap((each) => problemsOf(each, nameable)),
    ...shareProblems(routes, changed),
    ...(routes.length > MAXIMUM_ROUTES ? [tooMany(routes.length)] : []),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  return routes;
}

/** A share in percent is kept as a weight, so that the weights of routes that share payments have the sum 100. */
function createdRoute(
  { sharePercent, weight = sharePercent ?? 1, ...fields }: CreateRouteSet['create'][number],
  place: string,
): ChangedRoute {
  return { place, sharePercent, route: contentsOf({ ...fields, id: newId('paymentRoute'), weight }) };
}

function updatedRoute(
  current: readonly RouteContents[],
  { sharePercent, ...fields }: CreateRouteSet['update'][number],
  place: string,
): readonly ChangedRoute[] {
  const route = current.find(({ id }) => id === fields.id);
  if (route === undefined) return [];
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const weight = fields.weight ?? sharePercent ?? route.weight;
  return [{ place, sharePercent, route: contentsOf({ ...route, ...given, weight }) }];
}

/** As a route is stored: each value of a list once. */
function contentsOf(route: RouteContents): RouteContents {
  const unique = (codes: readonly string[]) => [...new Set(codes)];
  return routeContents.parse({
    ...route,
    ...routeConditionsOf(route),
    currencies: unique(route.currencies),
    countries: unique(route.countries),
    excludedCountries: unique(route.excludedCountries),
  });
}

const UNKNOWN_ROUTE =
  'Expected the id of one of your routes in this environment; got another text. GET /payment-routes lists them.';
const NAMED_TWICE = 'Expected each route once in update and delete; got it again. Give all of its changes at once.';

function idProblems(current: readonly RouteContents[], fields: CreateRouteSet): readonly FieldError[] {
  const known = new Set(current.map(({ id }) => id));
  const named = [
    ...fields.update.map(({ id }, index) => ({ field: `update.${index}.id`, id })),
    ...fields.delete.map((id, index) => ({ field: `delete.${index}`, id })),
  ];
  const first = new Map<string, string>();
  for (const { id, field } of named) if (!first.has(id)) first.set(id, field);
  return named.flatMap(({ field, id }) => {
    if (!known.has(id)) return [invalid(field, UNKNOWN_ROUTE)];
    return first.get(id) === field ? [] : [invalid(field, NAMED_TWICE)];
  });
}

/** What is wrong with a route whoever its neighbours are. */
function problemsOf({ place, route }: ChangedRoute, { providers, cardGroups }: Nameable): readonly FieldError[] {
  const { paymentMethod: method, currencies, provider, active } = route;
  return [
    ...conditionProblems({ method, currencies, conditions: route }, place),
    ...unknownGroups(route.cardGroups, cardGroups, place),
    ...(active && !providers.includes(provider) ? [invalid(`${place}provider`, unusableProvider(providers))] : []),
  ];
}

/** Shares have a meaning only together: of the routes that share payments either each has one, or none. */
function shareProblems(routes: readonly RouteContents[], changed: readonly ChangedRoute[]): readonly FieldError[] {
  const shared = changed.flatMap((each) =>
    each.sharePercent === undefined ? [] : [{ ...each, sharePercent: each.sharePercent }],
  );
  const idle = shared.filter(({ route }) => !route.active);
  const active = shared.filter(({ route }) => route.active);
  const keys = [...new Set(active.map(({ route }) => sharingKeyOf(route)))];
  return [
    ...shared
      .filter(({ route, sharePercent }) => route.weight !== sharePercent)
      .map(({ place }) =>
        invalid(`${place}weight`, 'Expected either weight or sharePercent; got both. Leave the weight out.'),
      ),
    ...idle.map(({ place }) =>
      invalid(
        `${place}sharePercent`,
        'Expected no share for a route that is not active, because it takes no payments; got one. Leave it out.',
      ),
    ),
    ...keys.flatMap((key) =>
      groupProblem(
        routes,
        key,
        active.filter(({ route }) => sharingKeyOf(route) === key),
      ),
    ),
  ];
}

function groupProblem(
  routes: readonly RouteContents[],
  key: string,
  members: readonly (ChangedRoute & { readonly sharePercent: number })[],
): readonly FieldError[] {
  const [first] = members;
  if (first === undefined) return [];
  const named = new Set(members.map(({ route }) => route.id));
  const missing = routes.filter((route) => route.active && sharingKeyOf(route) === key && !named.has(route.id));
  const field = `${first.place}sharePercent`;
  const { paymentMethod, priority } = first.route;
  const group = `active routes for ${paymentMethod} with priority ${priority}`;
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id).join(', ');
    return [invalid(field, `Expected a share for each of the ${group}; got none for ${ids}. Give those a share, too.`)];
  }
  const sum = members.reduce((total, { sharePercent }) => total + sharePercent, 0);
  if (sum === 100) return [];
  return [invalid(field, `Expected the shares of the ${group} to add up to 100; got ${sum}. Change one of them.`)];
}

function tooMany(count: number): FieldError {
  return invalid(
    'create',
    `Expected at most ${MAXIMUM_ROUTES} routes in all; got ${count}. Delete some in the same set.`,
  );
}

function invalid(field: string, message: string): FieldError {
  return { field, code: 'invalid', message };
}
