import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idsIn } from '../../../worker/name-in-logs.ts';

describe('the log lines of an activity', () => {
  it('name the payment, refund, account and delivery of its request, and nothing else of it', () => {
    const ids = { paymentIntentId: 'pi_1', merchantAccountId: 'mer_1', refundId: 're_1' };
    assert.deepEqual(idsIn({ ...ids, amountMinor: 5, cardLast4: '4242', attempt: { id: 'att_1' } }), ids);
  });

  it('name nothing where a request has no members', () => {
    for (const request of [undefined, null, 're_1', 7]) assert.deepEqual(idsIn(request), {});
    assert.deepEqual(idsIn({ paymentIntentId: { toString: 'pi_1' } }), {});
  });
});
