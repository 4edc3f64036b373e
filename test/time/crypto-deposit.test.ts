import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { approved as confirmed, notCharged, pending as seen } from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

const nextAction = {
  type: 'crypto_deposit',
  asset: 'BTC',
  network: 'bitcoin',
  address: 'tb1qsandbox',
  amount: '0.00031235',
  confirmationsRequired: 3,
} as const;
const asked = { kind: 'requires_action', providerPaymentId: 'sim_1', nextAction } as const;
const details = { reason: 'chain_reorganization', transactionHash: 'ab'.repeat(32) };
const reorganised = { kind: 'failed', providerPaymentId: 'sim_1', code: 'CRYPTO_DEPOSIT_FAILED', details } as const;

/** More inquiries than a provider gets in the half hour after which these payments would expire. */
const ASKED_FOR_LONG = 20;

async function deposit(
  script: ProviderScript,
  course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: { authorize: [asked], ...script } });
  await withPayment(activities, async (payment) => {
    const { status } = await (await payment.confirm()).result();
    assert.equal(status, 'requires_action');
    assert.deepEqual(activities.last.columns.nextAction, nextAction);
    await course(payment, activities);
  });
}

describe('a crypto deposit in the payment workflow', function () {
  this.timeout(MINUTE_MS);

  for (const [outcome, status, code] of [
    [confirmed, 'succeeded', null],
    [reorganised, 'failed', 'CRYPTO_DEPOSIT_FAILED'],
  ] as const) {
    it(`that was seen does not expire, and ends as ${status} after ${outcome.kind}`, async () => {
      const asking = Array.from({ length: ASKED_FOR_LONG }, () => seen);
      await deposit({ inquire: [...asking, outcome] }, async (payment, activities) => {
        const end = await payment.end();
        assert.ok((await payment.now()) > Date.parse(payment.input.expiresAt));
        assert.deepEqual([end.status, end.error?.code ?? null], [status, code]);
        if (code !== null) assert.deepEqual(end.error?.details, details);
        assert.deepEqual(activities.statuses, ['processing', 'requires_action', 'processing', status]);
        const seenAt = activities.changes.findIndex(({ timeline }) => /has acted/.test(timeline[0]?.summary ?? ''));
        assert.equal(activities.changes[seenAt]?.columns.nextAction, null);
        const stuckAt = activities.changes.find(({ columns }) => columns.advisory?.code === 'PAYMENT_STUCK');
        assert.equal(stuckAt?.columns.status, 'processing');
        assert.ok(!activities.operations('alpha').includes('close'));
      });
    });
  }

  it('is not stuck while its confirmations come, however long they take', async () => {
    const asking = Array.from({ length: ASKED_FOR_LONG }, () => seen);
    await deposit({ inquire: [...asking, confirmed], progress: [true] }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'succeeded');
      assert.ok((await payment.now()) > Date.parse(payment.input.expiresAt));
      assert.ok(!activities.eventTypes.includes('payment_intent.stuck'));
    });
  });

  it('is stuck once its confirmations no longer come', async () => {
    const asking = Array.from({ length: ASKED_FOR_LONG }, () => seen);
    const progress = [true, true, false];
    await deposit({ inquire: [...asking, confirmed], progress }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'succeeded');
      assert.equal(activities.eventTypes.filter((type) => type === 'payment_intent.stuck').length, 1);
    });
  });

  it('is found by an inquiry if its webhooks are lost', async () => {
    await deposit({ inquire: [asked, seen, seen, confirmed] }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'succeeded');
      assert.deepEqual(activities.eventTypes, [
        'payment_intent.processing',
        'payment_intent.requires_action',
        'payment_intent.processing',
        'transaction.created',
        'payment_intent.succeeded',
      ]);
    });
  });

  it('that was not made expires, closed at the provider', async () => {
    await deposit({ inquire: [asked], close: [notCharged] }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'expired');
      assert.equal(activities.operations('alpha').at(-1), 'close');
      assert.equal(activities.last.columns.lastError?.code, 'PAYMENT_EXPIRED');
    });
  });

  it('that is seen at the moment of expiry counts', async () => {
    await deposit({ inquire: [asked], close: [seen, seen, confirmed] }, async (payment) => {
      assert.equal((await payment.end()).status, 'succeeded');
    });
  });

  it('that is seen at the moment of a cancel counts', async () => {
    await deposit({ inquire: [asked], close: [seen, confirmed] }, async (payment) => {
      const canceled = await (await payment.cancel()).result();
      assert.deepEqual([canceled.status, canceled.error?.code], ['succeeded', 'STATE_CONFLICT']);
    });
  });
});
