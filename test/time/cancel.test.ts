import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import {
  approved,
  authorized,
  declined,
  hang,
  MANUAL,
  notCharged,
  outage,
  pending,
  redirect,
  until,
  voided,
} from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';
import { closeTimeSkippingServer } from '../support/time-skipping-server.ts';

const CANCELED = { status: 'canceled', error: null } as const;

/** A phase in which a payment is canceled: how to reach it, and the provider's answers. */
interface Phase {
  readonly script: ProviderScript;
  readonly isManual?: true;
  readonly reach: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>;
  /** Whether the confirm has no answer yet in this phase. */
  readonly isConfirming?: true;
}

const confirmed = async (payment: RunningPayment): Promise<void> => void (await (await payment.confirm()).result());
const whenAsked =
  (operation: 'authorize' | 'inquire') =>
  async (payment: RunningPayment, activities: ScriptedActivities): Promise<void> => {
    await payment.confirm();
    await until(() => activities.operations('alpha').includes(operation));
  };

/** The test server loses an update that comes while a workflow task is under way: the wait has to have begun. */
async function untilTimers({ handle }: RunningPayment, count: number): Promise<void> {
  for (;;) {
    const { events } = await handle.fetchHistory();
    if ((events ?? []).filter((event) => event.timerStartedEventAttributes).length >= count) return;
  }
}

/** Phases after the first confirm; `close` is the provider's answer to the closure. */
const PHASES: Readonly<Record<string, (close: ProviderScript['close'] & object) => Phase>> = {
  'during the call': (close) => ({
    script: { authorize: [hang], close },
    reach: whenAsked('authorize'),
    isConfirming: true,
  }),
  'while it asks what became of the call': (close) => ({
    script: { authorize: [{ kind: 'unrecognised', providerResponse: {} }], inquire: [hang], close },
    reach: whenAsked('inquire'),
    isConfirming: true,
  }),
  'while it waits for the provider': (close) => ({
    script: { authorize: [pending], inquire: [pending], close },
    reach: async (payment, activities) => {
      await payment.confirm();
      await until(() => activities.changes.length >= 2);
      await untilTimers(payment, 2);
    },
    isConfirming: true,
  }),
  'while it waits for the customer': (close) => ({
    script: { authorize: [redirect], inquire: [redirect], close },
    reach: confirmed,
  }),
  'while the money is held': (close) => ({
    script: { authorize: [authorized], close },
    isManual: true,
    reach: confirmed,
  }),
};

const WAYS = {
  'a merchant': async (payment: RunningPayment) => {
    const sent = await payment.cancel();
    return async () => void (await sent.result());
  },
  'an operator': async (payment: RunningPayment) => {
    await payment.handle.cancel();
    return () => Promise.resolve();
  },
} as const;

async function inPhase(
  { script, isManual, reach }: Phase,
  steps: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: script });
  await withPayment(
    activities,
    async (payment) => {
      await reach(payment, activities);
      await steps(payment, activities);
    },
    isManual === undefined ? {} : { input: { terms: MANUAL } },
  );
}

