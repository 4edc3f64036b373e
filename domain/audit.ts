/**
 * What happens at the sign-in of a person, after `team_member.` in the log of a merchant and `staff.` in that of the platform. A failure
 * and a lock-out may be anybody's.
 */
export const SIGN_IN_EVENTS = [
  'signed_in',
  'sign_in_failed',
  'locked_out',
  'session_ended',
  'password_changed',
  'password_reset_requested',
  'second_factor_enabled',
  'second_factor_disabled',
  'recovery_codes_created',
] as const;
export type SignInEvent = (typeof SIGN_IN_EVENTS)[number];

/** What the audit log records: changes of a merchant's settings, what people do about a payment, and their sign-ins. */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'merchant_account.created',
  'merchant_account.updated',
  'merchant_account.suspended',
  'merchant_account.activated',
  'payment_route.created',
  'payment_route.updated',
  'payment_route.deleted',
  'card_group.created',
  'card_group.updated',
  'card_group.deleted',
  'route_set.created',
  'route_set.activated',
  'routing_setting.updated',
  'channel_limit.created',
  'channel_limit.updated',
  'channel_limit.deleted',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'provider_account.created',
  'provider_account.updated',
  'provider_account.credentials_rotated',
  'test_clock.advanced',
  'provider_account.deleted',
  'payment_link.created',
  'payment_link.updated',
  'payment_intent.updated',
  'payment_intent.provider_asked',
  'payment_intent.resolution_requested',
  'payment_intent.resolved_by_hand',
  'payment_intent.capture_requested',
  'payment_intent.cancel_requested',
  'refund.created',
  'dispute.submit_requested',
  'dispute.accept_requested',
  'settlement.bank_confirmed',
  'settlement_entry.resolved',
  'team.updated',
  'team_member.joined',
  'team_member.updated',
  'team_member.removed',
  ...SIGN_IN_EVENTS.map((event) => `team_member.${event}` as const),
  'invitation.created',
  'invitation.resent',
  'invitation.deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_TYPES = ['api_key', 'person', 'anonymous', 'operator', 'platform', 'system'] as const;

/**
 * Who changes something: the holder of an API key, a person in the dashboard, an operator with a command, the platform's staff in
 * the console, or the engine itself. Who fails to sign in is anonymous.
 */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** The id of the API key or the person, the operator's user name, `platform`, `anonymous`, or the engine's process. */
  readonly id: string;
  /** The client's IP address, the operator's host, `internal`, or `temporal` for what a workflow records. */
  readonly address: string;
}

/** The author of what a worker changes by itself. */
export const WORKER: Actor = { type: 'system', id: 'worker', address: 'internal' };

/** Somebody at the sign-in who has not proved to be the person. */
export const ANONYMOUS = { type: 'anonymous', id: 'anonymous' } as const;

/** The author of what the platform does to a merchant, for the merchant's own log: the log of the platform names the person. */
export const PLATFORM: Actor = { type: 'platform', id: 'platform', address: 'internal' };

/** What the platform's log records. */
export const PLATFORM_ACTIONS = [
  'merchant.suspended',
  'merchant.suspension_lifted',
  'staff.added',
  'staff.removed',
  'staff.second_factor_reset',
  ...SIGN_IN_EVENTS.map((event) => `staff.${event}` as const),
] as const;
export type PlatformAction = (typeof PLATFORM_ACTIONS)[number];

/** Where support staff act from: a workflow does not learn their address. */
const SUPPORT_ADDRESS = 'temporal';

/** The name by which a workflow knows who sends it a request of support staff over the API; `actorOfSupport` reads it. */
export function supportName({ type, id }: Pick<Actor, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

const SUPPORT_NAME = /^(person|api_key) ((?:per|key)_\w+)/;

/** A person or an API key at the beginning of a text, as `supportName` writes it; null where the text begins otherwise. */
export function actorAtStart(
  text: string,
): (Pick<Actor, 'id'> & { readonly type: 'person' | 'api_key'; readonly length: number }) | null {
  const [whole = '', type, id = ''] = SUPPORT_NAME.exec(text) ?? [];
  return type === 'person' || type === 'api_key' ? { type, id, length: whole.length } : null;
}

/** Who acts by the name that a request of support staff has: an operator where it is free text. */
export function actorOfSupport(by: string): Actor {
  const actor = actorAtStart(by);
  const isWhole = actor?.length === by.length;
  return { type: 'operator', id: by, ...(isWhole ? { type: actor.type, id: actor.id } : {}), address: SUPPORT_ADDRESS };
}
