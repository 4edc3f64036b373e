import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TRY_BACKOFF } from '../../domain/time-limits.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { approved, notCharged, outage, pending, redirect, timeout, until } from '../support/outcomes.ts';
import { CHARGED_ALONE, ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

/** The tries of one authorization. */
const TRIES = Array.from({ length: TRY_BACKOFF.maximumTries }, () => 'authorize');
const WITHOUT_CUSTOMER = { savedUse: 'recurring' } as const;

describe('payment intent workflow of a payment without the customer', function () {
  this.timeout(MINUTE_MS);

  const scripted = (alpha: ProviderScript): ScriptedActivities => {
    const activities = new ScriptedActivities({ alpha });
    activities.method = CHARGED_ALONE;
    return activities;
  };
  const confirm = async (payment: RunningPayment) => (await payment.confirm(WITHOUT_CUSTOMER)).result();

  const asking: readonly { readonly name: string; readonly script: ProviderScript; readonly operations: string[] }[] = [
    {
      name: 'in its reply',
      script: { authorize: [redirect], close: [notCharged] },
      operations: ['authorize', 'close'],
    },
    {
      name: 'in its answer to the inquiry after a lost reply',
      script: { authorize: [timeout], inquire: [redirect], close: [notCharged] },
      operations: [...TRIES, 'inquire', 'close'],
    },
    {
      name: 'after it has only accepted the payment',
      script: { authorize: [pending], inquire: [pending, redirect], close: [notCharged] },
      operations: ['authorize', 'inquire', 'inquire', 'close'],
    },
    {
      name: 'and the first replies to the closure are lost',
      script: { authorize: [redirect], close: [timeout, outage, notCharged] },
      operations: ['authorize', 'close', 'close', 'close'],
    },
  ];
  for (const { name, script, operations } of asking) {
    it(`closes an attempt whose bank wants the customer ${name}, and asks nobody to act`, async () => {
      const activities = scripted(script);
      await withPayment(activities, async (payment) => {
        const sent = await payment.confirm(WITHOUT_CUSTOMER);
        const { error, status } = await sent.result();
        await until(() => activities.last.columns.status === 'requires_payment_method');
        const { code, details } = activities.last.columns.lastError ?? assert.fail('it was declined');
        assert.deepEqual([code, details?.reason], ['CARD_DECLINED', 'authentication_required']);
        if (status !== 'processing') assert.deepEqual([error?.code, error?.details], [code, details]);
        assert.deepEqual(activities.operations('alpha'), operations);
        assert.ok(!activities.statuses.includes('requires_action'));
        assert.deepEqual(
          activities.changes.filter(({ columns }) => columns.nextAction !== null),
          [],
        );
        assert.equal(activities.last.attempts.length, 1);
      });
    });
  }

  it('records a charge that the closure finds, once', async () => {
    const activities = scripted({ authorize: [redirect], close: [approved] });
    await withPayment(activities, async (payment) => {
      assert.equal((await confirm(payment)).status, 'succeeded');
      assert.equal(activities.transactions.length, 1);
    });
  });

  it('is canceled while the attempt is closed', async () => {
    const activities = scripted({ authorize: [redirect], close: [timeout, timeout, notCharged] });
    await withPayment(activities, async (payment) => {
      const sent = await payment.confirm(WITHOUT_CUSTOMER);
      await until(() => activities.operations('alpha').includes('close'));
      await (await payment.cancel()).result();
      await sent.result();
      assert.equal(activities.last.columns.status, 'canceled');
      assert.deepEqual(activities.transactions, []);
    });
  });

  it('calls nobody with a saved card that was removed after the confirm had arrived', async () => {
    const activities = scripted({ authorize: [approved] });
    activities.store.removedReferences.add('pm_test');
    await withPayment(activities, async (payment) => {
      const { status, error } = await confirm(payment);
      assert.deepEqual([status, error?.code], ['requires_payment_method', 'INVALID_PAYMENT_METHOD']);
      assert.deepEqual([activities.calls, activities.last.attempts], [[], []]);
    });
  });

  it('charges nothing where a message says otherwise than the row whether the customer is there', async () => {
    const activities = scripted({ authorize: [approved], inquire: [notCharged] });
    await withPayment(activities, async (payment) => {
      const { status } = await (await payment.confirm()).result();
      assert.equal(status, 'requires_payment_method');
      assert.ok(!activities.operations('alpha').includes('authorize'));
    });
  });
});
