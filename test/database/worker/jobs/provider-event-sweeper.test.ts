import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { sweepProviderEvents } from '../../../../worker/jobs/provider-event-sweeper.ts';
import { attemptIdOf, strayChargeIdOf, transactionIdOf, transactionIdOfRefund } from '../../../../domain/ids.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { ProviderEvent, ProviderEventReference } from '../../../../domain/provider-outcome.ts';
import { selectTransaction } from '../../../../prisma/queries/transaction.ts';
import { selectPaymentLink } from '../../../../prisma/queries/payment-link.ts';
import { scriptedProvider } from '../../../support/scripted-provider.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import {
  insertMerchantAccount,
  insertPaymentAttempt,
  insertPaymentIntent,
  insertRefund,
} from '../../../support/payment-rows.ts';

const MINUTE_AGO = (): Date => new Date(Date.now() - 60_000);
const { signal } = new AbortController();

describe('provider event sweeper', function () {
  this.timeout(60_000);
  const test = useAccount();

  const alerts: object[] = [];
  const failed: string[] = [];
  const takenOver: string[] = [];
  const compared: string[] = [];
  const woken: string[] = [];
  /** A provider that can be asked about one payment. */
  const findable: PaymentProvider = {
    ...scriptedProvider('alpha', {}, () => undefined),
    findPayment: () => Promise.resolve(null),
  };

  beforeEach(async () => {
    alerts.length = failed.length = takenOver.length = compared.length = woken.length = 0;
    await test.database.providerEvent.deleteMany();
    await test.database.paymentIntent.deleteMany();
  });

  const logger = { error: (fields: object) => void alerts.push(fields) };

  const deliveredIds = async (answer: 'delivered' | 'finished' | 'not_started' = 'delivered'): Promise<string[]> => {
    const delivered: string[] = [];
    const deliverProviderEvent = async (_intent: string, event: ProviderEvent): Promise<typeof answer> => {
      delivered.push(event.eventId);
      return answer;
    };
    const deliverRefundEvent = async (refundId: string): Promise<typeof answer> => {
      delivered.push(refundId);
      return answer;
    };
    const fail = async ({ refundId }: { refundId: string }, { eventId }: ProviderEventReference): Promise<boolean> => {
      failed.push(`${refundId} ${eventId}`);
      return true;
    };
    const refundWorkflows = { deliverRefundEvent, fail };
    const disputeWorkflows = { wake: async ({ disputeId }: { disputeId: string }) => void woken.push(disputeId) };
    const takeOver = async ({ paymentIntentId }: { paymentIntentId: string }): Promise<boolean> => {
      takenOver.push(paymentIntentId);
      return true;
    };
    const compareOne = async ({ attemptId }: { attemptId: string }): Promise<void> => void compared.push(attemptId);
    const [reconciliations, registry] = [{ compareOne }, { find: async () => findable }];
    await sweepProviderEvents(
      {
        database: test.database,
        workflows: { deliverProviderEvent, takeOver },
        reconciliations,
        registry,
        refundWorkflows,
        disputeWorkflows,
        logger,
      },
      signal,
    );
    return delivered;
  };

  async function insertProviderEvent(paymentIntentId: string, eventId: string, receivedAt: Date): Promise<void> {
    await test.database.providerEvent.create({
      data: {
        provider: 'alpha',
        eventId,
        paymentIntentId,
        receivedAt,
        event: {
          provider: 'alpha',
          eventId,
          attemptId: attemptIdOf(paymentIntentId, 1),
          outcome: {
            kind: 'approved',
            providerPaymentId: 'sim_1',
            captured: true,
            amountMinor: 1_000,
            currency: 'USD',
          },
        },
      },
    });
  }

  async function insertVoid(paymentIntentId: string, receivedAt = MINUTE_AGO()): Promise<void> {
    const reference = { provider: 'alpha', eventId: `void ${paymentIntentId}` };
    const voided = { providerPaymentId: 'sim_1', amountMinor: 1_000, currency: 'USD' };
    const event = {
      ...reference,
      attemptId: attemptIdOf(paymentIntentId, 1),
      outcome: { kind: 'not_charged', voided },
    };
    await test.database.providerEvent.create({
      data: { ...reference, paymentIntentId, event, receivedAt },
    });
  }

  async function insertRefundEvent(
    paymentIntentId: string,
    refundId: string,
    kind: 'refunded' | 'refused',
    receivedAt = MINUTE_AGO(),
  ): Promise<void> {
    const reference = { provider: 'alpha', eventId: refundId };
    const event = { ...reference, refundId, refundOutcome: { kind } };
    await test.database.providerEvent.create({
      data: { ...reference, paymentIntentId, refundId, event, receivedAt },
    });
  }

  async function insertAttempt(paymentIntentId: string, outcome: string | null): Promise<void> {
    const attempt = { outcome, startedAt: MINUTE_AGO(), providerPaymentId: 'sim_1' };
    await insertPaymentAttempt(test.database, paymentIntentId, attempt);
  }

  /** A payment of 10.00 USD that was captured. */
  async function insertCaptured(): Promise<string> {
    const intent = await test.insertIntent({ status: 'succeeded', amountCapturedMinor: 1_000n });
    await insertAttempt(intent, 'approved');
    await test.database.transaction.create({
      data: {
        id: transactionIdOf(intent, 1, 'capture'),
        paymentIntentId: intent,
        attemptId: attemptIdOf(intent, 1),
        merchantAccountId: test.account,
        environment: 'sandbox',
        type: 'capture',
        amountMinor: 1_000n,
        currency: 'USD',
        provider: 'alpha',
        providerPaymentId: 'sim_1',
        createdAt: new Date(),
      },
    });
    return intent;
  }

  /** Stores a report about a payment as its webhook does. */
  async function insertReportOf(paymentIntentId: string, report: object, eventId: string = newId('event')) {
    const reference = { provider: 'alpha', eventId };
    const event = { ...reference, ...report };
    const row = { ...reference, paymentIntentId, event, receivedAt: MINUTE_AGO() };
    await test.database.providerEvent.create({ data: row });
    return reference;
  }

  const moneyOf = async (id: string) => {
    const intent = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    const { status, amountCapturedMinor, amountRefundedMinor } = intent;
    return { status, captured: Number(amountCapturedMinor), refunded: Number(amountRefundedMinor) };
  };

  const typesOf = async (paymentIntentId: string): Promise<string[]> => {
    const rows = await test.database.transaction.findMany({
      where: { paymentIntentId },
      orderBy: { createdAt: 'asc' },
    });
    return rows.map(({ type }) => type);
  };

  const eventsOf = async (paymentIntentId: string): Promise<string[]> => {
    const rows = await test.database.event.findMany({ where: { paymentIntentId }, orderBy: { id: 'asc' } });
    return rows.map(({ type }) => type);
  };

  for (const [answer, status] of [
    ['delivered', 'requires_payment_method'],
    ['finished', 'failed'],
  ] as const) {
    it(`passes each on once, the oldest first, when the workflow answers ${answer}`, async () => {
      const intent = await test.insertIntent({ status });
      await insertProviderEvent(intent, 'later', new Date(Date.now() - 10_000));
      await insertProviderEvent(intent, 'earlier', new Date(Date.now() - 20_000));
      await insertProviderEvent(intent, 'fresh', new Date());
      assert.deepEqual(await deliveredIds(answer), ['earlier', 'later']);
      assert.deepEqual(await deliveredIds(answer), []);
    });
  }

  it('passes them on for each account in turn, however many another one has', async () => {
    const [intent, other] = [
      await test.insertIntent(),
      await insertPaymentIntent(test.database, await insertMerchantAccount(test.database)),
    ];
    for (let number = 10; number < 40; number += 1) await insertProviderEvent(intent, `busy ${number}`, MINUTE_AGO());
    await insertProviderEvent(other, 'other', new Date(Date.now() - 5_000));
    await insertProviderEvent('pi_unknown', 'unknown', MINUTE_AGO());
    const delivered = await deliveredIds();
    assert.equal(delivered.indexOf('other'), 1);
    assert.equal(delivered.length, 31);
  });

  it('makes an open payment due at once whose workflow has ended, and delivers the report to the run that goes on', async () => {
    const intent = await test.insertIntent({ status: 'processing' });
    await insertAttempt(intent, null);
    await test.database.paymentIntent.update({
      where: { id: intent },
      data: { nextDueAt: new Date(Date.now() + 900_000) },
    });
    await insertProviderEvent(intent, 'charge', MINUTE_AGO());
    assert.deepEqual(await deliveredIds('finished'), ['charge']);
    const { nextDueAt } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
    assert.ok(nextDueAt !== null && nextDueAt.getTime() <= Date.now());
    assert.deepEqual(await deliveredIds('delivered'), ['charge']);
    assert.deepEqual(await deliveredIds('delivered'), []);
  });

  it('waits for the workflow of an open intent, not for that of an ended one', async () => {
    const open = await test.insertIntent();
    const ended = await test.insertIntent({ status: 'failed' });
    await insertProviderEvent(open, 'open', MINUTE_AGO());
    await insertProviderEvent(ended, 'ended', MINUTE_AGO());
    assert.deepEqual((await deliveredIds('not_started')).sort(), ['ended', 'open']);
    assert.deepEqual(await deliveredIds('not_started'), ['open']);
  });

  it('delivers no event that repeats the recorded outcome, but a charge that contradicts it', async () => {
    for (const outcome of ['approved', 'not_charged', null]) {
      const intent = await test.insertIntent({ status: 'processing' });
      await insertAttempt(intent, outcome);
      await insertProviderEvent(intent, `after ${outcome}`, MINUTE_AGO());
    }
    assert.deepEqual((await deliveredIds()).sort(), ['after not_charged', 'after null']);
    assert.deepEqual(await deliveredIds(), []);
  });

  it('delivers the capture of a hold while the intent is in requires_capture', async () => {
    for (const status of ['requires_capture', 'succeeded']) {
      const intent = await test.insertIntent({ status });
      await insertAttempt(intent, 'approved');
      await insertProviderEvent(intent, status, MINUTE_AGO());
    }
    assert.deepEqual(await deliveredIds(), ['requires_capture']);
  });

  it('delivers events of pending refunds to the workflows of the refunds', async () => {
    const intent = await test.insertIntent({ status: 'succeeded' });
    const pending = await insertRefund(test.database, intent);
    const ended = await insertRefund(test.database, intent, { status: 'succeeded' });
    for (const refundId of [pending, ended]) await insertRefundEvent(intent, refundId, 'refunded');
    assert.deepEqual(await deliveredIds('not_started'), [pending]);
    assert.deepEqual(await deliveredIds(), [pending]);
    assert.deepEqual(await deliveredIds(), []);
  });

  it('starts a run for the failure of a refund that had succeeded, until the failure is recorded', async () => {
    const intent = await test.insertIntent({ status: 'succeeded' });
    const succeeded = await insertRefund(test.database, intent, { status: 'succeeded' });
    const refused = await insertRefund(test.database, intent, { status: 'failed' });
    for (const refundId of [succeeded, refused]) await insertRefundEvent(intent, refundId, 'refused');
    const run = `${succeeded} ${succeeded}`;
    assert.deepEqual([await deliveredIds(), failed.splice(0)], [[], [run]]);
    assert.deepEqual([await deliveredIds(), failed.splice(0)], [[], [run]]);
    await test.database.refund.update({ where: { id: succeeded }, data: { status: 'failed' } });
    assert.deepEqual([await deliveredIds(), failed.splice(0)], [[], []]);
    assert.equal(await test.database.providerEvent.count({ where: { deliveredAt: null } }), 0);
  });

  it('alerts once that a refund was made which is recorded as failed, unless it had succeeded before', async () => {
    const intent = await test.insertIntent({ status: 'succeeded' });
    const contradicted = await insertRefund(test.database, intent, { status: 'failed' });
    const failedLater = await insertRefund(test.database, intent, { status: 'failed' });
    await test.database.transaction.create({
      data: {
        id: transactionIdOfRefund(failedLater),
        refundId: failedLater,
        type: 'refund',
        paymentIntentId: intent,
        attemptId: attemptIdOf(intent, 1),
        merchantAccountId: test.account,
        environment: 'sandbox',
        amountMinor: 300n,
        currency: 'USD',
        provider: 'alpha',
        providerPaymentId: 're_1',
        createdAt: new Date(),
      },
    });
    for (const refundId of [contradicted, failedLater]) await insertRefundEvent(intent, refundId, 'refunded');
    const money = { amountMinor: 300, currency: 'USD' };
    const alert = {
      alert: 'REFUND_CONTRADICTED',
      provider: 'alpha',
      paymentIntentId: intent,
      refundId: contradicted,
      ...money,
    };
    for (let time = 1; time <= 2; time += 1) assert.deepEqual([await deliveredIds(), alerts], [[], [alert]]);
    assert.equal(await test.database.providerEvent.count({ where: { deliveredAt: null } }), 0);
  });

  it('keeps the refusal of a pending refund until the row says what became of it, though its run has the signal', async () => {
    const intent = await test.insertIntent({ status: 'succeeded' });
    const refundId = await insertRefund(test.database, intent);
    await insertRefundEvent(intent, refundId, 'refused', new Date(Date.now() - 10_000));
    assert.deepEqual([await deliveredIds(), failed.splice(0)], [[refundId], []]);
    // The run had read the provider's reply, a success, before the signal came.
    await test.database.refund.update({ where: { id: refundId }, data: { status: 'succeeded' } });
    assert.deepEqual([await deliveredIds(), failed.splice(0)], [[], [`${refundId} ${refundId}`]]);
  });

  it('signals the refusal of a refund that stays pending for a minute only', async () => {
    const intent = await test.insertIntent({ status: 'succeeded' });
    await insertRefundEvent(intent, await insertRefund(test.database, intent), 'refused');
    assert.deepEqual(await deliveredIds(), []);
    assert.equal(await test.database.providerEvent.count({ where: { deliveredAt: null } }), 1);
  });

  it('records once, with an alert, that the refund of a stray charge has failed after it had succeeded', async () => {
    const intent = await test.insertIntent({ status: 'failed' });
    await insertAttempt(intent, 'not_charged');
    const attemptId = attemptIdOf(intent, 1);
    const scope = { merchantAccountId: test.account, environment: 'sandbox' };
    await test.database.strayCharge.create({
      data: { attemptId, paymentIntentId: intent, ...scope, provider: 'alpha' },
    });
    await insertRefundEvent(intent, strayChargeIdOf(attemptId), 'refused');
    const read = async () => {
      assert.deepEqual(await deliveredIds(), []);
      const { status } = await test.database.strayCharge.findUniqueOrThrow({ where: { attemptId } });
      const entries = await test.database.timelineEntry.findMany({ where: { paymentIntentId: intent } });
      const waiting = await test.database.providerEvent.count({ where: { deliveredAt: null } });
      return { status, waiting, entries: entries.map(({ kind }) => kind), alerts: alerts.length };
    };
    assert.deepEqual(await read(), { status: 'pending', waiting: 1, entries: [], alerts: 0 });
    const money = { providerPaymentId: 'sim_1', amountMinor: 1_000n, currency: 'USD' };
    await test.database.strayCharge.update({ where: { attemptId }, data: { status: 'reversed', ...money } });
    for (let time = 1; time <= 2; time += 1) {
      assert.deepEqual(await read(), { status: 'failed', waiting: 0, entries: ['provider_event'], alerts: 1 });
    }
  });

  it('notes once that a charge which came after the attempt had ended without one is to be reversed', async () => {
    const intent = await test.insertIntent({ status: 'canceled' });
    await insertAttempt(intent, 'canceled');
    await insertProviderEvent(intent, 'late charge', MINUTE_AGO());
    await insertProviderEvent(intent, 'late charge, told again', MINUTE_AGO());
    await deliveredIds('finished');
    await deliveredIds('finished');
    const charges = await test.database.strayCharge.findMany({ where: { paymentIntentId: intent } });
    assert.deepEqual(
      charges.map(({ attemptId, provider, status }) => [attemptId, provider, status]),
      [[attemptIdOf(intent, 1), 'alpha', 'pending']],
    );
  });

  it('records no stray charge for an attempt that was approved, or is open', async () => {
    for (const outcome of ['approved', null]) {
      const intent = await test.insertIntent({ status: 'requires_capture' });
      await insertAttempt(intent, outcome);
      await insertProviderEvent(intent, `charge of ${outcome}`, MINUTE_AGO());
      await deliveredIds();
      assert.equal(await test.database.strayCharge.count({ where: { paymentIntentId: intent } }), 0);
    }
  });

  it('records once, when the payment has ended, that captured money did not arrive', async () => {
    const intent = await test.insertIntent({ status: 'requires_capture', amountCapturedMinor: 1_000n });
    await insertAttempt(intent, 'approved');
    const attemptId = attemptIdOf(intent, 1);
    const captureFailure = { attemptId, amountMinor: 1_000, currency: 'USD', reason: 'Rejected' };
    const eventId = 'failed';
    const event = { provider: 'alpha', eventId, captureFailure };
    const receivedAt = MINUTE_AGO();
    await test.database.providerEvent.create({
      data: { provider: 'alpha', eventId, paymentIntentId: intent, event, receivedAt },
    });
    const read = async () => {
      assert.deepEqual(await deliveredIds(), []);
      const { status, lastError } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
      const entries = await test.database.timelineEntry.findMany({ where: { paymentIntentId: intent } });
      const events = await test.database.event.findMany({ where: { paymentIntentId: intent } });
      const summaries = entries.filter(({ summary }) => summary.includes('failed after all'));
      return { status, lastError, entries: summaries.length, events: events.map(({ type }) => type) };
    };
    const nothing = { status: 'requires_capture', lastError: null, entries: 0, events: [] };
    assert.deepEqual(await read(), nothing);
    await test.database.paymentIntent.update({ where: { id: intent }, data: { status: 'succeeded' } });
    for (let time = 1; time <= 2; time += 1) {
      const { lastError, ...recorded } = await read();
      const events = ['transaction.created', 'payment_intent.payment_failed'];
      assert.deepEqual(recorded, { status: 'failed', entries: 1, events });
      assert.ok(typeof lastError === 'object' && lastError !== null && 'code' in lastError);
      assert.equal(lastError.code, 'TSP_PAYMENT_FAILED');
    }
    assert.equal(alerts.length, 1);
    assert.deepEqual(await moneyOf(intent), { status: 'failed', captured: 0, refunded: 0 });
    assert.deepEqual(await typesOf(intent), ['capture_reversal']);
    assert.deepEqual(takenOver, [intent]);
  });

  const captureFailureOf = (intent: string, amountMinor: number, captureReference: string) => ({
    captureFailure: {
      attemptId: attemptIdOf(intent, 1),
      amountMinor,
      currency: 'USD',
      reason: 'Rejected',
      captureReference,
    },
  });
  const namedCapture = (intent: string, capturedMinor: number, captureReference: string) => ({
    attemptId: attemptIdOf(intent, 1),
    outcome: {
      kind: 'approved',
      providerPaymentId: 'sim_1',
      captured: true,
      amountMinor: 1_000,
      currency: 'USD',
      capturedMinor,
    },
    captureReference,
  });

  it('takes back a capture that did not arrive, and books it again when the provider has captured it again', async () => {
    const whole = await insertCaptured();
    await insertReportOf(whole, captureFailureOf(whole, 1_000, 'PSP2'));
    await deliveredIds();
    assert.deepEqual(await moneyOf(whole), { status: 'failed', captured: 0, refunded: 0 });
    // The report of the capture that has failed came late.
    await insertReportOf(whole, namedCapture(whole, 1_000, 'PSP2'));
    await deliveredIds();
    assert.equal((await moneyOf(whole)).status, 'failed');
    await insertReportOf(whole, namedCapture(whole, 1_000, 'PSP3'));
    for (let time = 1; time <= 2; time += 1) await deliveredIds();
    assert.deepEqual(await moneyOf(whole), { status: 'succeeded', captured: 1_000, refunded: 0 });
    assert.deepEqual(await typesOf(whole), ['capture', 'capture_reversal', 'capture']);
    await insertReportOf(whole, captureFailureOf(whole, 1_000, 'PSP3'));
    await deliveredIds();
    assert.deepEqual(await moneyOf(whole), { status: 'failed', captured: 0, refunded: 0 });
    assert.equal(takenOver.filter((id) => id === whole).length, 3);
  });

  it('takes back a part that did not arrive, books it again, and tells both by an event with the new sum', async () => {
    const intent = await insertCaptured();
    const reported = async (report: object) => {
      await insertReportOf(intent, report);
      for (let time = 1; time <= 2; time += 1) await deliveredIds();
      const { status, captured } = await moneyOf(intent);
      return `${status} ${captured}`;
    };
    assert.equal(await reported(namedCapture(intent, 1_000, 'PSP1')), 'succeeded 1000');
    assert.deepEqual(takenOver, []);
    assert.equal(await reported(captureFailureOf(intent, 400, 'PSP1')), 'succeeded 600');
    assert.equal(await reported(namedCapture(intent, 1_000, 'PSP1')), 'succeeded 600');
    assert.equal(await reported(namedCapture(intent, 400, 'PSP2')), 'succeeded 1000');
    assert.deepEqual(await typesOf(intent), ['capture', 'capture_reversal', 'capture']);
    const changed = ['transaction.created', 'payment_intent.amount_captured_changed'];
    assert.deepEqual(await eventsOf(intent), [...changed, ...changed]);
    const { lastError } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
    assert.equal(lastError, null);
    assert.equal(await reported(captureFailureOf(intent, 600, 'PSP3')), 'succeeded 400');
    assert.equal(await reported(captureFailureOf(intent, 400, 'PSP2')), 'failed 0');
    assert.equal(await reported(namedCapture(intent, 300, 'PSP4')), 'succeeded 300');
    assert.equal(await reported(namedCapture(intent, 700, 'PSP5')), 'succeeded 1000');
    assert.equal((await eventsOf(intent)).at(-1), 'payment_intent.amount_captured_changed');
    assert.equal(alerts.length, 3);
  });

  it('books the rest that somebody has captured at the provider, and notes what is more than was authorized', async () => {
    const intent = await insertCaptured();
    await test.database.paymentIntent.update({ where: { id: intent }, data: { amountCapturedMinor: 600n } });
    await test.database.transaction.updateMany({ where: { paymentIntentId: intent }, data: { amountMinor: 600n } });
    await insertReportOf(intent, namedCapture(intent, 600, 'PSP1'));
    await deliveredIds();
    assert.deepEqual(await typesOf(intent), ['capture']);
    await insertReportOf(intent, namedCapture(intent, 400, 'PSP2'));
    await deliveredIds();
    assert.deepEqual(await moneyOf(intent), { status: 'succeeded', captured: 1_000, refunded: 0 });
    assert.deepEqual(alerts, []);
    await insertReportOf(intent, namedCapture(intent, 50, 'PSP3'));
    for (let time = 1; time <= 2; time += 1) await deliveredIds();
    assert.deepEqual(await moneyOf(intent), { status: 'succeeded', captured: 1_000, refunded: 0 });
    const attemptId = attemptIdOf(intent, 1);
    assert.deepEqual(alerts, [{ alert: 'AMOUNT_DIFFERS', provider: 'alpha', paymentIntentId: intent, attemptId }]);
    const entries = await test.database.timelineEntry.findMany({ where: { paymentIntentId: intent } });
    assert.equal(entries.filter(({ summary }) => summary.includes('the rest was not recorded')).length, 1);
  });

  it('asks the provider about a capture without a name whose payment has failed after all, once', async () => {
    const intent = await insertCaptured();
    await insertVoid(intent);
    await deliveredIds();
    assert.equal((await moneyOf(intent)).status, 'failed');
    await insertProviderEvent(intent, 'captured', MINUTE_AGO());
    for (let time = 1; time <= 2; time += 1) await deliveredIds();
    assert.deepEqual(compared, [attemptIdOf(intent, 1)]);
    assert.equal((await moneyOf(intent)).status, 'failed');
  });

  it('frees the place of a link whose payment has failed after all, and takes it again once the money has come', async () => {
    const intent = await insertCaptured();
    const account = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const id = newId('paymentLink');
    await test.database.paymentLink.create({
      data: { ...account, id, tokenHash: id, amountMinor: 1_000n, currency: 'USD', maxPayments: 1, paidCount: 1 },
    });
    await test.database.paymentLinkPayment.create({
      data: { ...account, id: intent, paymentLinkId: id, outcome: 'paid', createdAt: new Date() },
    });
    const paid = async () => (await test.database.direct.row(selectPaymentLink(id, account)))?.paidPayments;
    const report = async (event: object) => {
      await insertReportOf(intent, event);
      for (let time = 1; time <= 2; time += 1) await deliveredIds();
    };
    const reference = { attemptId: attemptIdOf(intent, 1) };
    const money = { amountMinor: 1_000, currency: 'USD' };
    assert.equal(await paid(), 1);
    await report({ captureFailure: { ...reference, ...money, reason: 'Rejected', captureReference: 'PSP2' } });
    assert.equal(await paid(), 0);
    const outcome = { kind: 'approved', providerPaymentId: 'sim_1', captured: true, ...money };
    await report({ ...reference, outcome, captureReference: 'PSP3' });
    assert.equal(await paid(), 1);
  });

  it('tells a warning of fraud once, and leaves the money as it is', async () => {
    const intent = await insertCaptured();
    const warning = {
      attemptId: attemptIdOf(intent, 1),
      providerEvent: 'NOTIFICATION_OF_FRAUD',
      providerReference: 'PSP7',
    };
    const reference = await insertReportOf(intent, { fraudWarning: warning });
    for (let time = 1; time <= 2; time += 1) {
      await deliveredIds();
      await test.database.providerEvent.update({ where: { provider_eventId: reference }, data: { deliveredAt: null } });
    }
    assert.deepEqual(await eventsOf(intent), ['payment_intent.fraud_warning']);
    const row = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
    assert.ok(row.disputedAt !== null);
    assert.deepEqual([row.disputeIds, row.amountDisputedMinor], [[], 0n]);
    assert.deepEqual(await moneyOf(intent), { status: 'succeeded', captured: 1_000, refunded: 0 });
  });

  it('records a dispute and its money, so that what is left to refund is never more than the provider has left', async () => {
    const intent = await insertCaptured();
    const scope = { merchantAccountId: test.account, environment: 'sandbox' } as const;
    const report = disputeReportsOf(intent);
    const refundable = async () =>
      (await test.database.direct.row(selectTransaction(transactionIdOf(intent, 1, 'capture'), scope)))?.refunds;
    const leftAfter = async (change: object): Promise<number | undefined> => {
      await report(change);
      return (await refundable())?.refundableMinor;
    };
    const chargeback = { providerEvent: 'CHARGEBACK', stage: 'chargeback', funds: 'withdrawn', amountMinor: 600 };
    assert.equal(await leftAfter(chargeback), 400);
    assert.equal(await leftAfter({ providerEvent: 'ISSUER_COMMENTS', amountMinor: 600 }), 400);
    const reversal = { providerEvent: 'CHARGEBACK_REVERSED', status: 'won', funds: 'reinstated', amountMinor: 600 };
    assert.equal(await leftAfter(reversal), 1_000);
    assert.equal(
      await leftAfter({ ...chargeback, providerEvent: 'SECOND_CHARGEBACK', stage: 'pre_arbitration', status: 'lost' }),
      400,
    );
    const transactions = await test.database.transaction.findMany({
      where: { paymentIntentId: intent, type: { startsWith: 'chargeback' } },
      orderBy: { createdAt: 'asc' },
    });
    assert.deepEqual(
      transactions.map(({ type, amountMinor, providerPaymentId }) => [type, Number(amountMinor), providerPaymentId]),
      [
        ['chargeback', 600, 'PSP9'],
        ['chargeback_reversal', 600, 'PSP9'],
        ['chargeback', 600, 'PSP9'],
      ],
    );
    const row = await test.database.paymentIntent.findUniqueOrThrow({
      where: { id: intent },
      include: { disputes: true },
    });
    const [dispute] = row.disputes;
    assert.deepEqual(row.disputeIds, [dispute?.id]);
    assert.deepEqual(
      [row.status, dispute?.status, dispute?.stage, dispute?.amountWithdrawnMinor, dispute?.amountBlockedMinor],
      ['succeeded', 'lost', 'pre_arbitration', 600n, 600n],
    );
    const events = await test.database.event.findMany({ where: { resourceId: dispute?.id ?? '' } });
    assert.ok(events.length > 0);
    for (const { snapshot } of events) assert.ok(!JSON.stringify(snapshot).includes('"reports"'));
    assert.equal(alerts.length, 4);
  });

  it('adds up what several disputes of a payment block, and counts a report of each once', async () => {
    const intent = await insertCaptured();
    const chargeback = { providerEvent: 'CHARGEBACK', stage: 'chargeback', funds: 'withdrawn' };
    await disputeReportsOf(intent)({ ...chargeback, amountMinor: 300 });
    const second = disputeReportsOf(intent, 'PSP10');
    for (let time = 1; time <= 2; time += 1) await second({ ...chargeback, amountMinor: 500 }, 'the same');
    const row = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
    assert.deepEqual([row.amountDisputedMinor, row.disputeIds.length], [800n, 2]);
    assert.equal(await test.database.transaction.count({ where: { paymentIntentId: intent, type: 'chargeback' } }), 2);
  });

  it('leaves a report about a payment at another provider', async () => {
    const elsewhere = await insertCaptured();
    await test.database.paymentAttempt.updateMany({
      where: { paymentIntentId: elsewhere },
      data: { provider: 'beta' },
    });
    await disputeReportsOf(elsewhere)({ stage: 'chargeback', funds: 'withdrawn' });
    assert.deepEqual(await eventsOf(elsewhere), []);
    assert.equal(await test.database.dispute.count({ where: { paymentIntentId: elsewhere } }), 0);
  });

  /** Reports of one dispute of a payment, each delivered at once. */
  function disputeReportsOf(intent: string, providerReference = 'PSP9') {
    let minutes = 0;
    return async (change: object, eventId = newId('event')): Promise<void> => {
      minutes += 1;
      const dispute = {
        attemptId: attemptIdOf(intent, 1),
        providerReference,
        providerEvent: 'CHARGEBACK',
        stage: null,
        status: null,
        unknownStatus: null,
        reason: null,
        networkReasonCode: null,
        amountMinor: 1_000,
        currency: 'USD',
        respondBy: null,
        isDefendable: null,
        funds: null,
        occurredAt: new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString(),
        ...change,
      };
      await test.database.providerEvent.deleteMany({ where: { eventId } });
      await insertReportOf(intent, { dispute }, eventId);
      await deliveredIds();
    };
  }

  it('asks about a report that was not understood: the workflow of an open attempt, else the provider', async () => {
    const question = (intent: string) => ({
      attemptId: attemptIdOf(intent, 1),
      outcome: { kind: 'pending', providerPaymentId: 'sim_1' },
      notUnderstood: 'payment_intent.canceled',
    });
    const open = await test.insertIntent({ status: 'requires_action' });
    await insertAttempt(open, null);
    const held = await test.insertIntent({ status: 'requires_capture' });
    await insertAttempt(held, 'approved');
    const { eventId } = await insertReportOf(open, question(open));
    await insertReportOf(held, question(held));
    assert.deepEqual(await deliveredIds(), [eventId]);
    assert.deepEqual(compared, [attemptIdOf(held, 1)]);
    assert.deepEqual(await deliveredIds(), []);
    assert.equal(compared.length, 1);
  });

  it('records that captured money did not arrive if the provider has voided what it had authorized', async () => {
    const cases = [
      { captureMethod: 'automatic', outcome: 'approved', isRecorded: true },
      // The rest of a hold that was captured in part is voided, too.
      { captureMethod: 'manual', outcome: 'approved', isRecorded: false },
      { captureMethod: 'automatic', outcome: 'declined', isRecorded: false },
    ];
    for (const { captureMethod, outcome, isRecorded } of cases) {
      const intent = await test.insertIntent({ status: 'succeeded', captureMethod, amountCapturedMinor: 1_000n });
      await insertAttempt(intent, outcome);
      await insertVoid(intent);
      for (let time = 1; time <= 2; time += 1) {
        assert.deepEqual(await deliveredIds(), []);
        const events = await test.database.event.findMany({ where: { paymentIntentId: intent } });
        const types = events.map(({ type }) => type);
        const booked = ['transaction.created', 'payment_intent.payment_failed'];
        assert.deepEqual(types, isRecorded ? booked : [], captureMethod);
      }
      const { status, lastError } = await test.database.paymentIntent.findUniqueOrThrow({ where: { id: intent } });
      assert.deepEqual([status, lastError === null], [isRecorded ? 'failed' : 'succeeded', !isRecorded]);
    }
    assert.equal(alerts.length, 1);
  });

  describe('given the report of a refund that the engine has not requested', () => {
    const insertReport = (paymentIntentId: string, change: object = {}) => {
      const attemptId = attemptIdOf(paymentIntentId, 1);
      const refund = {
        providerRefundId: `PSP ${paymentIntentId}`,
        status: 'succeeded',
        amountMinor: 300,
        currency: 'USD',
      };
      return insertReportOf(paymentIntentId, { unknownRefund: { attemptId, ...refund, ...change } });
    };

    it('subtracts it once from what can be refunded, tells it, and takes it back where it fails later', async () => {
      const intent = await insertCaptured();
      for (let time = 1; time <= 2; time += 1) {
        await insertReport(intent);
        await deliveredIds();
      }
      assert.deepEqual(await moneyOf(intent), { status: 'succeeded', captured: 1_000, refunded: 300 });
      const [refund = assert.fail()] = await test.database.refund.findMany({ where: { paymentIntentId: intent } });
      assert.deepEqual([refund.origin, refund.status, refund.nextDueAt], ['provider', 'succeeded', null]);
      const eventTypes = ['refund.created', 'transaction.created', 'refund.succeeded', 'payment_intent.refunded'];
      assert.deepEqual(await eventsOf(intent), eventTypes);
      assert.equal(alerts.length, 1);
      assert.equal(await test.database.timelineEntry.count({ where: { paymentIntentId: intent } }), 1);
      for (let time = 1; time <= 2; time += 1) {
        await insertReport(intent, { status: 'failed' });
        await deliveredIds();
      }
      assert.deepEqual(await moneyOf(intent), { status: 'succeeded', captured: 1_000, refunded: 0 });
      assert.deepEqual(await typesOf(intent), ['capture', 'refund', 'void']);
      const laterTypes = ['transaction.created', 'refund.failed', 'payment_intent.refunded'];
      assert.deepEqual(await eventsOf(intent), [...eventTypes, ...laterTypes]);
    });

    it('leaves the refundable amount as it is for the money of another payment, and for more than was captured', async () => {
      for (const change of [{ providerPaymentId: 'the second payment' }, { amountMinor: 1_001 }, { currency: 'EUR' }]) {
        const intent = await insertCaptured();
        await insertReport(intent, change);
        await deliveredIds();
        assert.equal((await moneyOf(intent)).refunded, 0, JSON.stringify(change));
        assert.equal(await test.database.timelineEntry.count({ where: { paymentIntentId: intent } }), 1);
      }
      assert.equal(alerts.length, 3);
    });

    it('books one that a reconciliation run has found, without a second difference', async () => {
      const intent = await insertCaptured();
      const attemptId = attemptIdOf(intent, 1);
      const refund = { providerRefundId: 'PSP9', status: 'succeeded', amountMinor: 300, currency: 'USD' };
      await insertReportOf(
        intent,
        { unknownRefund: { attemptId, ...refund } },
        'reconciliation:rcn_1:unknown refund PSP9',
      );
      await deliveredIds();
      assert.equal((await moneyOf(intent)).refunded, 300);
      assert.equal(await test.database.reconciliationDifference.count({ where: { paymentIntentId: intent } }), 0);
      assert.equal(alerts.length, 1);
    });

    const insertCharged = async () => {
      const intent = await test.insertIntent({ status: 'succeeded' });
      await insertPaymentAttempt(test.database, intent, { outcome: 'approved', providerPaymentId: 'PSP1' });
      return intent;
    };

    it('reports it once as a difference of a reconciliation run, even if the event is delivered again', async () => {
      const intent = await insertCharged();
      const reference = await insertReport(intent);
      const type = 'reconciliation.difference_found';
      const countBefore = await test.database.event.count({ where: { merchantAccountId: test.account, type } });
      for (let time = 1; time <= 2; time += 1) {
        assert.deepEqual(await deliveredIds(), []);
        const found = await test.database.event.count({ where: { merchantAccountId: test.account, type } });
        const differences = await test.database.reconciliationDifference.findMany({
          where: { paymentIntentId: intent },
        });
        const [{ runId, kind, action, providerPaymentId, ours, theirs } = assert.fail(), ...others] = differences;
        assert.deepEqual([others.length, found], [0, countBefore + 1]);
        assert.deepEqual(
          { kind, action, providerPaymentId, ours },
          { kind: 'unknown_refund', action: 'reported', providerPaymentId: 'PSP1', ours: null },
        );
        assert.deepEqual(theirs, { status: 'succeeded', amount: 300, capturedAmount: null, currency: 'USD' });
        const run = await test.database.reconciliationRun.findUniqueOrThrow({
          where: { id: runId },
          include: { accounts: true },
        });
        assert.deepEqual([run.status, run.isContinuous, run.reported], ['completed', false, 1]);
        assert.deepEqual(
          run.accounts.map(({ merchantAccountId, reported }) => [merchantAccountId, reported]),
          [[test.account, 1]],
        );
        await test.database.providerEvent.update({
          where: { provider_eventId: reference },
          data: { deliveredAt: null },
        });
      }
      assert.equal(alerts.length, 1);
    });

    it('reports each of two refunds of the same amount', async () => {
      const intent = await insertCharged();
      const where = { merchantAccountId: test.account, type: 'reconciliation.difference_found' };
      const countBefore = await test.database.event.count({ where });
      for (let refund = 1; refund <= 2; refund += 1) {
        await insertReport(intent, { providerRefundId: `refund ${refund} of ${intent}` });
        await deliveredIds();
      }
      assert.equal(await test.database.event.count({ where }), countBefore + 2);
      assert.equal(alerts.length, 2);
    });

    it('reports no refund of a stray charge, which somebody has to return, and none of a payment at another provider', async () => {
      const stray = await insertCharged();
      const attemptId = attemptIdOf(stray, 1);
      const charge = { attemptId, paymentIntentId: stray, merchantAccountId: test.account, environment: 'sandbox' };
      await test.database.strayCharge.create({ data: { ...charge, provider: 'alpha', status: 'failed' } });
      const elsewhere = await insertCharged();
      await test.database.paymentAttempt.updateMany({
        where: { paymentIntentId: elsewhere },
        data: { provider: 'beta' },
      });
      for (const intent of [stray, elsewhere]) await insertReport(intent);
      assert.deepEqual(await deliveredIds(), []);
      const paymentIntentId = { in: [stray, elsewhere] };
      assert.equal(await test.database.reconciliationDifference.count({ where: { paymentIntentId } }), 0);
      assert.equal(await test.database.providerEvent.count({ where: { deliveredAt: null } }), 0);
    });
  });

  it('signals no refusal of a capture: the activity that repeats the capture reads it', async () => {
    const intent = await test.insertIntent({ status: 'requires_capture', captureMethod: 'manual' });
    await insertAttempt(intent, 'approved');
    const reference = { provider: 'alpha', eventId: 'PSP2:CAPTURE:false' };
    const captureRefusal = { attemptId: attemptIdOf(intent, 1), captureReference: 'PSP2', providerResponse: {} };
    const event = { ...reference, captureRefusal };
    await test.database.providerEvent.create({
      data: { ...reference, paymentIntentId: intent, event, receivedAt: MINUTE_AGO() },
    });
    assert.deepEqual(await deliveredIds(), []);
    assert.equal(await test.database.providerEvent.count({ where: { deliveredAt: null } }), 0);
  });

  it('delivers a void until its attempt has ended, because a capture may be recorded at the same time', async () => {
    const intent = await test.insertIntent({ status: 'processing', captureMethod: 'automatic' });
    await insertAttempt(intent, null);
    await insertVoid(intent, new Date(Date.now() - 10_000));
    for (const answer of ['delivered', 'finished'] as const) {
      assert.deepEqual(await deliveredIds(answer), [`void ${intent}`]);
    }
    await test.database.paymentAttempt.updateMany({
      where: { paymentIntentId: intent },
      data: { outcome: 'approved' },
    });
    await test.database.paymentIntent.update({
      where: { id: intent },
      data: { status: 'succeeded', amountCapturedMinor: 1_000n },
    });
    for (let time = 1; time <= 2; time += 1) assert.deepEqual(await deliveredIds(), []);
    const events = await test.database.event.findMany({ where: { paymentIntentId: intent } });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['transaction.created', 'payment_intent.payment_failed'],
    );
    assert.equal(alerts.length, 1);
  });

  it('signals a void for a minute only, while the run leaves its attempt open', async () => {
    const intent = await test.insertIntent({ status: 'processing', captureMethod: 'automatic' });
    await insertAttempt(intent, null);
    await insertVoid(intent);
    assert.deepEqual(await deliveredIds(), []);
    // The attempt ends with a capture after all: the void is not forgotten.
    await test.database.paymentAttempt.updateMany({
      where: { paymentIntentId: intent },
      data: { outcome: 'approved' },
    });
    await test.database.paymentIntent.update({ where: { id: intent }, data: { status: 'succeeded' } });
    assert.deepEqual(await deliveredIds(), []);
    assert.equal(alerts.length, 1);
  });

  it('delivers a void once where no attempt is open that it may belong to', async () => {
    const neverOpened = await test.insertIntent({ status: 'requires_payment_method' });
    const held = await test.insertIntent({ status: 'requires_capture', captureMethod: 'manual' });
    await insertAttempt(held, 'approved');
    for (const intent of [neverOpened, held]) await insertVoid(intent);
    assert.deepEqual((await deliveredIds()).sort(), [`void ${held}`, `void ${neverOpened}`].sort());
    assert.deepEqual(await deliveredIds(), []);
  });

  it('does not deliver a void whose attempt has ended without a charge', async () => {
    const intent = await test.insertIntent({ status: 'requires_payment_method' });
    await insertAttempt(intent, 'not_charged');
    await insertVoid(intent);
    assert.deepEqual(await deliveredIds(), []);
  });

  it('keeps events of unknown intents until the intent exists', async () => {
    const id = newId('paymentIntent');
    await insertProviderEvent(id, 'early', MINUTE_AGO());
    assert.deepEqual(await deliveredIds(), []);
    await test.insertIntent({ id });
    assert.deepEqual(await deliveredIds(), ['early']);
  });

  it('goes through more than a page of events of one moment', async () => {
    const intent = await test.insertIntent();
    const receivedAt = MINUTE_AGO();
    const ids = Array.from({ length: 230 }, (_, index) => `event ${index}`);
    await Promise.all(ids.map((id) => insertProviderEvent(intent, id, receivedAt)));
    assert.deepEqual((await deliveredIds('not_started')).sort(), ids.sort());
  });
});
