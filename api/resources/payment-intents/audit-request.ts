import type { AuditAction } from '../../../domain/audit.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { Execution } from '../../idempotency/idempotency.ts';
import type { Principal } from '../../../domain/principal.ts';
import { recordChange } from '../../../accounts/audit.ts';

/** What a person requests about a payment's money. */
interface AuditedRequest {
  readonly action: Extract<AuditAction, 'payment_intent.capture_requested' | 'payment_intent.cancel_requested'>;
  readonly paymentIntentId: string;
  /** The request's own members, which tell nothing of the customer. */
  readonly asked: object;
}

/**
 * Writes a person's request into the audit log before the workflow gets it: otherwise money could move without an entry. Requests
 * of API keys are in the request log.
 */
export async function auditRequest(
  database: Pick<Database, 'auditEvent'>,
  principal: Principal,
  { resumed }: Pick<Execution, 'resumed'>,
  { action, paymentIntentId: resourceId, asked }: AuditedRequest,
): Promise<void> {
  const { actor, merchantId, environment, merchantAccountId } = principal;
  if (actor.type !== 'person') return;
  const written = { merchantId, environment, resourceId, action, actorId: actor.id };
  if (resumed && (await database.auditEvent.count({ where: written })) > 0) return;
  const describe = (state: object) => ({ id: resourceId, merchantAccountId, state });
  await recordChange(
    database,
    { author: principal, action, describe },
    { before: null, after: { id: resourceId, object: 'payment_intent', ...asked } },
  );
}
