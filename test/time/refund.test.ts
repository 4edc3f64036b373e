import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import { type RefundInput, type ResolveRefundRequest, resolveRefundUpdate } from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { hang, outage, timeout, unrecognised, until } from '../support/outcomes.ts';
import { refundInputOf, startRefund } from '../support/refund-run.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { ProviderScript } from '../support/scripted-provider.ts';
import { currentDetailsOf, type RunningPayment, withPayment } from '../support/time-skipping.ts';

const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'EUR' } as const;
const refundPending = { ...refunded, kind: 'pending' } as const;
const notRefunded = { kind: 'not_refunded' } as const;
const REFUND_FAILED = {
  code: 'REFUND_FAILED',
  message: 'no',
  details: { provider: 'alpha', providerResponse: unrecognised.providerResponse },
} as const;
const AT = '2026-01-01T00:00:00.000Z';
const ANOTHER_AMOUNT = { ...refunded, amountMinor: 3_000 } as const;

type RefundRun = Awaited<ReturnType<typeof startRefund>>;

async function refund(
  script: ProviderScript,
  course: (
    handle: RefundRun,
    input: RefundInput,
    activities: ScriptedActivities,
    payment: RunningPayment,
  ) => Promise<void>,
  overrides: Partial<RefundInput> = {},
): Promise<void> {
  const activities = new ScriptedActivities({ alpha: script });
  await withPayment(activities, async (payment) => {
    const input = refundInputOf(payment, overrides);
    await course(await startRefund(payment, input), input, activities, payment);
  });
}

const eventOf = ({ refundId }: RefundInput, refundOutcome: typeof refunded | typeof ANOTHER_AMOUNT) => ({
  provider: 'alpha',
  eventId: newId('request'),
  refundId,
  refundOutcome,
});

const NOT_REFUNDED: ResolveRefundRequest = { by: 'Ann', note: 'Not in their ledger', outcome: 'not_refunded' };
const REFUNDED: ResolveRefundRequest = { ...NOT_REFUNDED, outcome: 'refunded', providerRefundId: 'simre_9' };

const resolveAs = (handle: RefundRun, request: ResolveRefundRequest) =>
  handle.executeUpdate(resolveRefundUpdate, { args: [request] });

async function resolveTogether(handle: RefundRun, request: ResolveRefundRequest): Promise<void> {
  assert.equal((await resolveAs(handle, request)).isResolved, false);
  assert.equal((await resolveAs(handle, { ...request, by: 'Bob' })).isResolved, true);
}

/** Lets time go on until support staff may end what waits for the provider. */
async function untilLate({ skip }: RunningPayment): Promise<void> {
  for (let waited = 0; waited <= WAITING_AFTER_MS; waited += MINUTE_MS / 4) await skip(MINUTE_MS / 4);
}

