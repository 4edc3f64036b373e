import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { openLedger, type Ledger } from '../../../../sandbox/simulator/ledger.ts';
import { createPaymentService, type PaymentService } from '../../../../sandbox/simulator/payment-service.ts';
import { paymentRequestSchema, SETTLEMENTS } from '../../../../sandbox/simulator/protocol.ts';
import { createDisputeService } from '../../../../sandbox/simulator/dispute-service.ts';
import { createRefundService, type RefundService } from '../../../../sandbox/simulator/refund-service.ts';
import {
  MISREPORTS,
  type PaymentRecord,
  type Charge,
  type OutgoingEvent,
  type RefundEntry,
} from '../../../../sandbox/simulator/records.ts';
import { cardPayment } from '../../../support/simulator-client.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

type Step = (paymentService: PaymentService, refundService: RefundService) => unknown;

const key = fc.constantFrom('a', 'b', 'c');
const card = fc.constantFrom(
  '4242424242424242',
  '4000000000000002',
  '4000000000003220',
  '4000000000000119',
  '4000000000000341',
  '4000000000000259',
  '4000000000005126',
  '4000000000007726',
  '4000000000003063',
);
const refundKey = fc.constantFrom('re_1', 're_2', 're_3', 're_4');
const amountMinor = fc.integer({ min: 1, max: 1_300 });

const scenario = fc.constantFrom(undefined, ...MISREPORTS);

const createStep = fc.tuple(key, card, fc.boolean(), scenario).map(
  ([reference, number, capture, scenario]): Step =>
    (paymentService) =>
      paymentService.create(
        reference,
        paymentRequestSchema.parse(cardPayment(reference, number, { capture, scenario })),
      ),
);
const inquireStep = key.map(
  (idempotencyKey): Step =>
    (paymentService) =>
      paymentService.inquire(idempotencyKey),
);
const closeStep = key.map(
  (idempotencyKey): Step =>
    (paymentService) =>
      paymentService.close(idempotencyKey),
);
const settleStep = fc.tuple(key, fc.constantFrom(...SETTLEMENTS)).map(
  ([reference, outcome]): Step =>
    (paymentService) =>
      paymentService.settle({ reference, outcome }),
);
const captureStep = fc.tuple(key, amountMinor).map(
  ([idempotencyKey, amount]): Step =>
    (paymentService) =>
      paymentService.capture(idempotencyKey, amount),
);
const refundStep = fc.tuple(refundKey, key, amountMinor).map(
  ([reference, paymentKey, amount]): Step =>
    (_paymentService, refundService) =>
      refundService.create(reference, { reference, merchantReference: null, paymentKey, amount, currency: 'USD' }),
);
const inquireRefundStep = refundKey.map(
  (idempotencyKey): Step =>
    (_paymentService, refundService) =>
      refundService.inquire(idempotencyKey),
);
const settleRefundStep = fc.tuple(refundKey, fc.constantFrom(...SETTLEMENTS)).map(
  ([reference, outcome]): Step =>
    (_paymentService, refundService) =>
      refundService.settle(reference, outcome),
);
const paymentSteps = [createStep, inquireStep, closeStep, settleStep, captureStep];
const refundSteps = [refundStep, inquireRefundStep, settleRefundStep];
const steps = fc.array(fc.oneof(...paymentSteps, ...refundSteps), { maxLength: 60 });

const LIMITS = { maximumEntries: 100, maximumEvents: 1_000 };

/** The ledger as the journal stores it, without undefined fields. */
function asStored(ledger: Ledger): unknown {
  return JSON.parse(JSON.stringify([ledger.entries(), ledger.refundEntries()]));
}

/** Asserts the invariants of the ledger. */
function assertConsistent(ledger: Ledger): void {
  for (const { key: name, closed, record } of ledger.entries()) {
    if (record === null) continue;
    assert.equal(closed, false, `${name} is recorded and closed`);
    assertChargesAddUp(record);
    assertRefundsAddUp(record, ledger.refundsOfPayment(name));
  }
  for (const { key: name, closed, refund } of ledger.refundEntries()) {
    assert.ok(!closed || refund === null, `${name} is recorded and closed`);
  }
}

