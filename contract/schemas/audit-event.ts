import { z } from 'zod';
import { ACTOR_TYPES, AUDIT_ACTIONS } from '../../domain/audit.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { creationQuery, pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the entry, which begins with `aud_`.',
  merchantId:
    'The merchant account (`mer_…`) that the resource belongs to; null where it belongs to the merchant, as payment ' +
    'routes and channel limits do.',
  action: 'What was done to which kind of resource, such as `api_key.revoked`.',
  resourceId: 'The id of the resource that was changed.',
  actor: 'Who made the change.',
  before: 'The resource before the change, without secrets; null for a creation.',
  after:
    'The resource after the change, without secrets; null for a deletion. Of a sign-in: how it went, and the `userAgent` of the browser.',
  createdAt: 'When the change was made; ISO 8601 in UTC, with milliseconds.',
};
const ACTOR_MEMBERS = {
  type: withValues<(typeof ACTOR_TYPES)[number]>('What kind of actor it is.', {
    api_key: 'the holder of an API key, by a request',
    person: 'a person who is signed in to the dashboard',
    anonymous: 'somebody at the sign-in who did not prove to be the person',
    operator: 'an operator of the platform, by a command',
    platform: 'the staff of the platform',
    system: 'the engine itself',
  }),
  id: "The id of the API key or the person, the operator's user name, `platform`, `anonymous`, or the engine's process.",
  name:
    "The name of the API key; the person's name or, without one, the e-mail address; the operator's user name. Null for the platform, " +
    'the engine and who is anonymous, and where the person or key does not exist any more.',
  address:
    "The client's IP address, the operator's host, `internal`, or `temporal`: what support staff do about a payment reaches its " +
    'workflow, which records it, without an address.',
};

const actor = z.object(
  described(ACTOR_MEMBERS, {
    type: z.enum(ACTOR_TYPES),
    id: z.string(),
    name: z.string().nullable(),
    address: z.string(),
  }),
);

/** GET /audit-events */
export const listAuditEventsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  action: z.enum(AUDIT_ACTIONS).optional().describe('Selects the changes of this kind.'),
  resourceId: text(64).min(1).optional().describe('Selects the changes of the resource with this id.'),
  actorId: text(100)
    .min(1)
    .optional()
    .describe('Selects the changes by the API key or the person with this id, or by the operator with this user name.'),
});

const state = z.record(z.string(), z.unknown()).nullable();

/** The audit event in every response. */
export const auditEventResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('audit_event'),
      environment: z.enum(ENVIRONMENTS),
      merchantId: z.string().nullable(),
      action: z.enum(AUDIT_ACTIONS),
      resourceId: z.string(),
      actor,
      before: state,
      after: state,
      createdAt: responseTime,
    }),
  )
  .describe('One change of a setting: who made it, and the resource before and after.');

export type AuditEventResource = z.infer<typeof auditEventResource>;

/** Who is in the audit log. */
export const auditActors = z
  .array(actor.omit({ address: true }))
  .describe('The people, API keys and others in the log of the merchant and environment, by name.');

export type AuditActor = z.infer<typeof auditActors>[number];
