import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { openBooks, type Books } from '../../../simulator/books.ts';
import { createPaymentDesk, type PaymentDesk } from '../../../simulator/payment-desk.ts';
import { paymentRequestSchema, SETTLEMENTS } from '../../../simulator/protocol.ts';
import type { OutgoingEvent } from '../../../simulator/records.ts';
import { cardPayment } from '../../support/simulator-client.ts';
import { makeTemporaryFolder } from '../../support/simulator-harness.ts';

type Step = (desk: PaymentDesk) => unknown;

const key = fc.constantFrom('a', 'b', 'c');
const card = fc.constantFrom(
  '4242424242424242',
  '4000000000000002',
  '4000000000003220',
  '4000000000000119',
  '4000000000000341',
  '4000000000000259',
);

const takeStep = fc.tuple(key, card, fc.boolean()).map(
  ([reference, number, capture]): Step =>
    (desk) =>
      desk.take(reference, paymentRequestSchema.parse(cardPayment(reference, number, { capture }))),
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
const steps = fc.array(fc.oneof(takeStep, inquireStep, closeStep, settleStep), { maxLength: 40 });

const LIMITS = { maximumEntries: 100, maximumEvents: 1_000 };

/** As it is in the journal, where what is undefined is absent. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What must hold of the books at any time. */
function assertSound(books: Books): void {
  for (const { key: name, closed, booking } of books.entries()) {
    if (booking === null) continue;
    assert.equal(closed, false, `${name} is booked and closed`);
    const amounts = (type: string) => booking.charges.filter((charge) => charge.type === type);
    const { status, amount, amountCaptured } = booking.payment;
    const captures = amounts('capture').length;
    assert.equal(captures, status === 'captured' ? 1 : 0);
    assert.equal(amountCaptured, captures * amount);
    assert.ok(amounts('void').length <= amounts('authorization').length);
    assert.ok(amounts('authorization').length <= 1);
  }
}

describe('payment desk of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  before(async () => {
    temporary = await makeTemporaryFolder();
  });
  after(() => temporary.remove());

  async function withDesk<Result>(use: (desk: PaymentDesk, books: Books, events: OutgoingEvent[]) => Result) {
    const books = await openBooks(path.join(temporary.folder, 'journal.jsonl'), LIMITS);
    const events: OutgoingEvent[] = [];
    const desk = createPaymentDesk({
      books,
      instanceName: 'alpha',
      secret: 'secret',
      publicUrl: 'http://127.0.0.1',
      approvalDelayMs: 60_000,
      onEvent: (event) => events.push(event),
      onError(error) {
        throw error;
      },
    });
    try {
      return use(desk, books, events);
    } finally {
      desk.stop();
      books.close();
    }
  }

  it('keeps sound books, whatever is asked in whatever order, also over a restart', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        const entries = await withDesk((desk, books, events) => {
          for (const step of run) {
            step(desk);
            assertSound(books);
          }
          assert.deepEqual(books.waitingEvents(), events);
          return asJson(books.entries());
        });
        assert.deepEqual(await withDesk((_desk, books) => asJson(books.entries())), entries);
      }),
    );
  });

  it('never charges for a key after it said that nothing was charged', async () => {
    await fc.assert(
      fc.asyncProperty(steps, key, steps, async (earlier, asked, later) => {
        await rm(path.join(temporary.folder, 'journal.jsonl'), { force: true });
        await withDesk((desk, books) => {
          for (const step of earlier) step(desk);
          const closed = desk.close(asked);
          for (const step of later) step(desk);
          const charges = books.find(asked)?.booking?.charges ?? [];
          const captured = charges.some(({ type }) => type === 'capture');
          assert.equal(captured, closed?.status === 'captured');
        });
      }),
    );
  });
});
