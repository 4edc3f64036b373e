import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { findCredentials } from '../../../../http/authentication/credentials.ts';
import { setSuspension } from '../../../../accounts/platform/suspension.ts';
import { presentMerchantAccount } from '../../../../contract/presenters/merchant-account.ts';
import { insertAccount, setAccountStatus } from '../../../../accounts/merchants/write.ts';
import { newId } from '../../../../domain/new-id.ts';
import { createKey, createMerchant, setMerchantStatus, setStatus } from '../../../../scripts/manage-merchants.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { principalWith } from '../../../support/principal.ts';
import { VERSION_1 } from '../../../support/signature-version.ts';

const REASON = 'Chargebacks above the limit. Write to risk@platform.example.';
const STAFF = { actor: { type: 'person', id: 'per_1', address: '192.0.2.1' }, name: 'staff@platform.example' } as const;
const FIELDS = {
  name: 'Second',
  retryBudget: 5,
  refundWindowDays: 180,
  requireIdempotencyKeys: false,
  refundConfirmationAmount: null,
};

describe('a merchant that the platform suspends', () => {
  const test = useTestDatabase();
  let merchantId: string;
  /** An account that is active, and one that its merchant had suspended. */
  let ids: { readonly active: string; readonly suspended: string };

  beforeEach(async () => {
    const merchant = { name: 'Shop', environment: 'sandbox', account: 'Main', withSandboxRoutes: false } as const;
    const { merchantAccountId } = await createMerchant(test.database, merchant, VERSION_1);
    const where = { id: merchantAccountId };
    ({ merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where }));
    const other = await insertAccount(test.database, scopeOf(), { id: newId('merchantAccount'), fields: FIELDS });
    await setAccountStatus(test.database, scopeOf(), { id: other.id, status: 'suspended' });
    ids = { active: merchantAccountId, suspended: other.id };
  });

  const scopeOf = () => principalWith({ merchantId });
  const set = (suspended: boolean) =>
    setSuspension(test.database, STAFF, { id: merchantId, suspended, reason: REASON });
  const read = async (id: string) => {
    const row = await test.database.merchantAccount.findUniqueOrThrow({ where: { id } });
    const { status, suspendedBy } = presentMerchantAccount(row);
    return [status, suspendedBy];
  };
  const byMerchant = (id: string, status: 'active' | 'suspended') =>
    setAccountStatus(test.database, scopeOf(), { id, status });

  it('has no active account until the suspension is lifted, and then each as it was before', async () => {
    assert.equal((await set(true)).platformSuspensionReason, REASON);
    for (const id of Object.values(ids)) assert.deepEqual(await read(id), ['suspended', 'platform']);
    const lifted = await set(false);
    assert.deepEqual([lifted.platformSuspendedAt, lifted.platformSuspensionReason], [null, null]);
    assert.deepEqual(
      [await read(ids.active), await read(ids.suspended)],
      [
        ['active', null],
        ['suspended', 'merchant'],
      ],
    );
  });

  it('can neither activate an account nor make another one', async () => {
    const { apiKey } = await createKey(test.database, ids.active, VERSION_1);
    await set(true);
    for (const id of Object.values(ids)) {
      await assert.rejects(byMerchant(id, 'active'), { code: 'STATE_CONFLICT' });
      await byMerchant(id, 'suspended');
      assert.deepEqual(await read(id), ['suspended', 'platform']);
    }
    const another = insertAccount(test.database, scopeOf(), { id: newId('merchantAccount'), fields: FIELDS });
    await assert.rejects(another, { code: 'MERCHANT_SUSPENDED' });
    assert.equal((await findCredentials(test.database, apiKey, undefined))?.isOwnAccountActive, false);
  });

  it('gets no active account by its requests while the platform suspends it', async () => {
    await Promise.allSettled([
      set(true),
      byMerchant(ids.suspended, 'active'),
      byMerchant(ids.active, 'suspended'),
      insertAccount(test.database, scopeOf(), { id: newId('merchantAccount'), fields: FIELDS }),
      byMerchant(ids.suspended, 'active'),
    ]);
    const accounts = await test.database.merchantAccount.findMany({ where: { merchantId } });
    assert.deepEqual(
      accounts.filter(({ status, platformSuspendedAt }) => status === 'active' || platformSuspendedAt === null),
      [],
    );
  });

  it('reads in its audit log that the platform did it and why; only the log of the platform names the person', async () => {
    await set(true);
    await set(true);
    await set(false);
    const events = await test.database.auditEvent.findMany({
      where: { merchantId, actorType: 'platform' },
      orderBy: { createdAt: 'asc' },
    });
    assert.deepEqual(events.map(({ action }) => action).sort(), [
      'merchant_account.activated',
      'merchant_account.suspended',
      'merchant_account.suspended',
      'merchant_account.suspended',
    ]);
    assert.deepEqual(
      [...new Set(events.map(({ actorId, actorAddress }) => `${actorId} ${actorAddress}`))],
      ['platform internal'],
    );
    assert.ok(JSON.stringify(events[0]?.after).includes(REASON));
    const ofPlatform = await test.database.platformAuditEvent.findMany({
      where: { resourceId: merchantId },
      orderBy: { createdAt: 'asc' },
    });
    assert.deepEqual(
      ofPlatform.map(({ action, actorId, actorName, reason }) => [action, actorId, actorName, reason]),
      [
        ['merchant.suspended', 'per_1', 'staff@platform.example', REASON],
        ['merchant.suspension_lifted', 'per_1', 'staff@platform.example', REASON],
      ],
    );
  });

  it('is lifted as a whole by the command too, and no account alone', async () => {
    await setMerchantStatus(test.database, merchantId, { suspended: true, reason: REASON });
    await assert.rejects(setStatus(test.database, ids.active, 'active'), /Lift that first/);
    await setMerchantStatus(test.database, merchantId, { suspended: false, reason: 'Settled.' });
    assert.deepEqual(await read(ids.active), ['active', null]);
    await assert.rejects(
      setMerchantStatus(test.database, newId('merchant'), { suspended: true, reason: REASON }),
      /There is no merchant/,
    );
  });

  it('keeps accounts suspended that the platform had suspended alone before', async () => {
    await setStatus(test.database, ids.active, 'suspended');
    await set(true);
    await set(false);
    assert.deepEqual(await read(ids.active), ['suspended', 'platform']);
  });
});

describe('the log of the platform', () => {
  const test = useTestDatabase();

  it('takes no changes, and loses no entry for 90 days', async () => {
    const { database } = test;
    const entry = { action: 'staff.added', resourceId: 'per_1', resourceName: 'a@example.com', actorType: 'operator' };
    const actor = { actorId: 'me', actorName: 'me', actorAddress: 'here' };
    await database.platformAuditEvent.create({ data: { id: 'pau_1', ...entry, ...actor } });
    const old = new Date(Date.now() - 91 * 24 * 3_600_000);
    await database.platformAuditEvent.create({ data: { id: 'pau_2', ...entry, ...actor, createdAt: old } });
    await assert.rejects(database.platformAuditEvent.updateMany({ data: { actorName: 'you' } }), /append-only/);
    await assert.rejects(database.platformAuditEvent.delete({ where: { id: 'pau_1' } }), /append-only/);
    await database.platformAuditEvent.delete({ where: { id: 'pau_2' } });
  });
});
