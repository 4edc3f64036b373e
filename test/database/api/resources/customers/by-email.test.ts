import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { listCustomers } from '../../../../../api/resources/customers/stored-customer.ts';
import { insertCustomer } from '../../../../../api/resources/customers/write.ts';
import { customerBody, listCustomersQuery } from '../../../../../contract/schemas/customer.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../../../../support/database.ts';
import { insertMerchantAccount } from '../../../../support/payment-rows.ts';

describe('the look-up of customers by e-mail address', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('compares without case, in every script, and shows each address as it was given', async () => {
    const scope = { merchantAccountId: await insertMerchantAccount(test.database), environment: 'sandbox' } as const;
    const given = ['Info@Shop.example', 'info@shop.EXAMPLE', 'MÜLLER@bücher.example', 'иван@почта.рф', undefined];
    for (const email of given) {
      const fields = customerBody.parse({ email });
      await insertCustomer(test.database, scope, { id: newId('customer'), fields });
    }
    const found = async (email: string) => {
      const { rows } = await listCustomers(test.database, scope, listCustomersQuery.parse({ email }));
      return rows.map((row) => row.email).sort();
    };
    assert.deepEqual(await found('INFO@shop.example'), ['Info@Shop.example', 'info@shop.EXAMPLE']);
    assert.deepEqual(await found('müller@BÜCHER.example'), ['MÜLLER@bücher.example']);
    assert.deepEqual(await found('mu\u0308ller@bu\u0308cher.example'), ['MÜLLER@bücher.example']);
    assert.deepEqual(await found('ИВАН@почта.рф'), ['иван@почта.рф']);
    assert.deepEqual(await found('other@shop.example'), []);
  });
});
