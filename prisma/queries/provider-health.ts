import type { Environment } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { bigint, double, integer, nullable, oneOf, returning, text, timestamp } from '../connection/statement.ts';
import { FAILURES_TO_OPEN } from './payment-step.ts';

/** The health of providers is computed from the attempts of payment intents that were created within the last hour. */
export const HEALTH_WINDOW_SECONDS = 3_600;
/** For a busier account, only the newest payment intents are read. */
const MAXIMUM_INTENTS = 10_000;

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

/** Whose routes and attempts are read. */
export interface HealthScope {
  readonly merchantId: string;
  readonly merchantAccountId: string;
  readonly environment: Environment;
}

/** The health of the providers of a merchant, by name: the attempts of the account, and the circuit, which all accounts share. */
export function selectProviderHealth({ merchantId, merchantAccountId, environment }: HealthScope) {
  return returning({
    provider: text,
    attempts: integer,
    approved: integer,
    unanswered: integer,
    medianMs: nullable(double),
    p95Ms: nullable(double),
    circuit: oneOf(CIRCUIT_STATES),
    openUntil: nullable(timestamp),
    failingSince: nullable(timestamp),
  })`
    WITH intents AS (
      SELECT id FROM payment_intent
      WHERE merchant_account_id = ${merchantAccountId} AND environment = ${environment}
        AND created_at >= now() - make_interval(secs => ${HEALTH_WINDOW_SECONDS})
      ORDER BY created_at DESC, id DESC LIMIT ${MAXIMUM_INTENTS}
    ),
    statistics AS (
      SELECT a.provider, count(*)::int AS attempts,
        (count(*) FILTER (WHERE a.outcome = 'approved'))::int AS approved,
        (count(*) FILTER (WHERE a.outcome = 'not_charged'))::int AS unanswered,
        percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (
          ORDER BY EXTRACT(EPOCH FROM a.finished_at - a.started_at) * 1000
        ) AS durations
      FROM intents JOIN payment_attempt a ON a.payment_intent_id = intents.id
      WHERE a.outcome <> 'canceled'
      GROUP BY a.provider
    ),
    providers AS (
      SELECT r.provider FROM payment_route r WHERE r.merchant_id = ${merchantId} AND r.environment = ${environment}
      UNION SELECT provider FROM statistics
    )
    SELECT p.provider, COALESCE(s.attempts, 0) AS attempts, COALESCE(s.approved, 0) AS approved,
      COALESCE(s.unanswered, 0) AS unanswered, s.durations[1] AS "medianMs", s.durations[2] AS "p95Ms",
      CASE WHEN h.open_until > now() THEN 'open'
        WHEN h.consecutive_failures >= ${FAILURES_TO_OPEN} THEN 'half_open' ELSE 'closed' END AS circuit,
      CASE WHEN h.open_until > now() THEN h.open_until END AS "openUntil", h.failing_since AS "failingSince"
    FROM providers p LEFT JOIN statistics s ON s.provider = p.provider
      LEFT JOIN provider_health h ON h.provider = p.provider AND h.environment = ${environment}
    ORDER BY p.provider`;
}

/** The hours of which the platform sees the attempts at providers, with the present one. */
export const HEALTH_HOURS = 24;
/** For a busier engine, only the payment intents that changed last are read for the times of attempts. */
const MAXIMUM_TIMED_INTENTS = 1_000;

const FIRST_HOUR = Prisma.sql`date_trunc('hour', now(), 'UTC') - make_interval(hours => ${HEALTH_HOURS - 1}::int)`;

/** How the attempts of all merchants ended at each provider, by hour. A canceled attempt says nothing of its provider. */
export function selectAttemptsByHour() {
  return returning({
    environment: text,
    provider: text,
    startsAt: timestamp,
    attempts: bigint,
    approved: bigint,
    unanswered: bigint,
  })`
    SELECT environment, provider, starts_at AS "startsAt", sum(count)::bigint AS attempts,
      COALESCE(sum(count) FILTER (WHERE outcome = 'approved'), 0)::bigint AS approved,
      COALESCE(sum(count) FILTER (WHERE outcome = 'not_charged'), 0)::bigint AS unanswered
    FROM payment_statistic
    WHERE starts_at >= ${FIRST_HOUR} AND period = 'hour' AND kind = 'attempt' AND outcome <> 'canceled' AND provider <> ''
    GROUP BY environment, provider, starts_at
    ORDER BY environment, provider, starts_at`;
}

/**
 * How long the attempts of all merchants took at each provider, from start to outcome, by the hour in which they ended; `startsAt` is
 * null for all hours together.
 */
export function selectAttemptTimesByHour() {
  return returning({
    environment: text,
    provider: text,
    startsAt: nullable(timestamp),
    medianMs: double,
    p95Ms: double,
  })`
    WITH intents AS (
      SELECT id, environment FROM payment_intent WHERE updated_at >= ${FIRST_HOUR}
      ORDER BY updated_at DESC LIMIT ${MAXIMUM_TIMED_INTENTS}
    ),
    ended AS (
      SELECT i.environment, a.provider, date_trunc('hour', a.finished_at, 'UTC') AS hour,
        EXTRACT(EPOCH FROM a.finished_at - a.started_at)::float8 * 1000 AS ms
      FROM intents i CROSS JOIN LATERAL (
        SELECT * FROM payment_attempt a WHERE a.payment_intent_id = i.id AND a.outcome <> 'canceled' OFFSET 0
      ) AS a
      WHERE a.finished_at >= ${FIRST_HOUR}
    )
    SELECT environment, provider, hour AS "startsAt",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS "medianMs", percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS "p95Ms"
    FROM ended GROUP BY GROUPING SETS ((environment, provider), (environment, provider, hour))
    ORDER BY environment, provider, hour`;
}
