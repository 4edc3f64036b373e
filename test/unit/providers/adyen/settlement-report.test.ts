import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type {
  ReportedSettlement,
  ReportedSettlementEntry,
  SettlementReportItem,
} from '../../../../domain/settlement.ts';
import { readSettlementReport } from '../../../../providers/adyen/settlement-report.ts';
import { onUnknownValue } from '../../../../providers/reported-values.ts';

const OWNER = { merchantAccount: 'TestMerchant' };
const ATTEMPT = 'att_0190a0b0c0d07000800000000000000a_1';
const REFUND = 're_0190a0b0c0d07000800000000000000b';

/** The columns in the order of Adyen's own sample. */
const HEADINGS =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,' +
  'Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),' +
  'Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,' +
  'Modification Merchant Reference,Batch Number,Reserved4,Reserved5,Reserved6,Reserved7,Reserved8,Reserved9,Reserved10';

type Cells = Readonly<Record<string, string>>;

const SETTLED: Cells = {
  'Company Account': 'TestCompany',
  'Merchant Account': 'TestMerchant',
  'Psp Reference': '1813702551707653',
  'Merchant Reference': ATTEMPT,
  'Payment Method': 'visa',
  'Creation Date': '2013-06-03 12:30:45',
  TimeZone: 'CEST',
  Type: 'Settled',
  'Modification Reference': '1813702551707999',
  'Gross Currency': 'EUR',
  'Gross Credit (GC)': '20.00',
  'Exchange Rate': '1',
  'Net Currency': 'EUR',
  'Net Credit (NC)': '19.36',
  'Markup (NC)': '0.12',
  'Scheme Fees (NC)': '0.02',
  'Interchange (NC)': '0.50',
  'Payment Method Variant': 'visagold',
  'Batch Number': '4',
};

/** A row that is about no payment. */
const BOOKING: Cells = {
  'Company Account': 'TestCompany',
  'Merchant Account': 'TestMerchant',
  'Creation Date': '2013-06-11 04:55:40',
  TimeZone: 'BST',
  'Net Currency': 'EUR',
  'Batch Number': '4',
};
const PAYOUT: Cells = {
  ...BOOKING,
  Type: 'MerchantPayout',
  'Modification Reference': 'TX1234567XT batch 4',
  'Net Debit (NC)': '19.36',
};

function reportOf(rows: readonly Cells[], headings = HEADINGS): string {
  const names = headings.split(',');
  return [headings, ...rows.map((row) => names.map((name) => row[name] ?? '').join(','))].join('\n');
}

async function readText(text: string): Promise<readonly SettlementReportItem[]> {
  async function* lines(): AsyncGenerator<string> {
    yield* text.split('\n');
  }
  return await Readable.from(readSettlementReport(lines(), OWNER)).toArray();
}

const read = (rows: readonly Cells[], headings?: string) => readText(reportOf(rows, headings));

function entriesOf(items: readonly SettlementReportItem[]): readonly ReportedSettlementEntry[] {
  return items.flatMap((item) => ('entry' in item ? [item.entry] : []));
}

async function readEntry(row: Cells): Promise<ReportedSettlementEntry> {
  const items = await read([row]);
  const [entry] = entriesOf(items);
  assert.ok(entry !== undefined, JSON.stringify(items));
  return entry;
}

function settlementsOf(items: readonly SettlementReportItem[]): readonly ReportedSettlement[] {
  return items.flatMap((item) => ('settlement' in item ? [item.settlement] : []));
}

function problemsOf(
  items: readonly SettlementReportItem[],
): readonly { readonly line: number; readonly problem: string }[] {
  return items.flatMap((item) => ('problem' in item ? [item] : []));
}

async function problemOf(row: Cells): Promise<string> {
  const [only, ...others] = problemsOf(await read([row]));
  assert.deepEqual(others, []);
  assert.equal(only?.line, 2);
  return only.problem;
}

