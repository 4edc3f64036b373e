import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { findCredentials } from '../../../../http/authentication/credentials.ts';
import { hashSecret } from '../../../../vault/key-secret.ts';
import { ApiError } from '../../../../domain/api-error.ts';
import type { KeyLimits, Principal } from '../../../../domain/principal.ts';
import { issueKey } from '../../../../accounts/api-keys/issue.ts';
import { limitsOfNewKey, requireLimitsWithin } from '../../../../accounts/api-keys/key-limits.ts';
import { rotateKey } from '../../../../accounts/api-keys/rotate.ts';
import { readKey } from '../../../../accounts/api-keys/stored-key.ts';
import { revokeKey, updateKey } from '../../../../accounts/api-keys/update.ts';
import { insertAccount, setAccountStatus, updateAccount } from '../../../../accounts/merchants/write.ts';
import { listAccounts, readAccount } from '../../../../accounts/merchants/stored-account.ts';
import { removeMember } from '../../../../accounts/team-members/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { DAY_MS } from '../../../../domain/time.ts';
import { openKeySalt } from '../../../../vault/key-salt.ts';
import { SealBrokenError } from '../../../../vault/envelope.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { insertApiKey, insertMerchantAccount } from '../../../support/payment-rows.ts';
import { NO_LIMITS, principalWith } from '../../../support/principal.ts';

const SCOPES = ['api-keys:write', 'customers:read'];
const ROTATION = { overlapSeconds: 60 };
const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);