describe('a payment that is canceled', function () {
  this.timeout(MINUTE_MS);

  it('before any attempt calls no provider', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    await withPayment(activities, async (payment) => {
      const cancel = await payment.cancel();
      assert.deepEqual(await cancel.result(), CANCELED);
      assert.deepEqual(activities.calls, []);
      assert.equal(activities.last.columns.cancellationReason, 'requested_by_customer');
      assert.ok(activities.store.operation(payment.input.paymentIntentId, cancel.operationId));
    });
  });

  it('before any attempt by an operator calls no provider either', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    await withPayment(activities, async (payment) => {
      await payment.handle.cancel();
      assert.deepEqual(await payment.end(), CANCELED);
      assert.deepEqual(activities.calls, []);
      assert.equal(activities.last.columns.cancellationReason, 'requested_by_operator');
    });
  });

  for (const [by, cancel] of Object.entries(WAYS)) {
    const reason = by === 'a merchant' ? 'requested_by_customer' : 'requested_by_operator';
    for (const [when, phaseOf] of Object.entries(PHASES)) {
      it(`by ${by} ${when} is canceled once the provider has closed the attempt`, async () => {
        await inPhase(phaseOf([outage, notCharged]), async (payment, activities) => {
          const answered = await cancel(payment);
          await answered();
          assert.deepEqual(await payment.end(), CANCELED);
          const { status, cancellationReason } = activities.last.columns;
          assert.deepEqual([status, cancellationReason], ['canceled', reason]);
          assert.deepEqual(activities.operations('alpha').slice(-2), ['close', 'close']);
          assert.ok(activities.last.attempts.length > 0);
          assert.ok(activities.last.attempts.every(({ outcome }) => outcome !== null));
          const asked = activities.timeline.find(
            ({ kind, summary }) => kind === 'request' && /Cancel asked/.test(summary),
          );
          assert.ok(asked?.summary.includes(reason));
        });
      });

      it(`by ${by} ${when} succeeds if the charge came first`, async () => {
        await inPhase(phaseOf([approved]), async (payment, activities) => {
          await cancel(payment);
          assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
          assert.equal(activities.last.columns.status, 'succeeded');
          assert.equal(activities.last.columns.cancellationReason, null);
        });
      });
    }
  }

  it('answers the cancel that came after the charge, and the confirm', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [hang], close: [approved] } });
    await withPayment(activities, async (payment) => {
      const confirm = await payment.confirm();
      await until(() => activities.calls.length > 0);
      const canceled = await (await payment.cancel()).result();
      assert.deepEqual([canceled.status, canceled.error?.code], ['succeeded', 'STATE_CONFLICT']);
      assert.deepEqual(await confirm.result(), { status: 'succeeded', error: null });
      assert.match(
        await payment.currentDetails(),
        /^- Cancel asked for \(\w+\), too late: the provider had charged\.$/m,
      );
    });
  });

  it('answers the confirm whose attempt was closed', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [hang], close: [notCharged] } });
    await withPayment(activities, async (payment) => {
      const confirm = await payment.confirm();
      await until(() => activities.calls.length > 0);
      assert.deepEqual(await (await payment.cancel()).result(), CANCELED);
      assert.equal((await confirm.result()).error?.code, 'STATE_CONFLICT');
      assert.deepEqual(activities.operations('alpha'), ['authorize', 'close']);
    });
  });

  it('waits for the authorization that it canceled, whose outcome counts if it comes', async () => {
    for (const [outcome, status] of [
      [approved, 'succeeded'],
      [declined, 'canceled'],
    ] as const) {
      const authorize = [{ kind: 'answersAfterCancel', outcome }] as const;
      const activities = new ScriptedActivities({ alpha: { authorize, close: [notCharged] } });
      await withPayment(activities, async (payment) => {
        await payment.confirm();
        await until(() => activities.calls.length > 0);
        await payment.cancel();
        assert.equal((await payment.end()).status, status);
        assert.deepEqual(activities.operations('alpha'), ['authorize']);
        assert.equal(activities.last.attempts[0]?.outcome, outcome.kind);
      });
    }
  });

  it('voids a hold that was authorized during the cancel', async () => {
    const authorize = [{ kind: 'answersAfterCancel', outcome: authorized }] as const;
    const activities = new ScriptedActivities({ alpha: { authorize, close: [notCharged] } });
    const steps = async (payment: RunningPayment): Promise<void> => {
      await payment.confirm();
      await until(() => activities.calls.length > 0);
      await payment.cancel();
      assert.deepEqual(await payment.end(), CANCELED);
      assert.deepEqual(
        activities.transactions.map(({ type }) => type),
        ['authorization', 'void'],
      );
    };
    await withPayment(activities, steps, { input: { terms: MANUAL } });
  });

  it('records a hold that the provider voided before it was recorded', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [hang], close: [voided] } });
    const steps = async (payment: RunningPayment): Promise<void> => {
      await payment.confirm();
      await until(() => activities.calls.length > 0);
      assert.deepEqual(await (await payment.cancel()).result(), CANCELED);
      assert.deepEqual(
        activities.transactions.map(({ type, amountMinor }) => [type, amountMinor]),
        [
          ['authorization', 1_999],
          ['void', 1_999],
        ],
      );
      assert.deepEqual(activities.eventTypes, [
        'payment_intent.processing',
        'transaction.created',
        'transaction.created',
        'payment_intent.canceled',
      ]);
    };
    await withPayment(activities, steps, { input: { terms: MANUAL } });
  });

  for (const [by, cancel] of Object.entries(WAYS)) {
    it(`by ${by} before its attempt is recorded ends without the provider, which refuses to close what it never got`, async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [approved], inquire: [outage], close: [outage] },
      });
      let failures = 0;
      activities.store.beforeWrite = ({ step }) => {
        const isOpening = step.timeline.some(({ summary }) => summary === 'Attempt 1 goes to alpha');
        if (isOpening) failures += 1;
        return isOpening ? Promise.reject(new Error('the database is away')) : Promise.resolve();
      };
      await withPayment(activities, async (payment) => {
        const confirm = await payment.confirm();
        await until(() => failures > 0);
        const answered = await cancel(payment);
        await answered();
        assert.deepEqual(await payment.end(), CANCELED);
        assert.equal((await confirm.result()).error?.code, 'STATE_CONFLICT');
        assert.deepEqual(activities.calls, []);
        const { columns, attempts } = activities.last;
        assert.deepEqual([columns.status, attempts.map(({ outcome }) => outcome)], ['canceled', ['canceled']]);
        assert.deepEqual(activities.transactions, []);
      });
    });
  }

  it('ends both attempts if the second one could not be opened', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [outage], inquire: [notCharged] },
      beta: { authorize: [approved], close: [notCharged] },
    });
    let failures = 0;
    activities.store.beforeWrite = ({ step }) => {
      const isOpening = step.timeline.some(({ summary }) => summary === 'Attempt 2 goes to beta');
      if (isOpening) failures += 1;
      return isOpening ? Promise.reject(new Error('the database is away')) : Promise.resolve();
    };
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await until(() => activities.calls.length > 0);
      await payment.skip(8 * SECOND_MS);
      await until(() => failures > 0);
      assert.deepEqual(await (await payment.cancel()).result(), CANCELED);
      assert.deepEqual(activities.operations('beta'), []);
      assert.deepEqual(
        activities.last.attempts.map(({ outcome }) => outcome),
        ['not_charged', 'canceled'],
      );
    });
  });

  it('voids an authorization on cancel', async () => {
    await inPhase(
      { script: { authorize: [authorized], close: [notCharged] }, isManual: true, reach: confirmed },
      async (payment, activities) => {
        assert.equal((await (await payment.cancel()).result()).status, 'canceled');
        assert.equal(activities.last.transactions[0]?.type, 'void');
        assert.equal(activities.last.columns.amountCapturableMinor, 0);
      },
    );
  });

  it('voids an authorization that lapses after 7 days', async () => {
    // Otherwise workflows that other tests left open would run through all of those days.
    await closeTimeSkippingServer();
    await inPhase(
      { script: { authorize: [authorized], close: [notCharged] }, isManual: true, reach: confirmed },
      async (payment, activities) => {
        assert.equal((await payment.end()).status, 'canceled');
        const { startTime, closeTime } = await payment.handle.describe();
        const heldMs = (closeTime?.getTime() ?? 0) - startTime.getTime();
        assert.ok(Math.abs(heldMs - 7 * DAY_MS) < MINUTE_MS, `held for ${heldMs / SECOND_MS} s`);
        assert.equal(activities.last.columns.cancellationReason, 'authorization_lapsed');
      },
    );
  });
});
