/** What the resources of scopes are called here. */
const RESOURCES: Readonly<Record<string, string>> = {
  'payment-intents': 'Payments',
  'payment-links': 'Payment links',
  transactions: 'Transactions',
  refunds: 'Refunds',
  disputes: 'Disputes',
  settlements: 'Settlements',
  customers: 'Customers',
  'payment-methods': 'Saved payment methods',
  merchants: 'Merchant accounts',
  'api-keys': 'API keys',
  'payment-routes': 'Routes',
  'card-groups': 'Groups of cards',
  'route-sets': 'Sets of routes',
  'routing-settings': 'Order of routes',
  'channel-limits': 'Channel limits',
  'webhook-endpoints': 'Webhook endpoints',
  events: 'Events',
  'audit-events': 'Audit log',
  requests: 'Requests',
  'provider-health': 'Provider health',
  'provider-accounts': 'Provider accounts',
  statistics: 'Statistics',
  'reconciliation-runs': 'Reconciliation',
  'test-clock': 'Test clock',
};

const ACTIONS: Readonly<Record<string, string>> = { read: 'read', write: 'change', redeliver: 'send again' };

/** Who and what can act for a merchant: a scope of people alone. */
export const SECURITY_SCOPE = 'security:read';

/** What can only be read: no operation needs these scopes. */
const NEEDLESS: readonly string[] = [
  'transactions:write',
  'audit-events:write',
  'requests:write',
  'provider-health:write',
  'statistics:write',
  'reconciliation-runs:write',
];

/** Whether a scope is offered for an API key: keys have none of those that people alone have. */
export function isOfKeys(scope: string): boolean {
  return Object.hasOwn(RESOURCES, resourceOf(scope)) && !NEEDLESS.includes(scope);
}

export function isRead(scope: string): boolean {
  return scope.endsWith(':read');
}

/** `refunds:write` as `Refunds: change`. */
export function scopeName(scope: string): string {
  const [, action = ''] = scope.split(':');
  return `${resourceName(scope)}: ${ACTIONS[action] ?? action}`;
}

/** The resources of scopes, in one line; null for none. */
export function resourcesOf(scopes: readonly string[]): string | null {
  const names = scopes.filter((scope) => !NEEDLESS.includes(scope)).map(resourceName);
  return names.length === 0 ? null : names.join(', ');
}

function resourceName(scope: string): string {
  return RESOURCES[resourceOf(scope)] ?? resourceOf(scope);
}

function resourceOf(scope: string): string {
  return scope.replace(/:\w+$/, '');
}
