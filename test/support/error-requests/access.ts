import { MINUTE_MS } from '../../../domain/time.ts';
import { SANDBOX_ACCOUNTS } from '../../../sandbox/stack/sandbox-data.ts';
import { createMerchant, type TestMerchant } from '../merchants.ts';
import { INTENTS } from '../payments.ts';
import { type Answer, request } from '../signed-request.ts';
import { queryStack } from '../stack-database.ts';
import type { ErrorRequest } from './request-context.ts';

/** Codes about authentication, authorization and rate limits. */
export const ACCESS_CODES = {
  UNAUTHORIZED: {
    request: 'any request with an unknown API key',
    send: (context) => context.get(INTENTS, { Authorization: 'Bearer svc_test_0000000000000000' }),
  },
  INVALID_SIGNATURE: {
    request: 'any request whose signature is over other bytes',
    send: (context) => context.get(INTENTS, { 'X-Signature': '0'.repeat(64) }),
  },
  TIMESTAMP_EXPIRED: {
    request: 'any request with a timestamp more than 5 minutes away',
    send: (context) => context.get(INTENTS, { 'X-Timestamp': new Date(Date.now() - 6 * MINUTE_MS).toISOString() }),
  },
  API_KEY_REVOKED: { request: 'any request with a revoked key', send: () => withKey('revoked_at = now()') },
  API_KEY_EXPIRED: { request: 'any request with an expired key', send: () => withKey('expires_at = now()') },
  IP_NOT_WHITELISTED: {
    request: 'any request from an address that is not on the list of a restricted key',
    send: () => withKey(`ip_restricted = true, ip_allowlist = '{10.0.0.0/8}'`),
  },
  INSUFFICIENT_PERMISSIONS: {
    request: 'GET /payment-intents with a key that may only read customers',
    send: () => withKey(`scopes = '{customers:read}'`),
  },
  FORBIDDEN: {
    request: "any request with another merchant's account in X-Merchant-ID",
    send: (context) => context.get(INTENTS, { 'X-Merchant-ID': SANDBOX_ACCOUNTS[0].id }),
  },
  MERCHANT_SUSPENDED: {
    request: 'any request for a suspended account',
    send: () =>
      asChanged(({ merchantAccountId }) => [
        `UPDATE merchant_account SET status = 'suspended' WHERE id = $1`,
        [merchantAccountId],
      ]),
  },
  RATE_LIMIT_EXCEEDED: {
    request: 'more requests in a minute than the environment allows',
    send: async () => {
      const limited = await createMerchant();
      const ask = () => request({ method: 'GET', path: INTENTS }, limited.credentials);
      await ask();
      await queryStack('UPDATE rate_limit SET points = 1000000000 WHERE key = $1', [`sandbox:${limited.apiKeyId}`]);
      return ask();
    },
  },
} satisfies Readonly<Record<string, ErrorRequest>>;

/** Sends a request as a new merchant after a change of that merchant's rows. */
async function asChanged(
  statement: (merchant: TestMerchant) => readonly [string, readonly unknown[]],
): Promise<Answer> {
  const changed = await createMerchant();
  await queryStack(...statement(changed));
  return request({ method: 'GET', path: INTENTS }, changed.credentials);
}

function withKey(change: string): Promise<Answer> {
  return asChanged(({ apiKeyId }) => [`UPDATE api_key SET ${change} WHERE id = $1`, [apiKeyId]]);
}
