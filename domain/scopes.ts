/** The resources that have scopes. */
const SCOPED_RESOURCES = [
  'payment-intents',
  'transactions',
  'refunds',
  'customers',
  'merchants',
  'api-keys',
  'payment-routes',
  'channel-limits',
  'webhook-endpoints',
  'events',
  'audit-events',
  'requests',
] as const;

/** Every scope there is: `resource:read` and `resource:write` of each resource. */
export const ALL_SCOPES: readonly string[] = SCOPED_RESOURCES.flatMap((resource) => [
  `${resource}:read`,
  `${resource}:write`,
]);