describe('the limits of API keys', () => {
  const soon = new Date(Date.now() + DAY_MS);
  const later = new Date(Date.now() + 2 * DAY_MS);
  const limited: KeyLimits = {
    accountBound: true,
    ipRestricted: true,
    ipAllowlist: ['10.0.0.0/8'],
    expiresAt: soon,
    signatureVersion: 2,
  };
  const test = useTestDatabase();
  let unlimited: Principal;
  let maker: Principal;

  beforeEach(async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    const actor = { ...principalWith({}).actor, id: await insertApiKey(test.database, merchantAccountId) };
    unlimited = principalWith({ merchantId, merchantAccountId, scopes: SCOPES, actor });
    maker = { ...unlimited, keyLimits: limited };
  });

  const issuer = () => ({ database: test.database, keyring });
  const issue = (settings: Partial<KeyLimits> & { readonly scopes?: string[] } = {}) =>
    issueKey(issuer(), unlimited, {
      id: newId('apiKey'),
      fields: { name: 'Key', scopes: SCOPES, ...NO_LIMITS, ...settings },
    });
  const update = (id: string, fields: Parameters<typeof updateKey>[2]['fields'], principal = maker) =>
    updateKey(test.database, principal, { id, fields });
  const fieldsOf = (error: unknown): readonly string[] => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'VALIDATION_ERROR');
    const { fields } = error.details as { readonly fields: readonly { readonly field: string }[] };
    return fields.map(({ field }) => field);
  };
  const refusedFields = async (change: Promise<unknown>) => fieldsOf(await change.catch((error: unknown) => error));

  it('are those of the key that creates them, unless the request names its own', () => {
    assert.deepEqual(limitsOfNewKey({}, limited), limited);
    const narrower = { ipAllowlist: ['10.1.0.0/16'], expiresAt: new Date() };
    assert.deepEqual(limitsOfNewKey(narrower, limited), { ...limited, ...narrower });
    const unrestrictedAgain = { ...limited, ipRestricted: false };
    assert.deepEqual(limitsOfNewKey({}, unrestrictedAgain).ipAllowlist, []);
  });

  it('put a new key on signature version 2 unless the request names version 1, whatever the version of its maker', () => {
    assert.equal(NO_LIMITS.signatureVersion, 1);
    assert.deepEqual(limitsOfNewKey({}, NO_LIMITS), { ...NO_LIMITS, signatureVersion: 2 });
    assert.deepEqual(limitsOfNewKey({ signatureVersion: 1 }, NO_LIMITS), NO_LIMITS);
  });

  it('restrict a key to the addresses that a request names, unless it says that the key is not restricted', async () => {
    const addresses = { ipAllowlist: ['10.1.2.3'] };
    assert.equal(limitsOfNewKey(addresses, NO_LIMITS).ipRestricted, true);
    assert.equal(limitsOfNewKey({ ...addresses, ipRestricted: false }, NO_LIMITS).ipRestricted, false);
    assert.equal(limitsOfNewKey({ ipAllowlist: [] }, NO_LIMITS).ipRestricted, false);
    const unrestricted = await issue();
    assert.equal(unrestricted.row.ipRestricted, false);
    assert.equal((await update(unrestricted.row.id, addresses, unlimited)).ipRestricted, true);
  });

  const EXCESSES: readonly [Partial<KeyLimits>, string, RegExp][] = [
    [{ accountBound: false }, 'accountBound', /bound to its own account/],
    [{ ipRestricted: false }, 'ipRestricted', /10\.0\.0\.0\/8/],
    [{ ipAllowlist: ['10.0.0.1', '0.0.0.0/0'] }, 'ipAllowlist.1', /10\.0\.0\.0\/8/],
    [{ ipAllowlist: ['::/0'] }, 'ipAllowlist.0', /10\.0\.0\.0\/8/],
    [{ ipAllowlist: ['10.0.0.0/7'] }, 'ipAllowlist.0', /10\.0\.0\.0\/8/],
    [{ ipAllowlist: [] }, 'ipAllowlist', /at least 1 address/],
    [{ expiresAt: null }, 'expiresAt', /when the API key of this request expires/],
    [{ expiresAt: later }, 'expiresAt', /when the API key of this request expires/],
    [{ signatureVersion: 1 }, 'signatureVersion', /Must be 2/],
  ];
  for (const [excess, field, message] of EXCESSES) {
    it(`refuse ${JSON.stringify(excess).replace(later.toISOString(), 'a later time')} with a field error`, () => {
      assert.throws(
        () => requireLimitsWithin({ ...limited, ...excess }, limited),
        (error) => {
          assert.deepEqual(fieldsOf(error), [field]);
          assert.match(JSON.stringify((error as ApiError).details), message);
          return true;
        },
      );
      assert.doesNotThrow(() => requireLimitsWithin(limited, { ...limited, ...excess, ipAllowlist: ['10.0.0.0/7'] }));
    });
  }

  it('stay within those of the key that changes them, even of the key itself', async () => {
    const own = await issue(limited);
    const wider = { ipAllowlist: ['10.0.0.0/7'], expiresAt: null, accountBound: false };
    const fields = await refusedFields(update(own.row.id, wider));
    assert.deepEqual(fields.toSorted(), ['accountBound', 'expiresAt', 'ipAllowlist.0']);
    assert.deepEqual(await refusedFields(update(own.row.id, { ipRestricted: false })), ['ipRestricted']);
    const narrowed = await update(own.row.id, { ipAllowlist: ['10.1.2.3'] });
    assert.deepEqual(narrowed.ipAllowlist, ['10.1.2.3']);
    const other = await issue();
    assert.equal((await update(other.row.id, { name: 'Renamed' })).name, 'Renamed');
    const partly = await refusedFields(update(other.row.id, { scopes: SCOPES }));
    assert.deepEqual(partly, ['accountBound', 'ipRestricted', 'expiresAt', 'signatureVersion']);
    const third = await issue({ signatureVersion: 2 });
    const { signatureVersion: _version, ...limits } = limited;
    assert.equal((await update(third.row.id, { ...limits, ipAllowlist: ['10.1.2.3'] })).accountBound, true);
  });

  it('pass on to no rotated key of a wider one', async () => {
    const wide = await issue();
    const rotate = (principal: Principal, id: string) =>
      rotateKey(issuer(), principal, { id, newId: newId('apiKey'), fields: ROTATION });
    await assert.rejects(rotate(maker, wide.row.id), { code: 'INSUFFICIENT_PERMISSIONS' });
    assert.equal((await readKey(test.database, unlimited, wide.row.id)).replacedById, null);
    const { row } = await rotate(maker, (await issue(limited)).row.id);
    assert.deepEqual({ ...row, ...limited }, row);
  });

  it('keep each earlier key until its own overlap ends, also where the key that replaced it is rotated', async () => {
    const rotate = (id: string, overlapSeconds: number) =>
      rotateKey(issuer(), unlimited, { id, newId: newId('apiKey'), fields: { ...ROTATION, overlapSeconds } });
    const endOf = async (id: string) => (await readKey(test.database, unlimited, id)).expiresAt?.getTime() ?? Infinity;
    const { row: first } = await issue();
    const { row: second } = await rotate(first.id, 7_200);
    const ends = await endOf(first.id);
    assert.ok(ends > Date.now() + 7_000_000);
    const { row: third } = await rotate(second.id, 0);
    assert.deepEqual([await endOf(first.id), await endOf(third.id)], [ends, Infinity]);
    assert.ok((await endOf(second.id)) <= Date.now());
    await assert.rejects(rotate(first.id, 0), { code: 'STATE_CONFLICT' });
  });

  it('hold for the new secrets of a rotation that was interrupted', async () => {
    const { row } = await issue();
    const request = { id: row.id, newId: newId('apiKey'), fields: ROTATION };
    await rotateKey(issuer(), unlimited, request);
    const expiring = { ...unlimited, keyLimits: { ...NO_LIMITS, expiresAt: soon } };
    await assert.rejects(rotateKey(issuer(), expiring, request), { code: 'INSUFFICIENT_PERMISSIONS' });
  });

  it('hold for the key of a creation that was interrupted', async () => {
    const request = { id: newId('apiKey'), fields: { name: 'Key', scopes: SCOPES, ...NO_LIMITS } };
    await issueKey(issuer(), unlimited, request);
    const again = await issueKey(issuer(), maker, { ...request, fields: { ...request.fields, ...limited } });
    assert.deepEqual({ ...again.row, ...limited }, again.row);
  });

  it('include the signature version, which only a rotation raises and nothing lowers', async () => {
    const [old, later] = [await issue(), await issue({ signatureVersion: 2 })];
    const rotate = (id: string, signatureVersion?: number, principal = unlimited) =>
      rotateKey(issuer(), principal, { id, newId: newId('apiKey'), fields: { ...ROTATION, signatureVersion } });
    const keyOn2 = { ...unlimited, keyLimits: { ...NO_LIMITS, signatureVersion: 2 } };
    await assert.rejects(update(old.row.id, { signatureVersion: 2 }, unlimited), {
      code: 'STATE_CONFLICT',
      message: new RegExp(`Rotate the key: POST /api/v1/api-keys/${old.row.id}/rotate with {"signatureVersion": 2}`),
    });
    assert.equal((await update(old.row.id, { signatureVersion: 1 }, unlimited)).signatureVersion, 1);
    assert.deepEqual(await refusedFields(update(later.row.id, { signatureVersion: 1 }, unlimited)), [
      'signatureVersion',
    ]);
    assert.deepEqual(await refusedFields(rotate(later.row.id, 1)), ['signatureVersion']);
    await assert.rejects(rotate(old.row.id, undefined, keyOn2), { code: 'INSUFFICIENT_PERMISSIONS' });
    assert.equal(limitsOfNewKey({}, keyOn2.keyLimits).signatureVersion, 2);
    const raised = await rotate(old.row.id, 2, keyOn2);
    assert.equal(raised.row.signatureVersion, 2);
    assert.equal((await rotate(raised.row.id)).row.signatureVersion, 2);
  });

  it('keep a repeated rotation from giving away a key that was widened meanwhile', async () => {
    const { row: old } = await issue({ scopes: ['api-keys:write'] });
    const again = { id: old.id, newId: newId('apiKey'), fields: ROTATION };
    const { row } = await rotateKey(issuer(), unlimited, again);
    await test.database.apiKey.update({ where: { id: row.id }, data: { scopes: [...SCOPES, 'refunds:write'] } });
    await assert.rejects(rotateKey(issuer(), unlimited, again), { code: 'INSUFFICIENT_PERMISSIONS' });
  });

  it('store the salt of a key encrypted for signature version 2, and only its hash for version 1', async () => {
    const [old, later] = [await issue(), await issue({ signatureVersion: 2 })];
    const rowOf = (id: string) => test.database.apiKey.findUniqueOrThrow({ where: { id } });
    const first = await rowOf(old.row.id);
    assert.deepEqual(
      [first.saltHash, first.saltKeyId, first.saltCiphertext],
      [hashSecret(old.secrets.secretSalt), null, null],
    );
    const { saltHash, saltKeyId: keyId, saltCiphertext: ciphertext } = await rowOf(later.row.id);
    assert.ok(keyId !== null && ciphertext !== null);
    assert.deepEqual([saltHash, keyId], ['', 'root:k']);
    assert.ok(!Buffer.from(ciphertext).includes(later.secrets.secretSalt));
    assert.equal(
      openKeySalt(keyring, { apiKeyId: later.row.id, environment: 'sandbox' }, { keyId, ciphertext }),
      later.secrets.secretSalt,
    );
    assert.throws(
      () => openKeySalt(keyring, { apiKeyId: old.row.id, environment: 'sandbox' }, { keyId, ciphertext }),
      SealBrokenError,
    );
  });

  it('leave keys alone whose scopes the other key does not have', async () => {
    const { row } = await issue({ scopes: ['refunds:write'] });
    for (const change of [
      () => update(row.id, { name: 'Renamed' }, unlimited),
      () => update(row.id, { scopes: ['customers:read'] }, unlimited),
      () => revokeKey(test.database, unlimited, row.id),
      () => rotateKey(issuer(), unlimited, { id: row.id, newId: newId('apiKey'), fields: ROTATION }),
    ]) {
      await assert.rejects(change, { code: 'INSUFFICIENT_PERMISSIONS', details: { scopes: ['refunds:write'] } });
    }
    const { version } = await readKey(test.database, unlimited, row.id);
    assert.equal(version, 0);
  });

  it('bind a key to its own account', async () => {
    const fields = {
      name: 'Second',
      retryBudget: 5,
      refundWindowDays: 180,
      requireIdempotencyKeys: false,
      refundConfirmationAmount: null,
    };
    const { id: other } = await insertAccount(test.database, unlimited, { id: newId('merchantAccount'), fields });
    const accountOf = async (apiKey: string, named?: string) =>
      (await findCredentials(test.database, apiKey, named))?.merchantAccountId;
    const own = unlimited.merchantAccountId;
    const [free, bound] = [await issue(), await issue({ accountBound: true })];
    assert.equal(await accountOf(free.secrets.apiKey, other), other);
    assert.equal(await accountOf(bound.secrets.apiKey, other), null);
    assert.deepEqual([await accountOf(bound.secrets.apiKey), await accountOf(bound.secrets.apiKey, own)], [own, own]);
    await assert.rejects(readAccount(test.database, maker, other), { code: 'RESOURCE_NOT_FOUND' });
    assert.equal((await readAccount(test.database, maker, own)).id, own);
    const { rows, total } = await listAccounts(test.database, maker, { page: 1, limit: 10 });
    assert.deepEqual([rows.map(({ id }) => id), total], [[own], 1]);
  });
});

