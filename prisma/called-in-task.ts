import { Prisma } from './generated/client.ts';

/**
 * Holds for an attempt whose provider's first answer is waited for within a workflow task, which takes nothing else in
 * meanwhile; for how long at most, `AT_ONCE_OVER_AFTER_MS` says. Names columns that only attempts have.
 */
export const IS_CALLED_IN_TASK = Prisma.sql`(called_at_once AND outcome IS NULL AND provider_payment_id IS NULL)`;
