import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { pino } from 'pino';
import { SHARE_PER_ACCOUNT } from '../../../../prisma/queries/due.ts';
import { PAYMENT_SWEEP_SIZE, sweepPayments } from '../../../../worker/jobs/payment-sweeper.ts';
import { stuckStep } from '../../../../domain/payment-resolution.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { WaitingOperation } from '../../../../domain/payment.ts';
import { STUCK_AFTER_MS, WAITING_AFTER_MS } from '../../../../domain/time-limits.ts';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { TemporalUnavailableError } from '../../../../workflow-client/temporal-errors.ts';
import type { WorkflowState } from '../../../../workflow-client/workflow-states.ts';
import type { PaymentIntentInput } from '../../../../protocol/messages.ts';
import { type AccountFixture, useAccount } from '../../../support/account-fixture.ts';
import { insertOpenDeposit } from '../../../support/payment-rows.ts';
import { note, record, recordsOf, RUN } from '../../../support/payment-steps.ts';
import { scriptedStates, type StatesScript } from '../../../support/scripted-workflow-states.ts';

const { signal } = new AbortController();
const ago = (ms: number): Date => new Date(Date.now() - ms);

const RUNNING: WorkflowState = { kind: 'running', runId: RUN };
const COMPLETED: WorkflowState = { kind: 'completed' };
const TERMINATED: WorkflowState = { kind: 'ended', as: 'terminated' };

type RowChange = Parameters<AccountFixture['insertIntent']>[0];

/** A payment that a run has written to, and one that has ended. */
const OPEN: RowChange = { status: 'processing', version: 3, workflowRunId: RUN };
const ENDED: RowChange = { ...OPEN, status: 'succeeded' };
/** A payment that waits without being overdue, for so long that its run is inspected. */
const QUIET: RowChange = { ...OPEN, status: 'requires_capture', updatedAt: ago(6 * MINUTE_MS) };
/** A payment whose advisory is overdue. */
const STUCK: RowChange = { ...OPEN, statusSince: ago(STUCK_AFTER_MS + 2 * MINUTE_MS) };

