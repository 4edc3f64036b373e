import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { StoredOperation } from '../../domain/operation.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { eventually } from '../support/eventually.ts';
import { approved, declined, eventFor, notCharged, outage, pending, until } from '../support/outcomes.ts';
import { confirmOf } from '../support/confirm-of.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type SentOperation, withPayment } from '../support/time-skipping.ts';

/** Inquiries without an answer: the sum of their pauses is longer than three minutes. */
const AWAY = Array.from({ length: 8 }, () => outage);
/** Alpha is away, and says minutes later that it has not charged. */
const HEALED: ProviderScript = { authorize: [outage], inquire: [...AWAY, notCharged] };

const alphaHeals = (): ScriptedActivities =>
  new ScriptedActivities({ alpha: HEALED, beta: { authorize: [approved] }, gamma: { authorize: [approved] } });

/** A refused update counts as accepted until its result is asked for. */
const refusalOf = async (confirm: Promise<SentOperation>): Promise<string | null | undefined> => {
  const error: unknown = await (await confirm).result().then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
  return error.cause.type;
};

describe('the deadlines of a payment', function () {
  this.timeout(MINUTE_MS);

  it('refuse a confirm that reaches the workflow after nobody waits for it any more', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved] } });
    await withPayment(activities, async (payment) => {
      await (await payment.confirm()).result();
      const beginBefore = new Date((await payment.now()) - 1).toISOString();
      assert.equal(await refusalOf(payment.confirm({ beginBefore })), 'SERVICE_UNAVAILABLE');
      assert.equal(activities.operations('alpha').length, 1);
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
    });
  });

  it('refuse a confirm that reaches the workflow first, after the expiry', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    const expiresAt = new Date(Date.now() - MINUTE_MS).toISOString();
    await withPayment(
      activities,
      async (payment) => {
        assert.equal(await refusalOf(payment.confirm()), 'PAYMENT_EXPIRED');
        assert.equal((await payment.end()).status, 'expired');
        assert.deepEqual([activities.calls, activities.eventTypes], [[], ['payment_intent.expired']]);
      },
      { input: { expiresAt }, startDelayMs: HOUR_MS },
    );
  });

  it('refuse a further confirm after the expiry, whatever became of the first one', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined, approved] } });
    await withPayment(activities, async (payment) => {
      assert.equal((await (await payment.confirm()).result()).error?.code, 'CARD_DECLINED');
      activities.store.clock = () => activities.clock() + HOUR_MS;
      const { status, error } = await (await payment.confirm()).result();
      assert.deepEqual([status, error?.code], ['expired', 'PAYMENT_EXPIRED']);
      const { lastError, nextAction } = activities.last.columns;
      assert.deepEqual([lastError?.code, nextAction], ['PAYMENT_EXPIRED', null]);
      assert.equal(activities.last.attempts.at(-1)?.code, 'CARD_DECLINED');
      assert.equal(activities.operations('alpha').length, 1);
    });
  });

  it('end a confirm that was accepted in time and would have begun too late, and change nothing', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    activities.store.clock = () => activities.clock() + HOUR_MS / 4;
    await withPayment(activities, async (payment) => {
      const { status, error } = await (await payment.confirm()).result();
      assert.deepEqual([status, error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
      assert.deepEqual([activities.calls, activities.last.attempts], [[], []]);
    });
  });

  it('record the result of a confirm that was too late when the run had read the payment, for repeats of it', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    const { takeOverPayment } = activities.activities;
    let isTooLate = false;
    activities.activities.takeOverPayment = async (request) => {
      await until(() => isTooLate);
      return takeOverPayment(request);
    };
    const left = { status: 'requires_payment_method', outcome: 'declined', captureMethod: 'automatic' } as const;
    await withPayment(
      activities,
      async (payment) => {
        const beginBeforeMs = (await payment.now()) + SECOND_MS;
        const confirm = await payment.confirm({ beginBefore: new Date(beginBeforeMs).toISOString() });
        activities.store.clock = () => Math.max(activities.clock(), beginBeforeMs);
        await eventually(async () => assert.ok((await payment.now()) > beginBeforeMs));
        isTooLate = true;
        const result = await confirm.result();
        assert.deepEqual([result.status, result.error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
        const { store } = activities;
        assert.deepEqual(store.operation(payment.input.paymentIntentId, confirm.operationId)?.result, result);
        assert.deepEqual(activities.calls, []);
      },
      { left },
    );
  });

  it('expire a payment whose confirm was accepted in time and would have begun after the expiry', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    activities.store.clock = () => activities.clock() + HOUR_MS;
    await withPayment(activities, async (payment) => {
      const confirm = await payment.confirm();
      const result = await confirm.result();
      assert.deepEqual([result.status, result.error?.code], ['expired', 'PAYMENT_EXPIRED']);
      const { store } = activities;
      assert.deepEqual(store.operation(payment.input.paymentIntentId, confirm.operationId)?.result, result);
      assert.deepEqual([activities.calls, activities.eventTypes], [[], ['payment_intent.expired']]);
      assert.equal((await payment.end()).status, 'expired');
    });
  });

  it('let no other route follow after the expiry, even if the provider says then that it has not charged', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [outage], inquire: [notCharged] },
      beta: { authorize: [approved] },
    });
    const isAsked = () => activities.operations('alpha').includes('inquire');
    activities.store.clock = () => activities.clock() + (isAsked() ? HOUR_MS : 0);
    await withPayment(activities, async (payment) => {
      const result = await (await payment.confirm()).result();
      assert.deepEqual([result.status, result.error?.code], ['expired', 'PAYMENT_EXPIRED']);
      assert.deepEqual(activities.operations('beta'), []);
      assert.equal(activities.last.attempts[0]?.outcome, 'not_charged');
      assert.deepEqual(activities.eventTypes.slice(-1), ['payment_intent.expired']);
    });
  });

  it('let no other route follow later than the time that the confirm names', async () => {
    const activities = alphaHeals();
    await withPayment(activities, async (payment) => {
      const result = await (await payment.confirm()).result();
      assert.deepEqual([result.status, result.error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
      assert.deepEqual(activities.operations('beta'), []);
    });
  });

  it('let no route follow after that time in a run that takes the confirm over', async () => {
    const activities = new ScriptedActivities({ alpha: { inquire: [notCharged] }, beta: { authorize: [approved] } });
    const request = { ...confirmOf(Date.now() - HOUR_MS) };
    const operation: StoredOperation = { id: 'confirm_1', kind: 'confirm', request, result: null };
    const left = { status: 'processing', outcome: null, captureMethod: 'automatic', operation } as const;
    await withPayment(
      activities,
      async ({ input: { paymentIntentId } }) => {
        const answered = () => activities.store.operation(paymentIntentId, 'confirm_1')?.result ?? null;
        await until(() => answered() !== null);
        assert.equal(answered()?.status, 'requires_payment_method');
        assert.deepEqual(activities.operations('beta'), []);
      },
      { left },
    );
  });

  it('hold though a report cannot be read: a confirm is answered, and the report is read when that is possible', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [pending], inquire: [pending] } });
    const { readProviderEvent } = activities.activities;
    let isReadable = false;
    activities.activities.readProviderEvent = (reference) =>
      isReadable ? readProviderEvent(reference) : Promise.reject(new Error('the database does not answer'));
    await withPayment(activities, async (payment) => {
      await activities.report(payment.handle, eventFor(payment, approved));
      const confirm = await payment.confirm();
      await until(() => activities.operations('alpha').length > 0);
      isReadable = true;
      assert.equal((await confirm.result()).status, 'succeeded');
    });
  });

  it('end a confirm whose routes cannot be planned in time, and the payment expires at its time', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
    activities.activities.planPayment = () => Promise.reject(new Error('the database does not answer'));
    await withPayment(activities, async (payment) => {
      const { status, error } = await (await payment.confirm()).result();
      assert.deepEqual([status, error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
      assert.equal((await payment.end()).status, 'expired');
    });
  });
});