describe("Adyen's settlement details report", () => {
  it('says of a payment what it is about, and its gross, fees and net', async () => {
    assert.deepEqual(await readEntry(SETTLED), {
      type: 'payment',
      providerType: 'Settled',
      providerReference: 'Settled:1813702551707999:1936',
      matches: { attemptId: ATTEMPT, providerPaymentReference: '1813702551707653' },
      amountMinor: 2_000,
      feeMinor: 64,
      feeDetails: [
        { type: 'markup', amountMinor: 12 },
        { type: 'scheme', amountMinor: 2 },
        { type: 'interchange', amountMinor: 50 },
      ],
      netMinor: 1_936,
      currency: 'EUR',
      originalAmountMinor: null,
      originalCurrency: null,
      exchangeRate: null,
      occurredAt: '2013-06-03T10:30:45.000Z',
      availableOn: null,
    } satisfies ReportedSettlementEntry);
  });

  it('is a settlement for each batch and currency, with its payouts at the end', async () => {
    const others = { ...SETTLED, 'Gross Currency': 'USD', 'Net Currency': 'USD' };
    const items = await read([SETTLED, others, PAYOUT, { ...PAYOUT, 'Net Debit (NC)': '1.00' }]);
    const open = { status: 'open', netAmountMinor: 0, arrivalDate: null, bankReference: null } as const;
    assert.deepEqual(settlementsOf(items), [
      { providerReference: '4-EUR', currency: 'EUR', ...open },
      { providerReference: '4-USD', currency: 'USD', ...open },
      {
        providerReference: '4-EUR',
        status: 'paid',
        currency: 'EUR',
        netAmountMinor: 2_036,
        arrivalDate: '2013-06-11',
        bankReference: 'TX1234567XT batch 4',
      },
      { providerReference: '4-USD', currency: 'USD', ...open },
    ]);
    assert.equal(entriesOf(items).length, 2);
  });

  it('has the payout first where its rows are in another order', async () => {
    const [first, , last] = await read([PAYOUT, SETTLED]);
    assert.deepEqual(first, last);
  });

  it('has a settlement before the first of its entries, also where batches alternate', async () => {
    const rows = ['4', '5', '4'].map((batch) => ({ ...SETTLED, 'Batch Number': batch }));
    const items = (await read(rows)).map((item) =>
      'settlement' in item ? item.settlement.providerReference : 'entry' in item ? item.line : 'problem',
    );
    assert.deepEqual(items, ['4-EUR', 2, '5-EUR', 3, '4-EUR', 4, '4-EUR', '5-EUR']);
  });

  it('is read by the names of its columns, in any order and with further ones', async () => {
    const names = HEADINGS.split(',').toReversed().join(',');
    const rows = [{ ...SETTLED, 'Shopper Name': 'not read' }, PAYOUT];
    assert.deepEqual(await read(rows, `Shopper Name,${names}`), await read([SETTLED, PAYOUT]));
  });

  it('is refused before any row where a column is missing, there twice, or nothing is there', async () => {
    const missing = await read([SETTLED], HEADINGS.replace('TimeZone,', '').replace('Markup (NC)', 'Mark-up (NC)'));
    assert.equal(missing.length, 1);
    assert.match(problemsOf(missing)[0]?.problem ?? '', /TimeZone, Markup \(NC\) is missing/);
    const twice = await read([SETTLED], `${HEADINGS},Net Credit (NC)`);
    assert.match(problemsOf(twice)[0]?.problem ?? '', /got Net Credit \(NC\) twice/);
    assert.equal(twice.length, 1);
    assert.equal(problemsOf(await readText('')).length, 1);
  });

  for (const [type, expected, isCredit] of [
    ['Settled', 'payment', true],
    ['Refunded', 'refund', false],
    ['RefundedReversed', 'adjustment', true],
    ['Chargeback', 'chargeback', false],
    ['SecondChargeback', 'chargeback', false],
    ['ChargebackReversed', 'chargeback_reversal', true],
    ['Fee', 'fee', false],
    ['MiscCosts', 'fee', false],
    ['PaymentCost', 'fee', false],
    ['InvoiceDeduction', 'fee', false],
    ['DepositCorrection', 'reserve', false],
    ['Balancetransfer', 'transfer', false],
    ['SomethingNew', 'other', false],
  ] as const) {
    it(`has ${type} as ${expected}`, async () => {
      const side = isCredit ? 'Net Credit (NC)' : 'Net Debit (NC)';
      const entry = await readEntry({ ...BOOKING, Type: type, 'Modification Reference': 'of June', [side]: '12.34' });
      const net = isCredit ? 1_234 : -1_234;
      const { amountMinor, feeMinor, netMinor, providerType } = entry;
      assert.deepEqual(
        { type: entry.type, providerType, amountMinor, feeMinor, netMinor },
        { type: expected, providerType: type, amountMinor: net, feeMinor: 0, netMinor: net },
      );
      assert.equal(entry.occurredAt, '2013-06-11T03:55:40.000Z');
    });
  }

  it('names a type that is not known once, and reads the row on', async () => {
    const noted: string[] = [];
    onUnknownValue(({ value }) => noted.push(value));
    const items = await read([
      { ...SETTLED, Type: 'AnotherNewType' },
      { ...SETTLED, Type: 'AnotherNewType' },
    ]);
    assert.equal(entriesOf(items).length, 2);
    assert.deepEqual(noted, ['AnotherNewType']);
  });

  it('matches a refund by its own reference, a dispute by that of Adyen, and a held payment without its amount', async () => {
    const refund = await readEntry({ ...SETTLED, Type: 'Refunded', 'Modification Merchant Reference': REFUND });
    assert.equal(refund.matches.refundId, REFUND);
    for (const Type of ['Chargeback', 'SecondChargeback', 'ChargebackReversed']) {
      const dispute = await readEntry({ ...SETTLED, Type });
      assert.equal(dispute.matches.disputeReference, '1813702551707999');
    }
    const held = await readEntry({ ...SETTLED, 'Merchant Reference': `${ATTEMPT}-1234` });
    assert.equal(held.matches.attemptId, ATTEMPT);
    const foreign = await readEntry({ ...SETTLED, 'Merchant Reference': '3vpzf7' });
    assert.deepEqual(foreign.matches, { providerPaymentReference: '1813702551707653' });
  });

  it('takes the fee of a chargeback from the merchant, too', async () => {
    const { amountMinor, feeMinor, feeDetails, netMinor } = await readEntry({
      ...SETTLED,
      Type: 'Chargeback',
      'Gross Credit (GC)': '',
      'Gross Debit (GC)': '20.00',
      'Net Credit (NC)': '',
      'Net Debit (NC)': '27.50',
      'Commission (NC)': '7.50',
      'Markup (NC)': '',
      'Scheme Fees (NC)': '',
      'Interchange (NC)': '',
    });
    assert.deepEqual(
      { amountMinor, feeMinor, feeDetails, netMinor },
      { amountMinor: -2_000, feeMinor: 750, feeDetails: [{ type: 'provider', amountMinor: 750 }], netMinor: -2_750 },
    );
  });

  it('names what parts of a fee with more decimals leave over', async () => {
    const entry = await readEntry({ ...SETTLED, 'Markup (NC)': '0.1149', 'Scheme Fees (NC)': '0.0251' });
    assert.deepEqual(entry.feeDetails, [
      { type: 'markup', amountMinor: 11 },
      { type: 'scheme', amountMinor: 3 },
      { type: 'interchange', amountMinor: 50 },
    ]);
    const differing = await readEntry({ ...SETTLED, 'Interchange (NC)': '0.40' });
    assert.deepEqual(differing.feeDetails.at(-1), { type: 'other', amountMinor: 10 });
    assert.equal(differing.amountMinor, 2_000);
  });

  it('has the original amount and the rate of what was exchanged', async () => {
    const entry = await readEntry({
      ...SETTLED,
      'Gross Currency': 'JPY',
      'Gross Credit (GC)': '2500',
      'Exchange Rate': '0.008000',
    });
    const { amountMinor, netMinor, originalAmountMinor, originalCurrency, exchangeRate } = entry;
    assert.deepEqual(
      { amountMinor, netMinor, originalAmountMinor, originalCurrency, exchangeRate },
      {
        amountMinor: 2_000,
        netMinor: 1_936,
        originalAmountMinor: 2_500,
        originalCurrency: 'JPY',
        exchangeRate: '0.008000',
      },
    );
  });

  for (const [currency, text, minor] of [
    ['CLP', '1000.00', 1_000],
    ['CLP', '1000', 1_000],
    ['ISK', '150.00', 150],
    ['CVE', '100', 10_000],
    ['IDR', '25000', 2_500_000],
    ['IDR', '25000.50', 2_500_050],
    ['KWD', '1.005', 1_005],
  ] as const) {
    it(`has ${text} ${currency} in minor units of ISO 4217, not of Adyen`, async () => {
      const money = { 'Gross Currency': currency, 'Net Currency': currency };
      const fees = { 'Markup (NC)': '', 'Scheme Fees (NC)': '', 'Interchange (NC)': '' };
      const amounts = { 'Gross Credit (GC)': text, 'Net Credit (NC)': text };
      const entry = await readEntry({ ...SETTLED, ...money, ...fees, ...amounts });
      assert.deepEqual([entry.amountMinor, entry.netMinor, entry.feeMinor], [minor, minor, 0]);
    });
  }

  it('is refused in each row whose amount is no number, without the text itself', async () => {
    for (const text of ['=1+1', '12.345', '1,5', '1e3', '12..3', 'NaN', '-', '99999999999999999', '1 000']) {
      const problem = await problemOf({ ...SETTLED, 'Net Credit (NC)': `"${text}"` });
      assert.match(problem, /at most 2 decimals in the column Net Credit \(NC\); got another text/);
    }
    assert.match(await problemOf({ ...SETTLED, 'Interchange (NC)': 'x' }), /Interchange \(NC\)/);
    assert.match(await problemOf({ ...SETTLED, 'Net Currency': 'QQQ' }), /Net Currency/);
    assert.match(await problemOf({ ...SETTLED, 'Batch Number': '=4' }), /Batch Number/);
    assert.match(await problemOf({ ...SETTLED, Type: '' }), /Type/);
    assert.match(await problemOf({ ...SETTLED, 'Creation Date': '2013-13-03 12:30:45' }), /Creation Date/);
  });

  it('is refused where the time zone is not known, or stands for two', async () => {
    for (const zone of ['', 'IST', 'CST', 'Mars', 'toString']) {
      assert.match(await problemOf({ ...SETTLED, TimeZone: zone }), /one time zone/);
    }
  });

  it('is refused where it is of another merchant account', async () => {
    const problem = await problemOf({ ...SETTLED, 'Merchant Account': 'Another' });
    assert.match(problem, /the report of the merchant account TestMerchant; got that of another one/);
  });

  it('names the line of each problem, and reads the other rows', async () => {
    const bad = { ...SETTLED, 'Net Credit (NC)': 'x' };
    const items = await read([SETTLED, bad, { ...SETTLED, 'Merchant Reference': '"a\nb"' }, bad]);
    assert.deepEqual(
      problemsOf(items).map(({ line }) => line),
      [3, 6],
    );
    assert.equal(entriesOf(items).length, 2);
    const short = await readText(`${HEADINGS}\nTestCompany,TestMerchant`);
    assert.match(problemsOf(short)[0]?.problem ?? '', /Expected 30 cells, one for each column; got 2/);
    const open = await readText(`${reportOf([SETTLED])}\n"`);
    assert.equal(problemsOf(open)[0]?.line, 3);
  });

  it('keeps a formula as a text', async () => {
    const entry = await readEntry({
      ...BOOKING,
      Type: 'Fee',
      'Modification Reference': '=1+1',
      'Net Debit (NC)': '1.00',
    });
    assert.equal(entry.providerReference, 'Fee:=1+1:2013-06-11 04:55:40:-100');
  });

  it('has the net of every row in exactly one entry or payout, and amounts less fees are nets', async () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 });
    const decimal = (minor: number) => (minor / 100).toFixed(2);
    const row = fc.record({ credit: cents, debit: cents, fee: cents, isPayout: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const cells = rows.map(({ credit, debit, fee, isPayout }, index) => ({
          ...(isPayout ? PAYOUT : SETTLED),
          'Modification Reference': String(index),
          'Gross Credit (GC)': decimal(credit + fee),
          'Gross Debit (GC)': decimal(debit),
          'Net Credit (NC)': decimal(credit),
          'Net Debit (NC)': decimal(debit),
          'Commission (NC)': decimal(fee),
        }));
        const items = await read(cells);
        assert.deepEqual(problemsOf(items), []);
        const entries = entriesOf(items);
        for (const { amountMinor, feeMinor, netMinor } of entries) assert.equal(amountMinor - feeMinor, netMinor);
        const sum = entries.reduce((net, { netMinor }) => net + netMinor, 0);
        const paid = settlementsOf(items).at(-1)?.netAmountMinor ?? 0;
        const expected = rows.reduce((net, { credit, debit }) => net + credit - debit, 0);
        assert.equal(sum - paid, expected);
        assert.equal(new Set(entries.map(({ providerReference }) => providerReference)).size, entries.length);
      }),
    );
  });
});
