import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { MINUTE_MS } from '../../domain/time.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import {
  askProviderNowUpdate,
  type ResolvePaymentRequest,
  resolvePaymentUpdate,
  type SupportAnswer,
} from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { eventually } from '../support/eventually.ts';
import {
  approved,
  authorized,
  capturedOf,
  eventFor,
  fraud,
  MANUAL,
  notCharged,
  outage,
  pending,
  redirect,
  timeout,
  until,
} from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { Scripted } from '../support/scripted-provider.ts';
import type { InquiryOutcome } from '../../domain/provider-outcome.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

const BY = { by: 'Support' };
const NOT_CHARGED: ResolvePaymentRequest = { ...BY, note: 'Not in their ledger', outcome: 'not_charged' };
const CHARGED: ResolvePaymentRequest = {
  ...BY,
  note: 'In their ledger',
  outcome: 'charged',
  providerPaymentId: 'sim_9',
};
const REVERSED: ResolvePaymentRequest = { ...BY, note: 'They charged too much', outcome: 'reversed' };
const SURCHARGED = { ...approved, amountMinor: 2_099 } as const;
const REQUESTED = 'payment_intent.resolution_requested';
const RESOLVED = 'payment_intent.resolved_by_hand';

function askNow({ handle }: RunningPayment): Promise<SupportAnswer> {
  return handle.executeUpdate(askProviderNowUpdate, { args: [BY] });
}

function resolve({ handle }: RunningPayment, request: ResolvePaymentRequest): Promise<SupportAnswer> {
  return handle.executeUpdate(resolvePaymentUpdate, { args: [request] });
}

/** Two people send the same. */
async function resolveTogether(payment: RunningPayment, request: ResolvePaymentRequest): Promise<SupportAnswer> {
  assert.match((await resolve(payment, request)).answer, /another person/);
  return resolve(payment, { ...request, by: 'Lead', note: 'Seen too' });
}

/** Lets time go on until support staff may end what waits for the provider. */
async function untilLate(payment: RunningPayment): Promise<void> {
  for (let waited = 0; waited <= WAITING_AFTER_MS; waited += MINUTE_MS / 4) await payment.skip(MINUTE_MS / 4);
}

function refusedBecause(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    message.test(error.cause.message);
}

/** A payment whose provider has given no answer for so long that it is stuck. */
async function untilStuck(payment: RunningPayment, activities: ScriptedActivities): Promise<void> {
  await until(() => activities.operations('alpha').includes('authorize'));
  const isStuck = () =>
    activities.changes.at(-1)?.columns.advisory?.code === 'PAYMENT_STUCK' &&
    activities.operations('alpha').includes('inquire');
  while (!isStuck()) await payment.skip(MINUTE_MS / 6);
  // The run learns of the advisory a moment after it was recorded.
  await eventually(async () => assert.match(await payment.currentDetails(), /PAYMENT_STUCK/));
}

function auditOf({ store }: ScriptedActivities): unknown[] {
  return store.writes.flatMap(({ step }) => (step.audit === undefined ? [] : [[step.audit.action, step.audit.by]]));
}

