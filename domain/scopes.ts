/** The resources that have scopes. */
const SCOPED_RESOURCES = [
  'payment-intents',
  'payment-links',
  'transactions',
  'refunds',
  'disputes',
  'settlements',
  'customers',
  'payment-methods',
  'merchants',
  'api-keys',
  'payment-routes',
  'card-groups',
  'route-sets',
  'routing-settings',
  'channel-limits',
  'webhook-endpoints',
  'events',
  'audit-events',
  'requests',
  'provider-health',
  'provider-accounts',
  'statistics',
  'reconciliation-runs',
  'test-clock',
] as const;

/** Shows its holder the address of a resource's workflow. */
export const SUPPORT_SCOPE = 'support:read';

/** The scopes of every person in a team: to read who they are, and to save their own views of lists. */
export const PERSON_SCOPES: readonly string[] = ['me:read', 'me:write'];

/** The scopes about the team of a merchant: for people only, so that no key can let anybody in. */
export const TEAM_SCOPES: readonly string[] = ['team:read', 'team:write'];

/** Shows who and what can act for a merchant, and what became of a key: for people only, so that a stolen key cannot see the search for it. */
export const SECURITY_SCOPE = 'security:read';

/** The scopes of the platform's staff in the console: no key and no role of a merchant has them. */
export const PLATFORM_SCOPES: readonly string[] = ['platform:read', 'platform:write'];

/** What may be done to a resource besides reading, where it is less than to write it. */
const ACTIONS: Readonly<Partial<Record<(typeof SCOPED_RESOURCES)[number], string>>> = { events: 'redeliver' };

/** Every scope of merchants' keys: `resource:read` and `resource:write`, or a narrower action, of each resource. */
export const ALL_SCOPES: readonly string[] = SCOPED_RESOURCES.flatMap((resource) => [
  `${resource}:read`,
  `${resource}:${ACTIONS[resource] ?? 'write'}`,
]);
