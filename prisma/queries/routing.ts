import type { ApprovalOrdering } from '../../domain/approval-order.ts';
import type { ChannelLimit } from '../../domain/channel-limit.ts';
import type { CardPeriod, CountedCard, DeclineRetries } from '../../domain/decline-retries.ts';
import {
  CAPTURE_METHODS,
  type CaptureMethod,
  type Environment,
  PAYMENT_METHOD_TYPES,
  type PaymentMethodType,
} from '../../domain/payment.ts';
import type { RoutedAccount, RoutingFacts } from '../../domain/plan-routes.ts';
import type { CryptoAsset, Route, SavedCardFacts } from '../../domain/routing.ts';
import { IS_RATED } from '../fragments/rated-attempts.ts';
import { cardDeclineKey, cardNeverKey } from '../fragments/card-declines.ts';
import { Prisma } from '../generated/client.ts';
import {
  boolean,
  double,
  isoText,
  json,
  nullable,
  oneOf,
  returning,
  type Statement,
  text,
  timestamp,
} from '../connection/statement.ts';

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

/** What routes depend on of the card `saved` that the payment `i` uses by its payment method `m`. */
const SAVED_CARD = Prisma.sql`
        jsonb_build_object('use', m.saved_use, 'usage', saved.usage,
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
          ))`;

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
        SELECT ${SAVED_CARD}
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

export interface PlannedRange {
  readonly merchantAccountId: string;
  readonly environment: Environment;
  readonly from: Date;
  /** Payments before this place, newest first. */
  readonly before: { readonly createdAt: Date; readonly id: string };
  readonly limit: number;
}

/** A payment that was attempted, with what its routes depended on, and how its first attempt ended. */
export interface AttemptedPayment {
  readonly id: string;
  readonly createdAt: Date;
  readonly method: PaymentMethodType;
  readonly amountMinor: number;
  readonly currency: string;
  readonly country: string | null;
  readonly captureMethod: CaptureMethod;
  readonly tokenProvider: string | null;
  readonly savedCard: SavedCardFacts | null;
  readonly deposited: CryptoAsset | null;
  readonly conditioned: RoutingFacts['conditioned'];
  /** Of the first attempt. */
  readonly provider: string;
  readonly outcome: string | null;
  /** Whether the first attempt counts for or against its provider. */
  readonly isRated: boolean;
}

/** A page of an account's attempted payments, newest first; one whose payment method was deleted is not among them. */
export function selectAttemptedPayments({ merchantAccountId, environment, from, before, limit }: PlannedRange) {
  return returning<AttemptedPayment>({
    id: text,
    createdAt: timestamp,
    method: oneOf(PAYMENT_METHOD_TYPES),
    amountMinor: double,
    currency: text,
    country: nullable(text),
    captureMethod: oneOf(CAPTURE_METHODS),
    tokenProvider: nullable(text),
    savedCard: nullable(json<SavedCardFacts>()),
    deposited: nullable(json<CryptoAsset>()),
    conditioned: json<RoutingFacts['conditioned']>(),
    provider: text,
    outcome: nullable(text),
    isRated: boolean,
  })`
    SELECT i.id, i.created_at AS "createdAt", m.type AS method, i.amount_minor::float8 AS "amountMinor", i.currency, i.country,
      i.capture_method AS "captureMethod", m.token_provider AS "tokenProvider",
      CASE WHEN m.saved_use IS NOT NULL AND saved.id IS NOT NULL THEN ${SAVED_CARD} END AS "savedCard",
      CASE WHEN m.type = 'crypto' THEN jsonb_build_object('asset', m.masked->'asset', 'network', m.masked->'network') END AS "deposited",
      jsonb_build_object('metadata', i.metadata, 'cardBrand', m.masked->'brand', 'cardGroups', m.card_groups) AS "conditioned",
      a.provider, a.outcome, COALESCE(${IS_RATED}, false) AS "isRated"
    FROM payment_intent i
      JOIN payment_attempt a ON a.payment_intent_id = i.id AND a.number = 1
      JOIN payment_method m ON m.id = a.payment_method_id
      LEFT JOIN saved_payment_method saved ON saved.id = m.saved_payment_method_id
    WHERE i.merchant_account_id = ${merchantAccountId} AND i.environment = ${environment}
      AND i.created_at >= ${from.toISOString()}::timestamptz
      AND (i.created_at, i.id) < (${before.createdAt.toISOString()}::timestamptz, ${before.id})
    ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`;
}

export interface RoutedAccountsScope {
  readonly merchantId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** All accounts of a merchant at providers, as routes see them. */
export function selectRoutedAccounts({ merchantId, merchantAccountId, environment }: RoutedAccountsScope) {
  return returning({ account: json<RoutedAccount>() })`
    SELECT jsonb_build_object('id', p.id, 'kind', p.kind, 'status', p.status, 'publicCredentials', p.public_credentials,
      'isOwn', p.merchant_account_id = ${merchantAccountId}) AS account
    FROM provider_account p WHERE p.merchant_id = ${merchantId} AND p.environment = ${environment}`;
}
