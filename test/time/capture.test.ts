import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { OperationResult } from '../../domain/payment.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import {
  AMOUNT_MINOR,
  approved,
  authorized,
  broken,
  capturedOf,
  eventFor,
  hang,
  MANUAL,
  notCharged,
  outage,
  taken,
  timeout,
  unrecognised,
  until,
} from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

async function capture(payment: RunningPayment, amountMinor: number | null = null): Promise<OperationResult> {
  return (await payment.capture(amountMinor)).result();
}

async function held(
  script: ProviderScript,
  course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: { authorize: [authorized], ...script } });
  await withPayment(
    activities,
    async (payment) => {
      await (await payment.confirm()).result();
      await course(payment, activities);
    },
    { input: { terms: MANUAL } },
  );
}

const captures = ({ calls }: ScriptedActivities) => calls.filter(({ operation }) => operation === 'capture');

describe('capture in the payment workflow', function () {
  this.timeout(MINUTE_MS);

  it('captures the whole authorized amount, or a part of it', async () => {
    for (const amount of [AMOUNT_MINOR, 700]) {
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

  it('is found by a reference that was changed meanwhile, from the next recorded step on', async () => {
    await held({ capture: [taken(AMOUNT_MINOR)] }, async (payment, { store }) => {
      store.changeReference(payment.input.paymentIntentId, 'ORDER-2');
      await capture(payment);
      assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.reference), 'ORDER-2');
    });
  });

  it('stores the requested amount and why the last try had no answer', async () => {
    await held({ capture: [timeout, hang] }, async (payment, { store }) => {
      const { operationId } = await payment.capture(700);
      const row = () => store.operation(payment.input.paymentIntentId, operationId);
      await until(() => row()?.lastCode !== undefined);
      assert.deepEqual(row(), {
        id: operationId,
        kind: 'capture',
        request: { amountMinor: 700 },
        result: null,
        lastCode: 'TSP_TIMEOUT',
      });
      await payment.handle.terminate();
    });
  });

  it('is repeated under its key until the provider answers, and does not trust the answer that the money is still held', async () => {
    const script = { capture: [timeout, outage, unrecognised, taken(700)], inquire: [authorized] };
    await held(script, async (payment, activities) => {
      assert.deepEqual(await capture(payment, 700), { status: 'succeeded', error: null });
      assert.deepEqual(
        captures(activities).map(({ amountMinor }) => amountMinor),
        [700, 700, 700, 700],
      );
      assert.equal(new Set(captures(activities).map(({ key }) => key)).size, 1);
      assert.equal(activities.last.columns.amountCapturedMinor, 700);
      assert.deepEqual(
        activities.timeline.filter(({ summary }) => summary.startsWith('Capture, try')).map(({ summary }) => summary),
        ['Capture, try 1: no answer from alpha (TSP_TIMEOUT)', 'Capture, try 2: no answer from alpha (TSP_ERROR)'],
      );
    });
  });

  it('is called again after a failure without retry, for example by an operator, and then trusts no refusal', async () => {
    const script = { capture: [broken, unrecognised, taken(700)], inquire: [authorized] };
    await held(script, async (payment, activities) => {
      assert.deepEqual(await capture(payment, 700), { status: 'succeeded', error: null });
      assert.equal(captures(activities).length, 3);
    });
  });

  it('is refused while another capture is under way, also for another amount', async () => {
    await held({ capture: [hang] }, async (payment, activities) => {
      await payment.capture(700);
      await until(() => captures(activities).length === 1);
      for (const amount of [700, 800, null]) {
        await assert.rejects(capture(payment, amount), WorkflowUpdateFailedError);
      }
      assert.equal(captures(activities).length, 1);
      await payment.handle.terminate();
    });
  });

  it('fails after a first answer of unknown shape if the money is still held, and can be requested again', async () => {
    const script = { capture: [unrecognised, taken(AMOUNT_MINOR)], inquire: [authorized] };
    await held(script, async (payment, activities) => {
      const refused = await payment.capture(null);
      const { status, error } = await refused.result();
      assert.deepEqual([status, error?.code], ['requires_capture', 'PROVIDER_VALIDATION_ERROR']);
      assert.equal(activities.last.columns.lastError?.code, 'PROVIDER_VALIDATION_ERROR');
      assert.equal(activities.last.columns.amountCapturableMinor, AMOUNT_MINOR);
      const row = activities.store.operation(payment.input.paymentIntentId, refused.operationId);
      assert.equal(row?.result?.error?.code, 'PROVIDER_VALIDATION_ERROR');
      assert.equal((await capture(payment)).status, 'succeeded');
      assert.equal(activities.last.columns.lastError, null);
    });
  });

  it('succeeds after an answer of unknown shape if the money was captured', async () => {
    await held({ capture: [unrecognised], inquire: [capturedOf(700)] }, async (payment, activities) => {
      assert.equal((await capture(payment, 700)).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, 700);
    });
  });

  it('is refused above the authorized amount, without a call to the provider', async () => {
    await held({ capture: [taken(AMOUNT_MINOR)] }, async (payment, activities) => {
      for (const amount of [0, AMOUNT_MINOR + 1]) {
        const { status, error } = await capture(payment, amount);
        assert.deepEqual([status, error?.code], ['requires_capture', 'INVALID_AMOUNT']);
      }
      assert.deepEqual(captures(activities), []);
    });
  });

  it('cancels the payment if the provider holds nothing any more', async () => {
    await held({ capture: [{ kind: 'not_held' }] }, async (payment, activities) => {
      const result = await capture(payment);
      assert.deepEqual([result.status, result.error?.code], ['canceled', 'PAYMENT_FAILED']);
      assert.equal(activities.last.columns.cancellationReason, 'authorization_lapsed');
    });
  });

  it('is possible until the provider says, and the hold is voided then', async () => {
    const captureBefore = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const script = { authorize: [{ ...authorized, captureBefore }], close: [notCharged] };
    await held(script, async (payment, activities) => {
      assert.equal(activities.last.columns.captureBefore, captureBefore);
      assert.deepEqual(await payment.end(), { status: 'canceled', error: null });
      assert.equal(activities.last.columns.captureBefore, null);
      const voided = activities.calls.find(({ operation }) => operation === 'close');
      assert.ok(Math.abs((voided?.atMs ?? 0) - Date.parse(captureBefore)) < MINUTE_MS);
    });
  });

  it('makes a concurrent cancel fail, and is recorded when the provider reports it', async () => {
    await held({ capture: [hang], close: [notCharged] }, async (payment, activities) => {
      const sent = await payment.capture(null);
      await until(() => captures(activities).length === 1);
      await assert.rejects(async () => (await payment.cancel()).result(), WorkflowUpdateFailedError);
      await activities.report(payment.handle, eventFor(payment, approved));
      assert.equal((await sent.result()).status, 'succeeded');
    });
  });

  it("is not interrupted by an operator's cancel, which takes effect only if the capture was refused", async () => {
    const ends = [
      [[timeout, taken(AMOUNT_MINOR)], 'succeeded'],
      [[timeout, { kind: 'not_held' }], 'canceled'],
      [[unrecognised], 'canceled'],
    ] as const;
    for (const [answers, status] of ends) {
      const script = { capture: answers, inquire: [authorized], close: [notCharged] };
      await held(script, async (payment, activities) => {
        const sent = await payment.capture(null);
        await until(() => captures(activities).length > 0);
        await payment.handle.cancel();
        await sent.result();
        assert.equal((await payment.end()).status, status);
        assert.equal(activities.last.columns.status, status);
      });
    }
  });

  it('is ended by a cancel, which voids the hold, once its outcome has been unknown for a minute', async () => {
    await held({ capture: [timeout], inquire: [authorized], close: [notCharged] }, async (payment, activities) => {
      const sent = await payment.capture(null);
      await until(() => captures(activities).length > 0);
      await payment.handle.cancel();
      assert.equal((await sent.result()).error?.code, 'STATE_CONFLICT');
      assert.equal((await payment.end()).status, 'canceled');
    });
  });
});
