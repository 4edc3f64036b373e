import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { createStrayChargeActivities } from '../../../activities/create-activities.ts';
import { requireStrayChargeRow } from '../../../activities/reverse-stray-charge.ts';
import { receiveProviderEvent } from '../../../api/provider-webhooks.ts';
import { sweepProviderEvents } from '../../../worker/jobs/provider-event-sweeper.ts';
import { purge } from '../../../worker/jobs/purge.ts';
import { sweepStrayCharges } from '../../../worker/jobs/stray-charge-sweeper.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import { advance, type PaymentStep } from '../../../domain/payment-step.ts';
import type { InquiryOutcome } from '../../../domain/provider-outcome.ts';
import type { StrayChargeEnd } from '../../../domain/stray-charge.ts';
import { resolveStrayCharge } from '../../../domain/stray-charge-resolution.ts';
import { DAY_MS, SECOND_MS } from '../../../domain/time.ts';
import { WAITING_AFTER_MS } from '../../../domain/time-limits.ts';
import { createPaymentStore, type PaymentStore } from '../../../prisma/stores/payment-store.ts';
import { recordOutsideWorkflow } from '../../../prisma/stores/payment-store.ts';
import { writeStep } from '../../../prisma/queries/payment-step.ts';
import { selectRoutingFacts } from '../../../prisma/queries/routing.ts';
import type { WorkflowState } from '../../../workflow-client/workflow-states.ts';
import type { StrayChargeInput } from '../../../protocol/messages.ts';
import { inActivity } from '../../support/activity-context.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { insertPaymentAttempt } from '../../support/payment-rows.ts';
import {
  approval,
  attemptOf,
  note as noteStep,
  openAttemptOf,
  opening,
  record,
  uncharged,
} from '../../support/payment-steps.ts';
import { waitForBlockedStatement } from '../../support/blocked-statement.ts';
import { memoryCustomers } from '../../support/customers-at-provider.ts';

const AT = '2026-06-01T12:00:00.000Z';
const RUN = 'the run of the payment';
const MONEY = { providerPaymentId: 'sim_1', amountMinor: 1_000, currency: 'USD', country: null } as const;
const REFUNDED: StrayChargeEnd = { kind: 'refunded', money: MONEY };
const UNFOUNDED: StrayChargeEnd = { kind: 'unfounded' };

