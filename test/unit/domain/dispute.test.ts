import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import {
  blockedMinorOf,
  type DisputeReport,
  factsOf,
  MAXIMUM_REPORTS,
  type StoredReport,
} from '../../../domain/dispute.ts';
import { stepOfReport } from '../../../domain/dispute-step.ts';
import type { PaymentStep, DisputeChange } from '../../../domain/payment-step.ts';

const ATTEMPT = { id: 'att_1', provider: 'adyen_1', amountMinor: 1_000, currency: 'EUR' };
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

let clock = 0;
function reportOf(providerEvent: string, change: Partial<DisputeReport> = {}): StoredReport {
  clock += 1;
  return {
    eventId: `event ${clock}`,
    providerReference: 'PSP1',
    providerEvent,
    stage: null,
    status: null,
    unknownStatus: null,
    reason: null,
    networkReasonCode: null,
    amountMinor: 1_000,
    currency: 'EUR',
    respondBy: null,
    isDefendable: null,
    funds: null,
    occurredAt: new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString(),
    ...change,
  };
}

/** The steps that reports lead to, one after the other, as the engine records them. */
function stepsOf(reports: readonly StoredReport[]): readonly PaymentStep[] {
  let earlier: readonly StoredReport[] = [];
  return reports.flatMap((report) => {
    const step = stepOfReport({ id: 'dp_1', attempt: ATTEMPT, earlier, report, digest });
    earlier = step?.dispute?.reports ?? earlier;
    return step ?? [];
  });
}

function lastDispute(steps: readonly PaymentStep[]): DisputeChange {
  return steps.at(-1)?.dispute ?? assert.fail('no dispute');
}

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const chargeback = (change: Partial<DisputeReport> = {}) =>
  reportOf('CHARGEBACK', { stage: 'chargeback', funds: 'withdrawn', ...change });
const reversed = () => reportOf('CHARGEBACK_REVERSED', { stage: 'chargeback', status: 'won', funds: 'reinstated' });
const secondChargeback = () =>
  reportOf('SECOND_CHARGEBACK', { stage: 'pre_arbitration', status: 'lost', funds: 'withdrawn' });

