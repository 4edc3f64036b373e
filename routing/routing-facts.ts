import type { ChannelLimit } from '../domain/channel-limit.ts';
import type { Environment, PaymentMethodType, PaymentTerms } from '../domain/payment.ts';
import type { Route } from '../domain/routing.ts';
import type { Database } from '../prisma/client.ts';

/** Everything in the database that the choice of routes goes by. */
export interface RoutingFacts {
  /** The merchant's routes in the environment, whatever they are for. */
  readonly routes: readonly Route[];
  readonly limit: ChannelLimit | null;
  /** Providers that failed so often of late that they are tried last. */
  readonly circuitOpen: readonly string[];
  /** What the intent's row says is to be paid, or null where there is no such intent. */
  readonly terms: PaymentTerms | null;
}

export interface RoutingSubject {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  /** The currency of the limit, unless the intent has another. */
  readonly currency: string;
  /** The id of an intent, of which there need be no row. */
  readonly paymentIntentId: string;
}

/** Reads all that counts in one statement. @throws Error when there is no such merchant account */
export async function loadRoutingFacts(
  database: Database,
  { paymentIntentId, merchantAccountId, environment, method, currency }: RoutingSubject,
): Promise<RoutingFacts> {
  const rows = await database.direct.query<RoutingFacts[]>`
    SELECT
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('id', r.id, 'provider', r.provider, 'method', r.method,
          'currencies', COALESCE(r.currencies, '{}'), 'countries', COALESCE(r.countries, '{}'),
          'excludedCountries', COALESCE(r.excluded_countries, '{}'), 'priority', r.priority, 'weight', r.weight,
          'active', r.active))
        FROM payment_route r WHERE r.merchant_id = account.merchant_id AND r.environment = ${environment}
      ), '[]'::jsonb) AS "routes",
      (
        SELECT jsonb_build_object('minimumMinor', l.minimum_minor, 'maximumMinor', l.maximum_minor)
        FROM channel_limit l WHERE l.merchant_id = account.merchant_id AND l.environment = ${environment}
          AND l.method = ${method} AND l.currency = COALESCE(intent.currency, ${currency})
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
