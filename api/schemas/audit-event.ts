import { z } from 'zod';
import { ACTOR_TYPES, AUDIT_ACTIONS } from '../../domain/audit.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, text } from './common.ts';

/** GET /audit-events */
export const listAuditEventsQuery = z.strictObject({
  ...pageQuery,
  action: z.enum(AUDIT_ACTIONS).optional(),
  resourceId: text(64).min(1).optional(),
});

const state = z.record(z.string(), z.unknown()).nullable();

/** The audit event in every response. */
export const auditEventResource = z.object({
  id: z.string(),
  object: z.literal('audit_event'),
  environment: z.enum(ENVIRONMENTS),
  /** The merchant account that the resource belongs to; null where it belongs to the merchant. */
  merchantId: z.string().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  resourceId: z.string(),
  /** The API key with the client's IP address, the user name and the host of an operator of the platform, or the engine. */
  actor: z.object({ type: z.enum(ACTOR_TYPES), id: z.string(), address: z.string() }),
  /** The resource before the change, without secrets; null for a creation. */
  before: state,
  /** The resource after the change, without secrets; null for a deletion. */
  after: state,
  createdAt: responseTime,
});

export type AuditEventResource = z.infer<typeof auditEventResource>;
