import type { CardPeriod } from '../../domain/decline-retries.ts';
import type { Attempt } from '../../domain/payment.ts';
import { DAY_MS } from '../../domain/time.ts';
import { countInWindow } from './count-in-window.ts';
import { Prisma } from '../generated/client.ts';
import { jsonParameter } from './payment-json.ts';

/** For how long a card's declines count, from the first one on. */
const PERIODS: Readonly<Record<CardPeriod, number>> = { day: DAY_MS, month: 30 * DAY_MS };

/**
 * The key in `rate_limit` under which the declines of a card are counted for an amount in an account.
 * @param digest the name of a row of `card_digest` @param intent that of a row of `payment_intent` @param period as SQL
 */
export function cardDeclineKey(digest: Prisma.Sql, intent: Prisma.Sql, period: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`concat_ws(':', 'card-declines', ${period}, ${digest}.card, ${intent}.merchant_account_id,
    ${intent}.amount_minor, ${intent}.currency)`;
}

/** The key in `rate_limit` under which an account keeps that a card was declined for good, whatever the amount. */
export function cardNeverKey(digest: Prisma.Sql, intent: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`concat_ws(':', 'card-never', ${digest}.card, ${intent}.merchant_account_id)`;
}

/**
 * A further table expression that counts the declines of cards in a step of the payment `updated`; nothing where no attempt was declined,
 * so that it costs other steps nothing.
 * @param at ISO 8601 UTC
 */
export function countCardDeclines(attempts: readonly Attempt[], at: string): Prisma.Sql {
  const declined = attempts.filter(({ outcome }) => outcome === 'declined' || outcome === 'failed');
  if (declined.length === 0) return Prisma.empty;
  const methods = declined.map(({ paymentMethodId, advice }) => ({ id: paymentMethodId, never: advice === 'never' }));
  const now = Prisma.sql`${Date.parse(at)}::bigint`;
  return Prisma.sql`, declined_cards AS (
      SELECT d.card, method.never FROM jsonb_to_recordset(${jsonParameter(methods)}::jsonb) AS method(id text, never boolean)
        JOIN card_digest d ON d.payment_method_id = method.id
    ), counted_declines AS (
      INSERT INTO rate_limit AS r (key, points, expire)
      SELECT counted.key, count(*), ${now} + min(counted.ms) FROM (
        SELECT ${cardDeclineKey(Prisma.sql`d`, Prisma.sql`updated`, Prisma.sql`period.name`)} AS key, period.ms
        FROM updated, declined_cards d
          CROSS JOIN jsonb_to_recordset(${jsonParameter(periods())}::jsonb) AS period(name text, ms bigint)
        UNION ALL
        SELECT ${cardNeverKey(Prisma.sql`d`, Prisma.sql`updated`)}, ${PERIODS.month}::bigint
        FROM updated, declined_cards d WHERE d.never
      ) counted
      GROUP BY 1 ORDER BY 1
      ${countInWindow(now)}
    )`;
}

function periods(): readonly object[] {
  return Object.entries(PERIODS).map(([name, ms]) => ({ name, ms }));
}
