import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AUTHORIZATION_VALID_MS, STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { followTestClockUpdate } from '../../protocol/messages.ts';
import { authorized, hang, MANUAL, notCharged, pending, redirect, until } from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

async function advance(activities: ScriptedActivities, { handle }: RunningPayment, byMs: number): Promise<void> {
  activities.store.testClockSeconds += byMs / SECOND_MS;
  await handle.executeUpdate(followTestClockUpdate);
}

/** Asserts that less than this passed, in the server's time, so that what happened cannot be due to its own timer. */
async function within(payment: RunningPayment, limitMs: number, work: () => Promise<void>): Promise<void> {
  const begunMs = await payment.now();
  await work();
  const passedMs = (await payment.now()) - begunMs;
  assert.ok(passedMs < limitMs, `${passedMs} ms passed`);
}

describe('a payment whose test clock is advanced', function () {
  this.timeout(MINUTE_MS);

  it('expires if nobody has confirmed it, also before its first workflow task', async () => {
    const activities = new ScriptedActivities({ alpha: {} });
    await withPayment(activities, async (payment) => {
      await within(payment, 10 * MINUTE_MS, async () => {
        await advance(activities, payment, HOUR_MS);
        await until(() => activities.statuses.includes('expired'));
      });
      assert.equal((await payment.end()).status, 'expired');
      assert.deepEqual(activities.eventTypes, ['payment_intent.expired']);
      assert.deepEqual(
        activities.timeline.map(({ summary }) => summary),
        ['The test clock was advanced by 3600 seconds', 'Expired before it was paid'],
      );
    });
  });

  it('keeps its state until its deadline has come, and becomes older once for each advance', async () => {
    const activities = new ScriptedActivities({ alpha: {} });
    await withPayment(activities, async (payment) => {
      await advance(activities, payment, 20 * MINUTE_MS);
      await payment.handle.executeUpdate(followTestClockUpdate);
      assert.deepEqual([activities.changes.length, activities.last.columns.status], [1, 'requires_payment_method']);
      const [write] = activities.store.writes;
      const closerByMs = Date.parse(payment.input.expiresAt) - Date.parse(write?.after.expiresAt ?? '');
      assert.equal(closerByMs, 20 * MINUTE_MS);
      await within(payment, 20 * MINUTE_MS, async () => {
        await payment.skip(11 * MINUTE_MS);
        await until(() => activities.statuses.includes('expired'));
      });
    });
  });

  it('expires while the customer has to act, and is called off at the provider', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [redirect], inquire: [hang], close: [notCharged] },
    });
    await withPayment(activities, async (payment) => {
      assert.equal((await (await payment.confirm()).result()).status, 'requires_action');
      await within(payment, 10 * MINUTE_MS, async () => {
        await advance(activities, payment, HOUR_MS);
        await until(() => activities.statuses.includes('expired'));
      });
      assert.ok(activities.operations('alpha').includes('close'));
    });
  });

  it('is stuck if its provider has not answered', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [pending], inquire: [pending] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await until(() => activities.changes.length > 1);
      await within(payment, STUCK_AFTER_MS, async () => {
        await advance(activities, payment, STUCK_AFTER_MS);
        await until(() => activities.eventTypes.includes('payment_intent.stuck'));
      });
      assert.equal(activities.last.columns.advisory?.code, 'PAYMENT_STUCK');
    });
  });

  it('loses its hold, which is voided at the provider', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [authorized], close: [notCharged] } });
    await withPayment(
      activities,
      async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'requires_capture');
        await within(payment, HOUR_MS, async () => {
          await advance(activities, payment, AUTHORIZATION_VALID_MS);
          await until(() => activities.statuses.includes('canceled'));
        });
        assert.equal(activities.last.columns.cancellationReason, 'authorization_lapsed');
        assert.equal(activities.transactions.at(-1)?.type, 'void');
      },
      { input: { terms: MANUAL } },
    );
  });
});
