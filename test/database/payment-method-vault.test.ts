import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import type { PaymentMethodDetails } from '../../providers/payment-provider.ts';
import { parseKeyring, SealBrokenError } from '../../vault/keyring.ts';
import {
  eraseCvc,
  loadPaymentMethod,
  PaymentMethodUnavailableError,
  storePaymentMethod,
} from '../../vault/payment-method-vault.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const CARD: PaymentMethodDetails = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '987',
  holderName: 'A. Person',
};
const UPI: PaymentMethodDetails = { type: 'upi', vpa: 'success@upi' };

describe('payment method vault', function () {
  this.timeout(60_000);
  const keyring = parseKeyring(`k:${randomBytes(32).toString('base64')}`);
  const account = { merchantAccountId: 'mer_1', environment: 'sandbox', paymentIntentId: 'pi_1' } as const;
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  const store = async (details: PaymentMethodDetails, id = newId('paymentMethod')): Promise<string> => {
    await storePaymentMethod(test.database, keyring, { id, ...account, details });
    return id;
  };
  const load = (id: string) => loadPaymentMethod(test.database, keyring, id);

  it('gives back what was stored, and keeps none of it in the clear', async () => {
    const id = await store(CARD);
    assert.deepEqual(await load(id), CARD);
    const row = await test.database.paymentMethod.findUniqueOrThrow({ where: { id } });
    const kept = JSON.stringify({ ...row, ciphertext: Buffer.from(row.ciphertext ?? []).toString('latin1') });
    assert.ok(!kept.includes('4242424242424242') && !kept.includes('987"') && !kept.includes('A. Person'));
  });

  it('gives back methods that have no secret of their own', async () => {
    for (const details of [UPI, { type: 'crypto', asset: 'BTC', network: 'bitcoin' }] as const) {
      assert.deepEqual(await load(await store(details)), details);
    }
  });

  it('gives back a card without its CVC once that was erased', async () => {
    const id = await store(CARD);
    await eraseCvc(test.database, id);
    assert.deepEqual(await load(id), { ...CARD, cvc: null });
  });

  it('stores once, whatever a repeat brings', async () => {
    const id = await store(UPI);
    await store(CARD, id);
    assert.deepEqual(await load(id), UPI);
  });

  it('refuses a ciphertext that was moved to another account, token or column', async () => {
    const moves: readonly ((id: string) => Promise<string>)[] = [
      async (id) => {
        await test.database.paymentMethod.update({ where: { id }, data: { merchantAccountId: 'mer_2' } });
        return id;
      },
      async (id) => {
        const moved = newId('paymentMethod');
        await test.database.paymentMethod.update({ where: { id }, data: { id: moved } });
        return moved;
      },
      async (id) => {
        await test.database.$executeRaw`UPDATE payment_method SET cvc_ciphertext = ciphertext WHERE id = ${id}`;
        return id;
      },
    ];
    for (const move of moves) await assert.rejects(load(await move(await store(CARD))), SealBrokenError);
  });

  it('says so when nothing is kept any more', async () => {
    const id = await store(CARD);
    await test.database.paymentMethod.update({ where: { id }, data: { ciphertext: null } });
    await assert.rejects(load(id), PaymentMethodUnavailableError);
    await assert.rejects(load('pm_9'), PaymentMethodUnavailableError);
  });
});
