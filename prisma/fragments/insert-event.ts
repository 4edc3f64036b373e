import { Prisma } from '../generated/client.ts';

/** The beginning of every statement that writes events; a SELECT of these columns follows. */
export const INSERT_EVENT = Prisma.sql`
  INSERT INTO event (id, merchant_account_id, environment, type, resource_id, payment_intent_id, version, failure, snapshot,
    created_at)`;
