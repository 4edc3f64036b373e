import { ALL_SCOPES, PERSON_SCOPES, SECURITY_SCOPE, SUPPORT_SCOPE, TEAM_SCOPES } from './scopes.ts';

/** The roles of people in the team of a merchant. */
export const ROLES = ['owner', 'developer', 'support', 'finance', 'read_only'] as const;
export type Role = (typeof ROLES)[number];

const READS = ALL_SCOPES.filter((scope) => scope.endsWith(':read'));

const REDELIVERY = 'events:redeliver';

function writes(...resources: readonly string[]): readonly string[] {
  return resources.map((resource) => `${resource}:write`);
}

/** The scopes of each role. No read returns a secret: secrets are shown once, to the person who makes them. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly string[]>> = {
  owner: [...PERSON_SCOPES, ...ALL_SCOPES, ...TEAM_SCOPES, SECURITY_SCOPE, SUPPORT_SCOPE],
  developer: [
    ...PERSON_SCOPES,
    ...READS,
    ...writes('api-keys', 'payment-routes', 'card-groups', 'channel-limits', 'webhook-endpoints', 'provider-accounts'),
    ...writes('route-sets', 'routing-settings', 'test-clock'),
    REDELIVERY,
    SECURITY_SCOPE,
    SUPPORT_SCOPE,
  ],
  support: [
    ...PERSON_SCOPES,
    ...READS,
    ...writes('payment-intents', 'payment-links', 'refunds', 'disputes', 'customers', 'payment-methods'),
    REDELIVERY,
    SUPPORT_SCOPE,
  ],
  finance: [...PERSON_SCOPES, ...READS, ...writes('payment-links', 'refunds', 'disputes', 'settlements')],
  read_only: [...PERSON_SCOPES, ...READS],
};

/** Whether the role of a membership includes a scope. */
export function roleHas(role: string | undefined, scope: string): boolean {
  return ROLES.some((each) => each === role && SCOPES_OF_ROLE[each].includes(scope));
}
