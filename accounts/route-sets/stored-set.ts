import { contentsOfRoute } from '../../contract/presenters/payment-route.ts';
import { type ComparedRouteSet, presentRouteSet, presentRouteSetSummary } from '../../contract/presenters/route-set.ts';
import { routeConditionsOf } from '../../contract/schemas/route-conditions.ts';
import type { RouteContents } from '../../contract/schemas/payment-route.ts';
import type {
  CreateRouteSet,
  ListRouteSets,
  RouteSetResource,
  RouteSetSummary,
} from '../../contract/schemas/route-set.ts';
import { unusableProvider } from '../../contract/schemas/payment-route.ts';
import { ApiError } from '../../domain/api-error.ts';
import { newId } from '../../domain/new-id.ts';
import { type Database, transactionWithLock } from '../../prisma/connection/client.ts';
import type { PaymentRoute, Prisma, RouteSet } from '../../prisma/generated/client.ts';
import { lockMerchant } from '../../prisma/queries/lock.ts';
import { type Author, recordChange, recordChanges } from '../audit.ts';
import { type Creator } from '../../contract/presenters/creator.ts';
import { creatorOf } from '../created-by.ts';
import { countedPage, type CountedPage, PLACE, smallPage } from '../lists.ts';
import { knownCardGroups } from '../payment-routes/conditions.ts';
import { describeRoute } from '../payment-routes/stored-route.ts';
import { MAXIMUM_ROUTES } from '../payment-routes/write.ts';
import { type MerchantScope, ofMerchant, requireId } from '../row-scope.ts';
import { nextVersion, readOrThrow } from '../writes.ts';
import { differencesOf, routesOfSet, routesWith, versionOfRoutes } from './contents.ts';

/** Sets of one merchant in one environment; a further one takes the place of the oldest. */
export const MAXIMUM_ROUTE_SETS = 100;

type Transaction = Prisma.TransactionClient;

function ownSet(scope: MerchantScope, id: string) {
  return { id: requireId('routeSet', id), ...ofMerchant(scope) };
}

/** All rows of the merchant's routes: those that payments take now. */
function currentRows(
  { paymentRoute }: Pick<Transaction, 'paymentRoute'>,
  scope: MerchantScope,
): Promise<PaymentRoute[]> {
  return paymentRoute.findMany({ where: ofMerchant(scope), orderBy: { id: 'asc' }, take: MAXIMUM_ROUTES + 1 });
}

/** A set beside the routes that payments take now. */
function compared(row: RouteSet, rows: readonly PaymentRoute[]): ComparedRouteSet {
  const current = rows.map(contentsOfRoute);
  const routes = routesOfSet(row.routes);
  return {
    row,
    routes,
    currentRoutesVersion: versionOfRoutes(current),
    changes: differencesOf(current, routes),
  };
}

/** The routes of a set. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function readRoutesOfSet(
  { routeSet }: Database,
  scope: MerchantScope,
  id: string,
): Promise<readonly RouteContents[]> {
  const row = await readOrThrow(() => routeSet.findFirst({ where: ownSet(scope, id) }), 'RESOURCE_NOT_FOUND');
  return routesOfSet(row.routes);
}

/** @throws ApiError `RESOURCE_NOT_FOUND` */
export async function readRouteSet(database: Database, scope: MerchantScope, id: string): Promise<RouteSetResource> {
  const [row, rows] = await Promise.all([
    readOrThrow(() => database.routeSet.findFirst({ where: ownSet(scope, id) }), 'RESOURCE_NOT_FOUND'),
    currentRows(database, scope),
  ]);
  return presentRouteSet(compared(row, rows));
}

/** One page of the merchant's sets, newest first, without their routes, and how many there are in all. */
export async function listRouteSets(
  database: Database,
  scope: MerchantScope,
  request: ListRouteSets,
): Promise<CountedPage<RouteSetSummary>> {
  const { routeSet } = database;
  const where = ofMerchant(scope);
  const { after, window } = await smallPage(request, (id) =>
    routeSet.findFirst({ where: { id, ...where }, select: PLACE }),
  );
  const [{ rows, total }, current] = await Promise.all([
    countedPage(
      routeSet.findMany({ where: { AND: [where, after] }, omit: { routes: true }, ...window }),
      routeSet.count({ where }),
    ),
    currentRows(database, scope),
  ]);
  const version = versionOfRoutes(current.map(contentsOfRoute));
  return { rows: rows.map((row) => presentRouteSetSummary(row, version)), total };
}

