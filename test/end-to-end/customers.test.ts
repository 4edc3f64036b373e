import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { customerResource, deletedCustomer } from '../../contract/schemas/customer.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertRefused, createdIntentOf, intentOf } from '../support/envelopes.ts';
import { createAccount, createMerchant, useMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf, problemsOf, resourceOf, resourcePageOf } from '../support/resources.ts';

const NOBODY = {
  reference: null,
  name: null,
  email: null,
  phone: null,
  description: null,
  country: null,
  metadata: {},
};
const SOMEBODY = {
  reference: 'K-1042',
  name: 'Zaphira Quill',
  email: 'zaphira@example.com',
  phone: '+49 (30) 1234-567',
  description: 'Buys lamps',
  country: 'DE',
  metadata: { tier: 'gold' },
};

describe('customers', function () {
  this.timeout(MINUTE_MS);
  const { merchant, send } = useMerchant();

  const create = async (fields: object = {}) =>
    resourceOf(await send('POST', '/customers', fields), customerResource, 201);
  const read = async (id: string) => resourceOf(await send('GET', `/customers/${id}`), customerResource);

  it('are created and read', async () => {
    const created = await create(SOMEBODY);
    const { id, object, merchantId, environment, createdAt, updatedAt, ...fields } = created;
    assert.deepEqual(fields, SOMEBODY);
    assert.deepEqual(
      { object, merchantId, environment, sameTime: createdAt === updatedAt },
      { object: 'customer', merchantId: merchant.merchantAccountId, environment: 'sandbox', sameTime: true },
    );
    assert.match(id, /^cus_[0-9a-f]{32}$/);
    assert.deepEqual(await read(id), created);
    const { id: _id, ...empty } = await create();
    assert.deepEqual({ ...empty, ...NOBODY }, empty);
  });

  it('are replaced by PUT, and updated by PATCH', async () => {
    const { id } = await create(SOMEBODY);
    const replaced = resourceOf(await send('PUT', `/customers/${id}`, { name: 'Quibble' }), customerResource);
    assert.deepEqual({ ...replaced, ...NOBODY, name: 'Quibble' }, replaced);
    const patched = resourceOf(
      await send('PATCH', `/customers/${id}`, { name: null, country: 'FR', metadata: { a: 'b' } }),
      customerResource,
    );
    assert.deepEqual({ ...patched, ...NOBODY, country: 'FR', metadata: { a: 'b' } }, patched);
    const unchanged = resourceOf(await send('PATCH', `/customers/${id}`, {}), customerResource);
    assert.deepEqual({ ...unchanged, updatedAt: patched.updatedAt }, patched);
  });

  it('are listed newest first, in pages, with filters for e-mail address and time', async () => {
    const list = clientOf((await createMerchant()).credentials);
    const ids: string[] = [];
    for (const email of ['a@example.com', 'b@example.com', 'a@example.com']) {
      ids.unshift(resourceOf(await list('POST', '/customers', { email }), customerResource, 201).id);
    }
    const all = resourcePageOf(await list('GET', '/customers'), customerResource);
    assert.deepEqual(
      all.data.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(all.pagination, { page: 1, limit: 20, total: 3, totalPages: 1 });
    const second = resourcePageOf(await list('GET', '/customers?page=2&limit=2'), customerResource);
    assert.deepEqual(
      second.data.map(({ id }) => id),
      ids.slice(2),
    );
    const found = resourcePageOf(await list('GET', '/customers?email=a@example.com'), customerResource);
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [ids[0], ids[2]],
    );
    assert.equal(found.pagination.total, 2);
    const before = encodeURIComponent(all.data[1]?.createdAt ?? '');
    const older = resourcePageOf(await list('GET', `/customers?createdBefore=${before}`), customerResource);
    assert.deepEqual(
      older.data.map(({ id }) => id),
      ids.slice(2),
    );
  });

  it('are rejected with every field error, and stay unchanged', async () => {
    const { id } = await create(SOMEBODY);
    const wrong = {
      name: '',
      email: 'nobody',
      phone: 'ring me',
      description: 7,
      country: 'ZZ',
      metadata: { a: 1 },
      nickname: 'Z',
    };
    const problems = [
      'country:invalid',
      'description:type',
      'email:invalid',
      'metadata.a:type',
      'name:too_short',
      'nickname:unknown',
      'phone:invalid',
    ];
    for (const [method, path] of [
      ['POST', '/customers'],
      ['PUT', `/customers/${id}`],
      ['PATCH', `/customers/${id}`],
    ] as const) {
      const answer = await send(method, path, wrong);
      assertRefused(answer, 422, 'VALIDATION_ERROR');
      assert.deepEqual(problemsOf(answer), problems);
    }
    const { metadata, name } = await read(id);
    assert.deepEqual({ metadata, name }, { metadata: SOMEBODY.metadata, name: SOMEBODY.name });
    assertRefused(await send('GET', '/customers?email=nobody'), 422, 'VALIDATION_ERROR');
  });

  it('cannot be replaced, or named by payments, by other merchants, accounts and environments', async () => {
    const { id } = await create(SOMEBODY);
    for (const { credentials } of [
      await createMerchant(),
      await createAccount(merchant.merchantId),
      await createAccount(merchant.merchantId, 'production'),
    ]) {
      const ask = clientOf(credentials);
      assertRefused(await ask('PUT', `/customers/${id}`, { name: 'Stranger' }), 404, 'CUSTOMER_NOT_FOUND');
      const intent = await ask('POST', '/payment-intents', { amount: 1_000, currency: 'USD', customerId: id });
      assertRefused(intent, 404, 'CUSTOMER_NOT_FOUND');
    }
    assert.equal((await read(id)).name, SOMEBODY.name);
  });

  it('give their country to payments that name none', async () => {
    const { id: customerId } = await create({ country: 'FR' });
    const { created } = await createPayment({ customerId, country: null }, merchant.credentials);
    assert.equal(created.country, 'FR');
  });

  describe('that are being deleted', () => {
    const remove = (id: string) => send('DELETE', `/customers/${id}`);

    it('are deleted as soon as none of their payments is open', async () => {
      const { id } = await create(SOMEBODY);
      const payment = await createPayment({ customerId: id }, merchant.credentials);
      assertRefused(await remove(id), 409, 'STATE_CONFLICT');
      assert.equal((await read(id)).id, id);
      assert.equal(intentOf(await payment.cancel()).status, 'canceled');
      assert.deepEqual(resourceOf(await remove(id), deletedCustomer), { id, object: 'customer', deleted: true });
      assertRefused(await remove(id), 404, 'CUSTOMER_NOT_FOUND');
      assertRefused(await send('GET', `/customers/${id}`), 404, 'CUSTOMER_NOT_FOUND');
      assert.equal((await payment.read()).customerId, id);
    });

    it('are never deleted while a new payment names them', async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < 12; round += 1) {
        const { id } = await create();
        const [creation, removal] = await Promise.all([
          send('POST', '/payment-intents', { amount: 1_000, currency: 'USD', customerId: id }),
          remove(id),
        ]);
        if (creation.status === 201) {
          assertRefused(removal, 409, 'STATE_CONFLICT');
          assert.equal(createdIntentOf(creation).customerId, (await read(id)).id);
        } else {
          assertRefused(creation, 404, 'CUSTOMER_NOT_FOUND');
          assert.equal(removal.status, 200);
        }
        outcomes.add(creation.status === 201 ? 'created' : 'deleted');
      }
      assert.ok(outcomes.size > 0);
    });

    it('are never deleted while an update gives them a payment', async () => {
      const payment = await createPayment({}, merchant.credentials);
      for (let round = 0; round < 12; round += 1) {
        const { id } = await create();
        const [change, removal] = await Promise.all([
          send('PATCH', `/payment-intents/${payment.id}`, { customerId: id }),
          remove(id),
        ]);
        if (change.status === 200) {
          assertRefused(removal, 409, 'STATE_CONFLICT');
          assert.equal((await payment.read()).customerId, id);
        } else {
          assertRefused(change, 404, 'CUSTOMER_NOT_FOUND');
          assert.equal(removal.status, 200);
        }
      }
    });
  });
});
