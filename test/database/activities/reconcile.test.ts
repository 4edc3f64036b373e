import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createReconciliationActivities } from '../../../activities/reconcile.ts';
import type { StoredReport } from '../../../domain/dispute.ts';
import { attemptIdOf, transactionIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { ListedPayment, ReconciliationProgress } from '../../../domain/reconciliation.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { selectAccountRun } from '../../../prisma/queries/reconciliation.ts';
import type { PaymentListPage, PaymentListRequest, PaymentProvider } from '../../../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../../providers/provider-errors.ts';
import type { ProviderRegistry } from '../../../providers/provider-registry.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { reportDispute } from '../../../worker/jobs/report-dispute.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { assertContains } from '../../support/assert-contains.ts';
import { inActivity } from '../../support/activity-context.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { insertPaymentAttempt, insertPaymentIntent, insertRefund } from '../../support/payment-rows.ts';
import { insertProviderAccount } from '../../support/provider-accounts.ts';
import { listedPayment } from '../../support/reconciliations.ts';

const AMOUNT = 1_000n;
const FROM = new Date(Date.now() - 2 * HOUR_MS);
const TO = new Date(Date.now() - MINUTE_MS);
const WITHIN = new Date(Date.now() - HOUR_MS);

describe('reconciliation of a provider', function () {
  this.timeout(60_000);
  const test = useAccount();
  let counted: string[];

  beforeEach(async () => {
    const { database } = test;
    counted = [];
    await database.reconciliationRun.deleteMany();
    await database.providerEvent.deleteMany();
    await database.event.deleteMany();
    await database.paymentIntent.deleteMany();
  });

  type ListPayments = (request: PaymentListRequest) => Promise<PaymentListPage>;
  const nothing: ListPayments = () => Promise.resolve({ payments: [], nextCursor: null });

  const activitiesWith = (listPayments: ListPayments | null = nothing) =>
    activitiesOf(listPayments === null ? {} : { listPayments });

  const activitiesOf = (provider: Partial<PaymentProvider>) => activitiesAt(registryOf(provider));

  const activitiesAt = (registry: ProviderRegistry) =>
    createReconciliationActivities({
      database: test.database,
      registry,
      metrics: {
        differencesFound: (provider, action, count) => void counted.push(`${provider} ${count} ${action}`),
        runEnded: (provider, status) => void counted.push(`${provider} ${status}`),
      },
    });

  const begin = async (activities = activitiesWith(), provider = 'alpha'): Promise<string> => {
    const runId = newId('reconciliationRun');
    await activities.beginReconciliation({ runId, provider, from: FROM.toISOString(), to: TO.toISOString() });
    return runId;
  };

  /** Runs a reconciliation with what a provider can do. */
  async function reconcileWith(provider: Partial<PaymentProvider>): Promise<ReconciliationProgress> {
    const activities = activitiesOf(provider);
    const runId = await begin(activities, provider.name);
    for (let page = 0; ; page += 1) {
      const progress = await inActivity(() => activities.reconcilePage({ runId, page }));
      if (progress.status !== 'running') return progress;
    }
  }

  /** Runs a reconciliation with a list of these pages, and each of its activities twice. */
  async function reconcile(...pages: readonly (readonly ListedPayment[])[]): Promise<ReconciliationProgress> {
    const activities = activitiesWith(async ({ cursor }) => {
      const number = Number(cursor ?? 0);
      return { payments: pages[number] ?? [], nextCursor: number + 1 < pages.length ? String(number + 1) : null };
    });
    const runId = await begin(activities);
    const repeated = await activities.beginReconciliation({ runId, provider: 'alpha', from: null, to: null });
    assert.equal(repeated.from, FROM.toISOString());
    for (let page = 0; ; page += 1) {
      const first = await inActivity(() => activities.reconcilePage({ runId, page }));
      assert.deepEqual(await inActivity(() => activities.reconcilePage({ runId, page })), first);
      if (first.status !== 'running') return first;
    }
  }

  /** An attempt of 10.00 USD at alpha, as it is listed; with a capture where it is approved. */
  async function insertAttempt(outcome: string | null, change: { readonly status?: string } = {}) {
    const status = outcome === 'approved' ? 'succeeded' : outcome === null ? 'processing' : 'failed';
    const intent = await test.insertIntent({ status, updatedAt: WITHIN, ...change });
    const id = attemptIdOf(intent, 1);
    const providerPaymentId = `sim_${id}`;
    await insertPaymentAttempt(test.database, intent, {
      providerPaymentId,
      amountMinor: AMOUNT,
      outcome,
      startedAt: WITHIN,
      finishedAt: outcome === null ? null : WITHIN,
    });
    if (outcome === 'approved') await insertCapture(intent, id);
    return { intent, id, listed: listed({ attemptId: id, providerPaymentId }) };
  }

  async function insertCapture(paymentIntentId: string, attemptId: string): Promise<void> {
    await test.database.transaction.create({
      data: {
        id: transactionIdOf(paymentIntentId, 1, 'capture'),
        paymentIntentId,
        attemptId,
        merchantAccountId: test.account,
        environment: 'sandbox',
        type: 'capture',
        amountMinor: AMOUNT,
        currency: 'USD',
        provider: 'alpha',
        providerPaymentId: `sim_${attemptId}`,
        createdAt: WITHIN,
      },
    });
  }

  function listed(change: Partial<ListedPayment> = {}): ListedPayment {
    const at = WITHIN.toISOString();
    return listedPayment({ amountMinor: Number(AMOUNT), createdAt: at, updatedAt: at, ...change });
  }

  const differences = async (): Promise<string[]> => {
    const rows = await test.database.reconciliationDifference.findMany({ orderBy: { number: 'asc' } });
    return rows.map(({ action, kind, attemptId, refundId }) => `${action} ${kind} ${refundId ?? attemptId}`);
  };

  it('counts payments that agree, over all pages, and nothing else', async () => {
    const attempts = [
      await insertAttempt('approved'),
      await insertAttempt('approved'),
      await insertAttempt('declined'),
    ];
    const pages = attempts.map((each, index) => [
      index === 2 ? { ...each.listed, status: 'declined' as const } : each.listed,
    ]);
    const { status, compared, repaired, reported, pages: read } = await reconcile(...pages);
    assert.deepEqual([status, read, compared, repaired, reported], ['completed', 3, 3, 0, 0]);
    assert.deepEqual(await differences(), []);
    assert.equal(await test.database.reconciliationMatch.count(), 0);
    const [counts, ...others] = await test.database.reconciliationAccount.findMany();
    assert.deepEqual([counts?.merchantAccountId, counts?.compared, others.length], [test.account, 3, 0]);
    assert.equal(counted.at(-1), 'alpha completed');
  });

  it('has an event delivered for an outcome that was learned late, a stray charge and a refund, each once', async () => {
    const open = await insertAttempt(null);
    const ended = await insertAttempt('not_charged');
    const paid = await insertAttempt('approved');
    const refundId = await insertRefund(test.database, paid.intent, { updatedAt: WITHIN });
    const refund = {
      refundId,
      providerRefundId: 'sim_re',
      amountMinor: 300,
      currency: 'USD',
      status: 'succeeded' as const,
    };
    const progress = await reconcile([open.listed, ended.listed], [{ ...paid.listed, refunds: [refund] }]);
    assert.deepEqual([progress.compared, progress.repaired, progress.reported], [3, 3, 0]);
    assert.deepEqual(await differences(), [
      `repaired outcome_not_recorded ${open.id}`,
      `repaired stray_charge ${ended.id}`,
      `repaired refund_outcome_not_recorded ${refundId}`,
    ]);
    const events = await test.database.providerEvent.findMany({ orderBy: { eventId: 'asc' } });
    const subjects = [open.id, ended.id, refundId].map((id) => `reconciliation:${progress.runId}:${id}`);
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      subjects.sort(),
    );
    const late = events.find(({ eventId }) => eventId.endsWith(open.id));
    assert.deepEqual(
      [late?.provider, late?.paymentIntentId, late?.refundId, late?.deliveredAt],
      ['alpha', open.intent, null, null],
    );
    assertContains(late?.event, { attemptId: open.id, outcome: { kind: 'approved', captured: true } });
    const ofRefund = events.find(({ eventId }) => eventId.endsWith(refundId));
    assert.deepEqual([ofRefund?.paymentIntentId, ofRefund?.refundId], [paid.intent, refundId]);
    assert.equal(await test.database.event.count(), 0);
    assert.deepEqual(
      counted.filter((line) => line.includes('repaired')),
      ['alpha 2 repaired', 'alpha 1 repaired'],
    );
  });

  it('compares one attempt alone, whatever the time of its change, and repairs what it finds', async () => {
    const { id, listed: payment, intent } = await insertAttempt('approved', { status: 'requires_capture' });
    await test.database.transaction.updateMany({ where: { paymentIntentId: intent }, data: { type: 'authorization' } });
    const asked: string[] = [];
    const activities = activitiesOf({
      findPayment: ({ attemptId }) => {
        asked.push(attemptId);
        return Promise.resolve({ ...payment, status: 'voided', capturedMinor: 0, updatedAt: new Date().toISOString() });
      },
    });
    await insertAttempt('approved');
    const runId = newId('reconciliationRun');
    const request = { runId, provider: 'alpha', from: null, to: null, attemptId: id };
    await activities.beginReconciliation(request);
    const progress = await inActivity(() => activities.reconcilePage({ runId, page: 0 }));
    assert.deepEqual([progress.status, progress.compared, progress.repaired, asked], ['completed', 1, 1, [id]]);
    assert.deepEqual(await differences(), [`repaired hold_ended ${id}`]);
    const [{ event } = assert.fail()] = await test.database.providerEvent.findMany({
      where: { paymentIntentId: intent },
    });
    assertContains(event, { attemptId: id, outcome: { kind: 'not_charged' } });
  });

  it('has a refund that nobody requested here recorded, and knows it afterwards by the id of the provider', async () => {
    const { id, listed: payment, intent } = await insertAttempt('approved');
    const refund = {
      refundId: null,
      providerRefundId: 'PSP9',
      amountMinor: 300,
      currency: 'USD',
      status: 'succeeded',
    } as const;
    await reconcile([{ ...payment, refunds: [refund] }]);
    assert.deepEqual(await differences(), [`reported unknown_refund ${id}`]);
    const [{ event } = assert.fail()] = await test.database.providerEvent.findMany({
      where: { paymentIntentId: intent },
    });
    const { refundId: _, ...money } = refund;
    assertContains(event, { unknownRefund: { attemptId: id, ...money } });
    const booked = {
      amountMinor: 300n,
      status: 'succeeded',
      providerRefundId: 'PSP9',
      origin: 'provider',
      updatedAt: WITHIN,
    };
    await insertRefund(test.database, intent, booked);
    await reconcile([{ ...payment, refunds: [refund] }]);
    assert.equal((await differences()).length, 1);
  });

  it('reports what nobody may repair, and tells the merchant of its own payments once', async () => {
    const more = await insertAttempt('approved');
    const missing = await insertAttempt('approved');
    const otherAmount = { ...more.listed, amountMinor: 2_000, capturedMinor: 2_000 };
    const unknown = listed({ attemptId: null, providerPaymentId: 'sim_foreign' });
    const progress = await reconcile([otherAmount, unknown]);
    assert.deepEqual([progress.compared, progress.repaired, progress.reported], [3, 0, 3]);
    assert.deepEqual(await differences(), [
      `reported amount_differs ${more.id}`,
      'reported unknown_payment null',
      `reported missing_payment ${missing.id}`,
    ]);
    assert.equal(await test.database.providerEvent.count(), 0);
    const eventsSent = async (): Promise<string[]> => {
      const events = await test.database.event.findMany({ orderBy: { insertion: 'asc' } });
      return events.map(({ type, resourceId }) => `${type} ${resourceId}`);
    };
    const expected = [1, 3].map((number) => `reconciliation.difference_found ${progress.runId}_${number}`);
    assert.deepEqual((await eventsSent()).sort(), expected);
    const again = await reconcile([otherAmount, unknown]);
    assert.equal(again.reported, 3);
    assert.deepEqual((await eventsSent()).sort(), expected, 'the same differences of another run are no news');
  });

  it('leaves out a payment of another name for the same account, and claims no attempt of another name', async () => {
    const { id, listed: payment } = await insertAttempt('approved');
    await test.database.paymentAttempt.update({ where: { id }, data: { provider: 'beta' } });
    await reconcile([payment]);
    assert.deepEqual(await differences(), []);
    await reconcile([{ ...payment, providerPaymentId: 'sim_second' }]);
    assert.deepEqual(await differences(), [`reported unknown_payment ${id}`]);
    assert.equal(await test.database.reconciliationAccount.count(), 0);
  });

  it('asks one by one what no list has, of payments that have changed, and changes nothing else', async () => {
    const [late, gone, declined] = [
      await insertAttempt(null),
      await insertAttempt('approved'),
      await insertAttempt('declined'),
    ];
    const many = await Promise.all(Array.from({ length: 25 }, () => insertAttempt('approved')));
    const atProvider = new Map([late, ...many].map(({ id, listed: payment }) => [id, payment]));
    const asked: string[] = [];
    const findPayment: PaymentProvider['findPayment'] = async ({ attemptId, providerPaymentId, startedAt }) => {
      assert.deepEqual([providerPaymentId, Date.parse(startedAt)], [`sim_${attemptId}`, WITHIN.getTime()]);
      asked.push(attemptId);
      return atProvider.get(attemptId) ?? null;
    };
    const run = await reconcileWith({ findPayment });
    assert.deepEqual([run.status, run.pages, run.compared, run.repaired, run.reported], ['completed', 2, 27, 1, 1]);
    assert.deepEqual(asked.toSorted(), [...atProvider.keys(), gone.id, declined.id].toSorted());
    const found = [`repaired outcome_not_recorded ${late.id}`, `reported missing_payment ${gone.id}`];
    assert.deepEqual((await differences()).toSorted(), found);
  });

  it('asks about what the list lacks, where the provider has both', async () => {
    const [first, second] = [await insertAttempt('approved'), await insertAttempt('approved')];
    const asked: string[] = [];
    const run = await reconcileWith({
      listPayments: () => Promise.resolve({ payments: [first.listed], nextCursor: null }),
      async findPayment({ attemptId }) {
        asked.push(attemptId);
        // Its last change at the provider is older than the window.
        return { ...second.listed, updatedAt: new Date(FROM.getTime() - HOUR_MS).toISOString() };
      },
    });
    assert.deepEqual([asked, run.pages, run.compared, run.reported], [[second.id], 2, 2, 0]);
  });

  it("gives all that an account's own list has to the account, and tells it of unknown payments once", async () => {
    const account = await insertProviderAccount(test.database, test.account);
    const unknown = listed({ attemptId: null, providerPaymentId: 'sim_foreign' });
    const provider = { name: account, listPayments: () => Promise.resolve({ payments: [unknown], nextCursor: null }) };
    const runs = [await reconcileWith(provider), await reconcileWith(provider)];
    const rows = await test.database.reconciliationRun.findMany();
    assert.ok(rows.every((row) => row.merchantAccountId === test.account && row.environment === 'sandbox'));
    const counts = await test.database.reconciliationAccount.findMany();
    assert.deepEqual(
      counts.map(({ merchantAccountId, compared, reported }) => [merchantAccountId, compared, reported]),
      runs.map(() => [test.account, 1, 1]),
    );
    const [event, ...others] = await test.database.event.findMany();
    assert.deepEqual([event?.merchantAccountId, event?.resourceId], [test.account, `${runs[0]?.runId}_1`]);
    assert.deepEqual(others, [], 'the next run tells nothing new');
    const running = await begin(activitiesOf(provider), account);
    const listedRuns = await test.database.direct.row(
      selectAccountRun(running, { merchantAccountId: test.account, environment: 'sandbox' }),
    );
    assert.deepEqual([listedRuns?.status, listedRuns?.compared], ['running', 0]);
  });

  it('stores a limited number of differences, and counts them all', async () => {
    const foreign = Array.from({ length: 1_001 }, (_, index) =>
      listed({ attemptId: null, providerPaymentId: `sim_${index}` }),
    );
    assert.equal((await reconcile(foreign.slice(0, 600), foreign.slice(600))).reported, 1_001);
    assert.equal((await differences()).length, 1_000);
  });

  it('begins where the run before it ended, some time earlier, and gives up runs without a workflow', async () => {
    const activities = activitiesWith();
    const runId = await begin(activities);
    const hoursAgo = new Date(Date.now() - 3 * HOUR_MS);
    await test.database.reconciliationRun.update({
      where: { id: runId },
      data: { status: 'completed', isContinuous: true, windowTo: hoursAgo },
    });
    const lost = await begin(activities);
    await test.database.reconciliationRun.update({ where: { id: lost }, data: { updatedAt: hoursAgo } });
    const next = await activities.beginReconciliation({
      runId: newId('reconciliationRun'),
      provider: 'alpha',
      from: null,
      to: null,
    });
    assert.equal(Date.parse(next.from), hoursAgo.getTime() - HOUR_MS);
    assert.ok(Date.parse(next.to) <= Date.now() - 4 * MINUTE_MS);
    const { status, failureCode } = await test.database.reconciliationRun.findUniqueOrThrow({ where: { id: lost } });
    assert.deepEqual([status, failureCode], ['failed', 'INTERRUPTED']);
  });

  it('fails for a provider without a list, is repeated after an outage, and can be given up', async () => {
    const away = activitiesWith(() => Promise.reject(new ProviderOutageError('TSP_UNAVAILABLE', 'away')));
    const runId = await begin(away);
    await assert.rejects(
      inActivity(() => away.reconcilePage({ runId, page: 0 })),
      { type: 'TSP_UNAVAILABLE' },
    );
    await assert.rejects(
      inActivity(() => activitiesWith(null).reconcilePage({ runId, page: 0 })),
      { type: 'CANNOT_LIST', nonRetryable: true },
    );
    const elsewhere = { runId: newId('reconciliationRun'), provider: 'gamma', from: null, to: null };
    await assert.rejects(away.beginReconciliation(elsewhere), { type: 'CANNOT_LIST' });
    const failed = await away.failReconciliation({ runId, error: 'away', type: 'TSP_UNAVAILABLE' });
    assert.deepEqual([failed.status, failed.error], ['failed', 'away']);
    await away.failReconciliation({ runId, error: 'away again' });
    assert.deepEqual(counted, ['alpha failed']);
    assert.equal(await failureCodeOf(runId), 'TSP_UNAVAILABLE');
  });

  it('fails at once, with the reason, for an account whose credentials no key opens', async () => {
    const find = () => Promise.reject(new SealBrokenError('its key is missing'));
    const activities = activitiesAt({ ...registryOf({}), find });
    const runId = await begin(activities);
    await assert.rejects(
      inActivity(() => activities.reconcilePage({ runId, page: 0 })),
      { message: 'The credentials of alpha cannot be opened: its key is missing.', nonRetryable: true },
    );
  });

  it('has a code of its own for a failure that merchants must not read', async () => {
    const activities = activitiesWith();
    for (const failure of [{}, { type: 'PrismaClientKnownRequestError' }, { type: 'toString' }]) {
      const runId = await begin(activities);
      await activities.failReconciliation({ runId, error: 'connect 10.0.0.7:5432', ...failure });
      assert.equal(await failureCodeOf(runId), 'INTERNAL_ERROR');
    }
  });

  async function failureCodeOf(id: string): Promise<string | null> {
    const { failureCode } = await test.database.reconciliationRun.findUniqueOrThrow({ where: { id } });
    return failureCode;
  }

  describe('of its disputes', () => {
    const reportOf = (change: Partial<StoredReport> = {}): StoredReport => ({
      eventId: 'evt_1',
      providerReference: 'dp_at_provider',
      providerEvent: 'dispute.opened',
      stage: 'chargeback',
      status: 'needs_response',
      unknownStatus: null,
      reason: 'fraudulent',
      networkReasonCode: null,
      amountMinor: 1_000,
      currency: 'USD',
      respondBy: null,
      isDefendable: null,
      funds: 'withdrawn',
      occurredAt: WITHIN.toISOString(),
      ...change,
    });
    const listing = (...reports: readonly StoredReport[]): Partial<PaymentProvider> => ({
      listPayments: nothing,
      listDisputes: ({ cursor }) =>
        Promise.resolve(
          cursor === null
            ? { disputes: [], nextCursor: 'second' }
            : { disputes: [{ attemptId: null, providerPaymentId: 'pay_1', reports }], nextCursor: null },
        ),
    });
    const stored = () => test.database.providerEvent.findMany({ orderBy: { eventId: 'asc' } });
    const eventIds = async () => (await stored()).map(({ eventId }) => eventId);
    let intent: string;

    beforeEach(async () => {
      intent = await insertPaymentIntent(test.database, test.account, { status: 'succeeded', provider: 'alpha' });
      await insertPaymentAttempt(test.database, intent, {
        outcome: 'approved',
        provider: 'alpha',
        providerPaymentId: 'pay_1',
      });
    });
    const record = (report: StoredReport) =>
      reportDispute(
        {
          database: test.database,
          disputeWorkflows: { wake: () => Promise.resolve() },
          logger: { error: () => undefined },
        },
        { paymentIntentId: intent } as Parameters<typeof reportDispute>[1],
        { provider: 'alpha', eventId: report.eventId, dispute: { attemptId: attemptIdOf(intent, 1), ...report } },
      );
    const factsOfRow = async () => {
      const { status, stage, amountMinor, amountWithdrawnMinor, amountBlockedMinor, outcomeAt } =
        await test.database.dispute.findFirstOrThrow({ where: { paymentIntentId: intent } });
      const transactions = await test.database.transaction.findMany({ where: { paymentIntentId: intent } });
      const types = transactions.map(({ type }) => type).sort();
      return { status, stage, amountMinor, amountWithdrawnMinor, amountBlockedMinor, outcomeAt, types };
    };
    const pay = async (): Promise<void> => {
      intent = await insertPaymentIntent(test.database, test.account, { status: 'succeeded', provider: 'alpha' });
      await insertPaymentAttempt(test.database, intent, {
        outcome: 'approved',
        provider: 'alpha',
        providerPaymentId: `pay_of_${intent}`,
      });
    };

    it('stores what webhooks have not reported, as their events, once', async () => {
      const { status, error } = await reconcileWith(listing(reportOf()));
      assert.deepEqual([status, error], ['completed', null]);
      const [event] = await stored();
      assert.deepEqual([event?.eventId, event?.paymentIntentId], ['evt_1', intent]);
      await reconcileWith(listing(reportOf()));
      assert.equal((await stored()).length, 1);
    });

    it('stores nothing that is known, and the news of a dispute that is', async () => {
      await record(reportOf());
      const again = reportOf({ eventId: 'listed again' });
      const won = reportOf({
        eventId: 'evt_2',
        providerEvent: 'dispute.won',
        status: 'won',
        funds: 'reinstated',
        occurredAt: new Date(WITHIN.getTime() + 1_000).toISOString(),
      });
      await reconcileWith(listing(again, won));
      assert.deepEqual(await eventIds(), ['evt_2']);
    });

    it('leads to the same row and the same money in whatever order webhook and list come', async () => {
      const found = [];
      for (const isWebhookFirst of [true, false]) {
        await pay();
        const providerReference = `dp_of_${intent}`;
        const opened = reportOf({ providerReference, eventId: `webhook of ${intent}` });
        const end = { status: 'won', providerEvent: 'dispute.won', funds: 'reinstated' } as const;
        const won = { ...opened, ...end, occurredAt: TO.toISOString() };
        const webhooks = [opened, { ...won, eventId: `end of ${intent}` }];
        const listed = webhooks.map((report) => ({ ...report, eventId: `listed ${report.eventId}` }));
        for (const report of isWebhookFirst ? [...webhooks, ...listed] : [...listed.toReversed(), ...webhooks]) {
          await record(report);
        }
        found.push(await factsOfRow());
      }
      assert.deepEqual(found[0], found[1]);
      assert.deepEqual([found[0]?.status, found[0]?.types], ['won', ['chargeback', 'chargeback_reversal']]);
    });

    it('leaves out disputes of other systems', async () => {
      const foreign = { attemptId: null, providerPaymentId: 'pay_of_another', reports: [reportOf()] };
      const listDisputes = () => Promise.resolve({ disputes: [foreign], nextCursor: null });
      assert.equal((await reconcileWith({ listPayments: nothing, listDisputes })).status, 'completed');
      assert.deepEqual(await stored(), []);
    });

    it('finds none where the key has no right to disputes, and compares the payments all the same', async () => {
      const listDisputes = () => Promise.reject(new CredentialsRefusedError('no right'));
      assert.equal((await reconcileWith({ listPayments: nothing, listDisputes })).status, 'completed');
    });

    it('asks about payments of certain ages, one by one, where there is no list', async () => {
      const old = await insertPaymentIntent(test.database, test.account, { status: 'succeeded', provider: 'alpha' });
      await insertPaymentAttempt(test.database, old, { outcome: 'approved', provider: 'alpha' });
      const ages = { [intent]: 0, [old]: 30 };
      for (const [id, days] of Object.entries(ages)) {
        const updatedAt = new Date(WITHIN.getTime() - days * 24 * HOUR_MS);
        await test.database.paymentIntent.update({ where: { id }, data: { updatedAt } });
      }
      const asked: string[] = [];
      const findDisputes: PaymentProvider['findDisputes'] = async ({ attemptId }) => {
        asked.push(attemptId);
        const isOld = attemptId === attemptIdOf(old, 1);
        return isOld ? [{ attemptId, providerPaymentId: null, reports: [reportOf()] }] : [];
      };
      const { status } = await reconcileWith({ listPayments: nothing, findDisputes });
      assert.equal(status, 'completed');
      assert.deepEqual(asked, [attemptIdOf(intent, 1), attemptIdOf(old, 1)]);
      assert.deepEqual(
        (await stored()).map(({ paymentIntentId }) => paymentIntentId),
        [old],
      );
    });

    it('asks about the one payment of a question', async () => {
      const asked: string[] = [];
      const findDisputes: PaymentProvider['findDisputes'] = async ({ attemptId }) => {
        asked.push(attemptId);
        return [];
      };
      const activities = activitiesOf({ findPayment: () => Promise.resolve(null), findDisputes });
      const runId = newId('reconciliationRun');
      const attemptId = attemptIdOf(intent, 1);
      await activities.beginReconciliation({ runId, provider: 'alpha', from: null, to: null, attemptId });
      for (const page of [0, 1]) await inActivity(() => activities.reconcilePage({ runId, page }));
      assert.deepEqual(asked, [attemptId]);
    });
  });
});
