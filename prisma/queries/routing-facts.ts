import type { Environment, PaymentMethodType } from '../../domain/payment.ts';
import type { RoutingFacts } from '../../domain/plan-routes.ts';
import type { Database } from '../client.ts';

export interface RoutingSubject {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  /** The currency of the limit. */
  readonly currency: string;
  /** The id of a payment intent; a row need not exist. */
  readonly paymentIntentId: string;
}

/** Reads routes, limit, open circuits and stray charges in one statement. @throws Error when there is no such merchant account */
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
