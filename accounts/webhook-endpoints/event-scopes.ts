import { EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { Principal } from '../../domain/principal.ts';

const EVERY_EVENT_SCOPE = 'events:read';

/** The scope that shows what the events of a resource contain, by the part of their type before the dot. */
const SCOPE_OF_EVENTS: Readonly<Record<string, string>> = {
  payment_intent: 'payment-intents:read',
  refund: 'refunds:read',
  dispute: 'disputes:read',
  payment_method: 'payment-methods:read',
  transaction: 'transactions:read',
  reconciliation: 'reconciliation-runs:read',
  settlement: 'settlements:read',
  provider_account: 'provider-accounts:read',
  card_testing: 'payment-intents:read',
  webhook_endpoint: 'webhook-endpoints:read',
};

/** The scopes that show what events of these types contain; `*` stands for every type. */
export function scopesOfEvents(types: readonly (EventType | '*')[]): readonly string[] {
  const every = types.includes('*') ? EVENT_TYPES : types;
  const scopes = every.map((type) => SCOPE_OF_EVENTS[type.replace(/\..*/, '')] ?? EVERY_EVENT_SCOPE);
  return [...new Set(scopes)];
}

/**
 * An endpoint receives events as whoever points it somewhere could read them: all with `events:read`, otherwise those of the
 * resources that the caller may read. Otherwise a right to write would show everything.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export function requireEventScopes({ scopes: own }: Principal, enabledEvents: readonly (EventType | '*')[]): void {
  if (own.includes(EVERY_EVENT_SCOPE)) return;
  const missing = scopesOfEvents(enabledEvents).filter((scope) => !own.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message:
      `Expected the scope events:read, or those of the resources whose events the endpoint receives; missing: ${missing.join(', ')}. ` +
      'Use a key that has them, or name fewer types in enabledEvents.',
    details: { scopes: missing },
  });
}
