import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { recoverCapture, reverseCapture } from '../../domain/capture-reversal.ts';
import { attemptIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import type { StoredOperation } from '../../domain/operation.ts';
import type { PaymentStatus } from '../../domain/payment-state.ts';
import { AUTHORIZATION_VALID_MS } from '../../domain/time-limits.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { type ConfirmRequest, confirmUpdate, readAgainSignal } from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { createPaymentWorkflows } from '../../workflow-client/payment-workflows.ts';
import { type OutsideStep, recordOutsideWorkflow } from '../../prisma/stores/payment-store.ts';
import {
  AMOUNT_MINOR,
  approved,
  approveInApp,
  authorized,
  declined,
  eventFor,
  hang,
  MANUAL,
  notCharged,
  outage,
  pending,
  taken,
  unrecognised,
  until,
  voided,
} from '../support/outcomes.ts';
import { eventually, inTime } from '../support/eventually.ts';
import type { EarlierRun } from '../support/earlier-run.ts';
import { confirmOf } from '../support/confirm-of.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

const PROCESSING: EarlierRun = { status: 'processing', outcome: null, captureMethod: 'automatic' };
const HELD: EarlierRun = { status: 'requires_capture', outcome: 'approved' };

const captureOf = (amountMinor: number): StoredOperation => ({
  id: 'capture_1',
  kind: 'capture',
  request: { amountMinor },
  result: null,
});
const CANCEL: StoredOperation = { id: 'cancel_1', kind: 'cancel', request: { reason: 'duplicate' }, result: null };

async function takenOver(
  left: EarlierRun,
  script: ProviderScript,
  course: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: script });
  await withPayment(activities, (payment) => course(payment, activities), { left });
}

