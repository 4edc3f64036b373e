import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listEvents } from '../../../../../api/resources/events/read-events.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { insertEvent } from '../../../../support/payment-rows.ts';

describe('the list of events', () => {
  const test = useAccount();

  async function insertThree(): Promise<[string, string, string]> {
    const paymentIntentId = await test.insertIntent();
    const insert = () => insertEvent(test.database, { merchantAccountId: test.account, paymentIntentId });
    return [await insert(), await insert(), await insert()];
  }
  const number = (id: string, sequence: bigint) =>
    test.database.event.update({ where: { id }, data: { position: sequence, sequence } });
  const list = async (query: { readonly after?: string; readonly before?: string }) => {
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const { rows, total } = await listEvents(test.database, scope, { page: 1, limit: 10, ...query });
    return [rows.map(({ id }) => id), total] as const;
  };

  it('after an event without a sequence is empty until it gets one, and then has those with later sequences', async () => {
    const [numbered, unnumbered, later] = await insertThree();
    await number(numbered, 1n);
    assert.deepEqual(await list({ after: unnumbered }), [[], 0]);
    await number(unnumbered, 2n);
    await number(later, 3n);
    assert.deepEqual(await list({ after: unnumbered }), [[later], 1]);
  });

  it('before an event has those with earlier sequences, newest first; between two, oldest first', async () => {
    const [first, second, third] = await insertThree();
    await number(first, 11n);
    await number(second, 12n);
    assert.deepEqual((await list({ before: third }))[0]?.slice(0, 2), [second, first]);
    await number(third, 13n);
    assert.deepEqual((await list({ before: third }))[0]?.slice(0, 2), [second, first]);
    assert.deepEqual(await list({ after: first, before: third }), [[second], 1]);
    await assert.rejects(list({ before: 'evt_1' }), { code: 'RESOURCE_NOT_FOUND' });
  });
});
