import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, it } from 'mocha';
import { hashSecret } from '../../../vault/key-secret.ts';
import { clientSecretsOf } from '../../../vault/client-secret.ts';
import { newId } from '../../../domain/new-id.ts';
import { createCardKeyring } from '../../../vault/card-keys.ts';
import { sealReturnResult } from '../../../vault/customer-return.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import { storePaymentMethod } from '../../../vault/payment-method-vault.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../support/payment-rows.ts';

const newKey = (id: string) => ({ id, bytes: randomBytes(32) });
const textOf = ({ id, bytes }: { readonly id: string; readonly bytes: Buffer }) => `${id}:${bytes.toString('base64')}`;

describe('npm run rewrap', function () {
  this.timeout(60_000);
  const [oldRoot, newRoot, oldCard, newCard] = [newKey('r1'), newKey('r2'), newKey('c1'), newKey('c2')];
  const test = useTestDatabase();

  const rewrap = () =>
    new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
      const settings = {
        PATH: process.env['PATH'],
        DATABASE_URL: test.url,
        VAULT_KEYS: `${textOf(newRoot)},${textOf(oldRoot)}`,
        CARD_KEYS: `${textOf(newCard)},${textOf(oldCard)}`,
      };
      const script = path.resolve('dist/scripts/rewrap.js');
      execFile(process.execPath, [script], { env: settings }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
      });
    });

  it('allows an earlier key to be removed only when nothing needs it any more', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const keyring = createKeyring([oldRoot]);
    const cards = createCardKeyring([oldCard]);
    const paymentIntentId = newId('paymentIntent');
    const [secret = ''] = clientSecretsOf(keyring, paymentIntentId);
    await insertPaymentIntent(test.database, merchantAccountId, {
      id: paymentIntentId,
      clientSecretHash: hashSecret(secret),
    });
    const key = { merchantAccountId, environment: 'sandbox', key: 'order 1' };
    const use = { purpose: 'requestFingerprint', environment: 'sandbox' } as const;
    const [fingerprint] = keyring.fingerprints(Buffer.from('{}'), use);
    await test.database.idempotencyRecord.create({ data: { ...key, fingerprint, resourceId: 'x_1' } });
    await storePaymentMethod(
      { database: test.database, keyring, cards },
      {
        id: newId('paymentMethod'),
        merchantAccountId,
        environment: 'sandbox',
        paymentIntentId,
        details: { type: 'upi', vpa: 'success@upi' },
      },
      50,
    );

    const first = await rewrap();
    assert.equal(first.code, 1, first.output);
    assert.match(first.output, /Before:\n {2}payment_methods {2}card:c1 {2}1\n/);
    assert.match(first.output, /After:\n {2}payment_methods {2}card:c2 \(current\) {2}1\n/);
    assert.match(first.output, /Rewrapped 1 values/);
    assert.match(first.output, /1 idempotency keys .*earlier root key/);
    assert.match(first.output, /1 client secrets .*earlier root key/);
    assert.doesNotMatch(first.output, /may be removed/);
    for (const { bytes } of [oldRoot, newRoot, oldCard, newCard]) {
      assert.ok(!first.output.includes(bytes.toString('base64')));
    }

    const long = new Date(Date.now() - 25 * 3_600_000);
    await test.database.idempotencyRecord.updateMany({ data: { createdAt: long } });
    await test.database.paymentIntent.updateMany({ data: { status: 'canceled', statusSince: long } });
    // A process that still had the old key first when the customer came back.
    const attemptId = 'att_1';
    const result = sealReturnResult(keyring, { attemptId, environment: 'sandbox' }, 'result');
    await test.database.customerReturn.create({
      data: {
        attemptId,
        paymentIntentId,
        status: 'sent',
        resultKeyId: result.keyId,
        resultCiphertext: new Uint8Array(result.ciphertext),
      },
    });
    const waiting = await rewrap();
    assert.equal(waiting.code, 1, waiting.output);
    assert.match(waiting.output, /Results of customer returns .* under an earlier root key: 1\./);
    assert.doesNotMatch(waiting.output, /may be removed/);

    await test.database.customerReturn.deleteMany();
    const second = await rewrap();
    assert.deepEqual([second.code, /earlier keys may be removed/.test(second.output)], [0, true], second.output);
    assert.match(second.output, /TEMPORAL_ENCRYPT_PAYLOADS, keep earlier root keys/);

    const lost = createCardKeyring([newKey('c0')]);
    await storePaymentMethod(
      { database: test.database, keyring, cards: lost },
      {
        id: 'pm_lost',
        merchantAccountId,
        environment: 'sandbox',
        paymentIntentId: await insertPaymentIntent(test.database, merchantAccountId),
        details: { type: 'upi', vpa: 'a@upi' },
      },
      50,
    );
    const third = await rewrap();
    assert.equal(third.code, 1);
    assert.match(third.output, /No configured key opens payment_methods pm_lost/);
    assert.match(third.output, /1 values are left under other keys/);
    assert.doesNotMatch(third.output, /may be removed/);
  });
});
