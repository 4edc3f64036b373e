import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperationResult } from '../../domain/payment.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { providerEventSignal, refundEventSignal, type RefundInput } from '../../workflows/messages.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import { type ProviderScript, ScriptedActivities } from '../support/scripted-activities.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

const authorized = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: false,
  amountMinor: 1_999,
  currency: 'EUR',
} as const;
const taken = (capturedMinor: number) =>
  ({ kind: 'captured', providerPaymentId: 'sim_1', capturedMinor, currency: 'EUR' }) as const;
const notCharged = { kind: 'not_charged' } as const;
const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
const hang = { kind: 'hang' } as const;
const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;

async function capture(payment: RunningPayment, amountMinor: number | null = null): Promise<OperationResult> {
  return (await payment.capture(amountMinor)).result();
}

const held = async (
  script: ProviderScript,
  course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> => {
  const activities = new ScriptedActivities({ alpha: { authorize: [authorized], ...script } });
  await withPayment(activities, async (payment) => {
    await (await payment.confirm()).result();
    await course(payment, activities);
  });
};

describe('capture in the workflow', function () {
  this.timeout(60_000);

  it('takes all that is held, or a part of it', async () => {
    for (const amount of [1_999, 700]) {
      await held({ capture: [taken(amount)] }, async (payment, activities) => {
        assert.deepEqual(await capture(payment, amount), { status: 'succeeded', error: null });
        assert.equal(activities.last.columns.amountCapturedMinor, amount);
        assert.equal(activities.last.columns.amountCapturableMinor, 0);
        assert.deepEqual(
          activities.last.transactions.map(({ type, amountMinor }) => [type, amountMinor]),
          [['capture', amount]],
        );
      });
    }
  });

  it('stays held with the code of the outage when it is known that nothing was taken, and may be repeated', async () => {
    const script = { capture: [outage, outage, outage, outage, taken(1_999)], inquire: [authorized] };
    await held(script, async (payment, activities) => {
      const first = await capture(payment);
      assert.deepEqual([first.status, first.error?.code], ['requires_capture', 'TSP_ERROR']);
      assert.equal((await capture(payment)).status, 'succeeded');
      assert.equal(activities.operations('alpha').filter((operation) => operation === 'capture').length, 5);
    });
  });

  it('finds a capture whose reply was lost by asking', async () => {
    const found = { ...authorized, captured: true, capturedMinor: 700 } as const;
    await held({ capture: [outage], inquire: [found] }, async (payment, activities) => {
      assert.equal((await capture(payment, 700)).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, 700);
    });
  });

  it('is canceled where the provider holds nothing any more', async () => {
    await held({ capture: [{ kind: 'not_held' }] }, async (payment, activities) => {
      const result = await capture(payment);
      assert.deepEqual([result.status, result.error?.code], ['canceled', 'PAYMENT_FAILED']);
      assert.equal(activities.last.columns.cancellationReason, 'authorization_lapsed');
    });
  });

  it('refuses a cancel while it is worked on, and is believed when the provider reports it', async () => {
    await held({ capture: [hang], close: [notCharged] }, async (payment, activities) => {
      const sent = await payment.capture(null);
      while (!activities.operations('alpha').includes('capture')) await new Promise((done) => setTimeout(done, 10));
      await assert.rejects(async () => (await payment.cancel()).result());
      await payment.handle.signal(providerEventSignal, {
        provider: 'alpha',
        eventId: 'simevt_1',
        attemptId: attemptIdOf(payment.input.paymentIntentId, 1),
        outcome: { ...authorized, captured: true },
      });
      assert.equal((await sent.result()).status, 'succeeded');
    });
  });
});

describe('refund workflow', function () {
  this.timeout(60_000);

  async function refund(
    script: ProviderScript,
    course: (
      handle: Awaited<ReturnType<typeof startRefund>>,
      input: RefundInput,
      activities: ScriptedActivities,
    ) => Promise<void>,
    overrides: Partial<RefundInput> = {},
  ): Promise<void> {
    const activities = new ScriptedActivities({ alpha: script });
    await withPayment(activities, async (payment) => {
      const input = refundInputOf(payment, overrides);
      await course(await startRefund(payment, input), input, activities);
    });
  }

  it('succeeds at once in 2 workflow tasks, 1 remote and 1 local activity', async () => {
    await refund({ refund: [refunded] }, async (handle, { refundId }, activities) => {
      assert.deepEqual(await handle.result(), { status: 'succeeded', error: null });
      assert.deepEqual(
        activities.calls.map(({ operation, key }) => [operation, key]),
        [['refund', refundId]],
      );
      const events = (await handle.fetchHistory()).events ?? [];
      const counts = [
        events.filter((event) => event.workflowTaskCompletedEventAttributes).length,
        events.filter((event) => event.activityTaskScheduledEventAttributes).length,
        events.filter((event) => event.markerRecordedEventAttributes).length,
      ];
      assert.deepEqual(counts, [2, 1, 1]);
    });
  });

  const ends: [string, ProviderScript, string | null][] = [
    ['is refused', { refund: [{ kind: 'refused', providerRefundId: 'simre_1' }] }, 'REFUND_FAILED'],
    [
      'is known not to be done after an outage',
      { refund: [outage], inquireRefund: [{ kind: 'not_refunded' }] },
      'TSP_ERROR',
    ],
    ['is found after a lost reply', { refund: [outage], inquireRefund: [outage, refunded] }, null],
    [
      'is pending, then found done',
      {
        refund: [{ ...refunded, kind: 'pending' }],
        inquireRefund: [{ ...refunded, kind: 'pending' }, refunded],
      },
      null,
    ],
  ];
  for (const [what, script, code] of ends) {
    it(`ends with ${code ?? 'success'} when it ${what}`, async () => {
      await refund(script, async (handle, _input, activities) => {
        const result = await handle.result();
        assert.equal(result.error?.code ?? null, code);
        assert.equal(activities.conclusions.length, 1);
        assert.equal(activities.conclusions[0]?.status, code === null ? 'succeeded' : 'failed');
      });
    });
  }

  const restarted = { restartedAfter: 'terminated' };
  for (const [what, outcome, status] of [
    ['found', refunded, 'succeeded'],
    ['not found', { kind: 'not_refunded' }, 'failed'],
  ] as const) {
    it(`asks first where another workflow began it, and has ${status} when it is ${what}`, async () => {
      const course = async (
        handle: Awaited<ReturnType<typeof startRefund>>,
        _: RefundInput,
        { calls }: ScriptedActivities,
      ) => {
        assert.equal((await handle.result()).status, status);
        assert.deepEqual(
          calls.map(({ operation }) => operation),
          ['inquire refund'],
        );
      };
      await refund({ inquireRefund: [outcome] }, course, restarted);
    });
  }

  it('ends by the event of its provider, also when somebody has canceled it', async () => {
    await refund({ refund: [hang] }, async (handle, { refundId }, activities) => {
      while (activities.calls.length === 0) await new Promise((done) => setTimeout(done, 10));
      await handle.cancel();
      await handle.signal(refundEventSignal, {
        provider: 'alpha',
        eventId: 'simevt_1',
        refundId,
        refundOutcome: refunded,
      });
      assert.equal((await handle.result()).status, 'succeeded');
    });
  });
});
