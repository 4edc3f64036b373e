import type { KeyLimits, Principal } from '../../domain/principal.ts';

/** The limits of a key that anybody may use for any account of its merchant, for ever. */
export const NO_LIMITS: KeyLimits = {
  accountBound: false,
  ipRestricted: false,
  ipAllowlist: [],
  expiresAt: null,
  signatureVersion: 1,
};

/** The sender of a request in the sandbox, with a key without scopes and limits. */
export function principalWith(properties: Partial<Principal>): Principal {
  return {
    apiKeyId: 'key_1',
    actor: { type: 'api_key', id: 'key_1', address: '203.0.113.7' },
    merchantId: 'org_1',
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    attemptBudget: 5,
    requiresIdempotencyKeys: false,
    scopes: [],
    keyLimits: NO_LIMITS,
    ...properties,
  };
}