describe('support staff and a payment', function () {
  this.timeout(MINUTE_MS);

  it('ask the provider at once, and its answer ends the payment', async () => {
    const inquire: Scripted<InquiryOutcome>[] = [pending];
    const activities = new ScriptedActivities({ alpha: { authorize: [pending], inquire } });
    await withPayment(activities, async (payment) => {
      await assert.rejects(askNow(payment), refusedBecause(/waits for no provider/));
      await payment.confirm();
      // The run learns of the answer a moment after it was recorded.
      await until(() => activities.timeline.some(({ summary }) => summary.includes('has accepted the payment')));
      assert.deepEqual(await eventually(() => askNow(payment)), {
        status: 'processing',
        answer: 'alpha answers: pending',
      });
      const lines = activities.timeline.map(({ summary }) => summary);
      assert.deepEqual(
        lines.filter((line) => line.includes('what became of')),
        ['Support asks alpha what became of attempt 1', 'alpha, asked what became of attempt 1: pending'],
      );
      inquire.push(approved);
      assert.equal((await askNow(payment)).answer, 'alpha answers: approved');
      assert.equal((await payment.end()).status, 'succeeded');
      assert.deepEqual(activities.operations('alpha').filter((each) => each === 'authorize').length, 1);
      const asked = ['payment_intent.provider_asked', 'Support'];
      assert.deepEqual(auditOf(activities).slice(-2), [asked, asked]);
    });
  });

  it('resolve a stuck payment as not charged: it is canceled, and a charge is looked for', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] }, beta: {} });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      for (const wrong of [
        { ...NOT_CHARGED, note: '' },
        { ...NOT_CHARGED, note: 'card 4242 4242 4242 4242' },
      ]) {
        await assert.rejects(resolve(payment, wrong), refusedBecause(/^Input: /));
      }
      await resolveTogether(payment, NOT_CHARGED);
      assert.equal((await payment.end()).status, 'canceled');
      assert.deepEqual(activities.operations('beta'), []);
      assert.equal(activities.last.attempts[0]?.outcome, 'not_charged');
      assert.deepEqual(
        activities.store.strayCharges.map(({ attemptId }) => attemptId),
        [activities.last.attempts[0]?.id],
      );
      assert.deepEqual(auditOf(activities), [
        [REQUESTED, 'Support'],
        [RESOLVED, 'Lead'],
      ]);
    });
  });

  it('resolve a stuck payment as charged: it succeeds with the id from the ledger of the provider', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      await resolveTogether(payment, CHARGED);
      assert.equal((await payment.end()).status, 'succeeded');
      const [capture] = activities.transactions;
      assert.deepEqual([capture?.type, capture?.providerPaymentId], ['capture', 'sim_9']);
      assert.deepEqual(activities.store.strayCharges, []);
    });
  });

  it('do not resolve against what the provider answers, nor before a payment is stuck', async () => {
    const inquire: Scripted<InquiryOutcome>[] = [timeout];
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await assert.rejects(resolve(payment, CHARGED), refusedBecause(/right now/));
      await untilStuck(payment, activities);
      inquire.push(notCharged);
      await assert.rejects(resolve(payment, CHARGED), refusedBecause(/not charged|has ended|waits for no provider/));
      await until(() => activities.last.columns.status === 'requires_payment_method');
      assert.deepEqual([activities.transactions, auditOf(activities)], [[], []]);
    });
  });

  it('do not resolve against what the provider reports while the request is recorded', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      let isEnding = false;
      activities.store.beforeWrite = async ({ step }) => {
        if (step.audit !== undefined) {
          await activities.report(payment.handle, eventFor(payment, approved));
          await until(() => isEnding);
        } else if (step.transactions !== undefined) {
          isEnding = true;
          await until(() => auditOf(activities).length > 0);
        }
      };
      await assert.rejects(resolve(payment, NOT_CHARGED), refusedBecause(/has ended/));
      assert.equal((await payment.end()).status, 'succeeded');
      assert.deepEqual(activities.store.strayCharges, []);
    });
  });

  it('need a second person, who sends the same', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      for (const request of [NOT_CHARGED, NOT_CHARGED, { ...NOT_CHARGED, by: ' support ' }, CHARGED]) {
        assert.match((await resolve(payment, request)).answer, /another person/);
      }
      assert.match((await resolve(payment, { ...NOT_CHARGED, by: 'Lead' })).answer, /another person/);
      assert.equal(activities.last.columns.status, 'processing');
      await resolve(payment, NOT_CHARGED);
      assert.equal((await payment.end()).status, 'canceled');
    });
  });

  it('record the amount that the provider reports instead of the requested one', async () => {
    const script = { authorize: [SURCHARGED], inquire: [SURCHARGED] };
    const activities = new ScriptedActivities({ alpha: script });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      await assert.rejects(resolve(payment, NOT_CHARGED), refusedBecause(/EUR 20.99.*"amountMinor": 2099/));
      await assert.rejects(resolve(payment, { ...CHARGED, amountMinor: 1 }), refusedBecause(/"amountMinor": 2099/));
      await resolveTogether(payment, { ...CHARGED, amountMinor: SURCHARGED.amountMinor });
      assert.equal((await payment.end()).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, SURCHARGED.amountMinor);
      assert.deepEqual(
        activities.transactions.map(({ type, amountMinor }) => [type, amountMinor]),
        [['capture', SURCHARGED.amountMinor]],
      );
      assert.deepEqual(activities.store.strayCharges, []);
    });
  });

  it('have a charge of another amount or currency reversed', async () => {
    const inDollars = { ...approved, currency: 'USD' } as const;
    const activities = new ScriptedActivities({ alpha: { authorize: [inDollars], inquire: [inDollars] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      const asCharged = { ...CHARGED, amountMinor: inDollars.amountMinor };
      await assert.rejects(resolve(payment, asCharged), refusedBecause(/Send "reversed"\.$/));
      await resolveTogether(payment, REVERSED);
      assert.equal((await payment.end()).status, 'canceled');
      assert.equal(activities.store.strayCharges.length, 1);
      assert.deepEqual(activities.transactions, []);
    });
  });

  for (const [outcome, status] of [
    ['charged', 'succeeded'],
    ['not_charged', 'canceled'],
  ] as const) {
    it(`resolve a capture that the provider does not answer as ${outcome}`, async () => {
      const script = { authorize: [authorized], capture: [timeout], inquire: [timeout] };
      const activities = new ScriptedActivities({ alpha: script });
      const course = async (payment: RunningPayment): Promise<void> => {
        await (await payment.confirm()).result();
        const capture = await payment.capture(700);
        await until(() => activities.operations('alpha').includes('capture'));
        const request = outcome === 'charged' ? CHARGED : NOT_CHARGED;
        await assert.rejects(resolve(payment, request), refusedBecause(/right now/));
        await untilLate(payment);
        await resolveTogether(payment, request);
        assert.equal((await payment.end()).status, status);
        assert.equal((await capture.result()).error?.code ?? null, outcome === 'charged' ? null : 'PAYMENT_FAILED');
        assert.equal(activities.last.columns.amountCapturedMinor, outcome === 'charged' ? 700 : 0);
        assert.equal(activities.store.strayCharges.length, outcome === 'charged' ? 0 : 1);
      };
      await withPayment(activities, course, { input: { terms: MANUAL } });
    });
  }

  it('record a capture of another amount', async () => {
    const more = capturedOf(800);
    const script = { authorize: [authorized], capture: [timeout], inquire: [more] };
    const activities = new ScriptedActivities({ alpha: script });
    const course = async (payment: RunningPayment): Promise<void> => {
      await (await payment.confirm()).result();
      await payment.capture(700);
      await until(() => activities.operations('alpha').includes('capture'));
      await untilLate(payment);
      await assert.rejects(resolve(payment, CHARGED), refusedBecause(/"amountMinor": 800/));
      await resolveTogether(payment, { ...CHARGED, amountMinor: 800 });
      assert.equal((await payment.end()).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, 800);
    };
    await withPayment(activities, course, { input: { terms: MANUAL } });
  });

  it('resolve a hold that the provider does not void', async () => {
    const script = { authorize: [authorized], close: [timeout], inquire: [timeout] };
    const activities = new ScriptedActivities({ alpha: script });
    const course = async (payment: RunningPayment): Promise<void> => {
      await (await payment.confirm()).result();
      await payment.cancel();
      await untilLate(payment);
      await resolveTogether(payment, NOT_CHARGED);
      assert.equal((await payment.end()).status, 'canceled');
      assert.equal(activities.store.strayCharges.length, 1);
    };
    await withPayment(activities, course, { input: { terms: MANUAL } });
  });

  it('resolve an expired payment that the provider does not close', async () => {
    const script = { authorize: [redirect], close: [timeout], inquire: [timeout] };
    const activities = new ScriptedActivities({ alpha: script });
    await withPayment(activities, async (payment) => {
      await (await payment.confirm()).result();
      await payment.skip(31 * MINUTE_MS);
      await until(() => activities.operations('alpha').includes('close'));
      await assert.rejects(resolve(payment, NOT_CHARGED), refusedBecause(/for minutes/));
      await untilLate(payment);
      await resolveTogether(payment, NOT_CHARGED);
      assert.equal((await payment.end()).status, 'canceled');
      assert.equal(activities.store.strayCharges.length, 1);
    });
  });

  it('find it by its card and by the provider that failed, and see its failure in the list', async () => {
    const activities = new ScriptedActivities({
      alpha: { authorize: [outage], inquire: [notCharged] },
      beta: { authorize: [fraud] },
    });
    await withPayment(activities, async (payment) => {
      await (await payment.confirm({ cardLast4: '4242' })).result();
      await assert.rejects(payment.handle.result(), WorkflowFailedError);
      const attributes = await payment.searchAttributes();
      assert.deepEqual(attributes.get(SEARCH_ATTRIBUTES.cardLast4), ['4242']);
      assert.deepEqual(attributes.get(SEARCH_ATTRIBUTES.failedAttempts), [
        'alpha',
        'alpha:TSP_ERROR',
        'beta:FRAUD_DETECTED',
      ]);
      assert.match(await payment.currentDetails(), /\[refunds\]\(namespaces\/.*<br><br>$/s);
    });
  });
});
