import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { createUpiRequestLimits, type UpiConfirm } from '../../../../api/checkout-limits/upi-request-limits.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { digestsOfMethod } from '../../../../vault/payment-method-vault.ts';
import { useTestDatabase } from '../../../support/database.ts';

const EXCEEDED = { code: 'RATE_LIMIT_EXCEEDED' };

describe('limits of requests by UPI', () => {
  const test = useTestDatabase();
  const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);
  const limits = (address: number, account: number) => createUpiRequestLimits(test.database, { address, account });
  const confirm = (parts: Partial<UpiConfirm> = {}): UpiConfirm => ({
    environment: 'production',
    merchantAccountId: `mer_${randomUUID()}`,
    vpaDigest: null,
    metadata: {},
    ...parts,
  });

  it('hold for one address from all merchants, also for requests at the same moment', async () => {
    const { count } = limits(3, 100);
    const vpaDigest = randomUUID();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => count(confirm({ vpaDigest }))));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    await count(confirm({ vpaDigest: randomUUID() }));
  });

  it('hold for a phone number and an e-mail address, however they are written', async () => {
    const { count } = limits(1, 100);
    const digits = randomUUID().replaceAll(/\D/g, '').padEnd(10, '7').slice(0, 10);
    await count(confirm({ metadata: { customer_phone: digits } }));
    const spaced = `(${digits.slice(0, 5)}) ${digits.slice(5)}`;
    await assert.rejects(count(confirm({ metadata: { customer_phone: spaced } })), EXCEEDED);
    const email = `${randomUUID()}@example.com`;
    await count(confirm({ metadata: { customer_email: email } }));
    await assert.rejects(count(confirm({ metadata: { customer_email: email.toUpperCase() } })), EXCEEDED);
  });

  it('hold for an account, whose limit nobody uses up by what is refused', async () => {
    const { count } = limits(1, 2);
    const merchantAccountId = `mer_${randomUUID()}`;
    const vpaDigest = randomUUID();
    await count(confirm({ merchantAccountId, vpaDigest }));
    for (let tried = 0; tried < 5; tried += 1) {
      await assert.rejects(count(confirm({ merchantAccountId, vpaDigest })), EXCEEDED);
    }
    await count(confirm({ merchantAccountId }));
    await assert.rejects(count(confirm({ merchantAccountId })), EXCEEDED);
  });

  it('hold in production alone', async () => {
    const vpaDigest = randomUUID();
    for (let asked = 0; asked < 3; asked += 1) await limits(1, 1).count(confirm({ environment: 'sandbox', vpaDigest }));
  });

  it('count an address by a keyed digest, in small and capital letters alike', () => {
    const owner = { merchantAccountId: 'mer_1', environment: 'production' } as const;
    const digestOf = (vpa: string | null) => digestsOfMethod(keyring, owner, { type: 'upi', vpa })?.card ?? null;
    assert.equal(digestOf('Someone@Bank'), digestOf('someone@bank'));
    assert.notEqual(digestOf('someone@bank'), digestOf('another@bank'));
    assert.ok(!(digestOf('someone@bank') ?? '').includes('someone'));
    assert.equal(digestOf(null), null);
  });
});
