import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, it } from 'mocha';
import { claimKey, type IdempotentRequest } from '../../../api/idempotency/idempotency.ts';
import { newId } from '../../../domain/new-id.ts';
import { createCardKeyring } from '../../../vault/card-keys.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import type { NamedKey } from '../../../domain/named-keys.ts';
import { createProviderAccounts } from '../../../vault/provider-accounts.ts';
import { eraseCvc, loadPaymentMethod, storePaymentMethod } from '../../../vault/payment-method-vault.ts';
import { countLeft, rewrapOnce, type RewrapPass } from '../../../vault/rewrap.ts';
import { openWebhookSecret, sealWebhookSecret } from '../../../vault/webhook-secret.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount } from '../../support/payment-rows.ts';
import { insertProviderAccount, SIMULATOR_KINDS } from '../../support/provider-accounts.ts';
import { insertWebhookEndpoint } from '../../support/webhook-rows.ts';

const CARD = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '987',
  holderName: null,
} as const;

const newKey = (id: string): NamedKey => ({ id, bytes: randomBytes(32) });

describe('rewrap', function () {
  this.timeout(60_000);
  const [oldRoot, newRoot, oldCard, newCard] = [newKey('r1'), newKey('r2'), newKey('c1'), newKey('c2')];
  const keysOf = (roots: readonly [NamedKey, ...NamedKey[]], cardKeys: readonly [NamedKey, ...NamedKey[]]) => {
    const keyring = createKeyring(roots);
    return { keyring, cards: createCardKeyring(cardKeys) };
  };
  const old = keysOf([oldRoot], [oldCard]);
  const both = keysOf([newRoot, oldRoot], [newCard, oldCard]);
  const current = keysOf([newRoot], [newCard]);
  const test = useTestDatabase();
  let merchantAccountId: string;

  beforeEach(async () => {
    await test.database.$executeRaw`
      TRUNCATE payment_method, payment_method_cvc, card_digest, idempotency_record, webhook_endpoint,
        provider_account CASCADE`;
    merchantAccountId = await insertMerchantAccount(test.database);
  });

  const storeCard = async (keys = old): Promise<string> => {
    const id = newId('paymentMethod');
    const method = { id, merchantAccountId, environment: 'sandbox', paymentIntentId: 'pi_1', details: CARD } as const;
    await storePaymentMethod({ database: test.database, ...keys }, method, 50);
    return id;
  };
  const load = (id: string, { keyring, cards } = current) =>
    loadPaymentMethod({ database: test.database, keyring, cards }, { id, paymentIntentId: 'pi_1', provider: 'alpha' });
  const rewrap = (batchSize = 3) => rewrapOnce(test.database, both, batchSize);
  const countsOf = ({ counts }: RewrapPass) =>
    counts.flatMap(({ values, byKeyId }) => [...byKeyId].map(([keyId, count]) => `${values} ${keyId} ${count}`)).sort();

  it('moves every value to the current keys, and counts them by key before and after', async () => {
    const cards = await Promise.all(Array.from({ length: 7 }, () => storeCard()));
    await storeCard(current);
    const request: IdempotentRequest = {
      merchantAccountId,
      environment: 'sandbox',
      key: 'order 1',
      method: 'POST',
      target: '/orders',
      rawBody: Buffer.from('{}'),
      callerSecret: Buffer.from('salt'),
    };
    const dependencies = { database: test.database, lockMs: 1_000 };
    const claim = await claimKey({ ...dependencies, keyring: old.keyring }, request, 'x_1');
    assert.ok(claim.kind === 'claimed');
    await claim.claimed.storeResponse({ status: 200, body: '{"id":"x_1"}' });
    const endpoint = await insertWebhookEndpoint(test.database, merchantAccountId);
    const owner = { webhookEndpointId: endpoint, merchantAccountId, environment: 'sandbox' } as const;
    const [secret, previous] = ['whsec_1', 'whsec_2'].map((text) => sealWebhookSecret(old.keyring, owner, text));
    assert.ok(secret && previous);
    await test.database.webhookEndpoint.update({
      where: { id: endpoint },
      data: {
        secretKeyId: secret.keyId,
        secretCiphertext: secret.ciphertext,
        previousSecrets: {
          create: {
            rotationId: 'rotation 1',
            secretKeyId: previous.keyId,
            secretCiphertext: previous.ciphertext,
            expiresAt: new Date(),
          },
        },
      },
    });
    const account = await insertProviderAccount(test.database, merchantAccountId, old.keyring);

    const first = await rewrap();
    assert.deepEqual(countsOf(first), [
      'payment_methods card:c1 7',
      'payment_methods card:c2 1',
      'previous_webhook_secrets root:r1 1',
      'provider_credentials root:r1 1',
      'security_codes card:c1 7',
      'security_codes card:c2 1',
      'stored_responses root:r1 1',
      'webhook_secrets root:r1 1',
    ]);
    assert.deepEqual([first.rewrapped, countLeft(first.counts), first.broken], [18, 18, []]);
    const second = await rewrap();
    assert.deepEqual(countsOf(second), [
      'payment_methods card:c2 8',
      'previous_webhook_secrets root:r2 1',
      'provider_credentials root:r2 1',
      'security_codes card:c2 8',
      'stored_responses root:r2 1',
      'webhook_secrets root:r2 1',
    ]);
    assert.deepEqual([second.rewrapped, countLeft(second.counts)], [0, 0]);

    for (const id of cards) assert.deepEqual(await load(id), CARD);
    const row = await test.database.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
    const { secretKeyId: keyId, secretCiphertext: ciphertext } = row;
    assert.equal(openWebhookSecret(current.keyring, owner, { keyId, ciphertext }), 'whsec_1');
    const accounts = createProviderAccounts({
      database: test.database,
      keyring: current.keyring,
      kinds: SIMULATOR_KINDS,
    });
    assert.equal((await accounts.find(account))?.name, account);
    const replay = await claimKey({ ...dependencies, keyring: both.keyring }, request, 'x_2');
    assert.ok(replay.kind === 'replay' && replay.response.body === '{"id":"x_1"}');
  });

  it('waits for no locked row, and moves it in the next pass', async () => {
    const [locked = '', free = ''] = await Promise.all([storeCard(), storeCard()]);
    await test.database.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT FROM payment_method WHERE id = ${locked} FOR UPDATE`;
      assert.equal((await rewrap()).rewrapped, 3);
      assert.deepEqual(await load(free), CARD);
    });
    assert.deepEqual([(await rewrap()).rewrapped, countLeft((await rewrap()).counts)], [1, 0]);
  });

  it('neither restores nor overwrites what changes meanwhile', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => storeCard()));
    const erased = ids.slice(0, 20);
    const [passes] = await Promise.all([
      (async () => [await rewrap(2), await rewrap(2), await rewrap(2)])(),
      (async () => {
        for (const id of erased) {
          await eraseCvc(test.database, { id, paymentIntentId: 'pi_1' });
          await test.database.paymentMethod.update({ where: { id }, data: { ciphertext: null } });
          await storeCard();
        }
      })(),
    ]);
    assert.deepEqual(
      passes.flatMap(({ broken }) => broken),
      [],
    );
    const rows = await test.database.paymentMethod.findMany({ where: { id: { in: erased } } });
    assert.ok(rows.every(({ ciphertext }) => ciphertext === null));
    assert.equal(await test.database.paymentMethodCvc.count({ where: { paymentMethodId: { in: erased } } }), 0);
    await rewrap();
    assert.equal(countLeft((await rewrap()).counts), 0);
    for (const id of ids.slice(20)) assert.deepEqual(await load(id), CARD);
  });

  it('counts what no key opens as left, and goes on', async () => {
    const [damaged = '', sound = ''] = [await storeCard(), await storeCard()];
    await test.database.paymentMethod.update({ where: { id: damaged }, data: { ciphertext: randomBytes(200) } });
    const lost = await storeCard(keysOf([newKey('r0')], [newKey('c0')]));
    const pass = await rewrap();
    assert.equal(pass.broken.length, 3);
    assert.ok(pass.broken.some((line) => line.startsWith(`payment_methods ${damaged}: `)));
    assert.ok(pass.broken.some((line) => line.startsWith(`security_codes ${lost}: `)));
    assert.equal(countLeft((await rewrap()).counts), 3);
    assert.deepEqual(await load(sound), CARD);
    await assert.rejects(load(damaged), SealBrokenError);
  });
});
