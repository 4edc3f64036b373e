import assert from 'node:assert/strict';
import { type Client, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { describe, it } from 'mocha';
import type { StrayChargeResult } from '../../domain/stray-charge.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import {
  PAYMENTS_TASK_QUEUE,
  type ResolveStrayChargeRequest,
  resolveStrayChargeUpdate,
  STRAY_CHARGE_WORKFLOW,
  type StrayChargeInput,
} from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES, strayChargeSearchAttributes } from '../../protocol/search-attributes.ts';
import {
  scriptStrayCharge,
  type ScriptedStrayCharge,
  strayChargeInput,
  type StrayChargeScript,
} from '../support/scripted-stray-charge.ts';
import { unrecognised } from '../support/outcomes.ts';
import { currentDetailsOf } from '../support/time-skipping.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from '../support/time-skipping-server.ts';

const MONEY = { providerPaymentId: 'sim_1', amountMinor: 1_999, currency: 'EUR' } as const;
const captured = { kind: 'approved', ...MONEY, captured: true } as const;
const held = { ...captured, captured: false } as const;
const notRefunded = { kind: 'not_refunded' } as const;
const notCharged = { kind: 'not_charged' } as const;
const voided = { kind: 'not_charged', voided: MONEY } as const;
const refunded = { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 1_999, currency: 'EUR' } as const;
const pending = { ...refunded, kind: 'pending' } as const;

type Run = WorkflowHandle<(input: StrayChargeInput) => Promise<StrayChargeResult>>;
type Course = (run: Run, played: ScriptedStrayCharge, input: StrayChargeInput, test: TestServer) => Promise<void>;

interface TestServer {
  readonly client: Client;
  /** Lets the server's clock go on by that much. */
  readonly skip: (milliseconds: number) => Promise<void>;
}

function reverse(script: StrayChargeScript, course: Course, overrides: Partial<StrayChargeInput> = {}): Promise<void> {
  const played = scriptStrayCharge(script);
  const input = strayChargeInput(overrides);
  return withTimeSkippingServer(async ({ env, play }) => {
    play({ activities: played.activities, clock: Date.now });
    const run = await env.client.workflow.start<(input: StrayChargeInput) => Promise<StrayChargeResult>>(
      STRAY_CHARGE_WORKFLOW,
      {
        workflowId: input.strayChargeId,
        taskQueue: PAYMENTS_TASK_QUEUE,
        args: [input],
        workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
        typedSearchAttributes: strayChargeSearchAttributes(input),
      },
    );
    await course(run, played, input, { client: env.client, skip: (ms) => env.sleep(ms) });
  });
}

const linesOf = ({ steps }: ScriptedStrayCharge): readonly string[] =>
  steps.flatMap(({ timeline }) => timeline.map(({ kind, summary }) => `${kind}: ${summary}`));

const eventsOf = ({ steps }: ScriptedStrayCharge) => steps.flatMap(({ events = [] }) => events);

/** Waits until the workflow shows that the provider refuses; it then stays open. */
async function untilRefused(run: Run, { skip }: TestServer): Promise<void> {
  for (;;) {
    const { typedSearchAttributes: found } = await run.describe();
    if (found.get(SEARCH_ATTRIBUTES.status) === 'failed') return;
    await skip(SECOND_MS);
  }
}

/** Two people say what has become of the money. */
async function resolveTogether(run: Run, outcome: ResolveStrayChargeRequest['outcome']): Promise<void> {
  const request = { note: 'Transferred to their bank account', outcome };
  const answers = [];
  for (const by of ['Ann', 'Bob']) {
    answers.push(await run.executeUpdate(resolveStrayChargeUpdate, { args: [{ by, ...request }] }));
  }
  assert.deepEqual(
    answers.map(({ isResolved }) => isResolved),
    [false, true],
  );
}

