import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Database } from '../../../prisma/client.ts';
import type { PaymentMethodDetails } from '../../../providers/payment-provider.ts';
import { parseKeyring, SealBrokenError } from '../../../vault/keyring.ts';
import {
  loadPaymentMethod,
  PaymentMethodUnavailableError,
  storePaymentMethod,
} from '../../../vault/payment-method-vault.ts';

interface Row {
  id: string;
  merchantAccountId: string;
  masked: object;
  keyId: string;
  ciphertext: Uint8Array | null;
  cvcCiphertext: Uint8Array | null;
}

/** The one table, held in memory; only the calls that the vault makes exist. */
function tableOf(rows: Row[]): Database {
  const paymentMethod = {
    createMany: ({ data }: { data: Row }) => {
      if (!rows.some(({ id }) => id === data.id)) rows.push(data);
      return Promise.resolve({ count: 1 });
    },
    findUnique: ({ where }: { where: { id: string } }) =>
      Promise.resolve(rows.find(({ id }) => id === where.id) ?? null),
  };
  return { paymentMethod } as unknown as Database;
}

const CARD: PaymentMethodDetails = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '987',
  holderName: 'A. Person',
};

describe('payment method vault', () => {
  const keyring = parseKeyring(`k:${randomBytes(32).toString('base64')}`);
  const account = { merchantAccountId: 'mer_1', environment: 'sandbox', paymentIntentId: 'pi_1' } as const;

  async function stored(details: PaymentMethodDetails): Promise<{ rows: Row[]; database: Database; row: Row }> {
    const rows: Row[] = [];
    const database = tableOf(rows);
    await storePaymentMethod(database, keyring, { id: 'pm_1', ...account, details });
    const [row] = rows;
    assert.ok(row !== undefined);
    return { rows, database, row };
  }

  it('gives back what was stored, and keeps none of it in the clear', async () => {
    const { database, row } = await stored(CARD);
    assert.deepEqual(await loadPaymentMethod(database, keyring, 'pm_1'), CARD);
    const kept = JSON.stringify({ ...row, ciphertext: Buffer.from(row.ciphertext ?? []).toString('latin1') });
    assert.ok(!kept.includes('4242424242424242') && !kept.includes('987"') && !kept.includes('A. Person'));
  });

  it('gives back methods that have no secret of their own', async () => {
    for (const details of [
      { type: 'upi', vpa: 'success@upi' },
      { type: 'crypto', asset: 'BTC', network: 'bitcoin' },
    ] as const) {
      const { database } = await stored(details);
      assert.deepEqual(await loadPaymentMethod(database, keyring, 'pm_1'), details);
    }
  });

  it('gives back a card without its CVC once that was erased', async () => {
    const { database, row } = await stored(CARD);
    row.cvcCiphertext = null;
    assert.deepEqual(await loadPaymentMethod(database, keyring, 'pm_1'), { ...CARD, cvc: null });
  });

  it('stores once, whatever a repeat brings', async () => {
    const { rows, database } = await stored({ type: 'upi', vpa: 'success@upi' });
    await storePaymentMethod(database, keyring, { id: 'pm_1', ...account, details: CARD });
    assert.equal(rows.length, 1);
    assert.deepEqual(await loadPaymentMethod(database, keyring, 'pm_1'), { type: 'upi', vpa: 'success@upi' });
  });

  it('refuses a ciphertext that was moved to another account, token or column', async () => {
    for (const move of [
      (row: Row) => (row.merchantAccountId = 'mer_2'),
      (row: Row) => (row.id = 'pm_2'),
      (row: Row) => (row.cvcCiphertext = row.ciphertext),
    ]) {
      const { database, row } = await stored(CARD);
      move(row);
      await assert.rejects(loadPaymentMethod(database, keyring, row.id), SealBrokenError);
    }
  });

  it('says so when nothing is kept any more', async () => {
    const { database, row } = await stored(CARD);
    row.ciphertext = null;
    await assert.rejects(loadPaymentMethod(database, keyring, 'pm_1'), PaymentMethodUnavailableError);
    await assert.rejects(loadPaymentMethod(database, keyring, 'pm_9'), PaymentMethodUnavailableError);
  });
});
