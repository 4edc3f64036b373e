import { checkChannelLimit } from '../domain/channel-limit.ts';
import { ERROR_CATALOGUE } from '../domain/error-catalogue.ts';
import type { PaymentTerms } from '../domain/payment.ts';
import { decideRoutes, type Route, type RoutingDecision } from '../domain/routing.ts';
import type { Database } from '../prisma/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { PaymentPlan, PlanRequest } from './payment-activities.ts';

interface PlanningRow {
  readonly routes: readonly Route[];
  readonly limit: { readonly minimumMinor: number; readonly maximumMinor: number } | null;
  readonly circuitOpen: readonly string[];
  readonly terms: PaymentTerms | null;
}

/**
 * Decides along which routes a payment goes, or why it may not be attempted. One statement reads all that counts. The
 * terms of the intent's row hold: a worker may have died with an amendment that it had written.
 */
export async function planPayment(
  database: Database,
  registry: ProviderRegistry,
  request: PlanRequest,
): Promise<PaymentPlan> {
  const { method, environment } = request;
  const facts = await loadFacts(database, request);
  const terms = facts.terms ?? request.terms;
  const amended = areEqual(terms, request.terms) ? {} : { terms };
  const outsideLimits = checkChannelLimit({ ...terms, method }, facts.limit);
  if (outsideLimits !== null) return { refusal: outsideLimits, routes: [], passedOver: [], ...amended };
  const decision = decideRoutes(
    facts.routes,
    {
      method,
      currency: terms.currency,
      country: terms.country,
      seed: `${request.paymentIntentId}:${request.attemptsMade}`,
    },
    { configured: registry.namesFor(environment), circuitOpen: facts.circuitOpen },
  );
  return { refusal: refusalOf(decision), routes: decision.routes, passedOver: decision.passedOver, ...amended };
}

function areEqual(a: PaymentTerms, b: PaymentTerms): boolean {
  return (
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.country === b.country &&
    a.captureMethod === b.captureMethod
  );
}

function refusalOf({ refusal }: RoutingDecision): PaymentPlan['refusal'] {
  return refusal === null ? null : { code: refusal, message: ERROR_CATALOGUE[refusal].message };
}

async function loadFacts(
  database: Database,
  { paymentIntentId, merchantAccountId, environment, method, terms }: PlanRequest,
): Promise<PlanningRow> {
  const rows = await database.$queryRaw<PlanningRow[]>`
    SELECT
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('id', r.id, 'provider', r.provider, 'method', r.method,
          'currencies', to_jsonb(r.currencies), 'countries', to_jsonb(r.countries),
          'excludedCountries', to_jsonb(r.excluded_countries), 'priority', r.priority, 'weight', r.weight,
          'active', r.active))
        FROM payment_route r WHERE r.merchant_id = account.merchant_id AND r.environment = ${environment}
      ), '[]'::jsonb) AS "routes",
      (
        SELECT jsonb_build_object('minimumMinor', l.minimum_minor, 'maximumMinor', l.maximum_minor)
        FROM channel_limit l WHERE l.merchant_id = account.merchant_id AND l.environment = ${environment}
          AND l.method = ${method} AND l.currency = COALESCE(intent.currency, ${terms.currency})
      ) AS "limit",
      COALESCE((
        SELECT jsonb_agg(h.provider) FROM provider_health h
        WHERE h.environment = ${environment} AND h.open_until > now()
      ), '[]'::jsonb) AS "circuitOpen",
      CASE WHEN intent.id IS NOT NULL THEN jsonb_build_object('amountMinor', intent.amount_minor,
        'currency', intent.currency, 'country', intent.country, 'captureMethod', intent.capture_method) END AS "terms"
    FROM merchant_account account
    LEFT JOIN payment_intent intent ON intent.id = ${paymentIntentId} AND intent.merchant_account_id = account.id
    WHERE account.id = ${merchantAccountId}`;
  const [row] = rows;
  if (row === undefined) throw new Error(`no merchant account ${merchantAccountId}`);
  return row;
}
