import { nullable, returning, text, timestamp } from '../connection/statement.ts';
import { SECOND_MS } from '../../domain/time.ts';

/** Endpoints that are claimed at a time. */
export const FAILING_AT_ONCE = 20;

/**
 * Claims endpoints that have failed for so long and about which no mail went out yet, the longest first: no other process gets
 * them again, unless they recover and fail anew.
 */
export function claimUnmailedFailures(failingForMs: number) {
  return returning({
    webhookEndpointId: text,
    merchantAccountId: text,
    environment: text,
    failingSince: timestamp,
    lastFailure: nullable(text),
  })`
    WITH unmailed AS (
      SELECT id FROM webhook_endpoint
      WHERE next_probe_at IS NOT NULL AND status = 'enabled' AND failing_mailed_for IS DISTINCT FROM failing_since
        AND failing_since <= now() - make_interval(secs => ${failingForMs / SECOND_MS}::float8)
      ORDER BY failing_since LIMIT ${FAILING_AT_ONCE} FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_endpoint e SET failing_mailed_for = e.failing_since FROM unmailed WHERE e.id = unmailed.id
    RETURNING e.id AS "webhookEndpointId", e.merchant_account_id AS "merchantAccountId", e.environment,
      COALESCE(e.failing_since, now()) AS "failingSince", e.last_failure AS "lastFailure"`;
}
