import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'mocha';
import {
  changeSavedMethod,
  readSavedMethod,
  removeSavedMethod,
} from '../../../../api/resources/payment-methods/stored-method.ts';
import { deleteCustomer } from '../../../../api/resources/customers/write.ts';
import { savedPaymentMethodIdOf } from '../../../../domain/ids.ts';
import { advance } from '../../../../domain/payment-step.ts';
import type { FutureUsage, SavedMethodUse } from '../../../../domain/saved-payment-method.ts';
import { detachOldSavedMethods } from '../../../../prisma/queries/saved-payment-method.ts';
import { agreeToSave } from '../../../../prisma/queries/payment-method.ts';
import { createKeyring } from '../../../../vault/keyring.ts';
import { loadPaymentMethod } from '../../../../vault/payment-method-vault.ts';
import { sealSavedCredential } from '../../../../vault/saved-credential.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertRouteTo } from '../../../support/payment-rows.ts';
import {
  approval,
  AT,
  attemptOf,
  opening,
  openAttemptOf,
  record,
  recordsOf,
  RUN,
  uncharged,
} from '../../../support/payment-steps.ts';
import {
  approveCardPayment,
  insertCustomer,
  SAVED_CARD_KEYRING,
  SAVED_NUMBER,
  savedCardReader,
  saveCard,
  storeCardPayment,
  storeUseOfSaved,
} from '../../../support/saved-cards.ts';

