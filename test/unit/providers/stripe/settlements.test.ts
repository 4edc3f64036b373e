import assert from 'node:assert/strict';
import type Stripe from 'stripe';
import { describe, it } from 'mocha';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { ReportedSettlementEntry } from '../../../../domain/settlement.ts';
import { ProviderOutageError } from '../../../../providers/provider-errors.ts';
import { newSignal } from '../../../support/provider-contract.ts';
import { type ScriptedReply, withScriptedHttpServer } from '../../../support/scripted-http-server.ts';
import { adapterTo } from '../../../support/stripe-harness.ts';

const CREATED = Date.UTC(2026, 10, 28, 12) / 1_000;
const ATTEMPT = attemptIdOf(newId('paymentIntent'), 1);
const REFUND = newId('refund');

type Payout = Pick<Stripe.Payout, 'id' | 'status' | 'amount' | 'currency' | 'arrival_date'> & {
  readonly trace_id: { readonly status: string; readonly value: string | null } | null;
};
type Transaction = Pick<
  Stripe.BalanceTransaction,
  | 'id'
  | 'type'
  | 'reporting_category'
  | 'amount'
  | 'fee'
  | 'net'
  | 'currency'
  | 'exchange_rate'
  | 'created'
  | 'available_on'
> & {
  readonly fee_details: readonly { readonly type: string; readonly amount: number }[];
  readonly source: object | string | null;
};

function payout(overrides: Partial<Payout> = {}): Payout {
  const trace = { status: 'supported', value: 'TRACE1' };
  return {
    id: 'po_1',
    status: 'paid',
    amount: 941,
    currency: 'usd',
    arrival_date: CREATED,
    trace_id: trace,
    ...overrides,
  };
}

function transaction(overrides: Partial<Transaction> = {}): Transaction {
  return {
    id: 'txn_1',
    type: 'charge',
    reporting_category: 'charge',
    amount: 1_000,
    fee: 59,
    fee_details: [
      { type: 'stripe_fee', amount: 50 },
      { type: 'tax', amount: 9 },
    ],
    net: 941,
    currency: 'usd',
    exchange_rate: null,
    created: CREATED,
    available_on: CREATED + 86_400,
    source: {
      id: 'ch_1',
      object: 'charge',
      amount: 1_000,
      amount_captured: 1_000,
      currency: 'usd',
      payment_intent: 'pi_at_stripe',
      metadata: { attempt_id: ATTEMPT },
    },
    ...overrides,
  };
}

const page = (data: readonly object[], hasMore = false): ScriptedReply => ({
  status: 200,
  body: { object: 'list', data, has_more: hasMore, url: '/' },
});

