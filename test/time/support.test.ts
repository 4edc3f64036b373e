import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowFailedError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  askProviderNowUpdate,
  type SettleRequest,
  settleWithNoteUpdate,
  type SupportAnswer,
} from '../../workflows/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.ts';
import { eventually } from '../support/eventually.ts';
import { approved, eventFor, fraud, notCharged, outage, pending, timeout, until } from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { Scripted } from '../support/scripted-provider.ts';
import type { InquiryOutcome } from '../../domain/provider-outcome.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

const BY = { by: 'Support' };
const NOT_CHARGED: SettleRequest = { ...BY, note: 'Not in their ledger', outcome: 'not_charged' };
const CHARGED: SettleRequest = { ...BY, note: 'In their ledger', outcome: 'charged', providerPaymentId: 'sim_9' };

function askNow({ handle }: RunningPayment): Promise<SupportAnswer> {
  return handle.executeUpdate(askProviderNowUpdate, { args: [BY] });
}

function settle({ handle }: RunningPayment, request: SettleRequest): Promise<SupportAnswer> {
  return handle.executeUpdate(settleWithNoteUpdate, { args: [request] });
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

  it('settle a stuck payment as not charged: it is canceled, and a charge is looked for', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] }, beta: {} });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      for (const wrong of [
        { ...NOT_CHARGED, note: '' },
        { ...NOT_CHARGED, note: 'card 4242 4242 4242 4242' },
      ]) {
        await assert.rejects(settle(payment, wrong), refusedBecause(/^Input: /));
      }
      await settle(payment, NOT_CHARGED);
      assert.equal((await payment.end()).status, 'canceled');
      assert.deepEqual(activities.operations('beta'), []);
      assert.equal(activities.last.attempts[0]?.outcome, 'not_charged');
      assert.deepEqual(
        activities.store.strayCharges.map(({ attemptId }) => attemptId),
        [activities.last.attempts[0]?.id],
      );
      assert.deepEqual(auditOf(activities), [['payment_intent.settled', 'Support']]);
    });
  });

  it('settle a stuck payment as charged: it succeeds with the id from the ledger of the provider', async () => {
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire: [timeout] } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await untilStuck(payment, activities);
      await settle(payment, CHARGED);
      assert.equal((await payment.end()).status, 'succeeded');
      const [capture] = activities.transactions;
      assert.deepEqual([capture?.type, capture?.providerPaymentId], ['capture', 'sim_9']);
      assert.deepEqual(activities.store.strayCharges, []);
    });
  });

  it('do not settle against what the provider answers, nor before a payment is stuck', async () => {
    const inquire: Scripted<InquiryOutcome>[] = [timeout];
    const activities = new ScriptedActivities({ alpha: { authorize: [timeout], inquire } });
    await withPayment(activities, async (payment) => {
      await payment.confirm();
      await assert.rejects(settle(payment, CHARGED), refusedBecause(/right now/));
      await untilStuck(payment, activities);
      inquire.push(notCharged);
      await assert.rejects(settle(payment, CHARGED), refusedBecause(/not charged|has ended|waits for no provider/));
      await until(() => activities.last.columns.status === 'requires_payment_method');
      assert.deepEqual([activities.transactions, auditOf(activities)], [[], []]);
    });
  });

  it('do not settle against what the provider reports while the settlement is recorded', async () => {
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
      await assert.rejects(settle(payment, NOT_CHARGED), refusedBecause(/has ended/));
      assert.equal((await payment.end()).status, 'succeeded');
      assert.deepEqual(activities.store.strayCharges, []);
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
