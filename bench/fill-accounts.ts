import pg from 'pg';
import { DAY_MS } from '../domain/time.ts';

export interface FillTarget {
  readonly merchantAccountId: string;
  readonly count: number;
}

/** The intents of an account are created evenly over this time before now. */
export const OLDEST_MS = 10 * DAY_MS;

/**
 * Writes many intents that have ended into accounts, with an attempt each: most succeeded, a tenth failed; a fifth in EUR, a
 * third of them of ten customers. Each has a reference and an order number of its own, nine of ten came from the web, every
 * tenth was paid with a card that ends in 4242. The account's statistics have as many payments, of three providers, two payment
 * methods and ten countries. Foreign keys and triggers are off meanwhile, and the statistics are up to
 * date afterwards.
 * @param superuserUrl the database, as a user who may switch foreign keys and triggers off
 */
export async function fillAccounts(superuserUrl: string, targets: readonly FillTarget[]): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    for (const { merchantAccountId, count } of targets) {
      await client.query(INSERT_INTENTS, [merchantAccountId, count, OLDEST_MS]);
      await client.query(INSERT_ATTEMPTS, [merchantAccountId]);
      await client.query(INSERT_METADATA_PAIRS, [merchantAccountId]);
      await client.query(INSERT_STATISTICS, [merchantAccountId]);
    }
    await client.query('VACUUM ANALYZE payment_intent, payment_attempt, metadata_pair, payment_statistic');
  } finally {
    await client.end();
  }
}

const INSERT_INTENTS = `
  INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, amount_captured_minor, currency, status,
    reference, card_last4, customer_id, country, capture_method, provider, metadata, client_secret_hash, attempt_budget, expires_at, version,
    next_due_at, created_at, updated_at)
  SELECT 'pi_' || right($1, 4) || lpad(to_hex(n), 28, '0'), $1, 'sandbox', 1000 + n % 5000, 1000 + n % 5000,
    CASE WHEN n % 5 = 0 THEN 'EUR' ELSE 'USD' END,
    CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'succeeded' END,
    'ORDER-' || n, CASE WHEN n % 10 = 0 THEN '4242' ELSE lpad((n % 100)::text, 4, '0') END, CASE WHEN n % 3 = 0 THEN 'cus_' || n % 10 END, 'DE', 'automatic', 'alpha', jsonb_build_object('order', n::text, 'channel', CASE WHEN n % 10 = 1 THEN 'app' ELSE 'web' END),
    md5('secret of ' || $1 || n), 5, at + interval '30 minutes', 2, NULL, at, at
  FROM generate_series(1, $2::int) AS n,
    LATERAL (SELECT now() - ($2 - n)::float8 / $2 * $3::float8 * interval '1 millisecond' AS at) AS made`;

const INSERT_ATTEMPTS = `
  INSERT INTO payment_attempt (id, payment_intent_id, number, route_id, provider, payment_method_id, amount_minor, currency, tries,
    outcome, provider_payment_id, started_at, finished_at)
  SELECT 'att_' || substr(id, 4) || '_1', id, 1, 'rt_1', 'alpha', 'pm_1', amount_minor, currency, 1, 'approved',
    'sim_' || substr(id, 4), created_at, created_at
  FROM payment_intent WHERE merchant_account_id = $1`;

const INSERT_STATISTICS = `
  INSERT INTO payment_statistic (merchant_account_id, environment, period, currency, starts_at, kind, outcome, provider,
    method, country, code, count, amount_minor)
  SELECT merchant_account_id, environment, periods.period, currency, date_trunc(periods.period, created_at, 'UTC'),
    kinds.kind, CASE WHEN kinds.kind = 'capture' THEN 'captured' WHEN status = 'failed' THEN 'declined' ELSE 'approved' END,
    (ARRAY['alpha', 'beta', 'gamma'])[1 + n % 3], CASE WHEN n % 4 = 0 THEN 'upi' ELSE 'card' END,
    (ARRAY['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'GB', 'IN', 'IT', 'US'])[1 + n % 7 + n % 4],
    CASE WHEN status <> 'failed' THEN '' WHEN n % 3 = 0 THEN 'INSUFFICIENT_FUNDS' ELSE 'CARD_DECLINED' END,
    count(*), sum(amount_minor)
  FROM payment_intent, LATERAL (SELECT ('x' || right(id, 8))::bit(32)::int AS n) AS numbered,
    (VALUES ('hour'), ('day')) AS periods(period), (VALUES ('attempt'), ('capture')) AS kinds(kind)
  WHERE merchant_account_id = $1 AND (kinds.kind = 'attempt' OR status = 'succeeded')
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;

const INSERT_METADATA_PAIRS = `
  INSERT INTO metadata_pair (merchant_account_id, pair, created_at, id)
  SELECT merchant_account_id, metadata_pair_of('payment_intent', pair.key, pair.value), created_at, id
  FROM payment_intent, jsonb_each_text(metadata) AS pair WHERE merchant_account_id = $1`;
