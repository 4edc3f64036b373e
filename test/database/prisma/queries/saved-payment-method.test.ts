import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import {
  changeSavedMethod,
  readSavedMethod,
  removeSavedMethod,
} from '../../../../api/resources/payment-methods/stored-method.ts';
import { deleteCustomer } from '../../../../api/resources/customers/write.ts';
import { savedPaymentMethodIdOf } from '../../../../domain/ids.ts';
import { detachOldSavedMethods } from '../../../../prisma/queries/saved-payment-method.ts';
import { agreeToSave } from '../../../../prisma/queries/payment-method.ts';
import { createKeyring } from '../../../../vault/keyring.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { opening, openAttemptOf, record, recordsOf, uncharged } from '../../../support/payment-steps.ts';
import {
  approveCardPayment,
  insertCustomer,
  SAVED_NUMBER,
  saveCard,
  storeCardPayment,
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
});
