/** The files of the account's pages, which are loaded when they are first opened. */
export const PAGES = {
  home: () => import('../pages/home.tsx'),
  payments: () => import('../pages/payments.tsx'),
  payment: () => import('../pages/payment.tsx'),
  links: () => import('../pages/payment-links.tsx'),
  refunds: () => import('../pages/refunds.tsx'),
  disputes: () => import('../pages/disputes.tsx'),
  settlements: () => import('../pages/settlements.tsx'),
  settlementEntries: () => import('../pages/settlement-entries.tsx'),
  transactions: () => import('../pages/transactions.tsx'),
  customers: () => import('../pages/customers.tsx'),
  apiKeys: () => import('../pages/api-keys.tsx'),
  endpoints: () => import('../pages/webhook-endpoints.tsx'),
  events: () => import('../pages/events.tsx'),
  routes: () => import('../pages/routes.tsx'),
  cardGroups: () => import('../pages/card-groups.tsx'),
  limits: () => import('../pages/channel-limits.tsx'),
  providers: () => import('../pages/provider-accounts.tsx'),
  health: () => import('../pages/provider-health.tsx'),
  account: () => import('../pages/account.tsx'),
  team: () => import('../pages/team.tsx'),
  audit: () => import('../pages/audit-log.tsx'),
  reconciliation: () => import('../pages/reconciliation.tsx'),
  firstSteps: () => import('../pages/first-steps.tsx'),
  security: () => import('../pages/security.tsx'),
  teamSecurity: () => import('../pages/team-security.tsx'),
};

/** The files by the part of the address that names the resource. */
const LISTS: Readonly<Record<string, keyof typeof PAGES>> = {
  '': 'home',
  'payment-intents': 'payments',
  'payment-links': 'links',
  refunds: 'refunds',
  disputes: 'disputes',
  settlements: 'settlements',
  'settlement-entries': 'settlementEntries',
  transactions: 'transactions',
  customers: 'customers',
  'reconciliation-runs': 'reconciliation',
  'api-keys': 'apiKeys',
  'webhook-endpoints': 'endpoints',
  events: 'events',
  'payment-routes': 'routes',
  'card-groups': 'cardGroups',
  'channel-limits': 'limits',
  'provider-accounts': 'providers',
  'provider-health': 'health',
  account: 'account',
  'team-members': 'team',
  'audit-events': 'audit',
  'first-steps': 'firstSteps',
  security: 'security',
  'team-security': 'teamSecurity',
};

/** Begins to load the page of an address, so that it comes beside the session and not after it. */
export function preloadPage(pathname: string): void {
  const [, , , resource = '', id] = pathname.split('/');
  const name = resource === 'payment-intents' && id !== undefined ? 'payment' : LISTS[resource];
  // What fails is loaded again, and reported, when the page is shown.
  if (name !== undefined) PAGES[name]().catch(() => undefined);
}
