import type { AttemptOpening } from '../../domain/attempt-opening.ts';
import { isKeptFromDeletion } from './conditions.ts';
import { Prisma } from '../generated/client.ts';

/**
 * Whether an attempt of the payment in `payment_intent` may begin now, by the database's clock. The account at the provider is
 * locked against deletion, and a saved card against its removal, until the statement has committed.
 */
export function mayBegin(opening: AttemptOpening): Prisma.Sql {
  return Prisma.sql`NOT ${HAS_EXPIRED} AND NOT ${isTooLate(opening)} AND ${isSavedCardUsable(opening)} AND ${isRoutable(opening)}`;
}

/** Why an attempt of the payment in `payment_intent` may not begin, an \`OpeningRefusal\`; null where it may. */
export function openingRefusalOf(opening: AttemptOpening): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${HAS_EXPIRED} THEN 'expired' WHEN ${isTooLate(opening)} THEN 'too_late'
    WHEN NOT ${isSavedCardUsable(opening)} THEN 'saved_card_unusable' WHEN NOT ${isRoutable(opening)} THEN 'not_routable' END`;
}

/** Not `now()`, which is the statement's begin: it may have waited for another writer of the row. */
const HAS_EXPIRED = Prisma.sql`(payment_intent.expires_at <= clock_timestamp())`;

/** Whether the money of the payment in `payment_intent` cannot be captured any more, by the database's clock. */
export const HAS_LAPSED = Prisma.sql`(payment_intent.capture_before <= clock_timestamp()) IS TRUE`;

function isTooLate({ before }: AttemptOpening): Prisma.Sql {
  return Prisma.sql`(${before}::timestamptz <= clock_timestamp())`;
}

/** Whether the attempt uses no saved card, or one that is active, the payment's customer's, and kept for such a payment. */
function isSavedCardUsable({ savedReferenceId }: AttemptOpening): Prisma.Sql {
  if (savedReferenceId === null) return Prisma.sql`true`;
  return Prisma.sql`EXISTS (
      SELECT FROM payment_method used JOIN saved_payment_method saved ON saved.id = used.saved_payment_method_id
      WHERE used.id = ${savedReferenceId} AND used.payment_intent_id = payment_intent.id AND used.saved_use IS NOT NULL
        AND saved.status = 'active' AND saved.customer_id = payment_intent.customer_id
        AND saved.merchant_account_id = payment_intent.merchant_account_id AND saved.environment = payment_intent.environment
        AND (used.saved_use = 'on_session' OR saved.usage = 'off_session')
      FOR SHARE OF saved
    )`;
}

/** Whether the route leads to the provider, and it, the account at the provider and the merchant account take payments. */
function isRoutable({ routeId, provider }: AttemptOpening): Prisma.Sql {
  return Prisma.sql`(EXISTS (
      SELECT FROM payment_route route JOIN merchant_account account ON account.merchant_id = route.merchant_id
      WHERE route.id = ${routeId} AND route.provider = ${provider} AND route.active
        AND route.environment = payment_intent.environment
        AND account.id = payment_intent.merchant_account_id AND account.status = 'active'
    ) AND ${isKeptFromDeletion(provider, Prisma.sql`status = 'active'`)})`;
}