const amountsOf = ({ charges }: PaymentRecord, type: Charge['type']) =>
  charges.filter((charge) => charge.type === type).map(({ amount }) => amount);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function assertChargesAddUp(record: PaymentRecord): void {
  const { status, amount, amountCaptured, amountVoided } = record.payment;
  const [captures, voids, authorizations] = (['capture', 'void', 'authorization'] as const).map((type) =>
    amountsOf(record, type),
  );
  assert.deepEqual(captures, status === 'captured' ? [amountCaptured] : []);
  assert.ok(amountCaptured <= amount && (status === 'captured') === amountCaptured > 0);
  assert.ok(authorizations !== undefined && authorizations.length <= 1);
  assert.deepEqual(voids, amountVoided > 0 ? [amountVoided] : []);
  assert.ok(status === 'voided' || amountVoided === 0);
  assert.ok(amountVoided === 0 || authorizations.length === 1);
}

function assertRefundsAddUp(record: PaymentRecord, refunds: readonly RefundEntry[]): void {
  const { amountCaptured, amountRefunded } = record.payment;
  const amountsIn = (status: string) =>
    refunds.flatMap(({ refund }) => (refund?.status === status ? [refund.amount] : []));
  assert.deepEqual(amountsOf(record, 'refund').toSorted(), amountsIn('succeeded').toSorted());
  assert.equal(amountRefunded, sumOf(amountsIn('succeeded')));
  assert.ok(amountCaptured - amountRefunded - sumOf(amountsIn('pending')) >= 0, 'more is refunded than was captured');
}

describe('payment and refund services of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    temporary = await makeTemporaryFolder();
  });
  after(() => temporary.remove());

  async function withServices<Result>(
    use: (
      paymentService: PaymentService,
      refundService: RefundService,
      ledger: Ledger,
      events: OutgoingEvent[],
    ) => Result,
  ) {
    const ledger = await openLedger(path.join(temporary.folder, 'journal.jsonl'), LIMITS);
    const events: OutgoingEvent[] = [];
    const onEvent = (event: OutgoingEvent) => events.push(event);
    const refundService = createRefundService({ ledger, onEvent });
    const paymentService = createPaymentService({
      ledger,
      instanceName: 'alpha',
      secret: 'secret',
      publicUrl: 'http://127.0.0.1',
      delays: { approvalDelayMs: 60_000, depositDelayMs: 60_000, confirmationDelayMs: 60_000 },
      ignoresClosures: () => false,
      onEvent,
      onDisputed: createDisputeService({ ledger, onEvent }).carryOut,
      onError(error) {
        throw error;
      },
    });
    try {
      return use(paymentService, refundService, ledger, events);
    } finally {
      paymentService.stop();
      ledger.close();
    }
  }

  it('keep a consistent ledger for any requests in any order, also over a restart', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        const entries = await withServices((paymentService, refundService, ledger, events) => {
          for (const step of run) {
            step(paymentService, refundService);
            assertConsistent(ledger);
          }
          assert.deepEqual(ledger.waitingEvents(), events);
          return asStored(ledger);
        });
        assert.deepEqual(await withServices((_paymentService, _refundService, ledger) => asStored(ledger)), entries);
      }),
    );
  });

  it('never refund with a key after an inquiry found no refund', async () => {
    await fc.assert(
      fc.asyncProperty(steps, refundKey, steps, async (earlier, asked, later) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        await withServices((paymentService, refundService, ledger) => {
          for (const step of earlier) step(paymentService, refundService);
          const known = refundService.inquire(asked);
          for (const step of later) step(paymentService, refundService);
          if (known === null) assert.equal(ledger.findRefund(asked)?.refund, null);
        });
      }),
    );
  });

  it('never charge with a key after a closure found no payment', async () => {
    await fc.assert(
      fc.asyncProperty(steps, key, steps, async (earlier, asked, later) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        await withServices((paymentService, refundService, ledger) => {
          for (const step of earlier) step(paymentService, refundService);
          const closed = paymentService.close(asked);
          for (const step of later) step(paymentService, refundService);
          const charges = ledger.find(asked)?.record?.charges ?? [];
          const captured = charges.some(({ type }) => type === 'capture');
          assert.equal(captured, closed?.status === 'captured');
        });
      }),
    );
  });
});
