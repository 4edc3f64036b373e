import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RefundPaymentRequest } from '../../../activities/refund-activities.ts';
import { requireRefundRow } from '../../../activities/refund-payment.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertRefund } from '../../support/payment-rows.ts';

const UNKNOWN = { type: 'REFUND_UNKNOWN', nonRetryable: true };

describe('a refund that a workflow asks for', function () {
  this.timeout(60_000);
  const test = useAccount();

  async function requested(): Promise<RefundPaymentRequest> {
    const intent = await test.insertIntent({ status: 'succeeded', currency: 'USD' });
    return {
      refundId: await insertRefund(test.database, intent),
      attemptId: attemptIdOf(intent, 1),
      provider: 'alpha',
      environment: 'sandbox',
      providerPaymentId: 'sim_1',
      amountMinor: 300,
      currency: 'USD',
    };
  }

  it('goes to the provider as its row has it', async () => {
    await requireRefundRow(test.database, await requested());
  });

  it('goes to no provider if its row is another one, or there is none', async () => {
    const request = await requested();
    const changes: readonly Partial<RefundPaymentRequest>[] = [
      { refundId: newId('refund') },
      { amountMinor: 30_000 },
      { currency: 'EUR' },
      { provider: 'beta' },
      { providerPaymentId: 'sim_2' },
      { attemptId: newId('attempt') },
      { environment: 'production' },
      { refundId: strayChargeIdOf(request.attemptId) },
    ];
    for (const change of changes) {
      await assert.rejects(requireRefundRow(test.database, { ...request, ...change }), UNKNOWN, JSON.stringify(change));
    }
  });

  it('goes to the provider for a stray charge that is recorded, in the amount that the provider reports', async () => {
    const { attemptId, ...request } = await requested();
    const intent = await test.insertIntent();
    await test.database.strayCharge.create({
      data: {
        attemptId,
        paymentIntentId: intent,
        merchantAccountId: test.account,
        environment: 'sandbox',
        provider: 'alpha',
      },
    });
    const refundId = strayChargeIdOf(attemptId);
    await requireRefundRow(test.database, { ...request, attemptId, refundId, amountMinor: 5_000 });
    const beta = { ...request, attemptId, refundId, provider: 'beta' };
    await assert.rejects(requireRefundRow(test.database, beta), UNKNOWN);
  });
});
