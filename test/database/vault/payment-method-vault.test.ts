import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { before, describe, it } from 'mocha';
import { newId } from '../../../domain/new-id.ts';
import { isAuthorizedOrEnded, PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/payment-state.ts';
import type { PaymentMethodDetails } from '../../../providers/payment-provider.ts';
import { createCardKeyring, parseCardPublicKey } from '../../../vault/card-keys.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { createKeyring } from '../../../vault/keyring.ts';
import {
  digestsOfMethod,
  eraseCvc,
  loadPaymentMethod,
  PaymentMethodUnavailableError,
  storedCardDigests,
  storePaymentMethod,
} from '../../../vault/payment-method-vault.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount, insertPaymentAttempt, insertPaymentIntent } from '../../support/payment-rows.ts';
import { waitForBlockedStatement } from '../../support/blocked-statement.ts';

const CARD = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '987',
  holderName: 'A. Person',
} as const satisfies PaymentMethodDetails;
/** How many methods an intent may have. */
const MAXIMUM = 50;
const UPI: PaymentMethodDetails = { type: 'upi', vpa: 'success@upi' };

describe('payment method vault', function () {
  this.timeout(60_000);
  const rootKey = { id: 'k', bytes: randomBytes(32) };
  const cardKey = { id: 'c', bytes: randomBytes(32) };
  const keyring = createKeyring([rootKey]);
  const cards = createCardKeyring([cardKey]);
  /** What the API has: it can store cards, and load none. */
  const writer = () => ({ database: test.database, keyring, cards: parseCardPublicKey(cards.publicKey) });
  const account = { merchantAccountId: 'mer_1', environment: 'sandbox', paymentIntentId: 'pi_1' } as const;
  const test = useTestDatabase();

  before(async () => {
    for (const id of ['mer_1', 'mer_2']) await insertMerchantAccount(test.database, { id });
  });

  const store = async (details: PaymentMethodDetails, id = newId('paymentMethod')): Promise<string> => {
    await storePaymentMethod(writer(), { id, ...account, details }, MAXIMUM);
    return id;
  };
  const load = (id: string, paymentIntentId: string = account.paymentIntentId) =>
    loadPaymentMethod({ database: test.database, keyring, cards }, { id, paymentIntentId, provider: 'alpha' });

  it('returns what was stored, and stores none of it unencrypted', async () => {
    const id = await store(CARD);
    assert.deepEqual(await load(id), CARD);
    const row = await test.database.paymentMethod.findUniqueOrThrow({ where: { id } });
    const kept = JSON.stringify({ ...row, ciphertext: Buffer.from(row.ciphertext ?? []).toString('latin1') });
    assert.ok(!kept.includes('4242424242424242') && !kept.includes('A. Person'));
    // As a value: ids may end with its digits.
    assert.doesNotMatch(kept, /"987\\?"/);
  });

  it('stores the groups that a card belongs to by their ids, and no digits of its number', async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: 'mer_1' } });
    const groupOf = (id: string, prefixes: string[], environment = 'sandbox') => ({
      id,
      merchantId,
      environment,
      name: id,
      prefixes,
    });
    const groups = [
      groupOf('crdg_long', ['42424242']),
      groupOf('crdg_other', ['424243', '5424242']),
      groupOf('crdg_short', ['999999', '424242']),
      groupOf('crdg_production', ['424242'], 'production'),
    ];
    await test.database.cardGroup.createMany({ data: groups });
    const id = await store(CARD);
    const row = await test.database.paymentMethod.findUniqueOrThrow({ where: { id } });
    assert.deepEqual(row.cardGroups, ['crdg_long', 'crdg_short']);
    assert.doesNotMatch(JSON.stringify({ ...row, ciphertext: null, id: null }), /424242/);
    const upi = await store(UPI);
    assert.deepEqual((await test.database.paymentMethod.findUniqueOrThrow({ where: { id: upi } })).cardGroups, []);
    await test.database.cardGroup.deleteMany();
    // A repeat of the request neither fails nor takes the groups back.
    await store(CARD, id);
    assert.equal((await test.database.paymentMethod.findUniqueOrThrow({ where: { id } })).cardGroups.length, 2);
  });

  it('gives no payment another payment method than its own', async () => {
    const id = await store(CARD);
    await assert.rejects(load(id, 'pi_2'), PaymentMethodUnavailableError);
  });

  it('writes the CVC to an unlogged table only, so that no log, backup or replica has it', async () => {
    const id = await store(CARD);
    assert.equal(await test.database.paymentMethodCvc.count({ where: { paymentMethodId: id } }), 1);
    const [table] = await test.database.$queryRaw<{ kind: string }[]>`
      SELECT relpersistence::text AS kind FROM pg_class WHERE relname = 'payment_method_cvc'`;
    assert.equal(table?.kind, 'u');
  });

  it('returns a card without its CVC after PostgreSQL has lost the unlogged table in a crash', async () => {
    const id = await store(CARD);
    await test.database.paymentMethodCvc.deleteMany();
    assert.deepEqual(await load(id), { ...CARD, cvc: null });
  });

  it('returns methods without secrets', async () => {
    for (const details of [UPI, { type: 'crypto', asset: 'BTC', network: 'bitcoin' }] as const) {
      assert.deepEqual(await load(await store(details)), details);
    }
  });

  it('returns a card without its CVC after the CVC was erased', async () => {
    const id = await store(CARD);
    await eraseCvc(test.database, { ...account, id });
    assert.deepEqual(await load(id), { ...CARD, cvc: null });
  });

  it('stores once, whatever a repeat contains', async () => {
    const id = await store(UPI);
    await store(CARD, id);
    assert.deepEqual(await load(id), UPI);
  });

  it('stores as many methods of an intent as it may have, and any number if no maximum is given', async () => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId);
    const newMethod = () => ({
      id: newId('paymentMethod'),
      ...({ merchantAccountId, environment: 'sandbox', paymentIntentId, details: CARD } as const),
    });
    const first = newMethod();
    assert.equal(await storePaymentMethod(writer(), first, 2), 'stored');
    assert.equal(await storePaymentMethod(writer(), newMethod(), 2), 'stored');
    assert.equal(await storePaymentMethod(writer(), newMethod(), 2), 'intent_full');
    assert.equal(await test.database.paymentMethod.count({ where: { paymentIntentId } }), 2);
    assert.equal(await storePaymentMethod(writer(), first, 2), 'stored', 'a repeat needs no room');
    assert.equal(await storePaymentMethod(writer(), newMethod(), null), 'stored');
  });

  describe('for an intent', () => {
    /** How many methods, CVCs and digests of an intent are stored. */
    const rowCountsOf = async (paymentIntentId: string) => ({
      methods: await test.database.paymentMethod.count({ where: { paymentIntentId } }),
      securityCodes: await test.database.paymentMethodCvc.count({ where: { paymentIntentId } }),
      digests: await test.database.cardDigest.count({ where: { paymentIntentId } }),
    });
    const newMethod = async (status: PaymentStatus) => {
      const merchantAccountId = await insertMerchantAccount(test.database);
      const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId, { status });
      const id = newId('paymentMethod');
      return { id, merchantAccountId, environment: 'sandbox', paymentIntentId, details: CARD } as const;
    };

    for (const status of PAYMENT_STATUSES) {
      const storesNothing = isAuthorizedOrEnded(status);
      it(`${storesNothing ? 'stores no method' : 'stores a method'} while the intent is ${status}`, async () => {
        const method = await newMethod(status);
        const result = await storePaymentMethod(writer(), method, MAXIMUM);
        assert.equal(result, storesNothing ? 'intent_authorized_or_ended' : 'stored');
        const expected = storesNothing ? 0 : 1;
        assert.deepEqual(await rowCountsOf(method.paymentIntentId), {
          methods: expected,
          securityCodes: expected,
          digests: expected,
        });
      });

      it(`${storesNothing ? 'erases' : 'keeps'} CVC and digests when the intent becomes ${status}`, async () => {
        const method = await newMethod(status === 'processing' ? 'requires_action' : 'processing');
        await storePaymentMethod(writer(), method, MAXIMUM);
        await test.database.paymentIntent.update({ where: { id: method.paymentIntentId }, data: { status } });
        const expected = storesNothing ? 0 : 1;
        assert.deepEqual(await rowCountsOf(method.paymentIntentId), {
          methods: 1,
          securityCodes: expected,
          digests: expected,
        });
      });
    }

    it('stores nothing while the end of the intent is being recorded', async () => {
      const method = await newMethod('processing');
      const { paymentIntentId: id } = method;
      const storing = await test.database.$transaction(async (transaction) => {
        await transaction.paymentIntent.update({ where: { id }, data: { status: 'canceled' } });
        const result = storePaymentMethod(writer(), method, MAXIMUM);
        await waitForBlockedStatement(test.database);
        return { result };
      });
      assert.equal(await storing.result, 'intent_authorized_or_ended');
      assert.deepEqual(await rowCountsOf(id), { methods: 0, securityCodes: 0, digests: 0 });
    });

    it('erases what was stored while the step that ends the intent waited for its row', async () => {
      const method = await newMethod('processing');
      const { paymentIntentId: id, ...identity } = method;
      const recording = await test.database.$transaction(async (transaction) => {
        await transaction.$executeRaw`SELECT FROM payment_intent WHERE id = ${id} FOR NO KEY UPDATE`;
        const end = test.database.paymentIntent
          .update({ where: { id }, data: { status: 'canceled' } })
          .then(() => null);
        await waitForBlockedStatement(test.database);
        const sealed = { keyId: 'k', ciphertext: Buffer.from('sealed') };
        const code = { paymentMethodId: identity.id, paymentIntentId: id, ...sealed };
        await transaction.paymentMethodCvc.create({ data: code });
        await transaction.cardDigest.create({ data: { paymentMethodId: identity.id, paymentIntentId: id, card: 'c' } });
        return { end };
      });
      await recording.end;
      assert.deepEqual(await rowCountsOf(id), { methods: 0, securityCodes: 0, digests: 0 });
    });
  });

  describe('for a card whose CVC was erased', () => {
    const OTHER_CARD = { ...CARD, number: '5555555555554444', cvc: '123' };

    /** An intent with a card whose CVC was erased, and with an attempt that used the card. */
    async function erased({
      status = 'processing',
      outcome = null,
    }: { status?: string; outcome?: string | null } = {}) {
      const merchantAccountId = await insertMerchantAccount(test.database);
      const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId);
      const id = newId('paymentMethod');
      const method = { id, merchantAccountId, environment: 'sandbox', paymentIntentId, details: CARD } as const;
      await storePaymentMethod(writer(), method, MAXIMUM);
      await eraseCvc(test.database, method);
      await test.database.paymentIntent.update({ where: { id: paymentIntentId }, data: { status } });
      await insertPaymentAttempt(test.database, paymentIntentId, { paymentMethodId: id, outcome });
      return method;
    }

    it('stores the CVC again for a repeat', async () => {
      const method = await erased();
      await storePaymentMethod(writer(), method, MAXIMUM);
      assert.deepEqual(await load(method.id, method.paymentIntentId), CARD);
      await storePaymentMethod(writer(), { ...method, details: { ...CARD, cvc: '111' } }, MAXIMUM);
      assert.deepEqual(await load(method.id, method.paymentIntentId), CARD, 'what is kept is not replaced');
    });

    it('stores the CVC again under a new key', async () => {
      const method = await erased();
      const newCards = createCardKeyring([{ id: 'new', bytes: randomBytes(32) }, cardKey]);
      await storePaymentMethod({ ...writer(), cards: parseCardPublicKey(newCards.publicKey) }, method, MAXIMUM);
      assert.deepEqual(
        await loadPaymentMethod(
          { database: test.database, keyring, cards: newCards },
          { ...method, provider: 'alpha' },
        ),
        CARD,
      );
      const { keyId } = await test.database.paymentMethodCvc.findUniqueOrThrow({
        where: { paymentMethodId: method.id },
      });
      assert.equal(keyId, 'card:new');
      await assert.rejects(load(method.id, method.paymentIntentId), SealBrokenError);
    });

    it('does not store the CVC once an attempt with the card has an outcome, or the intent has ended', async () => {
      for (const [status, outcome] of [
        ['requires_payment_method', 'declined'],
        ['requires_payment_method', 'not_charged'],
        ['canceled', null],
        ['succeeded', 'approved'],
      ] as const) {
        const method = await erased({ status, outcome });
        await storePaymentMethod(writer(), method, MAXIMUM);
        assert.deepEqual(await load(method.id, method.paymentIntentId), { ...CARD, cvc: null });
      }
    });

    it('accepts neither the CVC of another card nor one of another account', async () => {
      const method = await erased();
      await storePaymentMethod(writer(), { ...method, details: OTHER_CARD }, MAXIMUM);
      await storePaymentMethod(writer(), { ...method, merchantAccountId: 'mer_2' }, MAXIMUM);
      assert.deepEqual(await load(method.id, method.paymentIntentId), { ...CARD, cvc: null });
    });

    it('changes nothing for a repeat without a CVC, or once the card is erased', async () => {
      const method = await erased();
      await storePaymentMethod(writer(), { ...method, details: { ...CARD, cvc: null } }, MAXIMUM);
      assert.deepEqual(await load(method.id, method.paymentIntentId), { ...CARD, cvc: null });
      await test.database.paymentMethod.update({ where: { id: method.id }, data: { ciphertext: null } });
      await storePaymentMethod(writer(), method, MAXIMUM);
      await assert.rejects(load(method.id, method.paymentIntentId), PaymentMethodUnavailableError);
    });

    it('does not store the CVC while an outcome is being recorded', async () => {
      const method = await erased();
      const { paymentIntentId } = method;
      const recording = test.database.$transaction(async (transaction) => {
        await transaction.paymentIntent.update({ where: { id: paymentIntentId }, data: { version: { increment: 1 } } });
        const restoring = storePaymentMethod(writer(), method, MAXIMUM);
        await sleep(100);
        await transaction.paymentAttempt.updateMany({ where: { paymentIntentId }, data: { outcome: 'declined' } });
        return { restoring };
      });
      await (
        await recording
      ).restoring;
      assert.deepEqual(await load(method.id, method.paymentIntentId), { ...CARD, cvc: null });
    });
  });

  it('finds no method of another intent', async () => {
    const id = await store(CARD);
    await assert.rejects(load(id, 'pi_2'), PaymentMethodUnavailableError);
    await eraseCvc(test.database, { id, paymentIntentId: 'pi_2' });
    assert.deepEqual(await load(id), CARD);
  });

  it('stores keyed digests of a card in an unlogged table, and one of the address of a payment by UPI', async () => {
    const id = await store(CARD);
    const stored = await storedCardDigests(test.database, id);
    assert.deepEqual(stored, digestsOfMethod(keyring, account, CARD));
    const ofUpi = await storedCardDigests(test.database, await store(UPI));
    assert.deepEqual(ofUpi, digestsOfMethod(keyring, account, UPI));
    assert.equal(ofUpi?.bin, null);
    const [table] = await test.database.$queryRaw<{ kind: string }[]>`
      SELECT relpersistence::text AS kind FROM pg_class WHERE relname = 'card_digest'`;
    assert.equal(table?.kind, 'u');
  });

  it('stores a token sealed, with its provider, and counts its declines under a keyed digest of it', async () => {
    const token = { type: 'card_token', provider: 'stripe_1', token: 'pm_1LongTokenOfAPage' } as const;
    const id = await store(token);
    assert.deepEqual(await load(id), token);
    const row = await test.database.paymentMethod.findUniqueOrThrow({ where: { id } });
    assert.deepEqual([row.type, row.tokenProvider], ['card', 'stripe_1']);
    const digests = await storedCardDigests(test.database, id);
    const kept = JSON.stringify([row, Buffer.from(row.ciphertext ?? []).toString('latin1'), digests]);
    assert.ok(!kept.includes(token.token));
    assert.ok(digests !== null && digests.bin === null);
    const elsewhere = { ...token, provider: 'stripe_2' };
    assert.notDeepEqual(digestsOfMethod(keyring, account, elsewhere), digests);
  });

  it('rejects a ciphertext that was moved to another account, environment, token or column', async () => {
    const moves: readonly ((id: string) => Promise<string>)[] = [
      async (id) => {
        await test.database.paymentMethod.update({ where: { id }, data: { merchantAccountId: 'mer_2' } });
        return id;
      },
      async (id) => {
        await test.database.paymentMethod.update({ where: { id }, data: { environment: 'production' } });
        return id;
      },
      async (id) => {
        const other = await store({ ...CARD, number: '5555555555554444' });
        await test.database.$executeRaw`
          UPDATE payment_method SET ciphertext = other.ciphertext
          FROM payment_method other WHERE other.id = ${other} AND payment_method.id = ${id}`;
        return id;
      },
      async (id) => {
        const moved = newId('paymentMethod');
        await test.database.paymentMethod.update({ where: { id }, data: { id: moved } });
        return moved;
      },
      async (id) => {
        await test.database.$executeRaw`
          UPDATE payment_method_cvc SET ciphertext = payment_method.ciphertext
          FROM payment_method WHERE payment_method_id = id AND id = ${id}`;
        return id;
      },
    ];
    for (const move of moves) await assert.rejects(load(await move(await store(CARD))), SealBrokenError);
  });

  it('throws if the details were erased', async () => {
    const id = await store(CARD);
    await test.database.paymentMethod.update({ where: { id }, data: { ciphertext: null } });
    await assert.rejects(load(id), PaymentMethodUnavailableError);
    await assert.rejects(load('pm_9'), PaymentMethodUnavailableError);
  });
});
