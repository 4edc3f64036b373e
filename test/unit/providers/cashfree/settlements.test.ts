import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { newId } from '../../../../domain/new-id.ts';
import type { ReportedSettlementEntry } from '../../../../domain/settlement.ts';
import type { PaymentProvider } from '../../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { type FakeCashfree, startFakeCashfree } from '../../../../sandbox/fakes/cashfree/fake-cashfree.ts';
import { newSignal, requestWith } from '../../../support/provider-contract.ts';
import { startScriptedServer } from '../../../support/simulator-harness.ts';
import { adapterTo, CLIENT_ID, CLIENT_SECRET } from './harness.ts';

const A_DAY_AGO = new Date(Date.now() - 86_400_000);

async function settlementsOf(provider: PaymentProvider, cursor: string | null = null) {
  const page = await provider.listSettlements?.({ since: A_DAY_AGO, cursor }, newSignal());
  assert.ok(page !== undefined);
  return page;
}

async function entriesOf(
  provider: PaymentProvider,
  settlementReference: string,
): Promise<readonly ReportedSettlementEntry[]> {
  const page = await provider.listSettlementEntries?.({ settlementReference, cursor: null }, newSignal());
  assert.ok(page !== undefined);
  return page.items;
}

describe('settlements of Cashfree', () => {
  let fake: FakeCashfree;
  let provider: PaymentProvider;
  before(async () => {
    fake = await startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
    provider = adapterTo(fake.url);
  });
  after(() => fake.close());

  /** A paid order. @returns its attempt */
  async function pay(amountMinor: number): Promise<string> {
    const request = { ...requestWith({ type: 'upi', vpa: null }), currency: 'INR', amountMinor };
    await provider.authorize(request, newSignal());
    fake.ledger.decide(request.attemptId, 'SUCCESS');
    return request.attemptId;
  }

  it('have each payment with its charge and tax, each refund, and their sum', async () => {
    const paid = await pay(100_00);
    const refunded = await pay(50_00);
    const refundId = newId('refund');
    const requested = { refundId, attemptId: refunded, amountMinor: 20_00, currency: 'INR', reason: null };
    const providerPaymentId = fake.ledger.payments(refunded)[0]?.cf_payment_id ?? '';
    const times = { startedAt: new Date().toISOString() };
    await provider.refund({ ...requested, ...times, environment: 'sandbox', providerPaymentId }, newSignal());
    const id = fake.ledger.settle();

    const { items, nextCursor } = await settlementsOf(provider);
    assert.equal(nextCursor, null);
    const [settlement] = items;
    assert.ok(settlement !== undefined);
    const entries = await entriesOf(provider, id);
    assert.deepEqual(
      entries.map(({ type, amountMinor, feeMinor, netMinor, matches }) => ({
        type,
        amountMinor,
        feeMinor,
        netMinor,
        attemptId: matches.attemptId,
        refundId: matches.refundId,
      })),
      [
        { type: 'payment', amountMinor: 100_00, feeMinor: 2_36, netMinor: 97_64, attemptId: paid, refundId: undefined },
        {
          type: 'payment',
          amountMinor: 50_00,
          feeMinor: 1_18,
          netMinor: 48_82,
          attemptId: refunded,
          refundId: undefined,
        },
        { type: 'refund', amountMinor: -20_00, feeMinor: 0, netMinor: -20_00, attemptId: refunded, refundId },
      ],
    );
    assert.deepEqual(entries[0]?.feeDetails, [
      { type: 'provider', amountMinor: 2_00 },
      { type: 'tax', amountMinor: 36 },
    ]);
    const { providerReference, status, currency, netAmountMinor, bankReference } = settlement;
    assert.deepEqual(
      { providerReference, status, currency, netAmountMinor },
      { providerReference: id, status: 'paid', currency: 'INR', netAmountMinor: 126_46 },
    );
    assert.match(bankReference ?? '', /^PGI/);
    assert.equal(settlement.arrivalDate, new Date().toISOString().slice(0, 10));
  });

  it('say nothing of the customer', async () => {
    await pay(10_00);
    const told = JSON.stringify(await entriesOf(provider, fake.ledger.settle()));
    for (const personal of ['8281554863', 'customer@example.com', 'A Customer']) assert.ok(!told.includes(personal));
  });
});

const PAYMENT = {
  event_details: {
    event_id: '43594',
    event_type: 'PAYMENT',
    event_amount: 200,
    event_settlement_amount: 197.64,
    event_service_charge: 2,
    event_service_tax: 0.36,
    event_currency: 'INR',
    event_time: '2025-01-16 15:06:41+05:30',
    sale_type: 'CREDIT',
  },
  customer_details: { customer_phone: '8281554863' },
};

