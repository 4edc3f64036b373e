import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPage } from '../../../../accounts/lists.ts';
import { listDisputesQuery } from '../../../../contract/schemas/dispute.ts';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { newId } from '../../../../domain/new-id.ts';
import { DAY_MS } from '../../../../domain/time.ts';
import { accountDisputes, STORED_DISPUTE } from '../../../../prisma/queries/dispute.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { disputeChange } from '../../../support/dispute-change.ts';
import { record, recordPaid } from '../../../support/payment-steps.ts';

describe('the list of disputes', () => {
  const test = useAccount();

  /** @param days until the answer is due; null where the provider does not say */
  const insert = async (status: string, days: number | null): Promise<string> => {
    const paymentIntentId = await test.insertIntent();
    await recordPaid(test.database, paymentIntentId);
    const id = newId('dispute');
    const timeline = [{ kind: 'provider_event', summary: 'A dispute' }] as const;
    const dispute = disputeChange(id, attemptIdOf(paymentIntentId, 1), 999);
    await record(
      test.database,
      paymentIntentId,
      { isDisputed: true, timeline, dispute },
      { at: new Date().toISOString() },
    );
    const respondBy = days === null ? null : new Date(Date.now() + days * DAY_MS);
    await test.database.dispute.update({ where: { id }, data: { status, respondBy } });
    return id;
  };

  const list = async (query: object): Promise<readonly string[]> => {
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const listed = accountDisputes(scope, listDisputesQuery.parse(query));
    const { rows, total } = await readPage(test.database, listed, STORED_DISPUTE, { page: 1, limit: 10 });
    assert.equal(total, rows.length);
    return rows.map(({ dispute }) => dispute.id);
  };

  it('begins, if that is asked for, with those that need an answer, the first deadline first', async () => {
    const won = await insert('won', 1);
    const later = await insert('needs_response', 5);
    const withoutEnd = await insert('needs_response', null);
    const reviewed = await insert('under_review', 2);
    const first = await insert('needs_response', 3);
    assert.deepEqual(await list({}), [first, reviewed, withoutEnd, later, won]);
    assert.deepEqual(await list({ sort: 'respond_by' }), [first, later, withoutEnd, reviewed, won]);
    assert.deepEqual(await list({ sort: 'respond_by', status: 'needs_response' }), [first, later, withoutEnd]);
    assert.deepEqual(await list({ sort: 'respond_by', status: 'won' }), [won]);
  });

  it('takes that order by page only', () => {
    const { error } = listDisputesQuery.safeParse({ sort: 'respond_by', startingAfter: newId('dispute') });
    assert.deepEqual(error?.issues[0]?.path, ['startingAfter']);
  });
});