describe('stray charges in the database', function () {
  this.timeout(60_000);
  const test = useAccount();
  let store: PaymentStore;
  let intent: string;
  let attemptId: string;

  before(async () => {
    store = createPaymentStore(test.database);
  });

  /** Inserts a payment with an attempt that ended without a charge, and a stray charge of that attempt. */
  beforeEach(async () => {
    intent = await test.insertIntent({ version: 3, workflowRunId: RUN });
    const ended = { tries: 4, outcome: 'not_charged', startedAt: new Date(AT), finishedAt: new Date(AT) };
    attemptId = await insertPaymentAttempt(test.database, intent, ended);
    await note();
  });

  const note = (): Promise<void> => store.noteStrayCharge({ attemptId, paymentIntentId: intent });
  const charge = () => test.database.strayCharge.findUniqueOrThrow({ where: { attemptId } });
  const payment = () => test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
  const linesOf = () =>
    test.database.timelineEntry.findMany({
      where: { paymentIntentId: intent },
      orderBy: [{ version: 'asc' }, { ordinal: 'asc' }],
    });
  const eventsOf = () => test.database.event.findMany({ where: { paymentIntentId: intent } });

  const end = (how: StrayChargeEnd): Promise<void> =>
    recordOutsideWorkflow(
      store,
      {
        paymentIntentId: intent,
        step: resolveStrayCharge({ attemptId, attemptNumber: 1, provider: 'alpha' }, how),
        stepId: newId('request'),
        at: AT,
      },
      async () => {
        const statuses = how.kind === 'refused' ? ['pending'] : ['pending', 'failed'];
        return (await test.database.strayCharge.count({ where: { attemptId, status: { in: statuses } } })) > 0;
      },
    );

  const isInTheWay = async (): Promise<boolean> => {
    const about = {
      merchantAccountId: test.account,
      environment: 'sandbox',
      method: 'card',
      currency: 'USD',
      country: null,
    } as const;
    const facts = await test.database.direct.row(selectRoutingFacts({ ...about, paymentIntentId: intent }));
    const stored = await store.read({ paymentIntentId: intent });
    assert.ok(stored !== null && facts !== undefined);
    assert.equal(stored.hasStrayCharge, facts.hasStrayCharge);
    return facts.hasStrayCharge;
  };

  it('end in one step, exactly once under concurrent writes', async () => {
    await Promise.all(Array.from({ length: 8 }, () => end(REFUNDED)));
    const { status, providerPaymentId, amountMinor, currency } = await charge();
    assert.deepEqual([status, providerPaymentId, amountMinor, currency], ['reversed', 'sim_1', 1_000n, 'USD']);
    const { version, workflowRunId } = await payment();
    assert.deepEqual([version, workflowRunId, (await linesOf()).length], [4, RUN, 1]);
    const [event, ...others] = await eventsOf();
    assert.deepEqual(others, []);
    const snapshot = event?.snapshot as { readonly strayCharge?: object; readonly intent?: { readonly id: string } };
    assert.equal(snapshot.intent?.id, intent);
    assert.deepEqual(snapshot.strayCharge, {
      attemptId,
      provider: 'alpha',
      amount: 1_000,
      currency: 'USD',
      reversedBy: 'refund',
    });
    assert.equal(await isInTheWay(), false);
  });

  it('write timeline entries that never conflict with those of the payment’s workflow', async () => {
    const own = async (number: number): Promise<void> => {
      for (;;) {
        const stored = await store.read({ paymentIntentId: intent });
        assert.ok(stored);
        const step: PaymentStep = { timeline: [{ kind: 'timer', summary: `own ${number}` }] };
        const after = advance(stored.record, step, AT);
        if (await store.write({ step, after, stepId: `own ${number}`, runId: RUN, at: AT })) return;
      }
    };
    const beside = (number: number): Promise<void> => {
      const step: PaymentStep = { timeline: [{ kind: 'inquiry', summary: `beside ${number}` }] };
      return recordOutsideWorkflow(store, { paymentIntentId: intent, step, stepId: `beside ${number}`, at: AT });
    };
    const numbers = [1, 2, 3, 4, 5];
    await Promise.all(numbers.flatMap((number) => [own(number), beside(number), beside(number)]));
    for (const number of numbers) await beside(number);
    const summaries = (await linesOf()).map(({ summary }) => summary).sort();
    assert.deepEqual(summaries, numbers.flatMap((number) => [`beside ${number}`, `own ${number}`]).sort());
    assert.equal((await payment()).workflowRunId, RUN);
  });

  it('are looked for and voided at the provider only if they are recorded', async () => {
    const asked: string[] = [];
    const answer = ({ attemptId: key }: { readonly attemptId: string }): Promise<InquiryOutcome> => {
      asked.push(key);
      return Promise.resolve({ kind: 'not_charged' });
    };
    const { inquireStrayCharge, voidStrayCharge } = createStrayChargeActivities({
      payments: store,
      registry: registryOf({ inquire: answer, close: answer }),
      reports: NO_REPORTS,
      returns: NO_RETURNS,
      loadPaymentMethod: () => Promise.reject(new Error('not needed here')),
      customersAt: memoryCustomers,
      requireRow: (charge) => requireStrayChargeRow(test.database, charge),
      statusOf: () => Promise.resolve('pending'),
    });
    const recorded = {
      attemptId,
      attemptNumber: 1,
      paymentIntentId: intent,
      environment: 'sandbox',
      provider: 'alpha',
    } as const;
    const held = await test.insertIntent({ status: 'requires_capture', version: 2 });
    const heldAttemptId = await insertPaymentAttempt(test.database, held, { outcome: 'approved' });
    for (const call of [inquireStrayCharge, voidStrayCharge]) {
      for (const forged of [
        { ...recorded, attemptId: heldAttemptId, paymentIntentId: held },
        { ...recorded, paymentIntentId: held },
        { ...recorded, provider: 'beta' },
        { ...recorded, environment: 'production' as const },
      ]) {
        const refused = { type: 'STRAY_CHARGE_UNKNOWN', nonRetryable: true };
        await assert.rejects(
          inActivity<unknown>(() => call(forged)),
          refused,
          JSON.stringify(forged),
        );
      }
      assert.deepEqual(asked, []);
      await inActivity<unknown>(() => call(recorded));
      assert.deepEqual(asked.splice(0), [attemptId]);
    }
    assert.equal(await test.database.timelineEntry.count({ where: { paymentIntentId: held } }), 0);
  });

  it('block further attempts until they are reversed or found to be unfounded', async () => {
    assert.equal(await isInTheWay(), true);
    await end({ kind: 'refused', money: MONEY, details: {} });
    assert.equal((await charge()).status, 'failed');
    assert.equal(await isInTheWay(), true);
    assert.deepEqual(await eventsOf(), []);
  });

  it('are reversed after all if the provider denied them and reports them again', async () => {
    await end(UNFOUNDED);
    assert.equal(await isInTheWay(), false);
    await note();
    assert.equal(await isInTheWay(), true);
    await end(REFUNDED);
    await note();
    assert.equal((await charge()).status, 'reversed');
    assert.equal((await eventsOf()).length, 1);
  });

  /** Runs the stray charge sweeper against a scripted Temporal, and records its actions. */
  const sweeping = () => {
    const did: string[] = [];
    const warned: string[] = [];
    const shown: string[] = [];
    const started: StrayChargeInput[] = [];
    const sweep = async (state: WorkflowState, taskTries = 0): Promise<void> => {
      await test.database.strayCharge.updateMany({ data: { nextDueAt: null } });
      await test.database.strayCharge.update({ where: { attemptId }, data: { nextDueAt: new Date() } });
      await sweepStrayCharges(
        {
          database: test.database,
          states: {
            statesOf: () => Promise.resolve(new Map()),
            stateOf: () => Promise.resolve(state),
            detailsOf: () => Promise.resolve({ runId: 'run_1', taskTries }),
            showAdvisory: (id) => Promise.resolve(void shown.push(id)),
            terminate: (id, runId) => Promise.resolve(did.push(`terminate ${runId} of ${id}`) > 0),
          },
          strayChargeWorkflows: {
            start: (input) => {
              did.push('start');
              started.push(input);
              return Promise.resolve();
            },
            takeOver: (_input, endedAs) => {
              did.push(`take over after ${endedAs}`);
              return Promise.resolve(true);
            },
          },
          logger: {
            warn: (fields: object) => warned.push(Object.values(fields).join(' ')),
            error: (fields: object) => did.push(Object.values(fields).join(' ')),
          },
        },
        new AbortController().signal,
      );
    };
    return { did, warned, shown, started, sweep };
  };

  it('get a workflow, and another one if it ends early', async () => {
    const { did, started, sweep } = sweeping();
    await sweep({ kind: 'ended', as: 'forgotten' });
    await sweep({ kind: 'running', runId: 'run_1' });
    await sweep({ kind: 'ended', as: 'terminated' });
    assert.deepEqual(did, ['start', 'take over after terminated']);
    assert.deepEqual(started, [
      {
        strayChargeId: strayChargeIdOf(attemptId),
        attemptId,
        attemptNumber: 1,
        paymentIntentId: intent,
        merchantAccountId: test.account,
        environment: 'sandbox',
        provider: 'alpha',
        amountMinor: 1_000,
        currency: 'USD',
      },
    ]);
    assert.notEqual((await charge()).nextDueAt, null);
    await end(REFUNDED);
    await sweep({ kind: 'completed' });
    assert.equal((await charge()).nextDueAt, null);
    assert.equal(did.length, 2);
  });

  it('are told, once, when the provider has not answered for minutes, and not after their end', async () => {
    const { shown, sweep } = sweeping();
    const running: WorkflowState = { kind: 'running', runId: 'run_1' };
    await sweep(running);
    assert.deepEqual(shown, []);
    const updatedAt = new Date(Date.now() - WAITING_AFTER_MS - SECOND_MS);
    await test.database.strayCharge.update({ where: { attemptId }, data: { updatedAt } });
    await sweep(running);
    await sweep(running);
    assert.deepEqual(shown, [strayChargeIdOf(attemptId)]);
    assert.deepEqual((await payment()).advisory, {
      code: 'WAITING_FOR_PROVIDER',
      since: updatedAt.toISOString(),
      operation: 'reversal',
    });
    assert.deepEqual(
      (await eventsOf()).map(({ type }) => type),
      ['payment_intent.waiting_for_provider'],
    );
    await end(REFUNDED);
    assert.equal((await payment()).advisory, null);
  });

  it('stay open while somebody has to return the money by hand, and end then', async () => {
    const { did, sweep } = sweeping();
    await end({ kind: 'refused', money: MONEY, details: {} });
    await sweep({ kind: 'running', runId: 'run_1' });
    assert.deepEqual(did, []);
    assert.notEqual((await charge()).nextDueAt, null);
    await end({ kind: 'returned', money: MONEY });
    assert.equal((await charge()).status, 'reversed');
    assert.equal(await isInTheWay(), false);
  });

  it('alert operators when their reversal begins and when they are reported again, not when another run goes on', async () => {
    const { did, warned, sweep } = sweeping();
    const alertsOf = () => warned.splice(0).filter((fields) => fields.startsWith('STRAY_CHARGE '));
    const alert = `STRAY_CHARGE ${strayChargeIdOf(attemptId)} ${intent} alpha`;
    await sweep({ kind: 'ended', as: 'forgotten' });
    assert.deepEqual(alertsOf(), [alert]);
    await sweep({ kind: 'ended', as: 'terminated' });
    assert.deepEqual(alertsOf(), []);
    await end(UNFOUNDED);
    await note();
    await sweep({ kind: 'completed' });
    assert.deepEqual(alertsOf(), [alert]);
    assert.deepEqual(did, ['start', 'take over after terminated', 'take over after completed']);
  });

  it('get another workflow if its task fails repeatedly', async () => {
    const { did, sweep } = sweeping();
    const running: WorkflowState = { kind: 'running', runId: 'run_1' };
    await sweep(running, 10);
    assert.deepEqual(did, []);
    await test.database.strayCharge.update({ where: { attemptId }, data: { updatedAt: new Date(0) } });
    await sweep(running, 4);
    assert.deepEqual(did, []);
    await sweep(running, 10);
    const id = strayChargeIdOf(attemptId);
    const alert = `${id} ${intent} run_1 10 WORKFLOW_TASK_FAILS`;
    assert.deepEqual(did, [alert, `terminate run_1 of ${id}`, 'take over after failing']);
  });

  describe('of an attempt whose charge was reported before its end is recorded', () => {
    const captured = { kind: 'approved', ...MONEY, captured: true } as const;
    const held = { ...captured, captured: false } as const;

    /** Inserts a payment in `processing` whose first attempt is open, and an event about it that its workflow has received. */
    async function reported(outcome: InquiryOutcome, provider = 'alpha'): Promise<string> {
      const id = await test.insertIntent();
      await record(test.database, id, opening(id));
      await report(id, outcome, provider);
      return id;
    }

    const RECEIVERS = {
      workflows: {
        deliverProviderEvent: () => Promise.resolve('delivered' as const),
        takeOver: () => Promise.reject(new Error('no event here reverses a capture')),
      },
      reconciliations: { compareOne: () => Promise.reject(new Error('nothing here is asked about')) },
      registry: { find: () => Promise.resolve(undefined) },
      disputeWorkflows: { wake: async () => undefined },
      refundWorkflows: {
        deliverRefundEvent: () => Promise.reject(new Error('no event here is about a refund')),
        fail: () => Promise.reject(new Error('no event here is about a refund')),
      },
      logger: { info: assert.fail, warn: assert.fail, error: assert.fail },
    };

    /** Receives an event that reaches the payment's workflow at once. */
    const receive = async (paymentIntentId: string, outcome: InquiryOutcome, provider = 'alpha') => {
      const event = { provider, eventId: newId('event'), attemptId: attemptIdOf(paymentIntentId, 1), outcome };
      await receiveProviderEvent({ ...RECEIVERS, database: test.database }, event);
      return event;
    };

    const report = async (paymentIntentId: string, outcome: InquiryOutcome, provider = 'alpha'): Promise<void> => {
      const { eventId } = await receive(paymentIntentId, outcome, provider);
      await test.database.providerEvent.update({
        where: { provider_eventId: { provider, eventId } },
        data: { deliveredAt: new Date() },
      });
    };

    const hold = (id: string): PaymentStep => ({
      ...noteStep('Held'),
      from: 'processing',
      to: 'requires_capture',
      attempts: [attemptOf(id)],
    });

    const strayOf = async (id: string) => {
      const found = await test.database.strayCharge.findUnique({ where: { attemptId: attemptIdOf(id, 1) } });
      return found === null ? null : [found.status, found.paymentIntentId, found.provider];
    };

    it('are recorded with that end', async () => {
      const id = await reported(captured);
      await record(test.database, id, uncharged(id));
      assert.deepEqual(await strayOf(id), ['pending', id, 'alpha']);
    });

    it('are recorded by the sweeper if the workflow received the report while that end was being written', async () => {
      const id = await test.insertIntent();
      const open = await record(test.database, id, opening(id));
      const end = { step: uncharged(id), stepId: 'end', runId: RUN, at: AT };
      await test.database.$transaction(async (transaction) => {
        await transaction.$queryRaw(writeStep({ ...end, after: advance(open, end.step, AT) }).sql);
        await receive(id, captured);
      });
      await test.database.providerEvent.updateMany({
        where: { paymentIntentId: id },
        data: { receivedAt: new Date(AT) },
      });
      assert.equal(await strayOf(id), null);
      await sweepProviderEvents({ ...RECEIVERS, database: test.database }, new AbortController().signal);
      assert.deepEqual(await strayOf(id), ['pending', id, 'alpha']);
    });

    it('are recorded by the sweeper if it looks while that end is still being written', async () => {
      const id = await test.insertIntent();
      const open = await record(test.database, id, opening(id));
      const end = { step: uncharged(id), stepId: 'end', runId: RUN, at: AT };
      const { swept } = await test.database.$transaction(async (transaction) => {
        await transaction.$queryRaw(writeStep({ ...end, after: advance(open, end.step, AT) }).sql);
        await receive(id, captured);
        const receivedAt = new Date(AT);
        await test.database.providerEvent.updateMany({ where: { paymentIntentId: id }, data: { receivedAt } });
        const swept = sweepProviderEvents({ ...RECEIVERS, database: test.database }, new AbortController().signal);
        await waitForBlockedStatement(test.database);
        return { swept };
      });
      await swept;
      assert.deepEqual(await strayOf(id), ['pending', id, 'alpha']);
    });

    it('are recorded when the payment goes on to the next route', async () => {
      const id = await reported(captured);
      const { attempts: ended = [] } = uncharged(id);
      const second = openAttemptOf(id, { id: attemptIdOf(id, 2), number: 2, provider: 'beta' });
      const next = opening(id, { from: 'processing', attempts: [...ended, second], events: [] });
      await record(test.database, id, next);
      assert.deepEqual(await strayOf(id), ['pending', id, 'alpha']);
    });

    it('are recorded when its hold is voided and its capture was reported', async () => {
      const id = await reported(held);
      await record(test.database, id, hold(id));
      await report(id, captured);
      await record(test.database, id, { ...noteStep('Voided'), from: 'requires_capture', to: 'canceled' });
      assert.deepEqual(await strayOf(id), ['pending', id, 'alpha']);
    });

    it('are none if the report was about something else, or the attempt was approved', async () => {
      for (const [outcome, provider] of [
        [{ kind: 'not_charged' }, 'alpha'],
        [captured, 'beta'],
      ] as const) {
        const id = await reported(outcome, provider);
        await record(test.database, id, uncharged(id));
        assert.equal(await strayOf(id), null);
      }
      const paid = await reported(captured);
      await record(test.database, paid, approval(paid));
      assert.equal(await strayOf(paid), null);
      const voided = await reported(held);
      await record(test.database, voided, hold(voided));
      await record(test.database, voided, { ...noteStep('Voided'), from: 'requires_capture', to: 'canceled' });
      assert.equal(await strayOf(voided), null);
    });

    it('are not recorded again when a later attempt ends', async () => {
      const id = await reported(captured);
      await record(test.database, id, uncharged(id));
      const where = { attemptId: attemptIdOf(id, 1) };
      await test.database.strayCharge.update({ where, data: { status: 'unfounded' } });
      const second = attemptOf(id, { id: attemptIdOf(id, 2), number: 2, outcome: 'declined' });
      await record(test.database, id, opening(id, { attempts: [{ ...second, outcome: null }] }));
      await record(test.database, id, { ...noteStep('Declined'), attempts: [second] });
      assert.equal((await strayOf(id))?.[0], 'unfounded');
    });
  });

  it('log no error when the provider reports the refund', async () => {
    const warnings: string[] = [];
    const report = (refundId: string): Promise<void> =>
      receiveProviderEvent(
        {
          database: test.database,
          workflows: { deliverProviderEvent: () => Promise.reject(new Error('not of a payment')) },
          refundWorkflows: { deliverRefundEvent: () => Promise.reject(new Error('no event here is about a refund')) },
          logger: { info: assert.fail, warn: (_fields, message) => warnings.push(message) },
        },
        { provider: 'alpha', eventId: newId('event'), refundId, refundOutcome: { kind: 'not_refunded' } },
      );
    await report(strayChargeIdOf(attemptId));
    assert.deepEqual(warnings, []);
    await report(newId('refund'));
    assert.equal(warnings.length, 1);
  });

  const purgeWith = ({ paymentsDays }: { readonly paymentsDays: number }): Promise<number> => {
    const retention = {
      eventsDays: 30,
      providerEventsDays: 30,
      paymentsDays,
      auditEventsDays: 400,
      requestsDays: 7,
      savedCardsUnusedDays: 730,
    };
    return purge(test.database, retention, new AbortController().signal);
  };

  it('stay reversed if the provider reports them again after the events of the reversal were purged', async () => {
    await end(REFUNDED);
    const updatedAt = new Date(Date.now() - 60 * DAY_MS);
    await test.database.strayCharge.update({ where: { attemptId }, data: { updatedAt } });
    await purgeWith({ paymentsDays: 90 });
    await note();
    assert.equal((await charge()).status, 'reversed');
  });

  it('keep their payment from being purged while they are pending, and are purged with it afterwards', async () => {
    const longAgo = new Date('2020-01-01T00:00:00.000Z');
    const age = () =>
      test.database.paymentIntent.update({ where: { id: intent }, data: { status: 'canceled', updatedAt: longAgo } });
    await age();
    await purgeWith({ paymentsDays: 30 });
    assert.equal((await charge()).status, 'pending');
    await end(REFUNDED);
    await age();
    await purgeWith({ paymentsDays: 30 });
    assert.equal(await test.database.strayCharge.findUnique({ where: { attemptId } }), null);
    assert.equal(await test.database.paymentIntent.findUnique({ where: { id: intent } }), null);
  });
});
