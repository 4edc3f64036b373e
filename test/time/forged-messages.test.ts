import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { approved, authorized, declined, eventFor, hang, MANUAL, redirect, until } from '../support/outcomes.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

/** PostgreSQL stores it in no JSON. */
const LONE_SURROGATE = '\ud83d';

/** What somebody may send who reaches Temporal, but is not the API. */
const NO_REFERENCES = [
  [],
  [null],
  ['evt_1'],
  [{}],
  [{ provider: 1, eventId: 'e' }],
  [{ provider: 'alpha', eventId: '\0' }],
  [{ provider: 'alpha', eventId: LONE_SURROGATE }],
];

const NO_REQUESTS = {
  confirm: [
    [],
    [null],
    [{}],
    [{ paymentMethodId: 'pm_1', method: 'cash' }],
    [{ paymentMethodId: 1, method: 'card' }],
    [{ paymentMethodId: `pm_${LONE_SURROGATE}`, method: 'card' }],
  ],
  capture: [[], [{}], [{ amountMinor: '700' }], [{ amountMinor: 7.5 }], [{ amountMinor: 1e300 }]],
  cancel: [[], [{}], [{ reason: 'because' }]],
  update: [[], [{}], [{ paymentUpdateId: 1 }], [{ paymentUpdateId: 'upd_\0' }]],
  askProviderNow: [[], [{}], [{ by: 1 }], [{ by: `Ann ${LONE_SURROGATE}` }]],
  resolveByHand: [[], [{ by: 'Ann', note: `Seen ${LONE_SURROGATE}`, outcome: 'not_charged' }]],
} as const;

function isInvalid(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'INVALID_REQUEST'
  );
}

function sendUpdate({ handle }: RunningPayment, name: string, args: readonly unknown[]): Promise<unknown> {
  if (args.length === 0) return handle.executeUpdate<unknown, []>(name);
  return handle.executeUpdate<unknown, [unknown]>(name, { args: [args[0]] });
}

describe('a message that the API did not send', function () {
  this.timeout(MINUTE_MS);

  it('settles no payment by an event that no verified webhook stored', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [redirect] } });
    await withPayment(activities, async (payment) => {
      await (await payment.confirm()).result();
      await payment.handle.signal('providerEvent', eventFor(payment, approved));
      assert.match(await payment.currentDetails(), /`requires_action`/);
      // The row decides, whatever else the signal says.
      const event = eventFor(payment, declined);
      activities.paymentEvents.push(event);
      await payment.handle.signal('providerEvent', { ...event, outcome: approved });
      await until(() => activities.last.columns.lastError?.code === 'CARD_DECLINED');
      assert.deepEqual(activities.transactions, []);
    });
  });

  it('ends no refund by an event that no verified webhook stored', async () => {
    const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
    const activities = new ScriptedActivities({ alpha: { refund: [hang] } });
    await withPayment(activities, async (payment) => {
      const input = refundInputOf(payment);
      const run = await startRefund(payment, input);
      await until(() => activities.calls.length > 0);
      const event = { provider: 'alpha', eventId: newId('request'), refundId: input.refundId, refundOutcome: refunded };
      for (const args of [...NO_REFERENCES, [event]]) await run.signal('refundEvent', ...args);
      const refused = { ...event, eventId: newId('request'), refundOutcome: { ...refunded, kind: 'refused' } } as const;
      await activities.reportRefund(run, refused);
      assert.equal((await run.result()).status, 'failed');
    });
  });

  it('does not stop a payment that it cannot be an event of', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [redirect] } });
    await withPayment(activities, async (payment) => {
      await (await payment.confirm()).result();
      for (const args of NO_REFERENCES) await payment.handle.signal('providerEvent', ...args);
      await activities.report(payment.handle, eventFor(payment, approved));
      assert.equal((await payment.end()).status, 'succeeded');
    });
  });

  it('is refused as a request of unknown shape', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [authorized] } });
    const course = async (payment: RunningPayment): Promise<void> => {
      const refuseAll = async (name: keyof typeof NO_REQUESTS): Promise<void> => {
        for (const args of NO_REQUESTS[name]) await assert.rejects(sendUpdate(payment, name, args), isInvalid);
      };
      for (const name of ['confirm', 'update', 'cancel', 'askProviderNow', 'resolveByHand'] as const)
        await refuseAll(name);
      await (await payment.confirm()).result();
      await refuseAll('capture');
      assert.deepEqual(activities.operations('alpha'), ['authorize']);
      await payment.handle.terminate();
    };
    await withPayment(activities, course, { input: { terms: MANUAL } });
  });
});
