import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMerchantOf } from '../../../dashboard/server/teams.ts';
import { newId } from '../../../domain/new-id.ts';
import { useTestDatabase } from '../../support/database.ts';

describe('the merchant of a person who signed up', () => {
  const test = useTestDatabase();

  const signUp = async (simulators: readonly string[]) => {
    const { database } = test;
    const id = newId('person');
    const person = { id, name: 'Person', email: `${id}@example.com`, merchantName: 'Shop' };
    await database.person.create({ data: person });
    await createMerchantOf({ database, simulators }, id);
    await createMerchantOf({ database, simulators }, id);
    const { merchantId } = await database.membership.findUniqueOrThrow({ where: { personId: id } });
    return {
      accounts: await database.merchantAccount.count({ where: { merchantId } }),
      routes: await database.paymentRoute.findMany({ where: { merchantId } }),
      audited: await database.auditEvent.count({ where: { merchantId, action: 'payment_route.created' } }),
    };
  };

  it('can pay in the sandbox at once, where the installation has simulators', async () => {
    const { accounts, routes, audited } = await signUp(['first', 'second']);
    assert.equal(accounts, 2);
    assert.ok(routes.every(({ environment }) => environment === 'sandbox'));
    const ofCards = routes.filter(({ method }) => method === 'card').sort((a, b) => a.priority - b.priority);
    assert.deepEqual(
      ofCards.map(({ provider }) => provider),
      ['first', 'second'],
    );
    assert.equal(audited, routes.length);
  });

  it('has no routes where there are no simulators', async () => {
    assert.deepEqual((await signUp([])).routes, []);
  });
});