describe('payment sweeper', function () {
  this.timeout(60_000);
  const test = useAccount();

  beforeEach(async () => {
    await test.database.event.deleteMany();
    await test.database.paymentIntent.deleteMany();
  });

  const insert = (change: RowChange = {}): Promise<string> => test.insertIntent({ nextDueAt: ago(1), ...change });
  const isSettled = async (id: string): Promise<boolean> =>
    (await test.database.paymentIntent.findUniqueOrThrow({ where: { id } })).nextDueAt === null;
  const makeDue = () => test.database.paymentIntent.updateMany({ data: { nextDueAt: ago(1) } });

  /** Runs one sweep against a scripted Temporal. @returns its actions */
  async function sweepAs(script: StatesScript) {
    const { states, asked, orders } = scriptedStates(script);
    const inputs: PaymentIntentInput[] = [];
    const alerts: unknown[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void alerts.push(JSON.parse(line).alert) });
    const workflows = {
      start: async (input: PaymentIntentInput) => {
        inputs.push(input);
        orders.push(`start ${input.paymentIntentId}`);
      },
      takeOver: async (input: PaymentIntentInput, endedAs: string) => {
        inputs.push(input);
        orders.push(`take over ${input.paymentIntentId}, ${endedAs}`);
        return true;
      },
    };
    const count = await sweepPayments({ database: test.database, states, workflows, logger }, signal);
    return { count, orders, asked, inputs, alerts };
  }

  it('starts the workflow of a payment that never had one, with the data of its row', async () => {
    const expiresAt = new Date('2036-05-06T07:08:09.010Z');
    const terms = { amountMinor: 99_999_999_999n, country: 'DE', captureMethod: 'manual' };
    const id = await insert({ ...terms, attemptBudget: 3, expiresAt });
    const { orders, inputs, count } = await sweepAs({});
    assert.deepEqual([orders, count], [[`start ${id}`], 1]);
    assert.deepEqual(inputs, [
      {
        paymentIntentId: id,
        merchantAccountId: test.account,
        environment: 'sandbox',
        terms: { amountMinor: 99_999_999_999, currency: 'USD', country: 'DE', captureMethod: 'manual' },
        expiresAt: expiresAt.toISOString(),
        attemptBudget: 3,
      },
    ]);
    assert.equal(await isSettled(id), false);
    assert.deepEqual((await sweepAs({})).orders, [], 'it is looked at again only when it is due again');
  });

  for (const as of ['terminated', 'failed', 'canceled', 'timed out', 'forgotten']) {
    it(`takes over an open payment whose workflow was ${as}`, async () => {
      const id = await insert(OPEN);
      const { orders } = await sweepAs({ states: { [id]: { kind: 'ended', as } } });
      assert.deepEqual(orders, [`take over ${id}, ${as}`]);
      assert.equal(await isSettled(id), false);
    });
  }

  const LATE = new Date(Date.now() - WAITING_AFTER_MS - MINUTE_MS);
  const HELD: RowChange = { ...OPEN, status: 'requires_capture', provider: 'alpha' };
  const waits: [string, RowChange, 'capture' | 'cancel' | null, WaitingOperation][] = [
    ['an unanswered capture', HELD, 'capture', 'capture'],
    ['a hold that is not voided', HELD, 'cancel', 'void'],
    ['a lapsed hold that is not voided', { ...HELD, captureBefore: ago(5 * MINUTE_MS) }, null, 'void'],
    ['an expired attempt that is not closed', { ...HELD, status: 'requires_action', expiresAt: LATE }, null, 'close'],
    ['a canceled attempt that is not closed', { ...HELD, status: 'requires_action' }, 'cancel', 'close'],
  ];
  for (const [what, row, kind, operation] of waits) {
    it(`gives a payment its advisory, once, because of ${what}`, async () => {
      const id = await insert(row);
      if (kind !== null) {
        const data = { id: newId('request'), paymentIntentId: id, kind, createdAt: LATE };
        await test.database.paymentOperation.create({ data });
      }
      const script = { listed: { [id]: RUNNING } };
      assert.ok((await sweepAs(script)).orders.includes(`show advisory ${id}`));
      const { advisory, version, status } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
      assert.deepEqual(
        [(advisory as { readonly operation?: string } | null)?.operation, version, status],
        [operation, 4, row?.status],
      );
      await makeDue();
      assert.ok(!(await sweepAs(script)).orders.includes(`show advisory ${id}`));
      const events = await test.database.event.findMany({ where: { resourceId: id } });
      assert.deepEqual(
        events.map(({ type }) => type),
        ['payment_intent.waiting_for_provider'],
      );
    });
  }

  it('gives no advisory to a payment that waits for people, or has not waited for long', async () => {
    const id = await insert(HELD);
    const waiting = await insert({ ...HELD, status: 'requires_action' });
    const data = { id: newId('request'), paymentIntentId: id, kind: 'capture', createdAt: new Date() };
    await test.database.paymentOperation.create({ data });
    assert.deepEqual((await sweepAs({ listed: { [id]: RUNNING, [waiting]: RUNNING } })).orders, []);
  });

  it('looks at an expired payment again when its attempt should be closed', async () => {
    const expiresAt = new Date(Date.now() + MINUTE_MS);
    const id = await insert({ ...HELD, status: 'requires_action', expiresAt, updatedAt: ago(60 * MINUTE_MS) });
    await sweepAs({ listed: { [id]: RUNNING } });
    const { nextDueAt } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    assert.equal(nextDueAt?.getTime(), expiresAt.getTime() + WAITING_AFTER_MS);
  });

  it('takes over an open payment whose workflow completed too early', async () => {
    const id = await insert(OPEN);
    assert.deepEqual((await sweepAs({ listed: { [id]: COMPLETED } })).orders, [`take over ${id}, completed`]);
  });

  it('takes over a payment that had ended before its workflow was terminated, so that its search attributes match', async () => {
    const id = await insert(ENDED);
    assert.deepEqual((await sweepAs({ states: { [id]: TERMINATED } })).orders, [`take over ${id}, terminated`]);
    assert.equal(await isSettled(id), false);
  });

  it('ends the checks of a payment that has ended with its workflow', async () => {
    const [listed, asked] = [await insert(ENDED), await insert(ENDED)];
    const { orders } = await sweepAs({ listed: { [listed]: COMPLETED }, states: { [asked]: COMPLETED } });
    assert.deepEqual(orders, []);
    assert.deepEqual([await isSettled(listed), await isSettled(asked)], [true, true]);
  });

  it('checks a payment that has ended again after a new step', async () => {
    const id = await insert(ENDED);
    await sweepAs({ states: { [id]: COMPLETED } });
    await record(test.database, id, note('late entry'));
    assert.equal(await isSettled(id), false);
  });

  it('changes nothing about healthy payments', async () => {
    const ids = [
      await insert(OPEN),
      await insert({ ...OPEN, workflowRunId: null, version: 0 }),
      await insert({ ...OPEN, status: 'requires_action' }),
      await insert({ ...OPEN, status: 'requires_capture' }),
    ];
    const { orders } = await sweepAs({ listed: Object.fromEntries(ids.map((id) => [id, RUNNING])) });
    assert.deepEqual(orders, []);
  });

  it('asks Temporal for each workflow that its list does not contain', async () => {
    const [listed, missing] = [await insert(OPEN), await insert(OPEN)];
    const { asked } = await sweepAs({ listed: { [listed]: RUNNING }, states: { [missing]: RUNNING } });
    assert.deepEqual(asked, [missing]);
  });

  for (const [what, change, runId] of [
    ['runs although its payment has ended', ENDED, RUN],
    ['is not the run that the row names', OPEN, 'run_2'],
    ['is overdue', STUCK, RUN],
    ['is late with the expiry', { ...OPEN, status: 'requires_action', expiresAt: ago(2 * MINUTE_MS) }, RUN],
  ] as const) {
    it(`makes a run read its payment again if it ${what}`, async () => {
      const id = await insert(change);
      const script = {
        listed: { [id]: { kind: 'running', runId } },
        details: { [id]: { runId, taskTries: 1 } },
      } as const;
      assert.deepEqual((await sweepAs(script)).orders, [`read again ${id}`]);
      assert.equal(await isSettled(id), false);
    });
  }

  it('does nothing about a run that waits without being overdue', async () => {
    const id = await insert(QUIET);
    const details = { [id]: { runId: RUN, taskTries: 0 } };
    assert.deepEqual((await sweepAs({ listed: { [id]: RUNNING }, details })).orders, []);
    assert.equal(await isSettled(id), false);
  });

  it('does nothing about a run whose deposit is being confirmed, however long that takes', async () => {
    const id = await insert(STUCK);
    await insertOpenDeposit(test.database, id);
    const details = { [id]: { runId: RUN, taskTries: 0 } };
    assert.deepEqual((await sweepAs({ listed: { [id]: RUNNING }, details })).orders, []);
  });

  it('does nothing about a run that has ended since it was listed', async () => {
    const id = await insert(STUCK);
    assert.deepEqual((await sweepAs({ listed: { [id]: RUNNING } })).orders, []);
  });

  describe('on a run whose task fails repeatedly', () => {
    const failing = (id: string, taskTries: number): StatesScript => ({
      listed: { [id]: RUNNING },
      details: { [id]: { runId: RUN, taskTries } },
    });
    const stuckEventsOf = async (id: string): Promise<number> =>
      (await recordsOf(test.database, id)).events.filter(({ type }) => type === 'payment_intent.stuck').length;

    it('alerts operators and informs the merchant once', async () => {
      const id = await insert(STUCK);
      const { orders, alerts } = await sweepAs(failing(id, 5));
      assert.deepEqual([orders, alerts], [[`read again ${id}`], ['WORKFLOW_TASK_FAILS']]);
      const { intent, timeline } = await recordsOf(test.database, id);
      const since = intent.statusSince.toISOString();
      assert.deepEqual([intent.advisory, intent.version], [{ code: 'PAYMENT_STUCK', since }, 4]);
      assert.deepEqual([intent.status, intent.workflowRunId, timeline.length], ['processing', RUN, 1]);
      assert.equal(await stuckEventsOf(id), 1);
      await makeDue();
      assert.deepEqual((await sweepAs(failing(id, 7))).alerts, ['WORKFLOW_TASK_FAILS']);
      assert.equal(await stuckEventsOf(id), 1);
    });

    it('informs the merchant once, even if the task succeeds again and the run finds the payment stuck', async () => {
      const id = await insert(STUCK);
      await sweepAs(failing(id, 5));
      const { advisory } = (await recordsOf(test.database, id)).intent;
      const step = stuckStep(ago(STUCK_AFTER_MS).toISOString(), 'No outcome after 90 seconds in processing');
      const known = await record(test.database, id, step, { knownVersion: 3 });
      assert.deepEqual([known.version, known.columns.advisory], [4, advisory]);
      assert.equal(await stuckEventsOf(id), 1);
    });

    it('does not inform the merchant if the payment is not stuck in processing', async () => {
      const id = await insert({ ...OPEN, status: 'requires_action', expiresAt: ago(2 * MINUTE_MS) });
      assert.deepEqual((await sweepAs(failing(id, 5))).alerts, ['WORKFLOW_TASK_FAILS']);
      assert.equal(await stuckEventsOf(id), 0);
    });

    it('replaces the run after ten tries', async () => {
      const id = await insert(STUCK);
      const { orders } = await sweepAs(failing(id, 10));
      assert.deepEqual(orders, [`terminate ${RUN} of ${id}`, `take over ${id}, failing`]);
    });

    it('replaces the run even if the merchant was informed before', async () => {
      const id = await insert(STUCK);
      await sweepAs(failing(id, 5));
      await makeDue();
      const { orders } = await sweepAs(failing(id, 10));
      assert.deepEqual(orders, [`terminate ${RUN} of ${id}`, `take over ${id}, failing`]);
    });

    it('alerts operators of a quiet payment that is neither overdue nor stuck, and replaces its run', async () => {
      const id = await insert(QUIET);
      const early = await sweepAs(failing(id, 5));
      assert.deepEqual([early.orders, early.alerts], [[], ['WORKFLOW_TASK_FAILS']]);
      await makeDue();
      const late = await sweepAs(failing(id, 10));
      assert.deepEqual(late.orders, [`terminate ${RUN} of ${id}`, `take over ${id}, failing`]);
      assert.equal(await stuckEventsOf(id), 0);
    });

    it('does not inspect a payment that has changed lately', async () => {
      const id = await insert({ ...QUIET, updatedAt: ago(4 * MINUTE_MS) });
      const { orders, alerts } = await sweepAs(failing(id, 10));
      assert.deepEqual([orders, alerts], [[], []]);
    });

    it('leaves alone a run whose payment has its advisory and needs no repair', async () => {
      const id = await insert({ ...STUCK, advisory: { code: 'PAYMENT_STUCK', since: ago(0).toISOString() } });
      assert.deepEqual((await sweepAs(failing(id, 1))).orders, []);
    });
  });

  it('continues after a payment that fails, and counts it', async () => {
    const [broken, other] = [await insert({ ...OPEN, status: 'unheard-of' }), await insert(OPEN)];
    const { states, orders } = scriptedStates({ states: { [broken]: TERMINATED, [other]: TERMINATED } });
    const workflows = {
      start: async () => undefined,
      takeOver: async ({ paymentIntentId }: PaymentIntentInput) => {
        orders.push(paymentIntentId);
        return true;
      },
    };
    const sweeping = sweepPayments(
      { database: test.database, states, workflows, logger: pino({ level: 'silent' }) },
      signal,
    );
    await assert.rejects(sweeping, /1 rows/);
    assert.deepEqual(orders, [other]);
  });

  it('stops while Temporal is unavailable, and checks the payments again soon', async () => {
    const id = await insert(OPEN);
    await assert.rejects(sweepAs({ isAway: true }), TemporalUnavailableError);
    const { nextDueAt } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    assert.ok(nextDueAt !== null && nextDueAt.getTime() < Date.now() + MINUTE_MS);
  });

  it('checks a limited number in one sweep', async () => {
    const ofOneSweep = PAYMENT_SWEEP_SIZE + SHARE_PER_ACCOUNT;
    const count = ofOneSweep + 5;
    await Promise.all(Array.from({ length: count }, () => insert(ENDED)));
    assert.equal((await sweepAs({})).count, ofOneSweep);
    assert.equal((await sweepAs({})).count, 5);
    assert.equal((await sweepAs({})).count, 0);
  });
});