describe('refund workflow', function () {
  this.timeout(MINUTE_MS);

  it('succeeds at once in 3 workflow tasks and 2 remote activities', async () => {
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
      assert.deepEqual(counts, [3, 2, 0]);
    });
  });

  const ends: [string, ProviderScript, string | null][] = [
    ['is refused', { refund: [{ kind: 'refused', providerRefundId: 'simre_1' }] }, 'REFUND_FAILED'],
    [
      'is refused in an unknown shape and known not to be done',
      { refund: [unrecognised], inquireRefund: [notRefunded] },
      'REFUND_FAILED',
    ],
    ['is found done after an answer of unknown shape', { refund: [unrecognised], inquireRefund: [refunded] }, null],
    ['is pending, then found done', { refund: [refundPending], inquireRefund: [refundPending, refunded] }, null],
    ['has an answer in the end', { refund: [timeout, outage, outage, outage, outage, refunded] }, null],
    [
      'is refused in an unknown shape on a later try: an inquiry closes the key for the earlier requests too',
      { refund: [timeout, unrecognised], inquireRefund: [notRefunded] },
      'REFUND_FAILED',
    ],
    [
      'is found done by the inquiry about a refusal on a later try',
      { refund: [timeout, unrecognised], inquireRefund: [refunded] },
      null,
    ],
    [
      'is refused in an unknown shape and the first inquiry gets no answer',
      { refund: [unrecognised], inquireRefund: [outage, notRefunded] },
      'REFUND_FAILED',
    ],
    ['is answered with another amount, then with the right one', { refund: [ANOTHER_AMOUNT, refunded] }, null],
    [
      'is found with another amount, then with the right one',
      { refund: [refundPending], inquireRefund: [ANOTHER_AMOUNT, refunded] },
      null,
    ],
  ];
  for (const [what, script, code] of ends) {
    it(`ends with ${code ?? 'success'} if it ${what}`, async () => {
      await refund(script, async (handle, { refundId }, activities) => {
        const result = await handle.result();
        assert.equal(result.error?.code ?? null, code);
        assert.equal(activities.resolutions.length, 1);
        assert.equal(activities.resolutions[0]?.status, code === null ? 'succeeded' : 'failed');
        assert.ok(activities.calls.length > 0);
        assert.ok(activities.calls.every(({ key }) => key === refundId));
      });
    });
  }

  for (const [request, status] of [
    [NOT_REFUNDED, 'failed'],
    [REFUNDED, 'succeeded'],
  ] as const) {
    it(`ends as ${status} once two people have recorded it as ${request.outcome}`, async () => {
      const script = { refund: [timeout], inquireRefund: [timeout] };
      await refund(script, async (handle, _input, activities, payment) => {
        await assert.rejects(resolveAs(handle, request));
        await untilLate(payment);
        await resolveTogether(handle, request);
        assert.equal((await handle.result()).status, status);
        const { providerRefundId, failure } = activities.resolutions[0] ?? {};
        assert.equal(providerRefundId, status === 'succeeded' ? 'simre_9' : null);
        assert.equal(failure?.details?.reason, status === 'succeeded' ? undefined : 'resolved_by_hand');
        assert.deepEqual(
          activities.store.writes.flatMap(({ step }) => step.audit?.by ?? []),
          ['Ann', 'Bob'],
        );
      });
    });
  }

  it('is recorded with the amount that the provider reports, and with no other', async () => {
    const script = { refund: [ANOTHER_AMOUNT], inquireRefund: [ANOTHER_AMOUNT] };
    await refund(script, async (handle, _input, activities, payment) => {
      await untilLate(payment);
      await assert.rejects(resolveAs(handle, REFUNDED));
      await resolveTogether(handle, { ...REFUNDED, amountMinor: ANOTHER_AMOUNT.amountMinor });
      assert.equal((await handle.result()).status, 'succeeded');
      assert.equal(activities.resolutions[0]?.refundedMinor, ANOTHER_AMOUNT.amountMinor);
    });
  });

  it('is not resolved by hand against what the provider says', async () => {
    const script = { refund: [timeout], inquireRefund: [refunded] };
    await refund(script, async (handle, _input, activities, payment) => {
      await untilLate(payment);
      await assert.rejects(resolveAs(handle, NOT_REFUNDED));
      assert.equal((await handle.result()).status, 'succeeded');
      assert.equal(activities.resolutions[0]?.providerRefundId, 'simre_1');
    });
  });

  it("shows support staff the provider's id of it", async () => {
    const activities = new ScriptedActivities({ alpha: { refund: [refundPending], inquireRefund: [refunded] } });
    await withPayment(activities, async (payment) => {
      const handle = await startRefund(payment, refundInputOf(payment));
      await handle.result();
      assert.match(await currentDetailsOf(payment.client, handle), /^- alpha's refund: `simre_1`\.$/m);
    });
  });

  it("shows support staff why it has failed: the error, and the provider's reason as text", async () => {
    const details = { providerResponse: { status: 'failed', failureReason: 'closed `account`' } };
    const activities = new ScriptedActivities({
      alpha: { refund: [{ kind: 'refused', providerRefundId: null, details }] },
    });
    await withPayment(activities, async (payment) => {
      const handle = await startRefund(payment, refundInputOf(payment));
      await handle.result();
      const shown = await currentDetailsOf(payment.client, handle);
      assert.match(shown, /^- Error: `REFUND_FAILED`\. The refund could not be processed: no money was returned\./m);
      assert.ok(shown.includes(`- alpha's answer: \`{"status":"failed","failureReason":"closed 'account'"}\`.`), shown);
    });
  });

  it('is repeated under its key after an earlier run, and ends as not refunded if that run had its key closed', async () => {
    await refund(
      { refund: [unrecognised], inquireRefund: [notRefunded] },
      async (handle, { refundId }, { calls, resolutions }) => {
        const { status, error } = await handle.result();
        assert.deepEqual([status, error?.code], ['failed', 'REFUND_FAILED']);
        assert.deepEqual(
          calls.map(({ operation, key }) => [operation, key]),
          [
            ['refund', refundId],
            ['inquireRefund', refundId],
          ],
        );
        assert.equal(resolutions.length, 1);
      },
      { takeOverAfter: 'terminated' },
    );
  });

  for (const status of ['succeeded', 'failed'] as const) {
    it(`that has ${status} in its row is not requested again when another run takes it over`, async () => {
      const activities = new ScriptedActivities({ alpha: { refund: [outage] } });
      await withPayment(activities, async (payment) => {
        const input = refundInputOf(payment, { takeOverAfter: 'terminated' });
        const failure = status === 'failed' ? REFUND_FAILED : null;
        const { refundId } = input;
        activities.resolutions.push({ refundId, at: AT, status, providerRefundId: null, failure, tries: 1 });
        const run = await startRefund(payment, input);
        assert.deepEqual(await run.result(), { status, error: failure });
        assert.deepEqual(activities.calls, []);
        assert.equal(activities.resolutions.length, 1);
        const { typedSearchAttributes: found } = await run.describe();
        assert.equal(found.get(SEARCH_ATTRIBUTES.status), status);
        assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), failure?.code);
      });
    });
  }

  it('that had succeeded is recorded as failed by a run that a stored event started', async () => {
    const activities = new ScriptedActivities({ alpha: {} });
    await withPayment(activities, async (payment) => {
      const failureEvent = { provider: 'alpha', eventId: newId('request') };
      const input = refundInputOf(payment, { failureEvent });
      const { refundId } = input;
      const refundOutcome = { kind: 'refused', providerRefundId: 'simre_1' } as const;
      activities.refundEvents.push({ ...failureEvent, refundId, refundOutcome });
      const run = await startRefund(payment, input);
      const { status, error } = await run.result();
      assert.deepEqual([status, error?.code], ['failed', 'REFUND_FAILED']);
      assert.deepEqual([activities.calls, activities.resolutions], [[], []]);
      const [failure, ...others] = activities.refundFailures;
      assert.deepEqual(
        [failure?.refundId, failure?.providerRefundId, failure?.status, others],
        [refundId, 'simre_1', 'failed', []],
      );
      const { typedSearchAttributes: found } = await run.describe();
      assert.equal(found.get(SEARCH_ATTRIBUTES.status), 'failed');
    });
  });

  it('is not failed by an event that no verified webhook stored', async () => {
    const activities = new ScriptedActivities({ alpha: {} });
    await withPayment(activities, async (payment) => {
      const input = refundInputOf(payment, { failureEvent: { provider: 'alpha', eventId: 'made up' } });
      await assert.rejects((await startRefund(payment, input)).result());
      assert.deepEqual([activities.calls, activities.refundFailures], [[], []]);
    });
  });

  it('ends by the webhook of its provider, also after a cancel', async () => {
    await refund({ refund: [hang] }, async (handle, input, activities) => {
      await until(() => activities.calls.length > 0);
      await handle.cancel();
      await activities.reportRefund(handle, eventOf(input, refunded));
      assert.equal((await handle.result()).status, 'succeeded');
    });
  });

  it('ignores an event with another amount', async () => {
    await refund({ refund: [refundPending], inquireRefund: [refunded] }, async (handle, input, activities) => {
      await until(() => activities.calls.length > 0);
      await activities.reportRefund(handle, eventOf(input, ANOTHER_AMOUNT));
      assert.equal((await handle.result()).status, 'succeeded');
      assert.deepEqual(
        activities.calls.map(({ operation }) => operation),
        ['refund', 'inquireRefund'],
      );
    });
  });
});