export interface NewRouteSet {
  readonly id: string;
  readonly fields: CreateRouteSet;
  /** Names of the providers that routes of the merchant may lead to. */
  readonly providers: readonly string[];
}

/**
 * Keeps the merchant's routes with these changes, without changing them; or finds the set that an interrupted execution of the request has kept.
 * @throws ApiError `VALIDATION_ERROR`
 */
export async function insertRouteSet(
  database: Database,
  author: Author,
  { id, fields, providers }: NewRouteSet,
): Promise<RouteSetResource> {
  return await transactionWithLock(database, lockMerchant(author.merchantId), async (transaction) => {
    const rows = await currentRows(transaction, author);
    const known = await transaction.routeSet.findFirst({ where: ownSet(author, id) });
    if (known !== null) return presentRouteSet(compared(known, rows));
    const named = [...fields.create, ...fields.update].flatMap(({ cardGroups = [] }) => cardGroups);
    const kept = rows.flatMap((row) => routeConditionsOf(row.conditions).cardGroups);
    const cardGroups = await knownCardGroups(transaction, author, [...new Set([...named, ...kept])]);
    const routes = routesWith(rows.map(contentsOfRoute), fields, { providers, cardGroups });
    const row = await keepSet(transaction, author, { id, description: fields.description, routes });
    return presentRouteSet(compared(row, rows));
  });
}

interface KeptRoutes {
  readonly id: string;
  readonly description: string | null;
  readonly routes: readonly RouteContents[];
}

/** Inserts a set, and takes the oldest one away where there are too many. */
async function keepSet(
  transaction: Transaction,
  author: Author,
  { id, description, routes }: KeptRoutes,
): Promise<RouteSet> {
  const row = await transaction.routeSet.create({
    data: {
      id,
      ...ofMerchant(author),
      description,
      routes: routes.map((route) => ({ ...route })),
      routeCount: routes.length,
      routesVersion: versionOfRoutes(routes),
      ...(await creatorOf(transaction, author)),
    },
  });
  const tooOld = await transaction.routeSet.findMany({
    where: ofMerchant(author),
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: MAXIMUM_ROUTE_SETS,
    select: { id: true },
  });
  await transaction.routeSet.deleteMany({ where: { id: { in: tooOld.map((each) => each.id) } } });
  await recordChange(
    transaction,
    { author, action: 'route_set.created', describe: describeSet },
    { before: null, after: row },
  );
  return row;
}

/** The set as the audit log shows it; its routes have entries of their own once it is activated. */
function describeSet({ id, description, routeCount, routesVersion, activatedAt, replacedSetId }: RouteSet) {
  const state = { description, routeCount, routesVersion, activatedAt, replacedSetId };
  return { id, merchantAccountId: null, state };
}

export interface Activation {
  readonly id: string;
  /** The routes that the client expects to replace; undefined for any. */
  readonly currentRoutesVersion: string | undefined;
  /** Names of the providers that routes of the merchant may lead to. */
  readonly providers: readonly string[];
}

/**
 * Makes the routes of a set those that payments take, in one transaction: a payment is planned by those before or by these. The routes before
 * are kept as a set.
 * @throws ApiError `RESOURCE_NOT_FOUND`, or `STATE_CONFLICT` where other routes than expected would be replaced, or a route leads to what
 *   there is not any more
 */
export async function activateRouteSet(
  database: Database,
  author: Author,
  { id, currentRoutesVersion, providers }: Activation,
): Promise<RouteSetResource> {
  return await transactionWithLock(database, lockMerchant(author.merchantId), async (transaction) => {
    const row = await readOrThrow(
      () => transaction.routeSet.findFirst({ where: ownSet(author, id) }),
      'RESOURCE_NOT_FOUND',
    );
    const rows = await currentRows(transaction, author);
    const comparison = compared(row, rows);
    if (currentRoutesVersion !== undefined && currentRoutesVersion !== comparison.currentRoutesVersion) {
      throw routesDiffer();
    }
    if (comparison.changes.length === 0) return presentRouteSet(comparison);
    const active = await replaceRoutes(transaction, author, { comparison, rows, providers });
    return presentRouteSet(compared(active, await currentRows(transaction, author)));
  });
}

function routesDiffer(): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message:
      'The routes were changed since you read the set. Read it again: changes then compares it with the routes as they are now.',
  });
}