describe('a payment whose workflow has ended', function () {
  this.timeout(MINUTE_MS);

  it('makes an inquiry, finds the charge, never charges again, and adds the takeover to the timeline', async () => {
    await takenOver(PROCESSING, { inquire: [outage, approved] }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'succeeded');
      assert.deepEqual(activities.operations('alpha'), ['inquire', 'inquire']);
      const [first] = activities.changes;
      assert.equal(first?.fromVersion, 3);
      assert.match(first.timeline[0]?.summary ?? '', /had ended \(terminated\) in processing.*asks alpha first/);
    });
  });

  it('answers the confirm that had opened the attempt', async () => {
    const operation: StoredOperation = { id: 'confirm_1', kind: 'confirm', request: null, result: null };
    await takenOver({ ...PROCESSING, operation }, { inquire: [declined] }, async (payment, { store }) => {
      const { paymentIntentId } = payment.input;
      await until(() => store.operation(paymentIntentId, 'confirm_1')?.result?.error?.code === 'CARD_DECLINED');
    });
  });

  for (const [when, refusal] of [
    ['and does not try the card again', null],
    ['also where no route is left', { code: 'NO_TSP_AVAILABLE', message: 'none' }],
  ] as const) {
    it(`gives a confirm that is repeated the answer that it had, ${when}`, async () => {
      const error = { code: 'CARD_DECLINED', message: 'declined' } as const;
      const result = { status: 'requires_payment_method', error } as const;
      const operation: StoredOperation = { id: 'confirm_1', kind: 'confirm', request: null, result };
      const left = { ...PROCESSING, status: 'requires_payment_method', outcome: 'declined', operation } as const;
      await takenOver(left, { authorize: [approved] }, async (payment, activities) => {
        activities.laterPlan = activities.plan;
        if (refusal !== null) activities.plan = { refusal, routes: [], skippedRoutes: [] };
        await until(() => activities.changes.length > 0);
        const args: [ConfirmRequest] = [confirmOf(await payment.now())];
        assert.deepEqual(await payment.handle.executeUpdate(confirmUpdate, { updateId: 'confirm_1', args }), result);
        assert.deepEqual([activities.operations('alpha'), activities.eventTypes], [[], []]);
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      });
    });
  }

  it('can be confirmed again if the provider charged nothing', async () => {
    const script = { inquire: [notCharged], authorize: [approved] };
    await takenOver(PROCESSING, script, async (payment, activities) => {
      while (!(await payment.currentDetails()).includes('PAYMENT_FAILED')) await payment.skip(100);
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      assert.equal(activities.last.attempts.length, 2);
    });
  });

  it('keeps waiting for the customer if the provider still does', async () => {
    const left: EarlierRun = { status: 'requires_action', outcome: null, captureMethod: 'automatic' };
    await takenOver(left, { inquire: [approveInApp, pending, approved] }, async (payment, activities) => {
      assert.equal((await payment.end()).status, 'succeeded');
      assert.ok(!activities.eventTypes.includes('payment_intent.requires_action'));
      assert.ok(activities.statuses.includes('processing'));
    });
  });

  it('accepts a capture that arrives before it has read the payment', async () => {
    await takenOver(HELD, { inquire: [authorized], capture: [taken(1_999)] }, async (payment, activities) => {
      assert.deepEqual(await (await payment.capture(null)).result(), { status: 'succeeded', error: null });
      assert.equal(activities.operations('alpha').at(-1), 'capture');
    });
  });

  it('records no capture in another currency that was reported before it had read the payment', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [authorized], capture: [taken(1_999)] } });
    const { takeOverPayment, readProviderEvent } = activities.activities;
    let isReported = false;
    activities.activities.readProviderEvent = (reference) => {
      isReported = true;
      return readProviderEvent(reference);
    };
    activities.activities.takeOverPayment = async (request) => {
      await until(() => isReported);
      return takeOverPayment(request);
    };
    const course = async (payment: RunningPayment): Promise<void> => {
      await activities.report(payment.handle, eventFor(payment, { ...approved, currency: 'USD' }));
      await until(() => activities.operations('alpha').includes('inquire'));
      assert.equal((await (await payment.capture(null)).result()).status, 'succeeded');
      assert.deepEqual(activities.operations('alpha'), ['inquire', 'capture']);
    };
    await withPayment(activities, course, { left: HELD });
  });

  it('captures, cancels or records a void while the provider does not say whether it still holds the money', async () => {
    type Case = (payment: RunningPayment, activities: ScriptedActivities) => Promise<unknown>;
    const cases: readonly (readonly [PaymentStatus, ProviderScript, Case])[] = [
      ['succeeded', { capture: [taken(700)] }, (payment) => payment.capture(700)],
      ['canceled', { close: [voided] }, (payment) => payment.cancel()],
      ['canceled', {}, (payment, activities) => activities.report(payment.handle, eventFor(payment, voided))],
    ];
    for (const [status, script, act] of cases) {
      await takenOver(HELD, { inquire: [outage], ...script }, async (payment, activities) => {
        await until(() => activities.operations('alpha').includes('inquire'));
        await act(payment, activities);
        await until(() => activities.last.columns.status === status);
        assert.deepEqual(await payment.end(), { status, error: null });
      });
    }
  });

  it('voids a hold that lapses while the provider does not say whether it still holds the money', async () => {
    const left = { ...HELD, ageMs: AUTHORIZATION_VALID_MS - HOUR_MS };
    await takenOver(left, { inquire: [outage], close: [voided] }, async (payment, activities) => {
      assert.deepEqual(await payment.end(), { status: 'canceled', error: null });
      assert.equal(activities.last.columns.cancellationReason, 'authorization_lapsed');
      const [asked, closed] = [activities.calls[0]?.atMs ?? 0, activities.calls.at(-1)?.atMs ?? 0];
      assert.ok(Math.abs(closed - asked - HOUR_MS) < 10 * MINUTE_MS);
    });
  });

  it('refuses a confirm that arrives before it has read that another attempt is open', async () => {
    await takenOver(PROCESSING, { inquire: [hang, approved] }, async (payment, activities) => {
      const confirm = await payment.confirm();
      const refused = await confirm.result().catch((error: unknown) => error);
      assert.ok(refused instanceof WorkflowUpdateFailedError);
      await activities.report(payment.handle, eventFor(payment, approved));
      assert.equal((await payment.end()).status, 'succeeded');
      assert.ok(!activities.operations('alpha').includes('authorize'));
    });
  });

  it('ends if the provider captured or voided the hold in the meantime', async () => {
    for (const [outcome, status] of [
      [approved, 'succeeded'],
      [notCharged, 'canceled'],
    ] as const) {
      await takenOver(HELD, { inquire: [outcome] }, async (payment) => {
        assert.equal((await payment.end()).status, status);
      });
    }
  });

  it('repeats a capture without an answer, and does not trust the answer that the money is still held', async () => {
    const left = { ...HELD, operation: captureOf(700) };
    const script = { inquire: [authorized], capture: [outage, unrecognised, taken(700)] };
    await takenOver(left, script, async (payment, activities) => {
      assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
      const captures = activities.calls.filter(({ operation }) => operation === 'capture');
      assert.deepEqual(
        captures.map(({ amountMinor }) => amountMinor),
        [700, 700, 700],
      );
      assert.equal(activities.last.columns.amountCapturedMinor, 700);
      const { result } = activities.store.operation(payment.input.paymentIntentId, 'capture_1') ?? {};
      assert.deepEqual(result, { status: 'succeeded', error: null });
    });
  });

  it('cancels if a cancel has no answer, in every phase', async () => {
    const phases: readonly (readonly [EarlierRun, ProviderScript])[] = [
      [{ status: 'processing', outcome: null }, { close: [notCharged] }],
      [{ status: 'requires_action', outcome: null }, { close: [outage, notCharged] }],
      [HELD, { inquire: [authorized], close: [notCharged] }],
      [{ status: 'requires_payment_method', outcome: 'declined' }, {}],
    ];
    for (const [left, script] of phases) {
      await takenOver({ ...left, operation: CANCEL }, script, async (payment, activities) => {
        assert.deepEqual(await payment.end(), { status: 'canceled', error: null });
        assert.equal(activities.last.columns.cancellationReason, 'duplicate');
        assert.ok(!activities.operations('alpha').includes('authorize'));
      });
    }
  });

  it('succeeds if the charge came before the unanswered cancel', async () => {
    const left = { ...PROCESSING, operation: CANCEL };
    await takenOver(left, { close: [approved] }, async (payment, activities) => {
      assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
      assert.equal(activities.last.columns.cancellationReason, null);
      const details = await payment.currentDetails();
      assert.match(details, /^- Cancel asked for \(duplicate\), too late: the provider had charged\.$/m);
    });
  });

  it('ends with the state in its row if that is terminal', async () => {
    const left: EarlierRun = { status: 'succeeded', outcome: 'approved' };
    await takenOver(left, {}, async (payment, activities) => {
      assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
      assert.deepEqual(activities.calls, []);
    });
  });
});

