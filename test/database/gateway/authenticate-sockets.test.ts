import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { Pool } from 'pg';
import pino from 'pino';
import { createKnownCallers } from '../../../http/authentication/known-callers.ts';
import { createSocketAuthentication } from '../../../gateway/authenticate-sockets.ts';
import { createClientAddresses } from '../../../http/client-address.ts';
import { createRateLimiters } from '../../../http/rate-limits/rate-limiters.ts';
import type { SocketAuthentication, SocketPrincipal } from '../../../gateway/socket-authentication.ts';
import { createMerchant } from '../../../scripts/manage-merchants.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { VERSION_1 } from '../../support/signature-version.ts';

const LIMITS = { sandbox: 1, production: 1, unauthenticated: 1, person: 1 };

describe('the check of open sockets', () => {
  let test: TestDatabase;
  let pool: Pool;
  let sockets: SocketAuthentication;
  let principal: SocketPrincipal;
  let other: SocketPrincipal;

  before(async () => {
    test = await createTestDatabase();
    const logger = pino({ level: 'silent' });
    pool = new Pool({ connectionString: test.url });
    const rateLimiters = createRateLimiters({ pool, redis: null, limits: LIMITS, logger });
    const addresses = createClientAddresses([]);
    const { database } = test;
    const knownCallers = createKnownCallers(null);
    const connections = { database, unknownCallersDatabase: database, keyring: null };
    const keyUses = { note: () => undefined };
    sockets = createSocketAuthentication({ ...connections, knownCallers, rateLimiters, addresses, keyUses, logger });
  });
  after(async () => {
    await pool.end();
    await test.close();
  });
  beforeEach(async () => {
    [principal, other] = [await newPrincipal(), await newPrincipal()];
  });

  async function newPrincipal(): Promise<SocketPrincipal> {
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    const { merchantAccountId } = await createMerchant(test.database, merchant, VERSION_1);
    const { id } = await test.database.apiKey.findFirstOrThrow({ where: { merchantAccountId } });
    return { apiKeyId: id, merchantAccountId, address: '203.0.113.7' };
  }

  const changeKey = (data: Prisma.ApiKeyUncheckedUpdateInput) =>
    test.database.apiKey.update({ where: { id: principal.apiKeyId }, data });

  const REVOCATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
    'was deleted': () => test.database.apiKey.delete({ where: { id: principal.apiKeyId } }),
    'was revoked': () => changeKey({ revokedAt: new Date() }),
    'has expired': () => changeKey({ expiresAt: new Date() }),
    'lost the scope': () => changeKey({ scopes: ['customers:read'] }),
    'is bound to other addresses': () => changeKey({ ipRestricted: true, ipAllowlist: ['198.51.100.0/24'] }),
    'is of a suspended account': () =>
      test.database.merchantAccount.update({
        where: { id: principal.merchantAccountId },
        data: { status: 'suspended' },
      }),
  };
  for (const [what, revoke] of Object.entries(REVOCATIONS)) {
    it(`finds the socket whose key ${what}`, async () => {
      assert.deepEqual(await sockets.findRevoked([principal, other]), []);
      await revoke();
      assert.deepEqual(await sockets.findRevoked([principal, other]), [principal]);
    });
  }

  it("finds the socket for another account whose key's own account is suspended", async () => {
    const { merchantId } = await test.database.apiKey.findUniqueOrThrow({ where: { id: principal.apiKeyId } });
    await test.database.merchantAccount.update({ where: { id: other.merchantAccountId }, data: { merchantId } });
    const forOther = { ...principal, merchantAccountId: other.merchantAccountId };
    assert.deepEqual(await sockets.findRevoked([forOther]), []);
    const where = { id: principal.merchantAccountId };
    await test.database.merchantAccount.update({ where, data: { status: 'suspended' } });
    assert.deepEqual(await sockets.findRevoked([forOther]), [forOther]);
  });

  it('finds the socket for another account whose key is bound to its own', async () => {
    const { merchantId } = await test.database.apiKey.findUniqueOrThrow({ where: { id: principal.apiKeyId } });
    await test.database.merchantAccount.update({ where: { id: other.merchantAccountId }, data: { merchantId } });
    const forOther = { ...principal, merchantAccountId: other.merchantAccountId };
    await changeKey({ accountBound: true });
    assert.deepEqual(await sockets.findRevoked([forOther, principal]), [forOther]);
  });

  it('leaves alone what may go on', async () => {
    const allowed = { ipRestricted: true, ipAllowlist: ['203.0.113.0/24'] };
    await changeKey({ ...allowed, expiresAt: new Date(Date.now() + 60_000) });
    assert.deepEqual(await sockets.findRevoked([principal]), []);
    assert.deepEqual(await sockets.findRevoked([]), []);
  });

  it('finds a key together with the account of another merchant, or of the other environment', async () => {
    const { merchantAccountId } = other;
    const foreign = { ...principal, merchantAccountId };
    assert.deepEqual(await sockets.findRevoked([foreign, principal]), [foreign]);
    const { merchantId } = await test.database.apiKey.findUniqueOrThrow({ where: { id: principal.apiKeyId } });
    await test.database.merchantAccount.update({
      where: { id: merchantAccountId },
      data: { merchantId, environment: 'production' },
    });
    assert.deepEqual(await sockets.findRevoked([foreign, principal]), [foreign]);
  });
});
