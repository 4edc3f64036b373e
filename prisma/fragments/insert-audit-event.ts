import { Prisma } from '../generated/client.ts';

/** The beginning of every statement that writes to the audit log; a SELECT of these columns follows. */
export const INSERT_AUDIT_EVENT = Prisma.sql`
  INSERT INTO audit_event (id, merchant_id, environment, merchant_account_id, action, resource_id, actor_type, actor_id,
    actor_address, before, after)`;
