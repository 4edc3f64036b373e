import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ReportedSettlementEntry } from '../../../../domain/settlement.ts';
import { openLedger } from '../../../../sandbox/simulator/ledger.ts';
import { settlementRequestSchema } from '../../../../sandbox/simulator/protocol.ts';
import { type LedgerEntry, SETTLEMENT_MISREPORTS } from '../../../../sandbox/simulator/records.ts';
import { createSettlementService } from '../../../../sandbox/simulator/settlement-service.ts';
import { adapterTo, makeTemporaryFolder, startTestSimulator } from '../../../support/simulator-harness.ts';

const LIMITS = { maximumEntries: 5_000, maximumEvents: 100 };
const ATTEMPT = `att_${'1'.repeat(32)}_1`;
const { signal } = new AbortController();

/** A captured payment of 10.00 USD, of which 3.00 were refunded and all is disputed. */
function capturedEntry(key = ATTEMPT): LedgerEntry {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    key,
    reference: key,
    paymentIntentId: `pi_of_${key}`,
    requests: 1,
    closed: false,
    record: {
      payment: {
        id: `sim_${key}`,
        reference: key,
        merchantReference: null,
        status: 'captured',
        amount: 1_000,
        currency: 'USD',
        amountCaptured: 1_000,
        amountVoided: 0,
        amountRefunded: 300,
        createdAt: at,
      },
      charges: [
        { type: 'authorization', amount: 1_000, at },
        { type: 'capture', amount: 1_000, at },
        { type: 'refund', amount: 300, at, reference: 're_1' },
        { type: 'chargeback', amount: 700, at: '2026-01-03T00:00:00.000Z', reference: 'simdp_1' },
      ],
      fingerprint: 'x',
      capture: true,
      returnUrl: null,
      methodType: 'card',
      reply: 'payment',
      deposit: null,
      refundScenario: 'accepted',
      misreport: null,
      disputePlan: null,
      storedCard: null,
      credentialUse: null,
      concealed: false,
      lateChargeDelayMs: null,
      settlesAt: null,
    },
  };
}

const sumOf = (entries: readonly { readonly net: number }[]): number => entries.reduce((sum, { net }) => sum + net, 0);

describe('settlements of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    file = path.join(temporary.folder, 'journal.jsonl');
  });
  afterEach(() => temporary.remove());

  const settleWith = async (entries: readonly LedgerEntry[], request: object) => {
    const ledger = await openLedger(file, LIMITS);
    for (const entry of entries) ledger.save(entry, null);
    const service = createSettlementService(ledger);
    const settlements = service.settle(settlementRequestSchema.parse({ until: '2026-02-01T00:00:00Z', ...request }));
    return { ledger, service, settlements };
  };

  it('have each movement up to a time in one line, once, also after a restart', async () => {
    const { ledger, settlements, service } = await settleWith([capturedEntry()], { until: '2026-01-02T00:00:00Z' });
    const [first, ...others] = settlements;
    assert.ok(first !== undefined && others.length === 0);
    assert.deepEqual(
      first.lines.map(({ type, amount, fee, net }) => [type, amount, fee, net]),
      [
        ['payment', 1_000, 59, 941],
        ['refund', -300, 0, -300],
      ],
    );
    assert.deepEqual([first.net, first.arrivalDate], [641, '2026-01-04']);
    assert.deepEqual(
      first.lines[0]?.fees.map(({ type, amount }) => `${type} ${amount}`),
      ['interchange 15', 'scheme 2', 'markup 42'],
    );
    assert.equal(service.setStatus(first.id, 'returned')?.status, 'returned');
    ledger.close();
    const reopened = await openLedger(file, LIMITS);
    assert.equal(reopened.findSettlement(first.id)?.status, 'returned');
    const later = createSettlementService(reopened);
    const request = settlementRequestSchema.parse({ until: '2026-02-01T00:00:00Z' });
    assert.deepEqual(
      later.settle(request).flatMap(({ lines }) => lines.map(({ type, net }) => [type, net])),
      [['chargeback', -2_200]],
    );
    assert.deepEqual(later.settle(request), []);
    reopened.close();
  });

  it('are exchanged with the amount of the payment and the rate', async () => {
    const { ledger, settlements } = await settleWith([capturedEntry()], { exchange: { to: 'EUR', rate: '0.92' } });
    const [line] = settlements[0]?.lines ?? [];
    assert.deepEqual(
      [line?.amount, line?.currency, line?.originalAmount, line?.originalCurrency, line?.exchangeRate],
      [920, 'EUR', 1_000, 'USD', '0.92'],
    );
    ledger.close();
  });

  it('have at most 1,000 lines each', async () => {
    const entries = Array.from({ length: 400 }, (_, index) => capturedEntry(`key_${index}`));
    const { ledger, settlements } = await settleWith(entries, {});
    assert.deepEqual(
      settlements.map(({ lines }) => lines.length),
      [1_000, 200],
    );
    assert.equal(new Set(settlements.flatMap(({ settledIds }) => settledIds)).size, 1_200);
    ledger.close();
  });

  for (const misreport of SETTLEMENT_MISREPORTS) {
    it(`can say something wrongly: ${misreport}`, async () => {
      const { ledger, settlements } = await settleWith([capturedEntry()], { misreport });
      const [settlement = assert.fail()] = settlements;
      assert.equal(settlement.settledIds.length, 3);
      const isRight =
        sumOf(settlement.lines) === settlement.net &&
        settlement.lines.length === 3 &&
        settlement.lines.every(({ amount, fee, net, currency }) => amount - fee === net && currency === 'USD');
      assert.equal(isRight, false);
      ledger.close();
    });
  }

  it('are listed to the engine page by page, with what each line is about', async () => {
    const ledger = await openLedger(file, LIMITS);
    for (let index = 0; index < 100; index += 1)
      ledger.save(capturedEntry(`att_${String(index).padStart(32, '0')}_1`), null);
    ledger.close();
    const simulator = await startTestSimulator({ dataFile: file });
    try {
      const answer = await fetch(`${simulator.url}/simulate/settlements`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ until: '2026-02-01T00:00:00Z' }),
      });
      assert.equal(answer.status, 201);
      const adapter = adapterTo(simulator.url);
      const listed = await adapter.listSettlements?.({ since: new Date(0), cursor: null }, signal);
      const [settlement, ...others] = listed?.items ?? [];
      assert.ok(settlement !== undefined && others.length === 0 && listed?.nextCursor === null);
      assert.equal(settlement.status, 'paid');
      const entries: ReportedSettlementEntry[] = [];
      const request = { settlementReference: settlement.providerReference };
      for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
        const page: Awaited<ReturnType<NonNullable<typeof adapter.listSettlementEntries>>> | undefined =
          await adapter.listSettlementEntries?.({ ...request, cursor }, signal);
        entries.push(...(page?.items ?? []));
        cursor = page?.nextCursor ?? null;
      }
      assert.equal(new Set(entries.map(({ providerReference }) => providerReference)).size, 300);
      assert.equal(
        entries.reduce((sum, { netMinor }) => sum + netMinor, 0),
        settlement.netAmountMinor,
      );
      const [payment, refund, chargeback] = entries;
      assert.match(payment?.matches.attemptId ?? '', /^att_0{32}_1$/);
      assert.deepEqual([refund?.matches.refundId, chargeback?.matches.disputeReference], ['re_1', 'simdp_1']);
      const later = await adapter.listSettlements?.({ since: new Date(Date.now() + 60_000), cursor: null }, signal);
      assert.deepEqual(later?.items, []);
    } finally {
      await simulator.close();
    }
  });
});
