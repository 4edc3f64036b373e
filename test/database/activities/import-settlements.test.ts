import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beforeEach, describe, it } from 'mocha';
import { createSettlementActivities } from '../../../activities/import-settlements.ts';
import { attemptIdOf, transactionIdOf, transactionIdOfRefund } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { ReportedSettlement, ReportedSettlementEntry } from '../../../domain/settlement.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import type { PaymentProvider } from '../../../providers/payment-provider.ts';
import { inActivity } from '../../support/activity-context.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import {
  insertMerchantAccount,
  insertPaymentAttempt,
  insertPaymentIntent,
  insertRefund,
} from '../../support/payment-rows.ts';
import { insertProviderAccount } from '../../support/provider-accounts.ts';
import { reportedEntry, reportedSettlement } from '../../support/settlements.ts';

const WITHIN = new Date(Date.now() - HOUR_MS);

/** A settlement and its lines. */
interface Batch {
  readonly settlement: ReportedSettlement;
  readonly entries: readonly ReportedSettlementEntry[];
}

describe('the import of settlements', function () {
  this.timeout(60_000);
  const test = useAccount();
  let provider: string;

  beforeEach(async () => {
    const { database } = test;
    await database.settlementEntry.deleteMany();
    await database.settlement.deleteMany();
    await database.settlementExpectation.deleteMany();
    await database.settlementImport.deleteMany();
    await database.event.deleteMany();
    await database.paymentIntent.deleteMany();
    await database.testClock.deleteMany();
    provider = await insertProviderAccount(database, test.account);
  });

  /** A provider with these settlements, in pages of so many lines. */
  function providerWith(batches: readonly Batch[], pageSize: number): Partial<PaymentProvider> {
    return {
      listSettlements: () => Promise.resolve({ items: batches.map(({ settlement }) => settlement), nextCursor: null }),
      listSettlementEntries: ({ settlementReference, cursor }) => {
        const entries = batches.find(
          ({ settlement: { providerReference: name } }) => name === settlementReference,
        )?.entries;
        const start = Number(cursor ?? 0);
        const next = start + pageSize;
        const items = entries?.slice(start, next) ?? [];
        return Promise.resolve({ items, nextCursor: next < (entries?.length ?? 0) ? String(next) : null });
      },
    };
  }

  /** Imports as the workflow does, each activity `times` times: as often as workers die after they have written. */
  async function importAll(
    batches: readonly Batch[],
    { name = provider, pageSize = 2, times = 1 }: { name?: string; pageSize?: number; times?: number } = {},
  ) {
    const { find } = registryOf(providerWith(batches, pageSize));
    const activities = createSettlementActivities({ database: test.database, registry: { find: () => find('alpha') } });
    const importId = newId('settlementImport');
    const repeated = async <T>(activity: () => Promise<T>): Promise<T> => {
      for (let count = 1; count < times; count += 1) await inActivity(activity);
      return inActivity(activity);
    };
    await repeated(() => activities.beginSettlementImport({ importId, provider: name }));
    const { settlements } = await repeated(() => activities.listSettlements({ importId, cursor: null }));
    let page = 0;
    for (const settlement of settlements) {
      for (let isFirstOfSettlement = true, isLast = false; !isLast; page += 1) {
        const request = { importId, settlement, page, isFirstOfSettlement };
        ({ isLast } = await repeated(() => activities.importEntries(request)));
        isFirstOfSettlement = false;
      }
      await repeated(() => activities.finishSettlement({ importId, settlement }));
    }
    await repeated(() => activities.expectSettlements({ importId, after: '' }));
    return repeated(() => activities.finishSettlementImport({ importId }));
  }

  /** A captured payment of 10.00 USD. */
  async function insertPaid({ account = test.account, name = provider, at = WITHIN } = {}) {
    const intent = await insertPaymentIntent(test.database, account, { status: 'succeeded' });
    const attemptId = attemptIdOf(intent, 1);
    const money = { amountMinor: 1_000n, providerPaymentId: `sim_${attemptId}`, provider: name };
    await insertPaymentAttempt(test.database, intent, { ...money, outcome: 'approved' });
    const captureId = transactionIdOf(intent, 1, 'capture');
    await insertTransaction({
      ...money,
      id: captureId,
      paymentIntentId: intent,
      type: 'capture',
      createdAt: at,
      account,
    });
    return { intent, attemptId, captureId };
  }

  async function insertTransaction({
    account = test.account,
    ...data
  }: {
    readonly id: string;
    readonly paymentIntentId: string;
    readonly type: string;
    readonly amountMinor: bigint;
    readonly provider: string;
    readonly providerPaymentId: string;
    readonly createdAt: Date;
    readonly refundId?: string;
    readonly account?: string;
  }): Promise<void> {
    const attemptId = attemptIdOf(data.paymentIntentId, 1);
    await test.database.transaction.create({
      data: { ...data, attemptId, merchantAccountId: account, environment: 'sandbox', currency: 'USD' },
    });
  }

  const entriesNow = () =>
    test.database.settlementEntry.findMany({ where: { supersededAt: null }, orderBy: { createdAt: 'asc' } });
  const matchesNow = async (): Promise<readonly string[]> =>
    (await entriesNow()).map(({ providerReference, match }) => `${providerReference ?? 'none'} ${match}`).toSorted();
  const eventsNow = async (): Promise<readonly string[]> =>
    (await test.database.event.findMany({ orderBy: { insertion: 'asc' } })).map(({ type }) => type);
  const theSettlement = () => test.database.settlement.findFirstOrThrow();

  it('matches payments and refunds, sums them up, and tells of the settlement, whatever is repeated', async () => {
    const paid = await insertPaid();
    const refundId = await insertRefund(test.database, paid.intent, { provider, status: 'succeeded' });
    const money = { amountMinor: 300n, provider, providerPaymentId: 'sim_re', createdAt: WITHIN };
    const refundTransaction = {
      id: transactionIdOfRefund(refundId),
      paymentIntentId: paid.intent,
      type: 'refund',
      refundId,
    };
    await insertTransaction({ ...money, ...refundTransaction });
    const entries = [
      reportedEntry({
        matches: { attemptId: paid.attemptId },
        feeDetails: [
          { type: 'provider', amountMinor: 50 },
          { type: 'tax', amountMinor: 9 },
        ],
      }),
      reportedEntry({
        providerReference: 'line_2',
        type: 'refund',
        amountMinor: -300,
        feeMinor: 0,
        matches: { refundId },
      }),
      reportedEntry({ providerReference: 'line_3', type: 'fee', amountMinor: -20, feeMinor: 0 }),
    ];
    const settlement = reportedSettlement({ netAmountMinor: 625 });
    const { status, pages, entries: read, exceptions } = await importAll([{ settlement, entries }], { times: 3 });
    assert.deepEqual([status, pages, read, exceptions], ['completed', 2, 3, 0]);
    assert.deepEqual(await matchesNow(), ['line_1 matched', 'line_2 matched', 'line_3 matched']);
    const stored = await theSettlement();
    assert.deepEqual(
      [
        stored.grossAmountMinor,
        stored.feeAmountMinor,
        stored.taxAmountMinor,
        stored.entriesNetMinor,
        stored.netAmountMinor,
      ],
      [1_000n, 70n, 9n, 621n, 625n],
    );
    assert.deepEqual(stored.amountsByType, { payment: 1_000, refund: -300, fee: -20 });
    assert.deepEqual([stored.entriesTotal, stored.entriesMatched, stored.entriesExceptions], [3, 3, 0]);
    assert.ok(stored.settledAt !== null);
    assert.deepEqual(await eventsNow(), ['settlement.created', 'settlement.paid']);
    const [capture] = await test.database.settlementEntry.findMany({ where: { transactionId: paid.captureId } });
    assert.deepEqual([capture?.paymentIntentId, capture?.settlementId], [paid.intent, stored.id]);
  });

  it('writes nothing when the same lines are read again, also on other pages', async () => {
    const paid = await insertPaid();
    const entries = [1, 2, 3, 4, 5].map((number) =>
      reportedEntry({
        providerReference: `line_${number}`,
        matches: number === 1 ? { attemptId: paid.attemptId } : {},
      }),
    );
    const batches = [{ settlement: reportedSettlement({ status: 'open' }), entries }];
    await importAll(batches);
    const ids = (await entriesNow()).map(({ id }) => id);
    const events = await eventsNow();
    await importAll([{ ...batches[0], entries: entries.toReversed() } as Batch], { pageSize: 3 });
    assert.deepEqual(
      (await entriesNow()).map(({ id }) => id),
      ids,
    );
    assert.deepEqual(await eventsNow(), events);
    assert.equal(await test.database.settlementEntry.count(), 5);
  });

  it('supersedes a line that is corrected, closes one that is gone, and deletes none', async () => {
    const paid = await insertPaid();
    const line = reportedEntry({ matches: { attemptId: paid.attemptId } });
    const gone = reportedEntry({ providerReference: 'line_2', type: 'fee', amountMinor: -20, feeMinor: 0 });
    await importAll([{ settlement: reportedSettlement({ netAmountMinor: 921 }), entries: [line, gone] }]);
    const corrected = { ...line, feeMinor: 39, netMinor: 961, feeDetails: [] };
    await importAll([{ settlement: reportedSettlement({ netAmountMinor: 961 }), entries: [corrected] }], { times: 2 });
    assert.deepEqual(await matchesNow(), ['line_1 matched']);
    const rows = await test.database.settlementEntry.findMany({ orderBy: { createdAt: 'asc' } });
    assert.deepEqual(rows.map(({ feeMinor }) => Number(feeMinor)).toSorted(), [0, 39, 59]);
    const { netAmountMinor, entriesNetMinor, entriesTotal } = await theSettlement();
    assert.deepEqual([netAmountMinor, entriesNetMinor, entriesTotal], [961n, 961n, 1]);
  });

  it('counts a settlement anew whose line has moved to another one', async () => {
    const [first, second] = ['batch_1', 'batch_2'].map((providerReference) =>
      reportedSettlement({ providerReference }),
    );
    assert.ok(first !== undefined && second !== undefined);
    const line = reportedEntry({ type: 'fee', amountMinor: -59, feeMinor: 0 });
    await importAll([{ settlement: first, entries: [line] }]);
    await importAll([{ settlement: second, entries: [line] }]);
    const rows = await test.database.settlement.findMany({ orderBy: { providerReference: 'asc' } });
    assert.deepEqual(
      rows.map(({ entriesNetMinor, entriesTotal }) => [entriesNetMinor, entriesTotal]),
      [
        [0n, 0],
        [-59n, 1],
      ],
    );
  });

  it('expects a transaction again whose line is gone', async () => {
    const paid = await insertPaid();
    const settlement = reportedSettlement();
    await importAll([{ settlement, entries: [reportedEntry({ matches: { attemptId: paid.attemptId } })] }]);
    await importAll([{ settlement, entries: [] }], { times: 2 });
    assert.deepEqual(await matchesNow(), ['none expected']);
    const [entry] = await entriesNow();
    assert.deepEqual([entry?.transactionId, entry?.amountMinor], [paid.captureId, 1_000n]);
  });

  it('tells of each line that differs, once, with both sides', async () => {
    const paid = await insertPaid();
    const entries = [
      reportedEntry({ matches: { attemptId: paid.attemptId }, amountMinor: 900 }),
      reportedEntry({ providerReference: 'line_2', matches: { attemptId: paid.attemptId } }),
      reportedEntry({ providerReference: 'line_3' }),
    ];
    const batch = { settlement: reportedSettlement({ status: 'open' }), entries };
    const { exceptions } = await importAll([batch], { pageSize: 5, times: 2 });
    assert.equal(exceptions, 3);
    assert.deepEqual(await matchesNow(), ['line_1 amount_differs', 'line_2 duplicate', 'line_3 unknown']);
    await importAll([batch]);
    assert.deepEqual((await eventsNow()).filter((type) => type === 'settlement.difference_found').length, 3);
    const [entry] = await test.database.settlementEntry.findMany({ where: { match: 'amount_differs' } });
    assert.deepEqual(entry?.details, {
      ours: { amount: 1_000, currency: 'USD' },
      theirs: { amount: 900, currency: 'USD' },
      differs: 'amount',
    });
    assert.equal((await theSettlement()).entriesExceptions, 3);
  });

  it('matches a line that was unknown once our transaction is there', async () => {
    const intent = await insertPaymentIntent(test.database, test.account, { status: 'processing' });
    const attemptId = attemptIdOf(intent, 1);
    await insertPaymentAttempt(test.database, intent, { provider, providerPaymentId: 'sim_late' });
    const batch = { settlement: reportedSettlement(), entries: [reportedEntry({ matches: { attemptId } })] };
    await importAll([batch]);
    assert.deepEqual(await matchesNow(), ['line_1 unknown']);
    const captured = { id: transactionIdOf(intent, 1, 'capture'), type: 'capture', amountMinor: 1_000n };
    await insertTransaction({
      ...captured,
      paymentIntentId: intent,
      provider,
      providerPaymentId: 'sim_late',
      createdAt: WITHIN,
    });
    await importAll([batch]);
    assert.deepEqual(await matchesNow(), ['line_1 matched']);
    assert.equal((await theSettlement()).entriesExceptions, 0);
  });

  it('expects what is not settled yet, calls it missing when it is overdue by the clock of the account, and matches it when it comes', async () => {
    const paid = await insertPaid();
    await importAll([{ settlement: reportedSettlement({ providerReference: 'batch_0' }), entries: [] }], { times: 2 });
    assert.deepEqual(await matchesNow(), ['none expected']);
    assert.ok(!(await eventsNow()).includes('settlement.difference_found'));
    await test.database.testClock.create({
      data: {
        merchantAccountId: test.account,
        environment: 'sandbox',
        advancedSeconds: (30 * DAY_MS) / 1_000,
        lastAdvanceId: 'aud_1',
        advancedAt: new Date(),
      },
    });
    await insertPaid({ at: new Date(Date.now() + HOUR_MS) });
    await importAll([]);
    await importAll([]);
    assert.deepEqual(await matchesNow(), ['none missing']);
    assert.equal((await eventsNow()).filter((type) => type === 'settlement.difference_found').length, 1);
    await importAll([
      { settlement: reportedSettlement(), entries: [reportedEntry({ matches: { attemptId: paid.attemptId } })] },
    ]);
    assert.deepEqual(await matchesNow(), ['line_1 matched']);
    assert.equal(await test.database.settlementEntry.count(), 2, 'what was expected is kept');
  });

  it('gives accounts that share a provider their own lines alone, and their sum', async () => {
    const other = await insertMerchantAccount(test.database);
    const [ours, theirs] = [await insertPaid({ name: 'alpha' }), await insertPaid({ name: 'alpha', account: other })];
    const entries = [
      reportedEntry({ matches: { attemptId: ours.attemptId } }),
      reportedEntry({
        providerReference: 'line_2',
        matches: { attemptId: theirs.attemptId },
        feeMinor: 41,
        feeDetails: [],
      }),
      reportedEntry({ providerReference: 'line_3' }),
    ];
    await importAll([{ settlement: reportedSettlement(), entries }], { name: 'alpha' });
    const rows = await test.database.settlement.findMany({ orderBy: { feeAmountMinor: 'asc' } });
    assert.deepEqual(
      rows.map(({ merchantAccountId, netAmountMinor }) => [merchantAccountId, netAmountMinor]),
      [
        [other, 959n],
        [test.account, 941n],
      ],
    );
    assert.deepEqual(await matchesNow(), ['line_1 matched', 'line_2 matched'], 'what is nobody’s is shown to nobody');
  });

  it('does not settle a payment of another account with a line at an account of its own', async () => {
    const other = await insertMerchantAccount(test.database);
    const { attemptId } = await insertPaid({ account: other });
    await importAll([{ settlement: reportedSettlement(), entries: [reportedEntry({ matches: { attemptId } })] }]);
    assert.deepEqual(await matchesNow(), ['line_1 unknown']);
  });

  it('tells when a settlement that was open is paid, and when the bank returns it', async () => {
    for (const status of ['open', 'paid', 'paid', 'returned'] as const) {
      await importAll([{ settlement: reportedSettlement({ status, netAmountMinor: 0 }), entries: [] }]);
    }
    assert.deepEqual(await eventsNow(), ['settlement.created', 'settlement.paid', 'settlement.failed']);
    assert.equal((await theSettlement()).settledAt, null);
  });

  it('keeps every line in one entry and every amount explained or named, over random books that are read again and again', async () => {
    const line = fc.record({
      number: fc.nat(12),
      type: fc.constantFrom('payment', 'fee', 'other'),
      payment: fc.nat(3),
      amountMinor: fc.integer({ min: -5_000, max: 5_000 }),
      feeMinor: fc.integer({ min: 0, max: 100 }),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
    });
    const report = fc.record({
      lines: fc.array(line, { maxLength: 12 }),
      net: fc.integer({ min: -9_999, max: 9_999 }),
    });
    const paid = await Promise.all([insertPaid(), insertPaid(), insertPaid(), insertPaid()]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(report, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (reports, size) => {
          await test.database.settlementEntry.deleteMany();
          await test.database.settlement.deleteMany();
          for (const { lines, net } of reports) {
            const entries = [...new Map(lines.map((each) => [each.number, each])).values()].map(
              ({ number, payment, ...each }) =>
                reportedEntry({
                  ...(each as Partial<ReportedSettlementEntry>),
                  providerReference: `line_${number}`,
                  matches: { attemptId: paid[payment]?.attemptId ?? '' },
                }),
            );
            await importAll([{ settlement: reportedSettlement({ netAmountMinor: net, status: 'open' }), entries }], {
              pageSize: size,
              times: 2,
            });
            const now = (await entriesNow()).filter(({ providerReference }) => providerReference !== null);
            assert.deepEqual(
              now.map(({ providerReference }) => providerReference).toSorted(),
              entries.map(({ providerReference }) => providerReference).toSorted(),
            );
            const { netAmountMinor, entriesNetMinor } = await theSettlement();
            const inCurrency = entries.filter(({ currency }) => currency === 'USD');
            assert.equal(
              Number(entriesNetMinor),
              inCurrency.reduce((sum, { netMinor }) => sum + netMinor, 0),
            );
            assert.equal(Number(netAmountMinor), net);
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
