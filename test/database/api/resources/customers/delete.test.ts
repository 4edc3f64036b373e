import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import pg from 'pg';
import { deleteCustomer } from '../../../../../api/resources/customers/write.ts';
import { ApiError } from '../../../../../domain/api-error.ts';
import { insertIntent } from '../../../../../api/resources/payment-intents/insert-intent.ts';
import { createPaymentIntentBody } from '../../../../../contract/schemas/payment-intent-requests.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../../../support/payment-rows.ts';
import { principalWith } from '../../../../support/principal.ts';
import { waitForBlockedStatement } from '../../../../support/blocked-statement.ts';

describe('the deletion of a customer', () => {
  let test: TestDatabase;
  let first: pg.Client;
  let merchantAccountId: string;
  let customerId: string;

  before(async () => {
    test = await createTestDatabase();
    first = new pg.Client({ connectionString: test.url });
    await first.connect();
    merchantAccountId = await insertMerchantAccount(test.database);
  });
  after(async () => {
    await first.end();
    await test.close();
  });
  beforeEach(async () => {
    customerId = newId('customer');
    await test.database.customer.create({ data: { id: customerId, merchantAccountId, environment: 'sandbox' } });
  });

  const removal = () => deleteCustomer(test.database, { merchantAccountId, environment: 'sandbox' }, customerId);
  const creation = () => {
    const id = newId('paymentIntent');
    const request = createPaymentIntentBody.parse({ amount: 1_000, currency: 'USD', customerId });
    return insertIntent(test.database, {
      id,
      principal: principalWith({ merchantAccountId }),
      request,
      country: null,
      paymentMethodId: null,
      clientSecretHash: id,
    });
  };

  /** Runs one statement without a commit, begins the other side, and commits once the other side waits for the lock. */
  async function runConcurrently<Outcome>(statement: string, begin: () => Promise<Outcome>): Promise<Outcome> {
    await first.query('BEGIN');
    await first.query(statement, [customerId]);
    const begun = begin();
    begun.catch(() => undefined);
    await waitForBlockedStatement(test.database);
    await first.query('COMMIT');
    return await begun;
  }

  it('waits for a concurrent payment of the customer, and is refused then', async () => {
    const id = newId('paymentIntent');
    const statement = `
      WITH payer AS MATERIALIZED (SELECT id FROM customer WHERE id = $1 FOR KEY SHARE)
      INSERT INTO payment_intent (id, merchant_account_id, environment, amount_minor, currency, status, customer_id,
        capture_method, client_secret_hash, attempt_budget, expires_at)
      SELECT '${id}', '${merchantAccountId}', 'sandbox', 1000, 'USD', 'requires_payment_method', id, 'automatic', '${id}',
        5, now() + interval '1 hour' FROM payer`;
    await assert.rejects(
      runConcurrently(statement, removal),
      (error) => error instanceof ApiError && error.code === 'STATE_CONFLICT',
    );
    assert.equal(await test.database.customer.count({ where: { id: customerId } }), 1);
  });

  it('makes a concurrent payment that comes later fail', async () => {
    assert.equal(await runConcurrently('DELETE FROM customer WHERE id = $1', creation), undefined);
    assert.equal(await test.database.paymentIntent.count({ where: { customerId } }), 0);
  });

  it('is refused if a concurrent update gives the customer a payment', async () => {
    const paymentIntentId = await insertPaymentIntent(test.database, merchantAccountId);
    const data = { id: newId('paymentUpdate'), paymentIntentId, changes: { customerId } };
    await test.database.paymentIntentUpdate.create({ data });
    await assert.rejects(removal(), (error) => error instanceof ApiError && error.code === 'STATE_CONFLICT');
  });
});
