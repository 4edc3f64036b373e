import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listEvents } from '../../../../../api/resources/events/read-events.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { insertEvent } from '../../../../support/payment-rows.ts';

describe('the events after an event without a sequence', () => {
  const test = useAccount();

  it('are none until it gets one, and then those with later sequences', async () => {
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const paymentIntentId = await test.insertIntent();
    const insert = () => insertEvent(test.database, { merchantAccountId: test.account, paymentIntentId });
    const number = (id: string, sequence: bigint) =>
      test.database.event.update({ where: { id }, data: { position: sequence, sequence } });
    const [numbered, unnumbered, later] = [await insert(), await insert(), await insert()];
    await number(numbered, 1n);
    const listAfter = async (after: string) => {
      const { rows, total } = await listEvents(test.database, scope, { page: 1, limit: 10, after });
      return [rows.map(({ id }) => id), total];
    };
    assert.deepEqual(await listAfter(unnumbered), [[], 0]);
    await number(unnumbered, 2n);
    await number(later, 3n);
    assert.deepEqual(await listAfter(unnumbered), [[later], 1]);
  });
});
