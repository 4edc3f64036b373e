import type { Attempt } from '../../domain/payment.ts';
import { DAY_MS } from '../../domain/time.ts';
import { countInWindow } from './count-in-window.ts';
import { Prisma } from '../generated/client.ts';
import { jsonParameter } from './payment-json.ts';

/** For how long a card's declines count, from the first one on. */
const PERIODS = { day: DAY_MS, month: 30 * DAY_MS } as const;

/**
 * The key in `rate_limit` under which the declines of a card are counted for an amount in an account.
 * @param digest the name of a row of `card_digest` @param intent that of a row of `payment_intent` @param period as SQL
 */
export function cardDeclineKey(digest: Prisma.Sql, intent: Prisma.Sql, period: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`concat_ws(':', 'card-declines', ${period}, ${digest}.card, ${intent}.merchant_account_id,
    ${intent}.amount_minor, ${intent}.currency)`;
}

/**
 * A further table expression that counts the declines of cards in a step of the payment `updated`; nothing where no attempt was declined,
 * so that it costs other steps nothing.
 * @param at ISO 8601 UTC
 */
export function countCardDeclines(attempts: readonly Attempt[], at: string): Prisma.Sql {
  const declined = attempts.filter(({ outcome }) => outcome === 'declined' || outcome === 'failed');
  if (declined.length === 0) return Prisma.empty;
  const methods = declined.map(({ paymentMethodId }) => paymentMethodId);
  const now = Prisma.sql`${Date.parse(at)}::bigint`;
  return Prisma.sql`, counted_declines AS (
      INSERT INTO rate_limit AS r (key, points, expire)
      SELECT ${cardDeclineKey(Prisma.sql`d`, Prisma.sql`updated`, Prisma.sql`period.name`)}, count(*), ${now} + min(period.ms)
      FROM updated, unnest(${methods}::text[]) AS method
        JOIN card_digest d ON d.payment_method_id = method
        CROSS JOIN jsonb_to_recordset(${jsonParameter(periods())}::jsonb) AS period(name text, ms bigint)
      GROUP BY 1 ORDER BY 1
      ${countInWindow(now)}
    )`;
}

function periods(): readonly object[] {
  return Object.entries(PERIODS).map(([name, ms]) => ({ name, ms }));
}