describe('saved payment methods', function () {
  this.timeout(60_000);
  const test = useAccount();
  const scope = () => ({ merchantAccountId: test.account, environment: 'sandbox' }) as const;
  const newCustomer = () => insertCustomer(test.database, test.account);
  const methodsOf = (customerId: string) =>
    test.database.savedPaymentMethod.findMany({
      where: { customerId },
      include: { credentials: true },
      orderBy: { createdAt: 'asc' },
    });
  const onlyMethodOf = async (customerId: string) => {
    const [method, ...others] = await methodsOf(customerId);
    assert.ok(method !== undefined && others.length === 0, 'one saved payment method');
    return method;
  };
  const eventsOf = async (resourceId: string) =>
    (await test.database.event.findMany({ where: { resourceId }, orderBy: { insertion: 'asc' } })).map(
      ({ type, snapshot }) => ({ type, snapshot }),
    );

  it('are written with the step that records the approval, and the card to save is gone then', async () => {
    const customerId = await newCustomer();
    const { id, paymentMethodId } = await saveCard(test.database, test.account, { customerId });
    const method = await onlyMethodOf(customerId);
    assert.deepEqual(
      [method.id, method.status, method.usage, method.initialPaymentIntentId, method.cardExpiresAt.toISOString()],
      [savedPaymentMethodIdOf(paymentMethodId), 'active', 'off_session', id, '2035-01-01T00:00:00.000Z'],
    );
    assert.deepEqual(
      method.credentials.map(({ provider, status, ciphertext }) => [provider, status, ciphertext]),
      [['alpha', 'pending', null]],
    );
    assert.ok(method.nextDueAt !== null && method.ciphertext !== null);
    const { timeline } = await recordsOf(test.database, id);
    assert.equal(timeline.at(-1)?.summary, `The card is saved for the customer as ${method.id}`);
    assert.equal(await test.database.paymentMethodSave.count({ where: { paymentIntentId: id } }), 0);
    const paid = await test.database.paymentMethod.findUniqueOrThrow({ where: { id: paymentMethodId } });
    assert.equal(paid.savedPaymentMethodId, method.id);
    const [event, ...others] = await eventsOf(method.id);
    assert.deepEqual([event?.type, others.length], ['payment_method.saved', 0]);
    assert.ok(
      !JSON.stringify(event?.snapshot).includes('fingerprint') && !JSON.stringify(event).includes('ciphertext'),
    );
  });

  it('have neither the number nor the CVC in the clear, in no row of the database', async () => {
    const customerId = await newCustomer();
    await saveCard(test.database, test.account, { customerId, number: '5555555555554444' });
    const tables = await test.database.$queryRaw<{ name: string }[]>`
      SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
    assert.ok(tables.length > 20);
    for (const { name } of tables) {
      const [found] = await test.database.$queryRawUnsafe<{ rows: bigint }[]>(
        `SELECT count(*) AS rows FROM "${name}" AS t WHERE t::text LIKE '%5555555555554444%'`,
      );
      assert.equal(found?.rows, 0n, name);
    }
  });

  it('are one row after 20 simultaneous first saves by one customer', async () => {
    const customerId = await newCustomer();
    const payments = await Promise.all(
      Array.from({ length: 20 }, () => storeCardPayment(test.database, test.account, { customerId })),
    );
    await Promise.all(payments.map((payment) => approveCardPayment(test.database, payment)));
    const method = await onlyMethodOf(customerId);
    assert.deepEqual([method.status, method.version, method.credentials.length], ['active', 19, 1]);
    const refer = await test.database.paymentMethod.count({ where: { savedPaymentMethodId: method.id } });
    assert.equal(refer, 20);
    assert.equal((await eventsOf(method.id)).length, 20);
  });

  it('are 20 rows after simultaneous saves of one card by 20 customers', async () => {
    const customers = await Promise.all(Array.from({ length: 20 }, newCustomer));
    await Promise.all(customers.map((customerId) => saveCard(test.database, test.account, { customerId })));
    const methods = await test.database.savedPaymentMethod.findMany({ where: { customerId: { in: customers } } });
    assert.equal(methods.length, 20);
    assert.equal(new Set(methods.map(({ cardFingerprint }) => cardFingerprint)).size, 20);
  });

  it('are not written where the customer does not agree, or the payment fails', async () => {
    const [refusing, failing] = [await newCustomer(), await newCustomer()];
    await saveCard(test.database, test.account, { customerId: refusing, usage: null });
    const { id, paymentMethodId } = await storeCardPayment(test.database, test.account, { customerId: failing });
    const attempts = [openAttemptOf(id, { paymentMethodId })];
    await record(test.database, id, opening(id, { columns: { paymentMethodId, provider: 'alpha' }, attempts }));
    await record(test.database, id, uncharged(id));
    assert.equal(await test.database.paymentMethodSave.count({ where: { paymentIntentId: id } }), 1);
    await record(test.database, id, { to: 'canceled', timeline: [{ kind: 'decision', summary: 'Canceled' }] });
    assert.equal(await test.database.paymentMethodSave.count({ where: { paymentIntentId: id } }), 0);
    assert.deepEqual([await methodsOf(refusing), await methodsOf(failing)], [[], []]);
  });

  it('take an agreement back with the next confirm of the same method', async () => {
    const customerId = await newCustomer();
    const payment = await storeCardPayment(test.database, test.account, { customerId });
    const reference = { id: payment.paymentMethodId, paymentIntentId: payment.id };
    assert.ok((await test.database.direct.row(agreeToSave(reference, customerId, null))) !== undefined);
    assert.equal(await test.database.direct.row(agreeToSave(reference, await newCustomer(), null)), undefined);
    await approveCardPayment(test.database, payment);
    assert.deepEqual(await methodsOf(customerId), []);
  });

  it('have no number in INR, and none where the operator stores none', async () => {
    for (const options of [{ currency: 'INR' }, { storesNumber: false }]) {
      const customerId = await newCustomer();
      await saveCard(test.database, test.account, { customerId, ...options });
      assert.equal((await onlyMethodOf(customerId)).ciphertext, null);
    }
  });

  it('are the same row with a new expiry when the card is saved again, also under another root key', async () => {
    const customerId = await newCustomer();
    const first = { id: 'k1', bytes: randomBytes(32) };
    await saveCard(test.database, test.account, { customerId, keyring: createKeyring([first]), usage: 'off_session' });
    const before = await onlyMethodOf(customerId);
    const keyring = createKeyring([{ id: 'k2', bytes: randomBytes(32) }, first]);
    await saveCard(test.database, test.account, { customerId, keyring, expiryYear: 2_036, usage: 'on_session' });
    const after = await onlyMethodOf(customerId);
    assert.deepEqual([after.id, after.cardExpiresAt.getUTCFullYear()], [before.id, 2_037]);
    // The customer let the merchant charge alone, and did not take that back.
    assert.deepEqual([after.usage, after.initialPaymentIntentId], ['off_session', before.initialPaymentIntentId]);
  });

  it('have their number erased with the removal, which happens once, and may be saved anew', async () => {
    const customerId = await newCustomer();
    await saveCard(test.database, test.account, { customerId });
    const { id } = await onlyMethodOf(customerId);
    const removals = await Promise.allSettled([1, 2, 3].map(() => removeSavedMethod(test.database, scope(), id)));
    assert.equal(removals.filter(({ status }) => status === 'fulfilled').length, 1);
    const removed = await onlyMethodOf(customerId);
    assert.deepEqual(
      [removed.status, removed.statusReason, removed.ciphertext, removed.nextDueAt === null],
      ['detached', 'requested', null, false],
    );
    assert.deepEqual(
      (await eventsOf(id)).map(({ type }) => type),
      ['payment_method.saved', 'payment_method.detached'],
    );
    await assert.rejects(changeSavedMethod(test.database, scope(), { id, fields: { isDefault: true } }), {
      code: 'STATE_CONFLICT',
    });
    await saveCard(test.database, test.account, { customerId });
    assert.deepEqual((await methodsOf(customerId)).map(({ status }) => status).sort(), ['active', 'detached']);
  });

  it('are one default of a customer at most, however many are made it at once', async () => {
    const customerId = await newCustomer();
    const numbers = [SAVED_NUMBER, '5555555555554444', '4000056655665556', '4012888888881881'];
    for (const number of numbers) await saveCard(test.database, test.account, { customerId, number });
    const ids = (await methodsOf(customerId)).map(({ id }) => id);
    await Promise.all(ids.map((id) => changeSavedMethod(test.database, scope(), { id, fields: { isDefault: true } })));
    assert.equal((await methodsOf(customerId)).filter(({ isDefault }) => isDefault).length, 1);
  });

  it('belong to their account alone', async () => {
    const customerId = await newCustomer();
    await saveCard(test.database, test.account, { customerId });
    const { id } = await onlyMethodOf(customerId);
    const notFound = { code: 'RESOURCE_NOT_FOUND' };
    for (const other of [
      { ...scope(), merchantAccountId: 'mer_other' },
      { ...scope(), environment: 'production' as const },
    ]) {
      await assert.rejects(readSavedMethod(test.database, other, id), notFound);
      await assert.rejects(removeSavedMethod(test.database, other, id), notFound);
    }
    assert.equal((await onlyMethodOf(customerId)).status, 'active');
  });

  it('are removed with their customer', async () => {
    const customerId = await newCustomer();
    await saveCard(test.database, test.account, { customerId });
    await deleteCustomer(test.database, scope(), customerId);
    const { status, statusReason, ciphertext } = await onlyMethodOf(customerId);
    assert.deepEqual([status, statusReason, ciphertext], ['detached', 'customer_deleted', null]);
  });

  it('are removed long after the expiry of the card, and when they were not used for long', async () => {
    const [expired, unused, kept] = [await newCustomer(), await newCustomer(), await newCustomer()];
    for (const customerId of [expired, unused, kept]) await saveCard(test.database, test.account, { customerId });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const now = { lastUsedAt: daysAgo(1) };
    await test.database.savedPaymentMethod.updateMany({
      where: { customerId: expired },
      data: { ...now, cardExpiresAt: daysAgo(91) },
    });
    await test.database.savedPaymentMethod.updateMany({
      where: { customerId: unused },
      data: { lastUsedAt: daysAgo(731) },
    });
    await test.database.savedPaymentMethod.updateMany({
      where: { customerId: kept },
      data: { ...now, cardExpiresAt: daysAgo(89) },
    });
    await test.database.direct.execute(detachOldSavedMethods('card_expired', { days: 90, limit: 500 }));
    await test.database.direct.execute(detachOldSavedMethods('unused', { days: 730, limit: 500 }));
    const reasons = await Promise.all([expired, unused, kept].map(onlyMethodOf));
    assert.deepEqual(
      reasons.map(({ status, statusReason }) => [status, statusReason]),
      [
        ['detached', 'card_expired'],
        ['detached', 'unused'],
        ['active', null],
      ],
    );
  });

  describe('are used by payments', () => {
    before(() => insertRouteTo(test.database, test.account, 'alpha'));

    const newSaved = async (usage: FutureUsage = 'off_session') => {
      const customerId = await newCustomer();
      await saveCard(test.database, test.account, { customerId, usage });
      return { customerId, savedPaymentMethodId: (await onlyMethodOf(customerId)).id };
    };
    const usedBy = async (
      saved: Awaited<ReturnType<typeof newSaved>>,
      use: SavedMethodUse = 'recurring',
    ): Promise<{ id: string; paymentMethodId: string; savedUse: SavedMethodUse }> => ({
      ...(await storeUseOfSaved(test.database, test.account, { ...saved, use })),
      savedUse: use,
    });
    const openingOf = ({ paymentMethodId }: { paymentMethodId: string }) =>
      ({
        routeId: 'rt_1',
        provider: 'alpha',
        before: '2999-01-01T00:00:00.000Z',
        savedReferenceId: paymentMethodId,
      }) as const;
    /** Writes the intention of an attempt, as the activity does that makes the call after it. */
    const open = async ({ id, ...used }: Awaited<ReturnType<typeof usedBy>>): Promise<boolean> => {
      const { record: before } = (await test.store.read({ paymentIntentId: id })) ?? assert.fail();
      const columns = { paymentMethodId: used.paymentMethodId, provider: 'alpha' };
      const step = opening(id, { columns, attempts: [openAttemptOf(id, used)] });
      const opens = { provider: 'alpha', opening: openingOf(used), returnUrl: null };
      return test.store.write({
        step,
        after: advance(before, step, AT),
        stepId: `open ${id}`,
        runId: RUN,
        at: AT,
        opens,
      });
    };
    const approve = ({ id, ...used }: Awaited<ReturnType<typeof usedBy>>) =>
      record(test.database, id, approval(id, { attempts: [attemptOf(id, used)] }));

    it('20 at the same time, each of which charges once', async () => {
      const saved = await newSaved();
      const payments = await Promise.all(Array.from({ length: 20 }, () => usedBy(saved)));
      const opened = await Promise.all(
        payments.map(async (payment) => {
          const isOpen = await open(payment);
          await approve(payment);
          return isOpen;
        }),
      );
      assert.deepEqual(new Set(opened), new Set([true]));
      const { version, status, lastUsedAt, createdAt } = await onlyMethodOf(saved.customerId);
      assert.deepEqual([version, status, lastUsedAt >= createdAt], [0, 'active', true]);
      const charged = await test.database.transaction.count({
        where: { paymentIntentId: { in: payments.map(({ id }) => id) } },
      });
      assert.equal(charged, 20);
    });

    it('or removed, of a removal and an attempt that begin at the same moment', async () => {
      for (let round = 0; round < 15; round += 1) {
        const saved = await newSaved();
        const payment = await usedBy(saved);
        const [isOpen, isRemoved] = await Promise.all([
          open(payment),
          removeSavedMethod(test.database, scope(), saved.savedPaymentMethodId).then(
            () => true,
            () => false,
          ),
        ]);
        assert.notEqual(isOpen, isRemoved, `round ${round}`);
        const refusal = await test.store.openingRefusal(payment.id, openingOf(payment));
        assert.equal(refusal, isRemoved ? 'saved_card_unusable' : null);
      }
    });

    it('no more once they are invalid, of another customer, or not kept for such a payment', async () => {
      const cases: readonly ((
        saved: Awaited<ReturnType<typeof newSaved>>,
        paymentIntentId: string,
      ) => Promise<unknown>)[] = [
        ({ savedPaymentMethodId: id }) =>
          test.database.savedPaymentMethod.update({ where: { id }, data: { status: 'invalid' } }),
        ({ savedPaymentMethodId: id }) =>
          test.database.savedPaymentMethod.update({ where: { id }, data: { usage: 'on_session' } }),
        async (_saved, id) =>
          test.database.paymentIntent.update({ where: { id }, data: { customerId: await newCustomer() } }),
      ];
      for (const change of cases) {
        const saved = await newSaved();
        const payment = await usedBy(saved);
        await change(saved, payment.id);
        assert.equal(await open(payment), false);
        assert.equal(await test.store.openingRefusal(payment.id, openingOf(payment)), 'saved_card_unusable');
      }
    });

    it('without the customer only by a token that was issued under such an agreement', async () => {
      const saved = await newSaved('on_session');
      const identity = { savedPaymentMethodId: saved.savedPaymentMethodId, provider: 'alpha', ...scope() };
      const ISSUED = { token: 'tok_1', providerCustomerId: null, networkTransaction: { id: 'ntid_1', linkId: null } };
      await test.database.savedPaymentMethodCredential.updateMany({
        where: { savedPaymentMethodId: saved.savedPaymentMethodId },
        data: {
          ...sealSavedCredential(SAVED_CARD_KEYRING, identity, ISSUED),
          status: 'active',
          hasNetworkTransactionId: true,
        },
      });
      // The customer agrees to more, in a payment at another provider.
      await saveCard(test.database, test.account, { customerId: saved.customerId, provider: 'beta' });
      const charged = async (use: SavedMethodUse, provider: string) => {
        const { id: paymentIntentId, paymentMethodId: id } = await usedBy(saved, use);
        return loadPaymentMethod(savedCardReader(test.database), { id, paymentIntentId, provider });
      };
      assert.equal((await charged('on_session', 'alpha')).type, 'saved_card_token');
      const alone = await charged('recurring', 'alpha');
      assert.deepEqual([alone.type, 'saved' in alone && alone.saved?.networkTransaction], ['card', null]);
    });

    it('and saved again with the agreement that they have, so that no weaker token takes the place of the one before', async () => {
      const { customerId } = await newSaved('off_session');
      const usageOf = async (customer: string) => {
        const stored = await storeCardPayment(test.database, test.account, {
          customerId: customer,
          usage: 'on_session',
        });
        const { id: paymentIntentId, paymentMethodId: id } = stored;
        const method = await loadPaymentMethod(savedCardReader(test.database), {
          id,
          paymentIntentId,
          provider: 'alpha',
        });
        return method.type === 'card' ? method.saving?.usage : null;
      };
      assert.deepEqual([await usageOf(customerId), await usageOf(await newCustomer())], ['off_session', 'on_session']);
    });
  });
});
