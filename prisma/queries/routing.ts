import type { ApprovalOrdering } from '../../domain/approval-order.ts';
import type { ChannelLimit } from '../../domain/channel-limit.ts';
import type { CardPeriod, CountedCard, DeclineRetries } from '../../domain/decline-retries.ts';
import type { Environment, PaymentMethodType } from '../../domain/payment.ts';
import type { RoutedAccount, RoutingFacts } from '../../domain/plan-routes.ts';
import type { CryptoAsset, Route, SavedCardFacts } from '../../domain/routing.ts';
import { cardDeclineKey, cardNeverKey } from '../fragments/card-declines.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, isoText, json, nullable, returning, type Statement, text } from '../connection/statement.ts';

export interface RoutingSubject {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly method: PaymentMethodType;
  /** The currency of the limit and of approval rates. */
  readonly currency: string;
  /** The customer's, for approval rates; null where it is not known. */
  readonly country: string | null;
  /** The id of a payment intent; a row need not exist. */
  readonly paymentIntentId: string;
  /** Absent if none is stored, as for a simulated payment. */
  readonly paymentMethodId?: string;
}

/**
 * Routes with the accounts at providers that they name, limit, open circuits and stray charges; no row where there is no such
 * merchant account, or the payment is another one's.
 */
export function selectRoutingFacts({
  paymentIntentId,
  paymentMethodId,
  merchantAccountId,
  environment,
  method,
  currency,
  country,
}: RoutingSubject): Statement<RoutingFacts> {
  return returning<RoutingFacts>({
    routes: json<readonly Route[]>(),
    providerAccounts: json<readonly RoutedAccount[]>(),
    limit: nullable(json<ChannelLimit>()),
    circuitOpen: json<readonly string[]>(),
    ordering: nullable(json<ApprovalOrdering>()),
    isSuspended: boolean,
    hasStrayCharge: boolean,
    tokenProvider: nullable(text),
    savedCard: nullable(json<SavedCardFacts>()),
    deposited: nullable(json<CryptoAsset>()),
    conditioned: json<RoutingFacts['conditioned']>(),
    declinedForGood: nullable(text),
    declineRetries: json<DeclineRetries>(),
    cardDeclines: nullable(json<CountedCard>()),
  })`
    SELECT
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('id', r.id, 'provider', r.provider, 'method', r.method,
          'currencies', COALESCE(r.currencies, '{}'), 'countries', COALESCE(r.countries, '{}'),
          'excludedCountries', COALESCE(r.excluded_countries, '{}'), 'conditions', r.conditions, 'priority', r.priority, 'weight', r.weight,
          'active', r.active) ORDER BY r.priority, r.id)
        FROM payment_route r WHERE r.merchant_id = account.merchant_id AND r.environment = ${environment}
      ), '[]'::jsonb) AS "routes",
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('id', p.id, 'kind', p.kind, 'status', p.status,
          'publicCredentials', p.public_credentials, 'isOwn', p.merchant_account_id = account.id))
        FROM provider_account p
        WHERE p.merchant_id = account.merchant_id AND p.environment = ${environment} AND EXISTS (
          SELECT FROM payment_route r
          WHERE r.merchant_id = account.merchant_id AND r.environment = ${environment} AND r.method = ${method}
            AND r.provider = p.id
        )
      ), '[]'::jsonb) AS "providerAccounts",
      (
        SELECT jsonb_build_object('minimumMinor', l.minimum_minor, 'maximumMinor', l.maximum_minor)
        FROM channel_limit l WHERE l.merchant_id = account.merchant_id AND l.environment = ${environment}
          AND l.method = ${method} AND l.currency = ${currency}
      ) AS "limit",
      COALESCE((
        SELECT jsonb_agg(h.provider) FROM provider_health h
        WHERE h.environment = ${environment} AND h.open_until > now() AND h.provider IN (
          SELECT r.provider FROM payment_route r WHERE r.merchant_id = account.merchant_id AND r.environment = ${environment}
        )
      ), '[]'::jsonb) AS "circuitOpen",
      (
        SELECT jsonb_build_object('explorationShare', s.exploration_share, 'minimumAttempts', s.minimum_attempts,
          'rates', COALESCE((
            SELECT jsonb_agg(jsonb_build_object('provider', q.provider, 'currency', q.currency, 'country', q.country,
              'approvalRate', round((q.approved / q.weight)::numeric, 4), 'attempts', q.attempts))
            FROM approval_rate q
            WHERE q.merchant_account_id = account.id AND q.environment = ${environment} AND q.method = ${method}
              AND q.currency IN ('', ${currency}) AND q.country IN ('', ${country ?? ''})
              AND q.updated_at > now() - make_interval(hours => s.window_hours)
          ), '[]'::jsonb))
        FROM routing_setting s
        WHERE s.merchant_id = account.merchant_id AND s.environment = ${environment} AND s.method = ${method}
          AND s.ordering = 'approval_rate'
      ) AS "ordering",
      account.status <> 'active' AS "isSuspended",
      EXISTS (
        SELECT FROM stray_charge s WHERE s.payment_intent_id = ${paymentIntentId} AND s.status IN ('pending', 'failed')
      ) AS "hasStrayCharge",
      (
        SELECT m.token_provider FROM payment_method m WHERE m.id = ${paymentMethodId ?? null} AND m.payment_intent_id = ${paymentIntentId}
      ) AS "tokenProvider",
      (
        SELECT jsonb_build_object('use', m.saved_use, 'usage', saved.usage,
          'isUsable', saved.status = 'active' AND saved.customer_id = i.customer_id
            AND saved.merchant_account_id = i.merchant_account_id AND saved.environment = i.environment,
          'hasNumber', saved.ciphertext IS NOT NULL,
          'tokenProviders', COALESCE((
            SELECT jsonb_agg(c.provider) FROM saved_payment_method_credential c
            WHERE c.saved_payment_method_id = saved.id AND c.status IN ('active', 'pending') AND c.ciphertext IS NOT NULL
              AND (m.saved_use = 'on_session' OR c.usage = 'off_session')
          ), '[]'::jsonb),
          'hasNetworkTransactionId', EXISTS (
            SELECT FROM saved_payment_method_credential c WHERE c.saved_payment_method_id = saved.id AND c.has_network_transaction_id
              AND (m.saved_use = 'on_session' OR c.usage = 'off_session')
          ))
        FROM payment_method m JOIN payment_intent i ON i.id = m.payment_intent_id
          JOIN saved_payment_method saved ON saved.id = m.saved_payment_method_id
        WHERE m.id = ${paymentMethodId ?? null} AND m.payment_intent_id = ${paymentIntentId} AND m.saved_use IS NOT NULL
      ) AS "savedCard",
      (
        SELECT jsonb_build_object('asset', m.masked->'asset', 'network', m.masked->'network') FROM payment_method m
        WHERE m.id = ${paymentMethodId ?? null} AND m.payment_intent_id = ${paymentIntentId} AND m.type = 'crypto'
      ) AS "deposited",
      jsonb_build_object(
        'metadata', COALESCE((SELECT i.metadata FROM payment_intent i WHERE i.id = ${paymentIntentId}), '{}'::jsonb)
      ) || COALESCE((
        SELECT jsonb_build_object('cardBrand', m.masked->'brand', 'cardGroups', m.card_groups)
        FROM payment_method m WHERE m.id = ${paymentMethodId ?? null} AND m.payment_intent_id = ${paymentIntentId}
      ), '{}'::jsonb) AS "conditioned",
      (
        SELECT a.code FROM payment_attempt a LEFT JOIN card_digest d ON d.payment_method_id = a.payment_method_id
        WHERE a.payment_intent_id = ${paymentIntentId} AND a.advice = 'never' AND (
          a.payment_method_id = ${paymentMethodId ?? null}
          OR d.card = (SELECT own.card FROM card_digest own WHERE own.payment_method_id = ${paymentMethodId ?? null})
        )
        ORDER BY a.number DESC LIMIT 1
      ) AS "declinedForGood",
      jsonb_build_object('enabled', account.decline_retries_enabled, 'maxRetries', account.decline_retries_maximum,
        'issuerDeclines', account.decline_retries_issuer_declines) AS "declineRetries",
      (
        SELECT jsonb_build_object('day', ${cardDeclines('day')}, 'month', ${cardDeclines('month')},
          'isDeclinedForGood', ${isDeclinedForGood()})
        FROM card_digest d JOIN payment_intent i ON i.id = d.payment_intent_id
        WHERE d.payment_method_id = ${paymentMethodId ?? null} AND i.id = ${paymentIntentId}
      ) AS "cardDeclines"
    FROM merchant_account account
    WHERE account.id = ${merchantAccountId} AND NOT EXISTS (
      SELECT FROM payment_intent i WHERE i.id = ${paymentIntentId} AND i.merchant_account_id <> account.id)`;
}

const IS_COUNTED = Prisma.sql`r.expire > extract(epoch FROM now()) * 1000`;

/** The declines of the card `d` for the payment `i`, as a step counts them. */
function cardDeclines(period: CardPeriod): Prisma.Sql {
  const key = cardDeclineKey(Prisma.sql`d`, Prisma.sql`i`, Prisma.sql`${period}::text`);
  return Prisma.sql`COALESCE((
    SELECT jsonb_build_object('count', r.points, 'until', ${isoText('to_timestamp(r.expire / 1000.0)')})
    FROM rate_limit r WHERE r.key = ${key} AND ${IS_COUNTED}
  ), '{"count": 0, "until": null}'::jsonb)`;
}

/** Whether the card `d` was declined for good in the account of the payment `i`. */
function isDeclinedForGood(): Prisma.Sql {
  const key = cardNeverKey(Prisma.sql`d`, Prisma.sql`i`);
  return Prisma.sql`EXISTS (SELECT FROM rate_limit r WHERE r.key = ${key} AND ${IS_COUNTED})`;
}
