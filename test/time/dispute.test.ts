import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import type { DisputeState } from '../../domain/dispute-plan.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { DisputeActivities } from '../../protocol/dispute-activities.ts';
import {
  DISPUTE_WORKFLOW,
  type DisputeInput,
  type DisputeResult,
  PAYMENTS_TASK_QUEUE,
  readAgainSignal,
} from '../../protocol/messages.ts';
import { disputeSearchAttributes, SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { eventually } from '../support/eventually.ts';
import { EXECUTION_TIMEOUT_MS, withTimeSkippingServer } from '../support/time-skipping-server.ts';

/** The activities over one dispute in memory, with a log of what was done. */
class ScriptedDispute {
  readonly done: string[] = [];
  clock: () => number = Date.now;
  state: DisputeState;
  /** What the provider does at each call of `answerDispute`, in turn. */
  readonly script: ('lost reply' | 'taken' | 'refused')[] = [];

  constructor(nowMs: number, change: Partial<DisputeState> = {}) {
    this.state = {
      stage: 'chargeback',
      status: 'needs_response',
      reason: 'fraudulent',
      amountMinor: 1_000,
      currency: 'EUR',
      respondBy: new Date(nowMs + 10 * DAY_MS).toISOString(),
      withdrawnMinor: 1_000,
      operation: null,
      createdAt: new Date(nowMs).toISOString(),
      ...change,
    };
  }

  readonly activities: DisputeActivities = {
    readDispute: () => Promise.resolve(this.state),
    remindOfDispute: async ({ hours }) => void this.done.push(`remind ${hours}`),
    answerDispute: async ({ operationId }) => {
      const answer = this.script.shift() ?? 'taken';
      this.done.push(`answer ${operationId}: ${answer}`);
      if (answer === 'lost reply') throw ApplicationFailure.create({ type: 'TSP_TIMEOUT', message: 'no answer' });
      this.state = { ...this.state, status: answer === 'taken' ? 'under_review' : 'needs_response', operation: null };
    },
    inquireDispute: async () => {
      this.done.push('inquire');
      if (this.done.filter((each) => each === 'inquire').length === 3) this.state = { ...this.state, status: 'lost' };
    },
  };
}

function inputOf(nowMs: number): DisputeInput {
  return {
    disputeId: newId('dispute'),
    paymentIntentId: newId('paymentIntent'),
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    provider: 'alpha',
    providerReference: 'simdp_1',
    createdAt: new Date(nowMs).toISOString(),
  };
}

function follow(
  change: Partial<DisputeState>,
  course: (run: { dispute: ScriptedDispute; handle: Awaited<ReturnType<typeof start>> }) => Promise<void>,
): Promise<void> {
  return withTimeSkippingServer(async ({ env, play }) => {
    const nowMs = await env.currentTimeMs();
    const dispute = new ScriptedDispute(nowMs, change);
    play(dispute);
    await course({ dispute, handle: await start(env.client, inputOf(nowMs)) });
  });
}

function start(
  client: Parameters<Parameters<typeof withTimeSkippingServer>[0]>[0]['env']['client'],
  input: DisputeInput,
) {
  return client.workflow.start<(input: DisputeInput) => Promise<DisputeResult>>(DISPUTE_WORKFLOW, {
    workflowId: input.disputeId,
    taskQueue: PAYMENTS_TASK_QUEUE,
    args: [input],
    workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
    typedSearchAttributes: disputeSearchAttributes(input),
  });
}

describe('the workflow of a dispute', function () {
  this.timeout(60_000);

  it('reminds twice, asks once a day after the time to answer, and ends with the dispute', async () => {
    await follow({}, async ({ dispute, handle }) => {
      assert.deepEqual(await handle.result(), { status: 'lost' });
      assert.deepEqual(dispute.done, ['remind 72', 'remind 24', 'inquire', 'inquire', 'inquire']);
      const { typedSearchAttributes } = await handle.describe();
      assert.equal(typedSearchAttributes.get(SEARCH_ATTRIBUTES.status), 'lost');
      assert.equal(typedSearchAttributes.get(SEARCH_ATTRIBUTES.provider), 'alpha');
      assert.ok(typedSearchAttributes.get(SEARCH_ATTRIBUTES.respondBy) instanceof Date);
    });
  });

  it('sends an answer until the provider has answered, and shows support staff what it waits for', async () => {
    const operation = { id: 'op_1', kind: 'submit' } as const;
    await follow({ status: 'submitting', operation }, async ({ dispute, handle }) => {
      dispute.script.push('lost reply', 'lost reply');
      await eventually(async () => assert.equal(dispute.done.length, 3));
      assert.deepEqual(dispute.done.at(-1), 'answer op_1: taken');
      await eventually(async () =>
        assert.match(await readCurrentDetails(handle), /Waits for alpha to report something/),
      );
      assert.match(await readCurrentDetails(handle), /Disputed: \*\*EUR 10\.00\*\*|Disputed: \*\*10\.00 EUR\*\*/);
      dispute.state = { ...dispute.state, status: 'won' };
      await handle.signal(readAgainSignal);
      assert.deepEqual(await handle.result(), { status: 'won' });
    });
  });

  it('goes on after an answer that the provider has refused, and a cancellation has no effect', async () => {
    const operation = { id: 'op_1', kind: 'submit' } as const;
    await follow({ status: 'submitting', operation }, async ({ dispute, handle }) => {
      dispute.script.push('refused');
      await eventually(async () => assert.equal(dispute.done.length, 1));
      await handle.cancel();
      dispute.state = { ...dispute.state, status: 'accepting', operation: { id: 'op_2', kind: 'accept' } };
      await handle.signal(readAgainSignal);
      await eventually(async () => assert.equal(dispute.done.length, 2));
      assert.deepEqual(dispute.done, ['answer op_1: refused', 'answer op_2: taken']);
      dispute.state = { ...dispute.state, status: 'closed' };
      await handle.signal(readAgainSignal);
      assert.deepEqual(await handle.result(), { status: 'closed' });
    });
  });
});