describe('a payment that a late report changes after its end', function () {
  this.timeout(MINUTE_MS);

  it('is shown by Temporal as its row says: failed with its capture, and completed once that is made again', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    await withPayment(activities, async (payment) => {
      const { client, input } = payment;
      const { paymentIntentId } = input;
      const shown = () =>
        eventually(async () => {
          const { status, typedSearchAttributes } = await client.workflow.getHandle(paymentIntentId).describe();
          assert.notEqual(status.name, 'RUNNING');
          const { status: state, errorCode } = SEARCH_ATTRIBUTES;
          return [status.name, typedSearchAttributes.get(state), typedSearchAttributes.get(errorCode) ?? null];
        });
      const report = async (step: OutsideStep['step']): Promise<void> => {
        const at = new Date().toISOString();
        await recordOutsideWorkflow(activities.store, { paymentIntentId, step, stepId: newId('request'), at });
        assert.ok(await createPaymentWorkflows(client).takeOver(input, 'before a late report of its provider'));
      };
      await (await payment.confirm()).result();
      await payment.end();
      assert.deepEqual(await shown(), ['COMPLETED', 'succeeded', null]);
      const attemptId = attemptIdOf(paymentIntentId, 1);
      const failure = { attemptId, amountMinor: AMOUNT_MINOR, currency: 'EUR', reason: 'returned' };
      await report((record, at) => reverseCapture(record, failure, at));
      assert.deepEqual(await shown(), ['FAILED', 'failed', 'TSP_PAYMENT_FAILED']);
      await report((record) => recoverCapture(record, { attemptId, capturedMinor: AMOUNT_MINOR }));
      assert.deepEqual(await shown(), ['COMPLETED', 'succeeded', null]);
      assert.equal(activities.calls.length, 1);
    });
  });
});

