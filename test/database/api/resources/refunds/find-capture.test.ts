import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findCapture } from '../../../../../api/resources/refunds/find-capture.ts';
import { createRefundBody } from '../../../../../contract/schemas/refund.ts';
import { reverseCapture } from '../../../../../domain/capture-reversal.ts';
import { attemptIdOf } from '../../../../../domain/ids.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { createPaymentStore } from '../../../../../prisma/stores/payment-store.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { disputeChange } from '../../../../support/dispute-change.ts';
import { record, recordPaid } from '../../../../support/payment-steps.ts';

describe('the capture that a refund is of', () => {
  const test = useAccount();

  const find = (paymentIntentId: string, more: object = {}) => {
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    return findCapture(test.database, scope, createRefundBody.parse({ paymentIntentId, ...more }));
  };

  const paid = async (): Promise<string> => {
    const id = await test.insertIntent();
    await recordPaid(test.database, id);
    await test.database.transaction.updateMany({ where: { paymentIntentId: id }, data: { createdAt: new Date() } });
    return id;
  };

  it('is found while a part of it is not disputed, and refused with the dispute once all that is left is', async () => {
    const id = await paid();
    const at = new Date().toISOString();
    const timeline = [{ kind: 'provider_event', summary: 'A warning of fraud' }] as const;
    await record(test.database, id, { isDisputed: true, timeline }, { at });
    await find(id);
    const disputeId = newId('dispute');
    const dispute = (amountMinor: number) => disputeChange(disputeId, attemptIdOf(id, 1), amountMinor);
    await record(test.database, id, { isDisputed: true, timeline, dispute: dispute(999) }, { at });
    assert.equal((await find(id)).disputedMinor, 999);
    await record(test.database, id, { isDisputed: true, timeline, dispute: dispute(1_000) }, { at });
    await assert.rejects(find(id), ({ code, details }: { code: string; details: object }) => {
      assert.deepEqual(details, { reason: 'disputed', disputeId });
      return code === 'REFUND_NOT_ALLOWED';
    });
  });

  it('is not found once the provider has reported that the money did not arrive after all', async () => {
    const id = await paid();
    const { record: payment } =
      (await createPaymentStore(test.database).read({ paymentIntentId: id })) ?? assert.fail();
    const at = new Date().toISOString();
    const failure = { attemptId: attemptIdOf(id, 1), amountMinor: 1_000, currency: 'USD', reason: 'Rejected' };
    await record(test.database, id, reverseCapture(payment, failure, at) ?? assert.fail(), { at });
    await assert.rejects(find(id), ({ details }: { details: { reason: string } }) => {
      return details.reason === 'capture_reversed';
    });
  });
});