describe('a dispute', () => {
  it('is the same, and has moved the same money, after all 720 orders of six reports, each of which comes twice', () => {
    const respondBy = '2026-01-20T00:00:00.000Z';
    const reports = [
      reportOf('NOTIFICATION_OF_CHARGEBACK', {
        stage: 'chargeback',
        status: 'needs_response',
        respondBy,
        reason: 'fraudulent',
        networkReasonCode: '10.4',
      }),
      chargeback(),
      reportOf('INFORMATION_SUPPLIED', { status: 'under_review' }),
      reversed(),
      secondChargeback(),
      reportOf('ISSUER_COMMENTS'),
    ];
    const summaryOf = (order: readonly StoredReport[]) => {
      const steps = stepsOf(order);
      const { facts, blockedMinor } = lastDispute(steps);
      const { movements, ...others } = facts;
      const transactions = steps.flatMap((step) => step.transactions ?? []);
      return { others, blockedMinor, movements: movements.length, transactions: transactions.sort(byId) };
    };
    const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
    const expected = summaryOf(reports);
    assert.deepEqual(
      [expected.others.status, expected.others.stage, expected.others.withdrawnMinor, expected.blockedMinor],
      ['lost', 'pre_arbitration', 1_000, 1_000],
    );
    assert.deepEqual(expected.transactions.map(({ type }) => type).sort(), [
      'chargeback',
      'chargeback',
      'chargeback_reversal',
    ]);
    const orders = permutations(reports);
    assert.equal(orders.length, 720);
    for (const order of orders) {
      assert.deepEqual(summaryOf(order.flatMap((report) => [report, report])), expected);
      assert.deepEqual(summaryOf([...order, ...order]), expected);
    }
  });

  it('blocks what was taken, and while a chargeback is open or lost all that is disputed, never more than was paid', () => {
    const course: readonly [StoredReport, number][] = [
      [reportOf('RFI', { stage: 'inquiry', status: 'needs_response', amountMinor: 400 }), 0],
      [reportOf('NOTIFICATION', { stage: 'chargeback', status: 'needs_response', amountMinor: 400 }), 400],
      [chargeback({ amountMinor: 400 }), 400],
      [reportOf('WON', { status: 'won', amountMinor: 400 }), 400],
      [reportOf('REVERSED', { status: 'won', amountMinor: 400, funds: 'reinstated' }), 0],
      [reportOf('SECOND', { stage: 'pre_arbitration', status: 'lost', funds: 'withdrawn', amountMinor: 1_400 }), 1_000],
    ];
    const steps = stepsOf(course.map(([report]) => report));
    assert.deepEqual(
      steps.map(({ dispute }) => dispute?.blockedMinor),
      course.map(([, blocked]) => blocked),
    );
  });

  it('blocks the whole payment where it is in another currency, or has no amount', () => {
    for (const change of [{ currency: 'USD' }, { amountMinor: null, currency: null }]) {
      assert.equal(blockedMinorOf(factsOf([chargeback(change)]), ATTEMPT), 1_000);
    }
  });

  it('counts a movement once, also where the provider sends its event again under another id', () => {
    const steps = stepsOf([chargeback(), chargeback()]);
    assert.equal(steps.flatMap(({ transactions = [] }) => transactions).length, 1);
    assert.equal(lastDispute(steps).facts.withdrawnMinor, 1_000);
  });

  it('is open until the provider says how it ended, and an inquiry that is not answered is closed, not lost', () => {
    assert.deepEqual([factsOf([chargeback()]).status, factsOf([chargeback()]).outcomeAt], ['needs_response', null]);
    const inquiry = reportOf('RFI', { stage: 'inquiry', status: 'needs_response' });
    const ended = reportOf('DISPUTE_DEFENSE_PERIOD_ENDED', { status: 'lost' });
    const { status, outcomeAt } = factsOf([ended, inquiry]);
    assert.deepEqual([status, outcomeAt], ['closed', ended.occurredAt]);
    assert.equal(factsOf([ended, inquiry, chargeback()]).status, 'lost');
  });

  it('has ended when the provider first said so, also where an inquiry said it before the webhook came', () => {
    const won = reportOf('charge.dispute.closed', { stage: 'chargeback', status: 'won' });
    const asked = reportOf('charge.dispute.updated', { stage: 'chargeback', status: 'won' });
    for (const order of [
      [won, asked],
      [asked, won],
    ]) {
      assert.equal(
        factsOf([chargeback({ occurredAt: '2025-12-01T00:00:00.000Z' }), ...order]).outcomeAt,
        won.occurredAt,
      );
    }
    const lost = reportOf('charge.dispute.closed', { stage: 'pre_arbitration', status: 'lost' });
    assert.equal(factsOf([won, asked, lost]).outcomeAt, lost.occurredAt);
  });

  it('keeps its status where the provider reports one that the adapter does not know', () => {
    const unknown = reportOf('charge.dispute.updated', { unknownStatus: 'escalated' });
    const known = reportOf('charge.dispute.created', { stage: 'chargeback', status: 'under_review' });
    assert.equal(factsOf([unknown, known]).status, 'under_review');
  });

  it('tells what has happened by events: its beginning, its money and its end', () => {
    const steps = stepsOf([chargeback(), reportOf('ISSUER_COMMENTS'), reversed(), secondChargeback()]);
    assert.deepEqual(
      steps.map(({ events = [] }) => events.map(({ type }) => type)),
      [
        ['dispute.created', 'dispute.funds_withdrawn', 'transaction.created'],
        ['dispute.updated'],
        ['dispute.funds_reinstated', 'dispute.closed', 'transaction.created'],
        ['dispute.funds_withdrawn', 'dispute.closed', 'transaction.created'],
      ],
    );
    assert.deepEqual(
      steps.map(({ timeline: [{ summary }] }) => summary),
      [
        'adyen_1: chargeback of EUR 10.00, needs an answer; EUR 10.00 was taken',
        'adyen_1: chargeback of EUR 10.00, needs an answer',
        'adyen_1: chargeback of EUR 10.00, won; EUR 10.00 was given back',
        'adyen_1: pre-arbitration of EUR 10.00, lost; EUR 10.00 was taken',
      ],
    );
  });

  it('keeps a limited number of reports', () => {
    const reports = Array.from({ length: MAXIMUM_REPORTS + 1 }, () => reportOf('ISSUER_COMMENTS'));
    assert.equal(stepsOf(reports).length, MAXIMUM_REPORTS);
  });
});