describe('a run whose payment belongs to another run', function () {
  this.timeout(MINUTE_MS);

  it('reads the payment again, takes it back and continues', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved] } });
    await withPayment(activities, async (payment) => {
      const { paymentIntentId } = payment.input;
      assert.equal((await (await payment.confirm()).result()).error?.code, 'CARD_DECLINED');
      activities.store.assignToRun(paymentIntentId, 'another run');
      assert.deepEqual(await (await payment.confirm()).result(), { status: 'succeeded', error: null });
      assert.equal(activities.operations('alpha').length, 2);
      const { runId } = await payment.handle.describe();
      assert.equal(activities.store.runIdOf(paymentIntentId), runId);
      assert.ok(activities.timeline.some(({ summary }) => /had ended \(reset\)/.test(summary)));
    });
  });

  it('ends with the state in the row if the other run has ended it, and returns that state', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved] } });
    await withPayment(activities, async (payment) => {
      const { paymentIntentId } = payment.input;
      await (await payment.confirm()).result();
      const stored = await activities.store.read({ paymentIntentId });
      assert.ok(stored);
      const { record } = stored;
      const columns = { ...record.columns, status: 'canceled' } as const;
      activities.store.insert({ ...record, version: record.version + 1, columns }, [], 'another run');
      const { status, error } = await (await payment.confirm()).result();
      assert.deepEqual([status, error?.code], ['canceled', 'STATE_CONFLICT']);
      assert.equal((await payment.end()).status, 'canceled');
      assert.deepEqual(activities.operations('alpha'), ['authorize']);
    });
  });

  it('refuses a confirm that became stale in the other run, instead of executing it later', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved], inquire: [declined] } });
    await withPayment(activities, async (payment) => {
      const { paymentIntentId } = payment.input;
      await (await payment.confirm()).result();
      const stored = await activities.store.read({ paymentIntentId });
      const [attempt] = stored?.record.attempts ?? [];
      assert.ok(stored && attempt);
      const opened = {
        ...attempt,
        id: attempt.id.replace(/_1$/, '_2'),
        number: 2,
        outcome: null,
        operationId: 'other',
      };
      const { record } = stored;
      const columns = { ...record.columns, status: 'processing' } as const;
      const attempts = [attempt, opened];
      activities.store.insert({ ...record, version: record.version + 1, columns, attempts }, [], 'another run');
      const { error } = await (await payment.confirm()).result();
      assert.equal(error?.code, 'STATE_CONFLICT');
      await until(() => activities.last.columns.status === 'requires_payment_method');
      assert.deepEqual(activities.operations('alpha'), ['authorize', 'inquire']);
    });
  });

  it('answers a capture with the result in the row', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [authorized], capture: [outage, taken(700)] } });
    const course = async (payment: RunningPayment): Promise<void> => {
      const { paymentIntentId } = payment.input;
      await (await payment.confirm()).result();
      const capture = await payment.capture(700);
      await until(() => activities.store.operation(paymentIntentId, capture.operationId)?.lastCode !== undefined);
      activities.store.assignToRun(paymentIntentId, 'another run');
      assert.deepEqual(await capture.result(), { status: 'succeeded', error: null });
      assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
      assert.equal(activities.last.columns.amountCapturedMinor, 700);
    };
    await withPayment(activities, course, { input: { terms: MANUAL } });
  });

  it('reads the payment again on request, and finds what it has missed', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [authorized], inquire: [approved] } });
    const course = async (payment: RunningPayment): Promise<void> => {
      await (await payment.confirm()).result();
      await payment.handle.signal(readAgainSignal);
      assert.equal((await payment.end()).status, 'succeeded');
    };
    await withPayment(activities, course, { input: { terms: MANUAL } });
  });
});

describe('a run whose database is older than its history', function () {
  this.timeout(MINUTE_MS);

  it('halts, can be found, and answers no operation', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved] } });
    await withPayment(activities, async (payment) => {
      const { paymentIntentId } = payment.input;
      await (await payment.confirm()).result();
      activities.store.restore(paymentIntentId, 0);
      const { operationId } = await payment.confirm();
      let isAnswered = false;
      const note = (): boolean => (isAnswered = true);
      // Nothing else may skip time beside this test's own steps: with two, the clock can stop.
      payment.handle.getUpdateHandle(operationId).result().then(note, note);
      const isHalted = async (): Promise<boolean> =>
        (await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode) === 'DATABASE_BEHIND_HISTORY';
      while (!(await isHalted())) await payment.skip(100);
      assert.match(await payment.currentDetails(), /^\*\*Halted\*\*/);
      await inTime(payment.cancel(), 'the answer of a halted run', 5 * SECOND_MS).catch(() => undefined);
      await payment.handle.cancel();
      await payment.skip(40 * MINUTE_MS);
      assert.equal((await payment.handle.describe()).status.name, 'RUNNING');
      assert.equal(isAnswered, false);
      assert.deepEqual(activities.operations('alpha'), ['authorize']);
      assert.match(await payment.currentDetails(), /^\*\*Halted\*\*/);
      await payment.handle.terminate('looked into');
    });
  });
});
