import { Prisma } from '../generated/client.ts';

/**
 * Whether the answered attempt `a` counts for or against its provider. A refusal does not count if the customer's money or data is the reason.
 * Only a payment's first attempt is rated, because later ones are of payments that were declined already.
 */
export const IS_RATED = Prisma.sql`
  (a.number = 1 AND (a.outcome = 'approved' OR (
    a.outcome IN ('declined', 'failed') AND COALESCE(a.code, '') NOT IN ('INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED')
    AND COALESCE(a.advice, '') <> 'correct_data')))`;
