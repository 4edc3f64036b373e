import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { openBooks, type Books } from '../../../../sandbox/simulator/ledger.ts';
import { createPaymentDesk, type PaymentDesk } from '../../../../sandbox/simulator/payment-service.ts';
import { paymentRequestSchema, SETTLEMENTS } from '../../../../sandbox/simulator/protocol.ts';
import { createRefundDesk, type RefundDesk } from '../../../../sandbox/simulator/refund-service.ts';
import {
  MISREPORTS,
  type Booking,
  type Charge,
  type OutgoingEvent,
  type RefundEntry,
} from '../../../../sandbox/simulator/records.ts';
import { cardPayment } from '../../../support/simulator-client.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

type Step = (desk: PaymentDesk, refundDesk: RefundDesk) => unknown;

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

const takeStep = fc.tuple(key, card, fc.boolean(), scenario).map(
  ([reference, number, capture, scenario]): Step =>
    (desk) =>
      desk.take(reference, paymentRequestSchema.parse(cardPayment(reference, number, { capture, scenario }))),
);
const inquireStep = key.map(
  (idempotencyKey): Step =>
    (desk) =>
      desk.inquire(idempotencyKey),
);
const closeStep = key.map(
  (idempotencyKey): Step =>
    (desk) =>
      desk.close(idempotencyKey),
);
const settleStep = fc.tuple(key, fc.constantFrom(...SETTLEMENTS)).map(
  ([reference, outcome]): Step =>
    (desk) =>
      desk.settle({ reference, outcome }),
);
const captureStep = fc.tuple(key, amountMinor).map(
  ([idempotencyKey, amount]): Step =>
    (desk) =>
      desk.capture(idempotencyKey, amount),
);
const refundStep = fc.tuple(refundKey, key, amountMinor).map(
  ([reference, paymentKey, amount]): Step =>
    (_desk, refundDesk) =>
      refundDesk.take(reference, { reference, paymentKey, amount, currency: 'USD' }),
);
const inquireRefundStep = refundKey.map(
  (idempotencyKey): Step =>
    (_desk, refundDesk) =>
      refundDesk.inquire(idempotencyKey),
);
const settleRefundStep = fc.tuple(refundKey, fc.constantFrom(...SETTLEMENTS)).map(
  ([reference, outcome]): Step =>
    (_desk, refundDesk) =>
      refundDesk.settle(reference, outcome),
);
const paymentSteps = [takeStep, inquireStep, closeStep, settleStep, captureStep];
const refundSteps = [refundStep, inquireRefundStep, settleRefundStep];
const steps = fc.array(fc.oneof(...paymentSteps, ...refundSteps), { maxLength: 60 });

const LIMITS = { maximumEntries: 100, maximumEvents: 1_000 };

/** As it is in the journal, where what is undefined is absent. */
function shown(books: Books): unknown {
  return JSON.parse(JSON.stringify([books.entries(), books.refundEntries()]));
}

/** What must hold of the books at any time. */
function assertSound(books: Books): void {
  for (const { key: name, closed, booking } of books.entries()) {
    if (booking === null) continue;
    assert.equal(closed, false, `${name} is booked and closed`);
    assertChargesAddUp(booking);
    assertRefundsAddUp(booking, books.refundsOfPayment(name));
  }
  for (const { key: name, closed, refund } of books.refundEntries()) {
    assert.ok(!closed || refund === null, `${name} is booked and closed`);
  }
}

const amountsOf = ({ charges }: Booking, type: Charge['type']) =>
  charges.filter((charge) => charge.type === type).map(({ amount }) => amount);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function assertChargesAddUp(booking: Booking): void {
  const { status, amount, amountCaptured, amountVoided } = booking.payment;
  const [captures, voids, authorizations] = (['capture', 'void', 'authorization'] as const).map((type) =>
    amountsOf(booking, type),
  );
  assert.deepEqual(captures, status === 'captured' ? [amountCaptured] : []);
  assert.ok(amountCaptured <= amount && (status === 'captured') === amountCaptured > 0);
  assert.ok(authorizations !== undefined && authorizations.length <= 1);
  assert.deepEqual(voids, amountVoided > 0 ? [amountVoided] : []);
  assert.ok(status === 'voided' || amountVoided === 0);
  assert.ok(amountVoided === 0 || authorizations.length === 1);
}

function assertRefundsAddUp(booking: Booking, refunds: readonly RefundEntry[]): void {
  const { amountCaptured, amountRefunded } = booking.payment;
  const amountsIn = (status: string) =>
    refunds.flatMap(({ refund }) => (refund?.status === status ? [refund.amount] : []));
  assert.deepEqual(amountsOf(booking, 'refund').toSorted(), amountsIn('succeeded').toSorted());
  assert.equal(amountRefunded, sumOf(amountsIn('succeeded')));
  assert.ok(amountCaptured - amountRefunded - sumOf(amountsIn('pending')) >= 0, 'more goes back than was captured');
}

describe('desks of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    temporary = await makeTemporaryFolder();
  });
  after(() => temporary.remove());

  async function withDesks<Result>(
    use: (desk: PaymentDesk, refundDesk: RefundDesk, books: Books, events: OutgoingEvent[]) => Result,
  ) {
    const books = await openBooks(path.join(temporary.folder, 'journal.jsonl'), LIMITS);
    const events: OutgoingEvent[] = [];
    const onEvent = (event: OutgoingEvent) => events.push(event);
    const refundDesk = createRefundDesk({ books, onEvent });
    const desk = createPaymentDesk({
      books,
      instanceName: 'alpha',
      secret: 'secret',
      publicUrl: 'http://127.0.0.1',
      delays: { approvalDelayMs: 60_000, depositDelayMs: 60_000, confirmationDelayMs: 60_000 },
      ignoresClosures: () => false,
      onEvent,
      onError(error) {
        throw error;
      },
    });
    try {
      return use(desk, refundDesk, books, events);
    } finally {
      desk.stop();
      books.close();
    }
  }

  it('keep sound books, whatever is asked in whatever order, also over a restart', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        const entries = await withDesks((desk, refundDesk, books, events) => {
          for (const step of run) {
            step(desk, refundDesk);
            assertSound(books);
          }
          assert.deepEqual(books.waitingEvents(), events);
          return shown(books);
        });
        assert.deepEqual(await withDesks((_desk, _refundDesk, books) => shown(books)), entries);
      }),
    );
  });

  it('never give back for a key after they said that nothing was given back', async () => {
    await fc.assert(
      fc.asyncProperty(steps, refundKey, steps, async (earlier, asked, later) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        await withDesks((desk, refundDesk, books) => {
          for (const step of earlier) step(desk, refundDesk);
          const known = refundDesk.inquire(asked);
          for (const step of later) step(desk, refundDesk);
          if (known === null) assert.equal(books.findRefund(asked)?.refund, null);
        });
      }),
    );
  });

  it('never charge for a key after they said that nothing was charged', async () => {
    await fc.assert(
      fc.asyncProperty(steps, key, steps, async (earlier, asked, later) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        await withDesks((desk, refundDesk, books) => {
          for (const step of earlier) step(desk, refundDesk);
          const closed = desk.close(asked);
          for (const step of later) step(desk, refundDesk);
          const charges = books.find(asked)?.booking?.charges ?? [];
          const captured = charges.some(({ type }) => type === 'capture');
          assert.equal(captured, closed?.status === 'captured');
        });
      }),
    );
  });
});