describe('what Cashfree answers about settlements', () => {
  /** The answer to every request. */
  async function withAnswer<Result>(
    answer: object,
    use: (provider: PaymentProvider) => Promise<Result>,
  ): Promise<Result> {
    const server = await startScriptedServer(() => ({ status: 200, body: JSON.stringify(answer) }));
    try {
      return await use(adapterTo(server.url));
    } finally {
      await server.close();
    }
  }

  async function entryOf(changes: object): Promise<ReportedSettlementEntry> {
    const event = { ...PAYMENT, event_details: { ...PAYMENT.event_details, ...changes } };
    const [entry] = await withAnswer({ cursor: null, data: [event] }, (provider) => entriesOf(provider, '1'));
    assert.ok(entry !== undefined);
    return entry;
  }

  for (const [event, type, sign] of [
    ['PAYMENT', 'payment', 1],
    ['REFUND', 'refund', -1],
    ['REFUND_REVERSAL', 'adjustment', 1],
    ['DISPUTE', 'chargeback', -1],
    ['DISPUTE_REVERSAL', 'chargeback_reversal', 1],
    ['CHARGEBACK', 'chargeback', -1],
    ['CHARGEBACK_REVERSAL', 'chargeback_reversal', 1],
    ['OTHER_ADJUSTMENT', 'adjustment', 1],
    ['SOMETHING_NEW', 'other', 1],
  ] as const) {
    it(`are understood about ${event}`, async () => {
      for (const sale of [sign < 0 ? 'DEBIT' : 'CREDIT', null]) {
        const entry = await entryOf({ event_type: event, sale_type: sale, event_settlement_amount: 200 - sign * 2.36 });
        assert.equal(entry.type, type);
        assert.equal(entry.providerType, event);
        assert.equal(entry.amountMinor, sign * 200_00);
        assert.equal(entry.feeMinor, 2_36);
        assert.equal(entry.netMinor, sign * 200_00 - 2_36);
        assert.equal(entry.providerReference, `${event}:43594`);
        assert.equal(entry.occurredAt, '2025-01-16T09:36:41.000Z');
        assert.equal(entry.matches.disputeReference, /DISPUTE|CHARGEBACK/.test(event) ? '43594' : undefined);
      }
    });
  }

  it('are understood where charges are billed apart', async () => {
    const { amountMinor, feeMinor, netMinor, feeDetails } = await entryOf({ event_settlement_amount: 200 });
    assert.deepEqual([amountMinor, feeMinor, netMinor], [200_00, 0, 200_00]);
    assert.equal(
      feeDetails.reduce((sum, fee) => sum + fee.amountMinor, 0),
      0,
    );
  });

  it('are understood where Cashfree lists whole settlements, or the parts of one', async () => {
    const whole = {
      cf_settlement_id: 738,
      amount_settled: 97.94,
      settled_on: '2022-02-14T12:35:19+05:30',
      status: 'PAID',
    };
    const part = { cf_settlement_id: '739', settlement_amount: 10.5, transfer_utr: 'N1', settlement_currency: 'INR' };
    const failed = { settlement_id: 740, amount_settled: 1, status: 'FAILED', utr: 'N2' };
    const reversed = { ...failed, settlement_id: 741, status: 'REVERSED' };
    const data = [whole, part, part, failed, reversed, { ...failed, settlement_id: 742, status: 'INITIATED' }];
    const { items } = await withAnswer({ data }, (provider) => settlementsOf(provider));
    assert.deepEqual(
      items.map(({ providerReference, status, netAmountMinor }) => [providerReference, status, netAmountMinor]),
      [
        ['738', 'paid', 97_94],
        ['739', 'paid', 21_00],
        ['740', 'failed', 1_00],
        ['741', 'returned', 1_00],
        ['742', 'open', 1_00],
      ],
    );
    assert.equal(items[0]?.arrivalDate, '2022-02-14');
  });

  it('end where a page is empty, or its cursor is the last one', async () => {
    for (const answer of [{ cursor: 'next', data: [] }, { cursor: 'same', data: [{ cf_settlement_id: 1 }] }, {}]) {
      assert.equal((await withAnswer(answer, (provider) => settlementsOf(provider, 'same'))).nextCursor, null);
    }
    const more = { cursor: 'next', data: [{ cf_settlement_id: 1 }] };
    assert.equal((await withAnswer(more, (provider) => settlementsOf(provider))).nextCursor, 'next');
  });

  it('are an outage where an amount, currency, id or time cannot be read', async () => {
    const unusable = [{ event_time: 'never' }, { event_amount: 1.005 }, { event_currency: 'QQQ' }];
    for (const changes of unusable) await assert.rejects(entryOf(changes), ProviderOutageError);
    await assert.rejects(
      withAnswer({ data: [{ amount_settled: 1 }] }, (provider) => settlementsOf(provider)),
      ProviderOutageError,
    );
  });
});
