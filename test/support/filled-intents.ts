import type { Database } from '../../prisma/connection/client.ts';

export interface Filling {
  readonly merchantAccountId: string;
  readonly count: number;
}

/**
 * Puts many payment intents of one account into the database, one a second from 2026 on: every second one succeeded,
 * the others of further states; some in EUR, some of ten customers. Each has a reference of its own, every tenth one was paid
 * with the card 4242, the others with cards of a hundred other endings, and nine of ten came from the web. One of six failed last with a decline.
 */
export async function fillPaymentIntents(
  database: Pick<Database, '$executeRaw'>,
  { merchantAccountId, count }: Filling,
): Promise<void> {
  await database.$executeRaw`
    INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, currency, status, reference, customer_id,
      card_last4, capture_method, metadata, client_secret_hash, attempt_budget, expires_at, next_due_at, created_at, updated_at, last_error)
    SELECT 'pi_' || md5(${merchantAccountId} || n), ${merchantAccountId}, 'sandbox', 1000 + n % 5000,
      CASE WHEN n % 5 = 0 THEN 'EUR' ELSE 'USD' END,
      CASE WHEN n % 2 = 0 THEN 'succeeded' ELSE (ARRAY['failed', 'canceled', 'expired'])[1 + n % 3] END,
      'ORDER-' || n, CASE WHEN n % 3 = 0 THEN 'cus_' || n % 10 END, CASE WHEN n % 10 = 0 THEN '4242' ELSE lpad((n % 100)::text, 4, '0') END, 'automatic',
      jsonb_build_object('order', n::text, 'channel', CASE WHEN n % 10 = 1 THEN 'app' ELSE 'web' END),
      md5('secret of ' || ${merchantAccountId} || n), 5, at + interval '30 minutes', NULL, at, at,
      CASE WHEN n % 6 = 3 THEN jsonb_build_object('code', 'CARD_DECLINED', 'message', 'Declined.', 'at', at) END
    FROM generate_series(1, ${count}::int) AS n, LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '1 second' AS at) AS made`;
}
