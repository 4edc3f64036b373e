import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PaymentTerms } from '../../domain/payment.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import {
  AMOUNT_MINOR,
  approved,
  authorized,
  capturedOf,
  declined,
  eventFor,
  hang,
  MANUAL,
  pending,
  redirect,
  until,
} from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { type RunningPayment, withPayment } from '../support/time-skipping.ts';

/** Outcomes that differ from the request, with the terms of the request. The unit tests of the domain have all differences. */
const DIFFERENT = {
  'another amount': [{ ...approved, amountMinor: 199_900 }, 'automatic'],
  'more captured than held': [capturedOf(AMOUNT_MINOR + 1), 'manual'],
} as const;

const LINES = [
  'Attempt 1, try 1: alpha reported another amount or currency than was asked for',
  'alpha, asked what became of attempt 1, reported another amount or currency than was asked for: it is asked again, and no other provider tried before',
  'Attempt 1: alpha said approved after reporting another amount or currency than was asked for',
];

async function pay(
  script: ProviderScript,
  captureMethod: PaymentTerms['captureMethod'],
  steps: (payment: RunningPayment, activities: ScriptedActivities) => Promise<void>,
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: script });
  await withPayment(activities, (payment) => steps(payment, activities), {
    input: { terms: { ...MANUAL, captureMethod } },
  });
}

describe('a provider that reports another amount than was requested', function () {
  this.timeout(MINUTE_MS);

  for (const [what, [different, captureMethod]] of Object.entries(DIFFERENT)) {
    const agreed = captureMethod === 'manual' ? authorized : approved;

    it(`is asked again until it reports the requested amount: ${what}`, async () => {
      const script = { authorize: [different], inquire: [different, agreed] };
      await pay(script, captureMethod, async (payment, activities) => {
        const { status } = await (await payment.confirm()).result();
        assert.equal(status, captureMethod === 'manual' ? 'requires_capture' : 'succeeded');
        assert.deepEqual(activities.operations('alpha'), [...Array<string>(4).fill('authorize'), 'inquire', 'inquire']);
        assert.deepEqual(
          activities.transactions.map(({ amountMinor, currency }) => [amountMinor, currency]),
          [[AMOUNT_MINOR, 'EUR']],
        );
        const summaries = activities.timeline.map(({ summary }) => summary);
        for (const line of LINES) assert.ok(summaries.includes(line), `${line} is missing in ${summaries.join('\n')}`);
        assert.doesNotMatch(summaries.join('\n'), /no answer|unknown shape/);
      });
    });

    it(`reports such an amount by webhook, which is ignored: ${what}`, async () => {
      const script = { authorize: [redirect], inquire: [redirect] };
      await pay(script, captureMethod, async (payment, activities) => {
        await (await payment.confirm()).result();
        await activities.report(payment.handle, eventFor(payment, different));
        assert.match(await payment.currentDetails(), /`requires_action`/);
        await activities.report(payment.handle, eventFor(payment, declined));
        await until(() => activities.last.columns.lastError?.code === 'CARD_DECLINED');
        assert.deepEqual(activities.transactions, []);
      });
    });
  }

  it('reports such an amount during a call, which is ignored', async () => {
    await pay({ authorize: [hang] }, 'automatic', async (payment, activities) => {
      const confirm = await payment.confirm();
      await until(() => activities.calls.length > 0);
      await activities.report(payment.handle, eventFor(payment, { ...approved, amountMinor: 1 }));
      assert.match(await payment.currentDetails(), /alpha's answer to attempt 1/);
      await activities.report(payment.handle, eventFor(payment, approved));
      assert.equal((await confirm.result()).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, AMOUNT_MINOR);
    });
  });

  it('is asked again during the wait for an outcome', async () => {
    const script = { authorize: [pending], inquire: [{ ...approved, amountMinor: 1 }, pending, approved] };
    await pay(script, 'automatic', async (payment, activities) => {
      assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      assert.equal(activities.last.columns.amountCapturedMinor, AMOUNT_MINOR);
    });
  });

  it('is asked again if it reports another captured amount by webhook', async () => {
    await pay({ authorize: [authorized], capture: [hang] }, 'manual', async (payment, activities) => {
      await (await payment.confirm()).result();
      const capture = await payment.capture(700);
      await until(() => activities.operations('alpha').includes('capture'));
      await activities.report(payment.handle, eventFor(payment, capturedOf(AMOUNT_MINOR)));
      assert.match(await payment.currentDetails(), /alpha's answer to the capture/);
      assert.equal(activities.store.operation(payment.input.paymentIntentId, capture.operationId)?.result, null);
      await payment.handle.terminate();
    });
  });
});