interface Replacement {
  readonly comparison: ComparedRouteSet;
  readonly rows: readonly PaymentRoute[];
  readonly providers: readonly string[];
}

/** Writes the changes, the set with the routes before, and the audit log. @returns the active set */
async function replaceRoutes(
  transaction: Transaction,
  author: Author,
  { comparison, rows, providers }: Replacement,
): Promise<RouteSet> {
  const { row, changes } = comparison;
  await requireTakeable(transaction, author, changes, providers);
  const replaced = await setOfRoutes(transaction, author, comparison, rows);
  const before = new Map(rows.map((each) => [each.id, each]));
  const creator = await creatorOf(transaction, author);
  for (const { routeId, after: contents } of changes) {
    const was = before.get(routeId) ?? null;
    await writeRoute(transaction, author, { was, contents, creator });
  }
  const after = new Map((await currentRows(transaction, author)).map((each) => [each.id, each]));
  for (const change of ['created', 'updated', 'deleted'] as const) {
    const recorded = changes
      .filter((each) => each.change === change)
      .map(({ routeId }) => ({ before: before.get(routeId) ?? null, after: after.get(routeId) ?? null }));
    await recordChanges(transaction, { author, action: `payment_route.${change}`, describe: describeRoute }, recorded);
  }
  const activated = await transaction.routeSet.update({
    where: { id: row.id },
    data: { activatedAt: new Date(), replacedSetId: replaced },
  });
  const audit = { author, action: 'route_set.activated', describe: describeSet } as const;
  await recordChange(transaction, audit, { before: row, after: activated });
  return activated;
}

/** The id of the newest set with the routes as they are now; they become one where there is none. */
async function setOfRoutes(
  transaction: Transaction,
  author: Author,
  { row, currentRoutesVersion }: ComparedRouteSet,
  rows: readonly PaymentRoute[],
): Promise<string> {
  const known = await transaction.routeSet.findFirst({
    where: { ...ofMerchant(author), routesVersion: currentRoutesVersion },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  if (known !== null) return known.id;
  const description = `The routes before ${row.id} was activated`;
  const kept = { id: newId('routeSet'), description, routes: rows.map(contentsOfRoute) };
  return (await keepSet(transaction, author, kept)).id;
}

/** @throws ApiError `STATE_CONFLICT` where a route that changes is active, and leads to what there is not any more */
async function requireTakeable(
  transaction: Transaction,
  author: Author,
  changes: ComparedRouteSet['changes'],
  providers: readonly string[],
): Promise<void> {
  const routes = changes.flatMap(({ after }) => (after === null ? [] : [after]));
  const lost = routes.find(({ active, provider }) => active && !providers.includes(provider));
  if (lost !== undefined) {
    throw untakeable(`its route ${lost.id} leads to ${lost.provider}. ${unusableProvider(providers)}`);
  }
  const named = [...new Set(routes.flatMap(({ cardGroups }) => cardGroups))];
  const known = await knownCardGroups(transaction, author, named);
  const gone = named.find((id) => !known.has(id));
  if (gone !== undefined) throw untakeable(`it names the group of cards ${gone}, which was deleted.`);
}

function untakeable(reason: string): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message: `The set cannot be activated: ${reason} Create a set with that route changed, and activate that one.`,
  });
}

interface RouteWrite {
  readonly was: PaymentRoute | null;
  /** Null where the route goes. */
  readonly contents: RouteContents | null;
  readonly creator: Creator;
}

/** @throws ApiError `STATE_CONFLICT` where another request has changed the route since it was read */
async function writeRoute(
  { paymentRoute }: Transaction,
  author: Author,
  { was, contents, creator }: RouteWrite,
): Promise<void> {
  if (was === null) {
    if (contents !== null)
      await paymentRoute.create({ data: { ...columnsOf(contents), ...ofMerchant(author), ...creator } });
    return;
  }
  const where = { id: was.id, version: was.version, ...ofMerchant(author) };
  const { count } = await (contents === null
    ? paymentRoute.deleteMany({ where })
    : paymentRoute.updateMany({ where, data: { ...columnsOf(contents), ...nextVersion() } }));
  if (count === 0) throw routesDiffer();
}

function columnsOf(contents: RouteContents) {
  const { id, provider, paymentMethod, currencies, countries, excludedCountries, priority, weight, active } = contents;
  return {
    id,
    provider,
    method: paymentMethod,
    currencies,
    countries,
    excludedCountries,
    conditions: routeConditionsOf(contents),
    priority,
    weight,
    active,
  };
}
