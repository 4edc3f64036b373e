import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDisputeService } from '../../../../sandbox/simulator/dispute-service.ts';
import { openLedger } from '../../../../sandbox/simulator/ledger.ts';
import type { DisputePlan, LedgerEntry, OutgoingEvent } from '../../../../sandbox/simulator/records.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

const LIMITS = { maximumEntries: 100, maximumEvents: 100 };

function capturedEntry(disputePlan: DisputePlan | null = null): LedgerEntry {
  return {
    key: 'att_1',
    reference: 'att_1',
    paymentIntentId: 'pi_1',
    requests: 1,
    closed: false,
    record: {
      payment: {
        id: 'sim_1',
        reference: 'att_1',
        merchantReference: null,
        status: 'captured',
        amount: 1_000,
        currency: 'USD',
        amountCaptured: 1_000,
        amountVoided: 0,
        amountRefunded: 0,
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      charges: [{ type: 'capture', amount: 1_000, at: '2026-01-01T00:00:00.000Z' }],
      fingerprint: 'x',
      capture: true,
      returnUrl: null,
      methodType: 'card',
      reply: 'payment',
      deposit: null,
      refundScenario: 'accepted',
      misreport: null,
      disputePlan,
      storedCard: null,
      credentialUse: null,
      concealed: false,
      lateChargeDelayMs: null,
      settlesAt: null,
    },
  };
}

describe('disputes at the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
  });
  afterEach(() => temporary.remove());

  const open = async () => {
    const file = path.join(temporary.folder, 'journal.jsonl');
    const ledger = await openLedger(file, LIMITS);
    const events: OutgoingEvent[] = [];
    const service = createDisputeService({ ledger, onEvent: (event) => void events.push(event) });
    const charges = () => ledger.find('att_1')?.record?.charges.map(({ type, amount }) => `${type} ${amount}`) ?? [];
    const read = (): Record<string, unknown>[] => events.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    return { file, ledger, service, charges, read };
  };

  it('take the money, give it back and take it again, in the ledger and by one event for each step', async () => {
    const { file, ledger, service, charges, read } = await open();
    ledger.save(capturedEntry(), null);
    const opened = service.open({ paymentIntentId: 'pi_1', amount: 600, reason: 'fraudulent', stage: 'chargeback' });
    assert.ok(opened.kind === 'done');
    const { id } = opened.dispute;
    for (const step of ['under_review', 'won', 'second_chargeback', 'lost'] as const) {
      assert.equal(service.advance(id, step).kind, 'done', step);
    }
    assert.deepEqual(charges(), ['capture 1000', 'chargeback 600', 'chargeback_reversal 600', 'chargeback 600']);
    assert.deepEqual(
      read().map(({ type, data }) => [type, (data as { step: string }).step, (data as { funds: string | null }).funds]),
      [
        ['dispute.updated', 'opened', 'withdrawn'],
        ['dispute.updated', 'under_review', null],
        ['dispute.updated', 'won', 'reinstated'],
        ['dispute.updated', 'second_chargeback', 'withdrawn'],
        ['dispute.updated', 'lost', null],
      ],
    );
    ledger.close();
    const again = await openLedger(file, LIMITS);
    assert.deepEqual([again.findDispute(id)?.status, again.disputesOfPayment('att_1').length], ['lost', 1]);
    again.close();
  });

  it('refuse a step that does not follow, a payment without a capture, and more than was captured', async () => {
    const { ledger, service, charges } = await open();
    const request = { reason: 'general', stage: 'inquiry' } as const;
    assert.equal(service.open({ ...request, paymentIntentId: 'pi_1' }).kind, 'not_found');
    ledger.save(capturedEntry(), null);
    assert.equal(service.open({ ...request, reference: 'att_1', amount: 1_001 }).kind, 'amount_exceeded');
    const opened = service.open({ ...request, reference: 'att_1' });
    assert.ok(opened.kind === 'done');
    assert.equal(service.advance(opened.dispute.id, 'won').kind, 'wrong_step');
    assert.equal(service.advance('simdp_none', 'won').kind, 'not_found');
    assert.equal(service.advance(opened.dispute.id, 'chargeback').kind, 'done');
    assert.deepEqual(charges(), ['capture 1000', 'chargeback 1000']);
    ledger.close();
  });

  it('follow from what a card asks for', async () => {
    const { ledger, service, read } = await open();
    ledger.save(capturedEntry(), null);
    for (const plan of ['product_not_received', 'inquiry', 'fraud_warning'] as const) {
      service.carryOut(capturedEntry(), plan);
    }
    assert.deepEqual(
      read().map(({ type, data }) => [type, (data as { stage?: string }).stage]),
      [
        ['dispute.updated', 'chargeback'],
        ['dispute.updated', 'inquiry'],
        ['payment.fraud_warning', undefined],
      ],
    );
    ledger.close();
  });
});
