import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { createKnownCallers, refuseBlockedAddress } from '../../../../http/authentication/known-callers.ts';
import { ApiError } from '../../../../domain/api-error.ts';
import { createExpiringSet } from '../../../../http/expiring-set.ts';
import type { RateLimiters } from '../../../../http/rate-limits/rate-limit.ts';
import { clientSecretsOf, splitClientSecret } from '../../../../vault/client-secret.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';

const ADDRESS = '203.0.113.7';
const KEYRING = parseKeyring(`k:${randomBytes(32).toString('base64')}`);
const INTENT = `pi_${'0'.repeat(32)}`;

describe('a blocked address', () => {
  const knownCallers = createKnownCallers(KEYRING);
  const status = { limit: 3, remaining: 0, resetAtMs: Date.now() + 5_000, exceeded: true };
  const rateLimiters = {
    blockedAddress: (address: string) => (address === ADDRESS ? status : null),
  } as unknown as RateLimiters;
  const ask = (token: string, salt: string, address = ADDRESS): string => {
    const headers = new Map([
      ['authorization', `Bearer ${token}`],
      ['x-secret-salt', salt],
    ]);
    try {
      refuseBlockedAddress(
        { header: (name) => headers.get(name), address: () => address },
        { rateLimiters, knownCallers },
      );
      return 'passed';
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.code;
    }
  };

  it('is refused, except with a key and a salt that have lately passed authentication', () => {
    assert.equal(ask('svc_test_one_of_many', 'salt'), 'RATE_LIMIT_EXCEEDED');
    assert.equal(ask('svc_test_one_of_many', 'salt', '203.0.113.8'), 'passed');
    knownCallers.add('svc_test_one_of_many' + 'salt');
    assert.equal(ask('svc_test_one_of_many', 'salt'), 'passed');
    assert.equal(ask('svc_test_one_of_many', 'guessed'), 'RATE_LIMIT_EXCEEDED');
  });

  it('passes with a client secret that the vault derives, though never seen', () => {
    const [clientSecret = ''] = clientSecretsOf(KEYRING, INTENT);
    const { key, salt } = splitClientSecret(clientSecret);
    assert.equal(ask(key, salt), 'passed');
    assert.equal(
      ask(
        key,
        salt.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      'RATE_LIMIT_EXCEEDED',
    );
    assert.ok(!createKnownCallers(null).has(clientSecret));
  });
});

describe('an expiring set', () => {
  it('forgets what has expired and, of too many, what was added first', () => {
    const set = createExpiringSet(2);
    const laterMs = Date.now() + 60_000;
    set.add('expired', Date.now());
    assert.equal(set.expiryOf('expired'), undefined);
    for (const text of ['one', 'two', 'one', 'three']) set.add(text, laterMs);
    assert.deepEqual(
      ['one', 'two', 'three'].map((text) => set.expiryOf(text)),
      [laterMs, undefined, laterMs],
    );
  });
});
