import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ReportedSettlementEntry } from '../../../domain/settlement.ts';
import { matchEntries, type SettledTransaction } from '../../../domain/settlement-match.ts';
import { reportedEntry } from '../../support/settlements.ts';

function transaction(overrides: Partial<SettledTransaction> = {}): SettledTransaction {
  return {
    transactionId: 'txn_1',
    type: 'capture',
    amountMinor: 1_000,
    currency: 'USD',
    providerReference: 'sim_1',
    providerPaymentId: 'sim_1',
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    paymentIntentId: 'pi_1',
    attemptId: 'att_1',
    refundId: null,
    disputeId: null,
    settledBy: null,
    ...overrides,
  };
}

const REFUND = transaction({
  transactionId: 'txn_2',
  type: 'refund',
  amountMinor: 300,
  refundId: 're_1',
  providerReference: 'sim_re_1',
});

function matchOf(entry: Partial<ReportedSettlementEntry>, ...transactions: readonly SettledTransaction[]) {
  const [matched = assert.fail()] = matchEntries([reportedEntry(entry)], transactions);
  return matched;
}

describe('the match of a settlement entry', () => {
  it('finds a capture by attempt or by the id of the provider, and a refund by either id', () => {
    for (const matches of [{ attemptId: 'att_1' }, { providerPaymentReference: 'sim_1' }]) {
      const { match, transaction: found, details } = matchOf({ matches }, transaction(), REFUND);
      assert.deepEqual([match, found?.transactionId, details], ['matched', 'txn_1', null]);
    }
    for (const matches of [{ refundId: 're_1' }, { refundId: 'sim_re_1' }, { attemptId: 'att_1' }]) {
      const { match, transaction: found } = matchOf(
        { type: 'refund', amountMinor: -300, feeMinor: 0, matches },
        transaction(),
        REFUND,
      );
      assert.deepEqual([match, found?.transactionId], ['matched', 'txn_2']);
    }
  });

  it('finds a chargeback by the provider’s id of the dispute', () => {
    const chargeback = transaction({
      transactionId: 'txn_3',
      type: 'chargeback',
      providerReference: 'dp',
      disputeId: 'dp_1',
    });
    const entry = {
      type: 'chargeback',
      amountMinor: -1_000,
      feeMinor: 15,
      matches: { disputeReference: 'dp' },
    } as const;
    assert.equal(matchOf(entry, transaction(), chargeback).transaction?.disputeId, 'dp_1');
    assert.equal(matchOf(entry, transaction(), chargeback).match, 'matched');
  });

  it('takes, of several refunds of a payment, the one of the amount that no other line has settled', () => {
    const others = [
      { ...REFUND, transactionId: 'txn_4', settledBy: 'another line' },
      { ...REFUND, transactionId: 'txn_5', amountMinor: 200 },
    ];
    const entry = { type: 'refund', feeMinor: 0, matches: { attemptId: 'att_1' } } as const;
    assert.equal(matchOf({ ...entry, amountMinor: -300 }, ...others, REFUND).transaction?.transactionId, 'txn_2');
    assert.equal(matchOf({ ...entry, amountMinor: -200 }, ...others, REFUND).transaction?.transactionId, 'txn_5');
  });

  it('compares in the currency of the payment, which the provider has exchanged', () => {
    const exchanged = { amountMinor: 920, feeMinor: 0, currency: 'EUR', matches: { attemptId: 'att_1' } };
    const original = { originalAmountMinor: 1_000, originalCurrency: 'USD', exchangeRate: '0.92' };
    assert.equal(matchOf({ ...exchanged, ...original }, transaction()).match, 'matched');
    const { match, details } = matchOf(exchanged, transaction());
    assert.equal(match, 'currency_differs');
    assert.deepEqual(details, { ours: { amount: 1_000, currency: 'USD' }, theirs: { amount: 920, currency: 'EUR' } });
  });

  it('says both amounts where they differ, and which sum of a line is wrong', () => {
    const matches = { attemptId: 'att_1' };
    const other = matchOf({ amountMinor: 900, matches }, transaction());
    assert.deepEqual(
      [other.match, other.details?.ours?.amount, other.details?.theirs?.amount, other.details?.differs],
      ['amount_differs', 1_000, 900, 'amount'],
    );
    assert.equal(matchOf({ netMinor: 940, matches }, transaction()).details?.differs, 'net');
    const parts = [{ type: 'tax', amountMinor: 1 }] as const;
    assert.equal(matchOf({ feeDetails: parts, matches }, transaction()).details?.differs, 'fee_details');
    assert.equal(matchOf({ type: 'fee', netMinor: 1 }).match, 'amount_differs');
  });

  it('calls a second line of a transaction a duplicate, and a line that is read again none', () => {
    const matches = { attemptId: 'att_1' };
    const lines = ['line_1', 'line_2'].map((providerReference) => reportedEntry({ providerReference, matches }));
    assert.deepEqual(
      matchEntries(lines, [transaction()]).map(({ match }) => match),
      ['matched', 'duplicate'],
    );
    assert.equal(matchOf({ matches }, transaction({ settledBy: 'line_1' })).match, 'matched');
    const { match, details } = matchOf({ matches }, transaction({ settledBy: 'line_0' }));
    assert.deepEqual([match, details?.settledBy], ['duplicate', 'line_0']);
  });

  it('calls what is not ours unknown, but not a fee that the provider names', () => {
    assert.equal(matchOf({ matches: { attemptId: 'att_9' } }, transaction()).match, 'unknown');
    assert.equal(matchOf({ type: 'other' }).match, 'unknown');
    assert.equal(matchOf({ type: 'adjustment' }).match, 'unknown');
    for (const type of ['fee', 'reserve', 'fx', 'transfer'] as const) assert.equal(matchOf({ type }).match, 'matched');
  });

  it('makes one entry of each line, settles no transaction twice, and loses no money, whatever is reported', () => {
    const line = fc.record({
      type: fc.constantFrom('payment', 'refund', 'fee', 'other', 'chargeback'),
      providerReference: fc.nat(30).map((number) => `line_${number}`),
      amountMinor: fc.integer({ min: -5_000, max: 5_000 }),
      feeMinor: fc.integer({ min: -100, max: 100 }),
      currency: fc.constantFrom('USD', 'EUR'),
      matches: fc.record({ attemptId: fc.nat(5).map((number) => `att_${number}`) }),
    });
    const ours = fc.record({
      number: fc.nat(5),
      type: fc.constantFrom('capture' as const, 'refund' as const),
      amountMinor: fc.nat(5_000),
      settledBy: fc.option(fc.nat(30).map((number) => `line_${number}`)),
    });
    const books = fc.tuple(fc.array(line, { maxLength: 40 }), fc.array(ours, { maxLength: 12 }));
    fc.assert(
      fc.property(books, ([lines, rows]) => {
        const entries = lines.map((each) => reportedEntry(each as Partial<ReportedSettlementEntry>));
        const transactions = rows.map(({ number, ...each }, index) =>
          transaction({ ...each, transactionId: `txn_${index}`, attemptId: `att_${number}` }),
        );
        const matched = matchEntries(entries, transactions);
        const lastOf = new Map(entries.map((each) => [each.providerReference, each]));
        assert.deepEqual(
          matched.map(({ entry }) => entry),
          [...lastOf.values()],
        );
        const settled = matched.flatMap(({ match, transaction: of }) =>
          of === null || match === 'duplicate' ? [] : [of.transactionId],
        );
        assert.equal(new Set(settled).size, settled.length);
        const isForeign = ({ settledBy }: SettledTransaction): boolean => settledBy !== null && !lastOf.has(settledBy);
        for (const { match, transaction: of } of matched) {
          if (of !== null && isForeign(of)) assert.equal(match, 'duplicate');
        }
      }),
    );
  });
});
