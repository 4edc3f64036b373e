import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RefundPaymentRequest } from '../../../protocol/refund-activities.ts';
import { createRefundCalls } from '../../../activities/create-activities.ts';
import { createRefundRows, requireRefundRow } from '../../../activities/refund-payment.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import { REFUND_WORKFLOW, STRAY_CHARGE_WORKFLOW } from '../../../protocol/messages.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { inActivity } from '../../support/activity-context.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { insertRefund } from '../../support/payment-rows.ts';

const REVERSAL = { workflowType: STRAY_CHARGE_WORKFLOW };
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
    const request = await requested();
    await inActivity(() => requireRefundRow(test.database, request));
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
      const changed = inActivity(() => requireRefundRow(test.database, { ...request, ...change }), REVERSAL);
      await assert.rejects(changed, UNKNOWN, JSON.stringify(change));
    }
  });

  it('goes to the provider for a recorded stray charge, if its own workflow has asked the provider for the amount', async () => {
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
    const reversal = { ...request, attemptId, refundId, amountMinor: 5_000 };
    await inActivity(() => requireRefundRow(test.database, reversal), REVERSAL);
    const beta = { ...reversal, provider: 'beta' };
    await assert.rejects(
      inActivity(() => requireRefundRow(test.database, beta), REVERSAL),
      UNKNOWN,
    );
    // A refund's workflow takes the amount from its input, which somebody may have made up.
    const madeUp = { workflowType: REFUND_WORKFLOW };
    await assert.rejects(
      inActivity(() => requireRefundRow(test.database, reversal), madeUp),
      UNKNOWN,
    );
  });

  it('tells the provider at every call when it was first asked, whenever the refund was made', async () => {
    const request = await requested();
    const where = { id: request.refundId };
    await test.database.refund.update({ where, data: { createdAt: new Date(0) } });
    const times: (string | undefined)[] = [];
    const pending = { kind: 'pending', providerRefundId: 'simre_1', amountMinor: 300, currency: 'USD' } as const;
    const answer = ({ requestedAt }: { readonly requestedAt?: string }) => {
      times.push(requestedAt);
      return Promise.resolve(pending);
    };
    const registry = registryOf({ refund: answer, inquireRefund: answer });
    const calls = createRefundCalls(createRefundRows(test.database), { registry, reports: NO_REPORTS });
    await inActivity(() => calls.refundPayment(request));
    await inActivity(() => calls.refundPayment(request), { attempt: 2 });
    await assert.rejects(inActivity(() => calls.awaitRefund(request)));
    const { requestedAt } = await test.database.refund.findUniqueOrThrow({ where });
    assert.ok(requestedAt !== null && Date.now() - requestedAt.getTime() < 60_000);
    assert.deepEqual(
      times,
      Array.from({ length: 3 }, () => requestedAt.toISOString()),
    );
  });

  describe('again, after its end was recorded', () => {
    const made = { kind: 'refunded', providerRefundId: 'simre_2', amountMinor: 300, currency: 'USD' } as const;
    const failure = { code: 'REFUND_FAILED', message: 'no', details: { provider: 'alpha', reason: 'disputed' } };
    /** A provider that would make the refund now. */
    const asked: string[] = [];
    const answer = ({ refundId }: { readonly refundId: string }) => {
      asked.push(refundId);
      return Promise.resolve(made);
    };
    const registry = registryOf({ refund: answer, inquireRefund: answer });

    async function again(request: RefundPaymentRequest) {
      asked.length = 0;
      const calls = createRefundCalls(createRefundRows(test.database), { registry, reports: NO_REPORTS });
      const { outcome } = await inActivity(() => calls.refundPayment(request), REVERSAL);
      assert.deepEqual(await inActivity(() => calls.awaitRefund(request)), outcome);
      return outcome;
    }

    it('does not go to the provider, whose answer may have changed: the end stands', async () => {
      const request = await requested();
      assert.deepEqual(await again(request), made);
      assert.equal(asked.length, 2);
      const where = { id: request.refundId };
      await test.database.refund.update({ where, data: { status: 'succeeded', providerRefundId: 'simre_1' } });
      assert.deepEqual(await again(request), { ...made, providerRefundId: 'simre_1' });
      await test.database.refund.update({ where, data: { status: 'failed', providerRefundId: null, failure } });
      assert.deepEqual(await again(request), {
        kind: 'refused',
        providerRefundId: null,
        details: { reason: 'disputed' },
      });
      assert.deepEqual(asked, []);
    });

    it('does not return a stray charge twice', async () => {
      const { attemptId, ...request } = await requested();
      const paymentIntentId = await test.insertIntent();
      const account = { merchantAccountId: test.account, environment: 'sandbox' };
      await test.database.strayCharge.create({ data: { attemptId, paymentIntentId, ...account, provider: 'alpha' } });
      const stray = { ...request, attemptId, refundId: strayChargeIdOf(attemptId) };
      assert.equal((await again(stray)).kind, 'refunded');
      assert.equal(asked.length, 2);
      for (const [status, kind] of [
        ['reversed', 'refunded'],
        ['failed', 'refused'],
      ] as const) {
        await test.database.strayCharge.update({ where: { attemptId }, data: { status } });
        assert.equal((await again(stray)).kind, kind);
        assert.deepEqual(asked, []);
      }
    });
  });
});
