import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { amendUpdate, confirmUpdate } from '../../workflows/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.ts';
import { resumed } from '../support/resumed.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { withPayment } from '../support/time-skipping.ts';

const approved = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: true,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const authorized = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: false,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const pending = { kind: 'pending', providerPaymentId: 'sim_1' } as const;
const notCharged = { kind: 'not_charged' } as const;
const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
const approveInApp = {
  kind: 'requires_action',
  providerPaymentId: 'sim_1',
  nextAction: { type: 'approve_in_app', app: 'upi' },
} as const;
const CONFIRM = { paymentMethodId: 'pm_test', method: 'card' } as const;
const taken = { kind: 'captured', providerPaymentId: 'sim_1', capturedMinor: 1_999, currency: 'EUR' } as const;

describe('a payment whose workflow has ended', function () {
  this.timeout(60_000);

  it('is found charged by asking, never by another charge, and says what happened', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [outage, approved] } });
    await withPayment(
      activities,
      async (payment) => {
        assert.equal((await payment.end()).status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['inquire', 'inquire']);
        const [first] = activities.changes;
        assert.equal(first?.fromVersion, 3);
        assert.match(first.timeline[0]?.summary ?? '', /had ended \(terminated\) in processing.*asks alpha first/);
      },
      resumed('processing', null),
    );
  });

  it('can be paid again where the provider charged nothing', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [notCharged], authorize: [approved] } });
    await withPayment(
      activities,
      async (payment) => {
        while (activities.changes.at(-1)?.columns.lastError?.code !== 'PAYMENT_FAILED') await payment.skip(100);
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.equal(activities.last.attempts.length, 2);
      },
      resumed('processing', null),
    );
  });

  it('goes on waiting for the customer, whom the provider still waits for', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [approveInApp, pending, approved] } });
    await withPayment(
      activities,
      async (payment) => {
        assert.equal((await payment.end()).status, 'succeeded');
        assert.ok(!activities.eventTypes.includes('payment_intent.requires_action'));
        assert.ok(activities.statuses.includes('processing'));
      },
      resumed('requires_action', null),
    );
  });

  it('goes on holding the money until it is captured', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [authorized], capture: [taken] } });
    await withPayment(
      activities,
      async (payment) => {
        assert.equal((await (await payment.capture(null)).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['inquire', 'capture']);
      },
      resumed('requires_capture', 'approved'),
    );
  });

  it('is concluded where the provider took or released the held money meanwhile', async () => {
    for (const [outcome, status] of [
      [approved, 'succeeded'],
      [notCharged, 'canceled'],
    ] as const) {
      const activities = new ScriptedActivities({ alpha: { inquire: [outcome] } });
      const course = async (payment: { end(): Promise<{ status: string }> }): Promise<void> =>
        assert.equal((await payment.end()).status, status);
      await withPayment(activities, course, resumed('requires_capture', 'approved'));
    }
  });
});

describe('a payment that has continued in a new run', function () {
  this.timeout(60_000);

  it('answers a repeated request as it did at first', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    const error = { code: 'CARD_DECLINED', message: 'declined' } as const;
    const result = { status: 'requires_payment_method', error } as const;
    const course: Parameters<typeof withPayment>[1] = async ({ handle }) => {
      const confirm = (updateId: string) => handle.executeUpdate(confirmUpdate, { updateId, args: [CONFIRM] });
      assert.deepEqual(await confirm('first'), result);
      assert.deepEqual(activities.calls, []);
      assert.equal((await confirm('second')).status, 'succeeded');
    };
    await withPayment(activities, course, { answered: [{ updateId: 'first', result }] });
  });
});

describe('a payment that stays as it was', function () {
  this.timeout(60_000);

  it('refuses an amendment that is not there any more, and can be paid', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    await withPayment(activities, async (payment) => {
      const amend = payment.handle.executeUpdate(amendUpdate, { args: [{ amendmentId: 'amd_1' }] });
      await assert.rejects(amend, (failure) => {
        assert.ok(failure instanceof WorkflowUpdateFailedError);
        assert.match(String(failure.cause), /not applied in time/);
        return true;
      });
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
    });
  });

  it('can be found by why it was refused, until it moves', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approveInApp], close: [notCharged] } });
    activities.laterPlan = activities.plan;
    const refusal = { code: 'CHANNEL_LIMIT_MIN_EXCEEDED', message: 'too little' } as const;
    activities.plan = { refusal, routes: [], passedOver: [] };
    await withPayment(activities, async (payment) => {
      // Waiting in skipped time, with no provider asked, would let the payment expire.
      const confirm = () => payment.handle.executeUpdate(confirmUpdate, { args: [CONFIRM] });
      assert.equal((await confirm()).error?.code, refusal.code);
      assert.deepEqual(activities.eventTypes, ['payment_intent.payment_failed']);
      assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), refusal.code);
      assert.equal((await confirm()).status, 'requires_action');
      assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), undefined);
    });
  });

  it('says that it has expired', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    await withPayment(activities, async (payment) => {
      await payment.end();
      assert.equal(activities.last.columns.lastError?.code, 'PAYMENT_EXPIRED');
      assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), 'PAYMENT_EXPIRED');
    });
  });
});
