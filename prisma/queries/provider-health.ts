// Raw, because percentiles are aggregates that Prisma Client does not have.
import type { Environment } from '../../domain/payment.ts';
import { double, integer, nullable, oneOf, returning, text, timestamp } from '../statement.ts';
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
