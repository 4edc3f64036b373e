import { setImmediate } from 'node:timers/promises';
import type { PaymentRouteDependencies } from '../../../accounts/payment-routes/write.ts';
import { readRoutesOfSet } from '../../../accounts/route-sets/stored-set.ts';
import { ofMerchant } from '../../../accounts/row-scope.ts';
import type { RouteContents } from '../../../contract/schemas/payment-route.ts';
import { routeConditionsOf } from '../../../contract/schemas/route-conditions.ts';
import type { BackTestRouteSet, RouteBackTest } from '../../../contract/schemas/route-set.ts';
import type { ApprovalOrdering, ApprovalRate } from '../../../domain/approval-order.ts';
import { backTestFigures, measuredRates, MINIMUM_RATED, type ReplannedPayment } from '../../../domain/back-test.ts';
import { planRoutes, type RoutingFacts } from '../../../domain/plan-routes.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { Route } from '../../../domain/routing.ts';
import { DAY_MS } from '../../../domain/time.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import {
  type AttemptedPayment,
  selectAttemptedPayments,
  selectRoutedAccounts,
} from '../../../prisma/queries/routing.ts';

/** Payments that one query reads. */
const PAGE = 200;
/** Payments that are planned before other requests get their turn. */
const TURN = 50;
const TIME_LIMIT_MS = 5_000;
/** Behind every id. */
const LAST_ID = '~';

type BackTestRequest = BackTestRouteSet & { readonly id: string };

/**
 * Plans the first attempts of the account's payments of the last days again, under the routes of a set. Only reads.
 * @throws ApiError `RESOURCE_NOT_FOUND`
 */
export async function backTest(
  { database, registry }: PaymentRouteDependencies,
  principal: Principal,
  { id, days, limit }: BackTestRequest,
): Promise<RouteBackTest> {
  const to = new Date();
  const from = new Date(to.getTime() - days * DAY_MS);
  const deadline = to.getTime() + TIME_LIMIT_MS;
  const routes = (await readRoutesOfSet(database, principal, id)).map(routeOf);
  const payments = await attemptedPayments(database, principal, { from, to, limit, deadline });
  const rates = measuredRates(payments.found);
  const [rows, orderings] = await Promise.all([
    database.direct.rows(selectRoutedAccounts(principal)),
    orderingsOf(database, principal, rates),
  ]);
  const providerAccounts = rows.map(({ account }) => account);
  const planned: ReplannedPayment[] = [];
  for (let start = 0; start < payments.found.length && Date.now() < deadline; start += TURN) {
    for (const payment of payments.found.slice(start, start + TURN)) {
      const facts = { ...factsOf(payment), routes, providerAccounts, ordering: orderings.get(payment.method) ?? null };
      planned.push(replan(payment, facts, { registry, principal }));
    }
    await setImmediate();
  }
  const { expectedApproved, providers, moves, refusals, ...figures } = backTestFigures(planned, rates);
  return {
    object: 'route_back_test',
    routeSetId: id,
    from: from.toISOString(),
    to: to.toISOString(),
    ...figures,
    isComplete: payments.isComplete && planned.length === payments.found.length,
    expectedApproved: Math.round(expectedApproved * 10) / 10,
    providers: providers.map((each) => ({
      ...each,
      approvalRate: each.approvalRate === null ? null : Number(each.approvalRate.toFixed(4)),
    })),
    moves: [...moves],
    refusals: [...refusals],
  };
}

interface Range {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
  /** The time of the clock, in milliseconds, after which no further page is read. */
  readonly deadline: number;
}

type FoundPayment = AttemptedPayment & { readonly isApproved: boolean };

/** The newest payments of a range, and whether there are no others. */
async function attemptedPayments(
  database: Database,
  { merchantAccountId, environment }: Principal,
  { from, to, limit, deadline }: Range,
): Promise<{ readonly found: readonly FoundPayment[]; readonly isComplete: boolean }> {
  const found: FoundPayment[] = [];
  let before = { createdAt: to, id: LAST_ID };
  while (found.length <= limit && Date.now() < deadline) {
    const range = { merchantAccountId, environment, from, before, limit: Math.min(PAGE, limit + 1 - found.length) };
    const page = await database.direct.rows(selectAttemptedPayments(range));
    found.push(...page.map((payment) => ({ ...payment, isApproved: payment.outcome === 'approved' })));
    const last = page.at(-1);
    if (last === undefined || page.length < range.limit) return { found, isComplete: true };
    before = last;
  }
  return { found: found.slice(0, limit), isComplete: false };
}

/** How the merchant has routes ordered by approval rates: by those that were measured among the payments. */
async function orderingsOf(
  { routingSetting }: Database,
  principal: Principal,
  rates: readonly ApprovalRate[],
): Promise<ReadonlyMap<string, ApprovalOrdering>> {
  const settings = await routingSetting.findMany({ where: { ...ofMerchant(principal), ordering: 'approval_rate' } });
  return new Map(
    settings.map(({ method, explorationShare }) => [
      method,
      { explorationShare, minimumAttempts: MINIMUM_RATED, rates },
    ]),
  );
}

function routeOf(contents: RouteContents): Route {
  const { id, provider, paymentMethod, currencies, countries, excludedCountries, priority, weight, active } = contents;
  const conditions = routeConditionsOf(contents);
  return {
    id,
    provider,
    method: paymentMethod,
    currencies,
    countries,
    excludedCountries,
    conditions,
    priority,
    weight,
    active,
  };
}

/** A payment as it was, where nothing but routes could have refused it. */
function factsOf({ tokenProvider, savedCard, deposited, conditioned }: AttemptedPayment) {
  return {
    limit: null,
    circuitOpen: [],
    isSuspended: false,
    hasStrayCharge: false,
    tokenProvider,
    savedCard: savedCard === null ? null : { ...savedCard, isUsable: true },
    deposited,
    conditioned,
    declinedForGood: null,
    declineRetries: { enabled: false, maxRetries: 0, issuerDeclines: false },
    cardDeclines: null,
  };
}

function replan(
  payment: FoundPayment,
  facts: RoutingFacts,
  { registry, principal }: { readonly registry: PaymentRouteDependencies['registry']; readonly principal: Principal },
): ReplannedPayment {
  const { id, method, amountMinor, currency, country, captureMethod, provider, isApproved, isRated } = payment;
  const { routes, refusal } = planRoutes(
    facts,
    {
      paymentIntentId: id,
      attemptsMade: 0,
      environment: principal.environment,
      method,
      terms: { amountMinor, currency, country, captureMethod },
    },
    registry,
  );
  const proposed = routes[0]?.provider ?? null;
  return { currency, provider, isApproved, isRated, proposed, refusal: refusal?.code ?? null };
}
