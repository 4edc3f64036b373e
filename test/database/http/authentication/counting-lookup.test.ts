import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import pino from 'pino';
import { Pool } from 'pg';
import { createCountingLookup, type Signer } from '../../../../http/authentication/counting-lookup.ts';
import { type Credentials, findCredentials } from '../../../../http/authentication/credentials.ts';
import { hashSecret } from '../../../../vault/key-secret.ts';
import { createRateLimiters } from '../../../../http/rate-limits/rate-limiters.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { createMerchant } from '../../../../scripts/manage-merchants.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { VERSION_1 } from '../../../support/signature-version.ts';

const LIMIT = 20;
const LIMITS = { sandbox: LIMIT, production: LIMIT, unauthenticated: LIMIT, person: LIMIT };

describe('reading a key and counting the request in one statement', () => {
  let test: TestDatabase;
  let pool: Pool;
  let signer: Signer;
  let merchantAccountId: string;
  let nowMs: number;

  before(async () => {
    test = await createTestDatabase();
    pool = new Pool({ connectionString: test.url, max: 2 });
  });
  after(async () => {
    await pool.end();
    await test.close();
  });
  beforeEach(async () => {
    nowMs = Date.now();
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    const made = await createMerchant(test.database, merchant, VERSION_1);
    ({ merchantAccountId } = made);
    signer = { apiKey: made.apiKey, account: undefined, saltHash: hashSecret(made.secretSalt) };
  });

  const createLookup = () => createCountingLookup(test.database, LIMITS);
  const changeKey = (data: { revokedAt?: Date; expiresAt?: Date; ipRestricted?: boolean }) =>
    test.database.apiKey.updateMany({ where: { merchantAccountId }, data });

  it('accepts exactly as many requests as the limit allows, over several processes and together with the limiter', async () => {
    const [first, second] = [createLookup(), createLookup()];
    const asked = await Promise.all(
      Array.from({ length: LIMIT - 2 }, (_, index) => (index % 2 === 0 ? first : second)(signer, nowMs)),
    );
    const remaining = asked.map((caller) => caller?.rateLimit?.remaining ?? -1).sort((a, b) => a - b);
    assert.deepEqual(
      remaining,
      Array.from({ length: LIMIT - 2 }, (_, index) => index + 2),
    );
    const { apiKeyId = '' } = asked[0]?.credentials ?? {};
    const limiters = createRateLimiters({ pool, redis: null, limits: LIMITS, logger: pino({ level: 'silent' }) });
    assert.equal((await limiters.countKey('sandbox', apiKeyId)).remaining, 1);
    assert.equal((await first(signer, nowMs))?.rateLimit?.exceeded, false);
    assert.equal((await first(signer, nowMs))?.rateLimit?.exceeded, true);
    assert.equal(await first(signer, nowMs), null, 'the database is not asked again');
    assert.equal((await limiters.countKey('sandbox', apiKeyId)).exceeded, true);
  });

  it('starts a new window after a minute', async () => {
    const lookup = createLookup();
    await Promise.all(Array.from({ length: LIMIT + 1 }, () => lookup(signer, nowMs)));
    assert.equal(await lookup(signer, nowMs + MINUTE_MS - 1), null);
    const { rateLimit } = (await lookup(signer, nowMs + MINUTE_MS)) ?? {};
    assert.deepEqual([rateLimit?.remaining, rateLimit?.resetAtMs], [LIMIT - 1, nowMs + 2 * MINUTE_MS]);
  });

  const uncounted: [string, () => Promise<unknown>, () => Partial<Credentials>][] = [
    ['has another salt', () => Promise.resolve((signer = { ...signer, saltHash: hashSecret('another') })), () => ({})],
    ['is revoked', () => changeKey({ revokedAt: new Date(nowMs) }), () => ({ isRevoked: true })],
    ['has expired', () => changeKey({ expiresAt: new Date(nowMs) }), () => ({ expiresAtMs: nowMs })],
    ['is bound to addresses', () => changeKey({ ipRestricted: true }), () => ({ ipRestricted: true })],
  ];
  for (const [what, make, shown] of uncounted) {
    it(`reads but does not count a key that ${what}`, async () => {
      await make();
      const { credentials, rateLimit } = (await createLookup()(signer, nowMs)) ?? {};
      assert.equal(credentials?.merchantAccountId, merchantAccountId);
      assert.deepEqual({ ...credentials, ...shown() }, credentials);
      assert.deepEqual(await findCredentials(test.database, signer.apiKey, undefined), credentials);
      assert.equal(rateLimit, null);
      assert.deepEqual(
        await test.database.rateLimit.findMany({ where: { key: `sandbox:${credentials.apiKeyId}` } }),
        [],
      );
    });
  }

  it('bypasses a key for a second after a wrong salt, and while the database rejects counts', async () => {
    const lookup = createLookup();
    await lookup({ ...signer, saltHash: hashSecret('another') }, nowMs);
    assert.equal(await lookup(signer, nowMs + 999), null);
    assert.equal((await lookup(signer, nowMs + 1_000))?.rateLimit?.remaining, LIMIT - 1);
    await test.database.$executeRaw`ALTER TABLE rate_limit RENAME TO elsewhere`;
    assert.equal(await lookup(signer, nowMs + 1_000), null);
    await test.database.$executeRaw`ALTER TABLE elsewhere RENAME TO rate_limit`;
    assert.equal((await lookup(signer, nowMs + 1_000))?.rateLimit?.remaining, LIMIT - 2);
  });

  it('counts a key that has not expired yet', async () => {
    await changeKey({ expiresAt: new Date(nowMs + 1) });
    assert.equal((await createLookup()(signer, nowMs))?.rateLimit?.remaining, LIMIT - 1);
  });

  it('finds neither unknown keys nor accounts of other merchants', async () => {
    const lookup = createLookup();
    const unknown = await lookup({ ...signer, apiKey: 'svc_test_0123456789abcdef' }, nowMs);
    assert.deepEqual(unknown, { credentials: undefined, rateLimit: null });
    const foreign = await lookup({ ...signer, account: 'mer_another' }, nowMs);
    assert.equal(foreign?.credentials?.merchantAccountId, null);
    assert.equal(foreign.rateLimit?.remaining, LIMIT - 1);
  });
});