describe('a key or an account that is changed again and again', () => {
  const test = useTestDatabase();

  it('is revoked or suspended all the same, at the first request', async () => {
    const { database } = test;
    for (let round = 0; round < 5; round += 1) {
      const merchantAccountId = await insertMerchantAccount(database);
      const { merchantId } = await database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
      const actor = { ...principalWith({}).actor, id: await insertApiKey(database, merchantAccountId) };
      const owner = principalWith({ merchantId, merchantAccountId, scopes: SCOPES, actor });
      const fields = { name: 'Key', scopes: SCOPES, ...NO_LIMITS };
      const { id } = (await issueKey({ database, keyring }, owner, { id: newId('apiKey'), fields })).row;
      const account = { id: merchantAccountId, fields: { name: 'Changed' } };
      const changes = Array.from({ length: 8 }, () => [
        updateKey(database, owner, { id, fields: { name: 'Changed' } }),
        updateAccount(database, owner, account),
      ]).flat();
      const [revoked, suspended] = await Promise.all([
        revokeKey(database, owner, id),
        setAccountStatus(database, owner, { id: merchantAccountId, status: 'suspended' }),
        Promise.allSettled(changes),
      ]);
      assert.ok(revoked.revokedAt !== null);
      assert.equal(suspended.status, 'suspended');
    }
  });
});

