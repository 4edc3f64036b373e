import type { ChannelLimit } from '../domain/channel-limit.ts';
import type { Environment, PaymentMethodType } from '../domain/payment.ts';
import type { Route } from '../domain/routing.ts';
import type { Database } from '../prisma/client.ts';

/** Everything in the database that the choice of routes goes by. */
export interface RoutingFacts {
  /** The merchant's routes in the environment, whatever they are for. */
  readonly routes: readonly Route[];
  readonly limit: ChannelLimit | null;
  /** Providers that failed so often of late that they are tried last. */
  readonly circuitOpen: readonly string[];
  /** Whether a provider still has money that it took for an attempt of the intent which had ended without a charge. */
  readonly hasStrayCharge: boolean;
}

export interface RoutingSubject {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  /** The currency of the limit. */
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
          AND l.method = ${method} AND l.currency = ${currency}
      ) AS "limit",
      COALESCE((
        SELECT jsonb_agg(h.provider) FROM provider_health h
        WHERE h.environment = ${environment} AND h.open_until > now()
      ), '[]'::jsonb) AS "circuitOpen",
      EXISTS (
        SELECT FROM stray_charge s WHERE s.payment_intent_id = ${paymentIntentId} AND s.status IN ('pending', 'failed')
      ) AS "hasStrayCharge"
    FROM merchant_account account
    WHERE account.id = ${merchantAccountId}`;
  const [row] = rows;
  if (row === undefined) throw new Error(`no merchant account ${merchantAccountId}`);
  return row;
}