describe("Stripe's payouts", () => {
  const entriesFrom = async (
    reply: ScriptedReply,
    check: (entries: readonly ReportedSettlementEntry[], url: string) => void,
  ): Promise<void> =>
    withScriptedHttpServer([reply], async (url, received) => {
      const request = { settlementReference: 'po_1', cursor: null };
      const listed = await adapterTo(url).listSettlementEntries?.(request, newSignal());
      check(listed?.items ?? assert.fail(), received[0]?.url ?? '');
    });

  it('are settlements, listed by their creation and by page', () =>
    withScriptedHttpServer([page([payout(), payout({ id: 'po_2' })], true), page([])], async (url, received) => {
      const { listSettlements } = adapterTo(url);
      const since = new Date(CREATED * 1_000);
      const first = await listSettlements?.({ since, cursor: null }, newSignal());
      assert.deepEqual(first?.items[0], {
        providerReference: 'po_1',
        status: 'paid',
        currency: 'USD',
        netAmountMinor: 941,
        arrivalDate: '2026-11-28',
        bankReference: 'TRACE1',
      });
      assert.equal(first?.nextCursor, 'po_2');
      await listSettlements?.({ since, cursor: 'po_2' }, newSignal());
      assert.match(received[0]?.url ?? '', new RegExp(`created%5Bgte%5D=${CREATED}|created\\[gte\\]=${CREATED}`));
      assert.match(received[1]?.url ?? '', /starting_after=po_2/);
    }));

  it('have each of Stripe’s statuses, and stay open with one that is not known', () => {
    const statuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled', 'new_one'];
    const payouts = statuses.map((status) => payout({ status, currency: 'jpy', trace_id: null }));
    return withScriptedHttpServer([page(payouts)], async (url) => {
      const listed = await adapterTo(url).listSettlements?.({ since: new Date(0), cursor: null }, newSignal());
      assert.deepEqual(
        listed?.items.map(({ status }) => status),
        ['open', 'open', 'paid', 'failed', 'failed', 'open'],
      );
      assert.deepEqual([listed?.items[0]?.currency, listed?.items[0]?.bankReference], ['JPY', null]);
    });
  });

  it('have charges by attempt, with the parts of the fee', () =>
    entriesFrom(page([transaction()]), ([entry], url) => {
      assert.deepEqual(entry, {
        type: 'payment',
        providerType: 'charge',
        providerReference: 'txn_1',
        matches: { providerPaymentReference: 'pi_at_stripe', attemptId: ATTEMPT },
        amountMinor: 1_000,
        feeMinor: 59,
        feeDetails: [
          { type: 'provider', amountMinor: 50 },
          { type: 'tax', amountMinor: 9 },
        ],
        netMinor: 941,
        currency: 'USD',
        originalAmountMinor: null,
        originalCurrency: null,
        exchangeRate: null,
        occurredAt: '2026-11-28T12:00:00.000Z',
        availableOn: '2026-11-29',
      });
      assert.match(url, /payout=po_1/);
      assert.match(decodeURIComponent(url), /expand\[0?\]=data\.source/);
    }));

  it('have refunds by our id or by Stripe’s, and disputes, which Stripe calls adjustments', () => {
    const refund = {
      id: 're_at_stripe',
      object: 'refund',
      amount: 300,
      currency: 'usd',
      payment_intent: { id: 'pi_1' },
    };
    const refunded = { type: 'refund', reporting_category: 'refund', amount: -300, fee: 0, fee_details: [], net: -300 };
    const disputed = { id: 'du_1', object: 'dispute', amount: 1_000, currency: 'usd', payment_intent: 'pi_1' };
    const lines = [
      transaction({ ...refunded, source: { ...refund, metadata: { refund_id: REFUND } } }),
      transaction({ ...refunded, source: { ...refund, metadata: {} } }),
      transaction({
        type: 'adjustment',
        reporting_category: 'dispute',
        amount: -1_000,
        fee: 1_500,
        net: -2_500,
        source: disputed,
      }),
    ];
    return entriesFrom(page(lines), (entries) => {
      assert.deepEqual(
        entries.map(({ type, matches }) => [type, matches.refundId ?? matches.disputeReference]),
        [
          ['refund', REFUND],
          ['refund', 're_at_stripe'],
          ['chargeback', 'du_1'],
        ],
      );
      assert.ok(entries.every(({ matches }) => matches.providerPaymentReference === 'pi_1'));
    });
  });

  it('have the amount of the payment where Stripe has exchanged it, with its sign', () => {
    const source = { id: 'ch_1', object: 'charge', amount: 1_200, amount_captured: 1_000, currency: 'eur' };
    const refund = { id: 're_1', object: 'refund', amount: 1_000, currency: 'eur' };
    const lines = [
      transaction({ source, exchange_rate: 1.08 }),
      transaction({ type: 'refund', reporting_category: 'refund', amount: -1_080, source: refund }),
    ];
    return entriesFrom(page(lines), (entries) => {
      assert.deepEqual(
        entries.map((entry) => [entry.originalAmountMinor, entry.originalCurrency, entry.exchangeRate]),
        [
          [1_000, 'EUR', '1.08'],
          [-1_000, 'EUR', null],
        ],
      );
    });
  });

  it('name every line, also one of an unknown kind or without a source, but not the payout itself', () => {
    const lines = [
      transaction({ type: 'payout', reporting_category: 'payout', amount: -941 }),
      transaction({ type: 'stripe_fee', reporting_category: 'fee', source: null }),
      transaction({ type: 'adjustment', reporting_category: 'risk_reserved_funds', source: 'rsv_1' }),
      transaction({ reporting_category: 'a_new_category', source: { id: 'x_1', object: 'x' } }),
    ];
    return entriesFrom(page(lines), (entries) => {
      assert.deepEqual(
        entries.map(({ type, providerType }) => `${type} ${providerType}`),
        ['fee fee', 'reserve risk_reserved_funds', 'other a_new_category'],
      );
    });
  });

  it('have no lines where Stripe cannot itemise a payout that was made by hand', () => {
    const error = {
      type: 'invalid_request_error',
      message: 'Balance transaction history can only be filtered on automatic transfers',
    };
    return entriesFrom({ status: 400, body: { error } }, (entries) => assert.deepEqual(entries, []));
  });

  it('are asked for again where Stripe does not answer, or says that there is no such payout', async () => {
    for (const reply of [
      { status: 500, body: {} },
      { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } },
    ]) {
      await assert.rejects(
        entriesFrom(reply, () => undefined),
        ProviderOutageError,
      );
    }
  });
});