describe('a key that is made while its maker is removed', () => {
  const test = useTestDatabase();
  let merchantAccountId: string;
  let merchantId: string;
  let key: Principal;
  let owner: Principal;
  let person: Principal;

  beforeEach(async () => {
    merchantAccountId = await insertMerchantAccount(test.database);
    ({ merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } }));
    [owner, person] = [await addMember('owner'), await addMember('developer')];
    const { row } = await issue(person);
    key = principalOf('api_key', row.id);
  });

  async function addMember(role: string): Promise<Principal> {
    const id = newId('person');
    await test.database.person.create({ data: { id, name: 'Member', email: `${id}@example.com` } });
    await test.database.membership.create({ data: { personId: id, merchantId, role } });
    return principalOf('person', id);
  }
  function principalOf(type: 'api_key' | 'person' | 'operator', id: string): Principal {
    const actor = { type, id, address: '192.0.2.1' };
    return principalWith({ merchantId, merchantAccountId, scopes: SCOPES, actor });
  }
  const issuer = () => ({ database: test.database, keyring });
  const issue = (principal: Principal) =>
    issueKey(issuer(), principal, { id: newId('apiKey'), fields: { name: 'Key', scopes: SCOPES, ...NO_LIMITS } });
  const rotate = (principal: Principal, id: string, replacement = newId('apiKey'), fields = ROTATION) =>
    rotateKey(issuer(), principal, { id, newId: replacement, fields });
  const remove = ({ actor: { id } }: Principal) => removeMember(test.database, owner, { id, revokeApiKeys: true });
  const liveKeys = (where: { readonly createdById?: string } = {}) =>
    test.database.apiKey.count({ where: { merchantId, revokedAt: null, ...where } });

  it('is not made, nor given new secrets, once a member or a key has lost its place', async () => {
    const { row } = await issue(owner);
    const replacement = newId('apiKey');
    await rotate(owner, row.id, replacement);
    await remove(person);
    const live = await liveKeys();
    for (const change of [
      () => issue(person),
      () => rotate(person, replacement),
      () => rotate(person, row.id, replacement),
    ]) {
      await assert.rejects(change(), { code: 'INSUFFICIENT_PERMISSIONS' });
    }
    for (const change of [() => issue(key), () => rotate(key, replacement), () => rotate(key, row.id, replacement)]) {
      await assert.rejects(change(), { code: 'API_KEY_REVOKED' });
    }
    assert.equal(await liveKeys(), live);
  });

  it('is not made with a key that is revoked, or for an account that is suspended, but by operators', async () => {
    await revokeKey(test.database, owner, key.actor.id);
    await assert.rejects(issue(key), { code: 'API_KEY_REVOKED' });
    await setAccountStatus(test.database, owner, { id: merchantAccountId, status: 'suspended' });
    await assert.rejects(issue(person), { code: 'MERCHANT_SUSPENDED' });
    await issue(principalOf('operator', 'root'));
  });

  it('is not made with a key that a rotation has ended, nor for another account once that of the key is suspended', async () => {
    const merchant = { connect: { id: merchantId } };
    const other = await test.database.merchantAccount.create({
      data: { id: newId('merchantAccount'), environment: 'sandbox', name: 'Another account', merchant },
    });
    await setAccountStatus(test.database, owner, { id: merchantAccountId, status: 'suspended' });
    await assert.rejects(issue({ ...key, merchantAccountId: other.id }), { code: 'MERCHANT_SUSPENDED' });
    await setAccountStatus(test.database, owner, { id: merchantAccountId, status: 'active' });
    await issue({ ...key, merchantAccountId: other.id });
    await rotate(owner, key.actor.id, newId('apiKey'), { overlapSeconds: 0 });
    await assert.rejects(issue(key), { code: 'API_KEY_EXPIRED' });
  });

  it('does not survive the removal, whichever comes first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leaving = await addMember('developer');
      const own = principalOf('api_key', (await issue(leaving)).row.id);
      await Promise.allSettled([issue(leaving), issue(own), remove(leaving), issue(own), issue(leaving)]);
      assert.equal(await liveKeys({ createdById: leaving.actor.id }), 0);
    }
  });
});