describe('stray charge workflow', function () {
  this.timeout(60_000);

  it('refunds the captured amount, in full and under its own key', async () => {
    await reverse({ inquire: [captured], refund: [refunded] }, async (run, played, { strayChargeId, attemptId }) => {
      assert.deepEqual(await run.result(), { status: 'reversed', amountMinor: 1_999, currency: 'EUR' });
      assert.deepEqual(played.calls, ['inquire', 'refund']);
      assert.deepEqual(played.refunds, [{ refundId: strayChargeId, attemptId, environment: 'sandbox', ...MONEY }]);
      assert.deepEqual(linesOf(played), [
        'provider_event: Stray charge: alpha reports that it charged attempt 1, which had ended without a charge',
        'inquiry: alpha, asked what became of attempt 1: EUR 19.99 captured',
        'decision: Stray charge reversed: EUR 19.99 of attempt 1 is refunded at alpha',
      ]);
      assert.deepEqual(
        eventsOf(played).map(({ strayCharge }) => strayCharge),
        [{ attemptId, provider: 'alpha', amount: 1_999, currency: 'EUR', reversedBy: 'refund' }],
      );
      const { typedSearchAttributes: found } = await run.describe();
      assert.equal(found.get(SEARCH_ATTRIBUTES.status), 'reversed');
      assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), undefined);
    });
  });

  it('refunds the amount that the provider reports, whatever was requested', async () => {
    const all = { ...refunded, amountMinor: 2_500, currency: 'USD' } as const;
    const other = { ...captured, amountMinor: 2_500, currency: 'USD' } as const;
    await reverse({ inquire: [other], refund: [all] }, async (run, { refunds }) => {
      assert.deepEqual(await run.result(), { status: 'reversed', amountMinor: 2_500, currency: 'USD' });
      assert.deepEqual([refunds[0]?.amountMinor, refunds[0]?.currency], [2_500, 'USD']);
      const { typedSearchAttributes: found } = await run.describe();
      assert.equal(found.get(SEARCH_ATTRIBUTES.amountMinor), 2_500);
      assert.equal(found.get(SEARCH_ATTRIBUTES.currency), 'USD');
    });
  });

  it('voids a hold', async () => {
    await reverse({ inquire: [held], close: ['outage', held, voided] }, async (run, played) => {
      assert.deepEqual(await run.result(), { status: 'reversed', amountMinor: 1_999, currency: 'EUR' });
      assert.deepEqual(played.calls, ['inquire', 'close', 'close', 'close']);
      assert.equal(eventsOf(played)[0]?.strayCharge?.reversedBy, 'void');
    });
  });

  it('refunds money that was captured while the hold was to be voided', async () => {
    await reverse({ inquire: [held], close: [captured], refund: [refunded] }, async (run, { calls }) => {
      assert.equal((await run.result()).status, 'reversed');
      assert.deepEqual(calls, ['inquire', 'close', 'refund']);
    });
  });

  it('closes an attempt that is still under way', async () => {
    const open = { kind: 'pending', providerPaymentId: 'sim_1' } as const;
    await reverse({ inquire: [open], close: [notCharged] }, async (run, played) => {
      assert.deepEqual(await run.result(), { status: 'unfounded', amountMinor: null, currency: null });
      assert.deepEqual(played.calls, ['inquire', 'close']);
    });
  });

  it('reverses nothing if nothing was charged, or the hold was voided before', async () => {
    for (const answer of [notCharged, voided]) {
      await reverse({ inquire: [answer] }, async (run, played) => {
        assert.deepEqual(await run.result(), { status: 'unfounded', amountMinor: null, currency: null });
        assert.deepEqual(eventsOf(played), []);
        assert.equal(played.steps.at(-1)?.strayCharge?.status, 'unfounded');
      });
    }
  });

  it('makes inquiries until the provider answers, and waits while the refund is pending', async () => {
    const script: StrayChargeScript = {
      inquire: ['outage', 'outage', 'outage', 'outage', captured],
      refund: ['outage', pending],
      inquireRefund: [pending, 'outage', refunded],
    };
    await reverse(script, async (run, played) => {
      assert.equal((await run.result()).status, 'reversed');
      assert.deepEqual(played.calls, [
        ...['inquire', 'inquire', 'inquire', 'inquire', 'inquire'],
        ...['refund', 'refund'],
        ...['inquire refund', 'inquire refund', 'inquire refund'],
      ]);
      const unanswered = linesOf(played).filter((line) => line.endsWith('gave no answer'));
      assert.equal(unanswered.length, 3);
      assert.equal(linesOf(played).filter((line) => line.startsWith('provider_event')).length, 1);
    });
  });

  it('can be found by support staff if the provider refuses the refund', async () => {
    const details = { providerResponse: { reason: 'no' } };
    const refused = { kind: 'refused', providerRefundId: 'simre_1', details } as const;
    await reverse({ inquire: [captured], refund: [refused] }, async (run, played, { provider }, test) => {
      await untilRefused(run, test);
      const shown = await currentDetailsOf(test.client, run);
      assert.ok(shown.includes(`- ${provider}'s answer: \`{"reason":"no"}\`.`), shown);
      assert.equal(played.steps.at(-1)?.strayCharge?.status, 'failed');
      assert.deepEqual(played.steps.at(-1)?.timeline[0].details, details);
      assert.deepEqual(eventsOf(played), []);
      const { typedSearchAttributes: found } = await run.describe();
      assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), 'STRAY_CHARGE_NOT_REVERSED');
      assert.equal(found.get(SEARCH_ATTRIBUTES.status), 'failed');
    });
  });

  const takenOver = { takeOverAfter: 'terminated' };
  const closedKeys: [string, StrayChargeScript, Partial<StrayChargeInput>][] = [
    ['on a later try', { inquire: [captured], refund: ['outage', unrecognised], inquireRefund: [notRefunded] }, {}],
    [
      'where the first inquiry gets no answer',
      { inquire: [captured], refund: [unrecognised], inquireRefund: ['outage', notRefunded] },
      {},
    ],
    ['in another run', { inquire: [captured], refund: [unrecognised], inquireRefund: [notRefunded] }, takenOver],
  ];
  for (const [when, script, overrides] of closedKeys) {
    it(`can be found by support staff if the refund is refused in an unknown shape, ${when}`, async () => {
      const course: Course = async (run, { steps }, _input, test) => {
        await untilRefused(run, test);
        assert.equal(steps.at(-1)?.strayCharge?.status, 'failed');
        assert.deepEqual(steps.at(-1)?.timeline[0].details, { providerResponse: unrecognised.providerResponse });
        const { typedSearchAttributes: found } = await run.describe();
        assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), 'STRAY_CHARGE_NOT_REVERSED');
      };
      await reverse(script, course, overrides);
    });
  }

  it('ends once two people have returned by hand what the provider refuses to refund', async () => {
    const refused = { kind: 'refused', providerRefundId: 'simre_1' } as const;
    await reverse({ inquire: [captured], refund: [refused] }, async (run, played, { attemptId }, test) => {
      await untilRefused(run, test);
      await resolveTogether(run, 'returned');
      assert.deepEqual(await run.result(), { status: 'reversed', amountMinor: 1_999, currency: 'EUR' });
      assert.deepEqual(
        eventsOf(played).map(({ strayCharge }) => strayCharge),
        [{ attemptId, provider: 'alpha', amount: 1_999, currency: 'EUR', reversedBy: 'hand' }],
      );
      assert.deepEqual(
        played.steps.flatMap(({ audit }) => (audit === undefined ? [] : [[audit.action, audit.by]])),
        [
          ['payment_intent.resolution_requested', 'Ann'],
          ['payment_intent.resolved_by_hand', 'Bob'],
        ],
      );
      const { typedSearchAttributes: found } = await run.describe();
      assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), undefined);
    });
  });

  it('is resolved by hand only after minutes, and never against what the provider says', async () => {
    await reverse({ inquire: [captured], refund: ['outage'] }, async (run, _played, _input, { skip }) => {
      await assert.rejects(resolveTogether(run, 'returned'), WorkflowUpdateFailedError);
      for (let waited = 0; waited <= WAITING_AFTER_MS; waited += MINUTE_MS / 4) await skip(MINUTE_MS / 4);
      await assert.rejects(resolveTogether(run, 'not_charged'), WorkflowUpdateFailedError);
      await resolveTogether(run, 'returned');
      assert.equal((await run.result()).status, 'reversed');
    });
  });

  it('continues after a cancel', async () => {
    const away = Array.from({ length: 5 }, () => 'outage' as const);
    await reverse({ inquire: [captured], refund: [...away, refunded] }, async (run, { calls }) => {
      while (!calls.includes('refund')) await new Promise((done) => setTimeout(done, 10));
      await run.cancel();
      assert.equal((await run.result()).status, 'reversed');
    });
  });

  it('repeats the reversal in a further run', async () => {
    await reverse(
      { inquire: [voided] },
      async (run) => assert.equal((await run.result()).status, 'reversed'),
      takenOver,
    );
    await reverse(
      { inquire: [captured], refund: [refunded] },
      async (run, { steps, refunds }, { strayChargeId }) => {
        assert.equal((await run.result()).status, 'reversed');
        assert.equal(refunds[0]?.refundId, strayChargeId);
        assert.match(steps[1]?.timeline[0].summary ?? '', /had ended \(terminated\); another run repeats it/);
      },
      takenOver,
    );
  });
});
