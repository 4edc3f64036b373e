import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'mocha';
import {
  authenticateSession,
  authenticateStaff,
  claimsSession,
  sessionTokenOf,
} from '../../../http/authentication/session.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { RateLimiters } from '../../../http/rate-limits/rate-limit.ts';
import type { Transport } from '../../../http/transport.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { SessionCredentials, StaffCredentials } from '../../../prisma/queries/person.ts';

const SECRET = 'a secret of the dashboard, long enough';
const TOKEN = 'abcdefghijklmnopqrstuvwxyz012345';
const signed = (token = TOKEN, secret = SECRET) =>
  `Session ${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;

describe('the session in an Authorization header', () => {
  it('is taken if the dashboard signed it', () => {
    assert.equal(sessionTokenOf(signed(), SECRET), TOKEN);
    assert.ok(claimsSession(signed()) && claimsSession('Session none') && !claimsSession('Bearer svc_test_1'));
    assert.ok(!claimsSession(`${signed()}, Bearer svc_test_1`));
  });

  it('is refused with another signature, token or secret, in another form, and where sessions are not taken', () => {
    const [token = '', signature = ''] = signed().slice('Session '.length).split('.');
    for (const value of [
      undefined,
      '',
      'Session none',
      'Session ',
      `Session ${token}`,
      `Session ${token}.`,
      `Session ${token}.${signature.slice(0, -1)}`,
      `Session ${token.replace('a', 'b')}.${signature}`,
      `Session ${token}.${signature} more`,
      `Bearer ${token}.${signature}`,
      `Session ${encodeURIComponent(`${token}.${signature}`)}`,
      signed(TOKEN, 'another secret, which is also long'),
    ]) {
      assert.equal(sessionTokenOf(value, SECRET), undefined, value);
    }
    assert.equal(sessionTokenOf(signed(), null), undefined);
  });
});

const ROW: SessionCredentials = {
  personId: 'per_1',
  isEmailVerified: true,
  merchantId: 'org_1',
  role: 'support',
  merchantAccountId: 'mer_1',
  merchantAccountStatus: 'active',
  attemptBudget: 5,
  requiresIdempotencyKeys: false,
  refundConfirmationMinor: 5_000n,
  requiresSecondFactor: false,
  hasSecondFactor: false,
  gaveSecondFactor: false,
  isRecentlyAuthenticated: true,
  isUseDue: false,
};
const LOOPBACK: Transport = {
  secure: false,
  peerAddress: '127.0.0.1',
  peerIsTrustedProxy: false,
  isForwarded: false,
  tellsProtocol: false,
};

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport?: Transport;
  readonly requireSecondFactor?: boolean;
}

/** What a session with a row and a request of a test are authenticated with. */
function argumentsFor(
  row: SessionCredentials | StaffCredentials | undefined,
  { method = 'POST', headers = {}, transport = LOOPBACK, requireSecondFactor = false }: TestRequest,
) {
  const direct = { row: () => Promise.resolve(row) } as Partial<Database['direct']> as Database['direct'];
  const rateLimiters = {
    countPerson: () => Promise.resolve({ limit: 1, remaining: 1, resetAtMs: 0, exceeded: false }),
  } as Partial<RateLimiters> as RateLimiters;
  const address = () => '192.0.2.1';
  const input = { method, header: (name: string) => headers[name], address, transport: () => transport };
  const sessionLimits = { maximumMs: 1, staffMaximumMs: 1, staffIdleMs: 1 };
  const counting = { rateLimiters, requireSecondFactor, sessionLimits, onCounted: () => undefined };
  return [TOKEN, input, { database: { direct }, ...counting }] as const;
}

const authenticate = (row: SessionCredentials | undefined, request: TestRequest = {}) =>
  authenticateSession(...argumentsFor(row, request));

describe('the principal of a session', () => {
  it('has the scopes of the role, and the person as actor', async () => {
    const principal = await authenticate(ROW);
    assert.deepEqual(principal.actor, { type: 'person', id: 'per_1', address: '192.0.2.1' });
    assert.ok(principal.scopes.includes('refunds:write') && !principal.scopes.includes('api-keys:write'));
    assert.equal(principal.environment, 'sandbox');
  });

  it('needs a session, a confirmed e-mail address, a team, and an active account', async () => {
    for (const [row, code] of [
      [undefined, 'UNAUTHORIZED'],
      [{ ...ROW, isEmailVerified: false }, 'FORBIDDEN'],
      [{ ...ROW, merchantId: null, role: null }, 'FORBIDDEN'],
      [{ ...ROW, merchantAccountId: null }, 'FORBIDDEN'],
      [{ ...ROW, merchantAccountStatus: 'suspended' }, 'MERCHANT_SUSPENDED'],
    ] as const) {
      await assert.rejects(authenticate(row), (error) => error instanceof ApiError && error.code === code);
    }
  });

  it('needs a second factor where the team or the operator demands it', async () => {
    const demanded = { ...ROW, requiresSecondFactor: true };
    for (const [row, request, reason] of [
      [demanded, {}, 'second_factor_not_set_up'],
      [{ ...demanded, hasSecondFactor: true }, {}, 'second_factor_not_given'],
      [ROW, { requireSecondFactor: true }, 'second_factor_not_set_up'],
    ] as const) {
      await assert.rejects(authenticate(row, request), { code: 'FORBIDDEN', details: { reason } });
    }
    const given = { ...demanded, hasSecondFactor: true, gaveSecondFactor: true };
    assert.deepEqual((await authenticate(given, { requireSecondFactor: true })).session, {
      gaveSecondFactor: true,
      isRecentlyAuthenticated: true,
    });
  });

  it('lets a person read a suspended account, and change nothing', async () => {
    const suspended = { ...ROW, merchantAccountStatus: 'suspended' };
    for (const method of ['GET', 'HEAD']) {
      assert.equal((await authenticate(suspended, { method })).merchantAccountId, 'mer_1');
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      await assert.rejects(authenticate(suspended, { method }), { code: 'MERCHANT_SUSPENDED' });
    }
  });

  it('is refused in production over plain HTTP, and taken over HTTPS', async () => {
    const headers = { 'x-environment': 'production' };
    const proxied = { ...LOOPBACK, peerIsTrustedProxy: true, isForwarded: true, tellsProtocol: true };
    for (const transport of [{ ...LOOPBACK, peerAddress: '192.0.2.7' }, proxied, { ...LOOPBACK, isForwarded: true }]) {
      await assert.rejects(
        authenticate(ROW, { headers, transport }),
        (error) => error instanceof ApiError && error.code === 'FORBIDDEN',
      );
    }
    assert.equal(
      (await authenticate(ROW, { headers, transport: { ...proxied, secure: true } })).environment,
      'production',
    );
  });
});

const STAFF: StaffCredentials = {
  personId: 'per_1',
  email: 'staff@example.com',
  isEmailVerified: true,
  isStaff: true,
  hasSecondFactor: true,
  gaveSecondFactor: true,
  isUseDue: false,
};

describe('the principal of the staff of the platform', () => {
  const authenticateAs = (row: StaffCredentials | undefined, request: TestRequest = {}) =>
    authenticateStaff(...argumentsFor(row, request));

  it('has the scopes of the platform alone, and no merchant', async () => {
    const { scopes, merchantId, merchantAccountId, staffEmail } = await authenticateAs(STAFF);
    assert.deepEqual(scopes, ['platform:read', 'platform:write']);
    assert.deepEqual([merchantId, merchantAccountId, staffEmail], ['', '', 'staff@example.com']);
  });

  it('needs a session, a confirmed e-mail address, membership of the staff, and a session that began with a second factor', async () => {
    for (const [row, expected] of [
      [undefined, { code: 'UNAUTHORIZED' }],
      [{ ...STAFF, isEmailVerified: false }, { code: 'FORBIDDEN' }],
      [{ ...STAFF, isStaff: false }, { code: 'INSUFFICIENT_PERMISSIONS' }],
      [{ ...STAFF, hasSecondFactor: false }, { details: { reason: 'second_factor_not_set_up' } }],
      [{ ...STAFF, gaveSecondFactor: false }, { details: { reason: 'second_factor_not_given' } }],
    ] as const) {
      await assert.rejects(authenticateAs(row), expected);
    }
  });

  it('is refused over plain HTTP from elsewhere', async () => {
    const transport = { ...LOOPBACK, peerAddress: '192.0.2.7' };
    await assert.rejects(authenticateAs(STAFF, { transport }), { code: 'FORBIDDEN' });
  });
});
