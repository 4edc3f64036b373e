/** What the audit log records: changes of a merchant's settings. */
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
  'channel_limit.created',
  'channel_limit.updated',
  'channel_limit.deleted',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const ACTOR_TYPES = ['api_key', 'operator'] as const;

/** Who changes something: the holder of an API key, or an operator of the platform with its commands. */
export interface Actor {
  readonly type: (typeof ACTOR_TYPES)[number];
  /** The id of the API key, or the operator's user name. */
  readonly id: string;
  /** The client's IP address, or the operator's host. */
  readonly address: string;
}