describe('a further attempt of a confirm', function () {
  this.timeout(MINUTE_MS);

  it('is planned again: it goes by no route that was switched off meanwhile', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [outage], inquire: [notCharged] },
      beta: { authorize: [approved] },
      gamma: { authorize: [approved] },
    });
    const { plan } = activities;
    activities.laterPlan = { ...plan, routes: plan.routes.filter(({ provider }) => provider !== 'beta') };
    await withPayment(activities, async (payment) => {
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      assert.deepEqual(
        activities.last.attempts.map(({ provider, outcome }) => [provider, outcome]),
        [
          ['alpha', 'not_charged'],
          ['gamma', 'approved'],
        ],
      );
    });
  });

  it('ends with PROVIDER_UNAVAILABLE where the merchant account was suspended meanwhile', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [outage], inquire: [notCharged] },
      beta: { authorize: [approved] },
    });
    activities.laterPlan = {
      refusal: { code: 'MERCHANT_SUSPENDED', message: 'suspended' },
      routes: [],
      skippedRoutes: [],
    };
    await withPayment(activities, async (payment) => {
      const result = await (await payment.confirm()).result();
      assert.deepEqual([result.status, result.error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
      assert.deepEqual(activities.operations('beta'), []);
    });
  });

  it('is planned again where its route was switched off between plan and intention, also the first one', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [declined] }, beta: { authorize: [approved] } });
    const { plan } = activities;
    activities.store.closedRoutes.add('rt_alpha');
    activities.laterPlan = { ...plan, routes: plan.routes.filter(({ provider }) => provider !== 'alpha') };
    await withPayment(activities, async (payment) => {
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      assert.deepEqual(activities.operations('alpha'), []);
      assert.equal(activities.last.attempts.length, 1);
    });
  });
});
