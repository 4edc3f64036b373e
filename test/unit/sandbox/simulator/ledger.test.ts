import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BooksFullError, openBooks, type Books } from '../../../../sandbox/simulator/ledger.ts';
import type { Entry, Payment, RefundEntry } from '../../../../sandbox/simulator/records.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

function entryOf(key: string, status: Payment['status'] | null): Entry {
  const payment = (known: Payment['status']): Payment => ({
    id: `sim_${key}`,
    reference: key,
    status: known,
    amount: 1,
    currency: 'USD',
    amountCaptured: 0,
    amountVoided: 0,
    amountRefunded: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  return {
    key,
    reference: key,
    paymentIntentId: 'pi_1',
    requests: 1,
    closed: status === null,
    booking:
      status === null
        ? null
        : {
            payment: payment(status),
            charges: [],
            fingerprint: 'x',
            capture: true,
            returnUrl: null,
            methodType: 'card',
            reply: 'payment',
            deposit: null,
            refundScript: 'accepted',
            misreport: null,
            concealed: false,
            lateChargeDelayMs: null,
            settlesAt: null,
          },
  };
}

function refundOf(key: string, paymentKey: string, status: 'pending' | 'succeeded'): RefundEntry {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const refund = { id: `simre_${key}`, reference: key, status, amount: 1, currency: 'USD', createdAt };
  return { key, paymentKey, requests: 1, closed: false, refund };
}

const eventOf = (id: string) => ({ id, body: '{}', createdAt: '2026-01-01T00:00:00.000Z' });
const keysOf = (books: Books) => books.entries().map(({ key }) => key);

describe('books of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  let books: Books;
  const reopen = async (maximumEntries = 100, maximumEvents = 100) => {
    books = await openBooks(file, { maximumEntries, maximumEvents });
  };
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    file = path.join(temporary.folder, 'journal.jsonl');
  });
  afterEach(async () => {
    books.close();
    await temporary.remove();
  });

  it('are the same after a restart', async () => {
    await reopen();
    books.record(entryOf('a', 'pending'), null);
    books.record(entryOf('b', 'captured'), eventOf('e1'));
    books.record(entryOf('a', 'captured'), eventOf('e2'));
    books.record(entryOf('c', null), null);
    books.recordRefund(refundOf('r', 'a', 'pending'), null, null);
    books.recordRefund(refundOf('r', 'a', 'succeeded'), entryOf('b', 'voided'), null);
    books.finishEvent('e1');
    const entries = books.entries();
    books.close();
    await reopen();
    assert.deepEqual(books.entries(), entries);
    assert.equal(books.find('b')?.booking?.payment.status, 'voided');
    assert.deepEqual(books.refundsOfPayment('a'), [refundOf('r', 'a', 'succeeded')]);
    assert.deepEqual(books.findRefund('r'), books.refundsOfReference('r')[0]);
    assert.deepEqual(books.waitingEvents(), [eventOf('e2')]);
    assert.equal(books.findPayment('sim_a')?.key, 'a');
    assert.deepEqual(
      books.ofPaymentIntent('pi_1').map(({ key }) => key),
      ['a', 'b', 'c'],
    );
  });

  it('let the oldest final entries make room, never one that waits', async () => {
    await reopen(3);
    books.record(entryOf('waits', 'pending'), null);
    books.record(entryOf('held', 'authorized'), null);
    books.record(entryOf('old', 'captured'), null);
    books.record(entryOf('new', 'captured'), null);
    assert.deepEqual(keysOf(books), ['waits', 'held', 'new']);
    assert.equal(books.findPayment('sim_old'), undefined);
    assert.deepEqual(books.ofReference('old'), []);
  });

  it('keep a payment as long as one of its refunds waits', async () => {
    await reopen(2);
    books.record(entryOf('waits', 'captured'), null);
    books.record(entryOf('done', 'captured'), null);
    books.recordRefund(refundOf('r1', 'waits', 'pending'), null, null);
    books.recordRefund(refundOf('r2', 'done', 'succeeded'), null, null);
    books.record(entryOf('new', 'captured'), null);
    assert.deepEqual(keysOf(books), ['waits', 'new']);
    books.recordRefund(refundOf('r3', 'new', 'succeeded'), null, null);
    assert.deepEqual(
      books.refundEntries().map(({ key }) => key),
      ['r1', 'r3'],
    );
  });

  it('refuse new entries when nothing can make room, but still change the old', async () => {
    await reopen(2);
    books.record(entryOf('a', 'pending'), null);
    books.record(entryOf('b', 'pending'), null);
    assert.throws(() => {
      books.record(entryOf('c', 'pending'), null);
    }, BooksFullError);
    books.record(entryOf('a', 'captured'), null);
    books.record(entryOf('c', 'pending'), null);
    assert.deepEqual(keysOf(books), ['b', 'c']);
  });

  it('give up the oldest events beyond the bound', async () => {
    await reopen(100, 2);
    for (const id of ['e1', 'e2', 'e3']) books.record(entryOf('a', 'captured'), eventOf(id));
    assert.deepEqual(
      books.waitingEvents().map(({ id }) => id),
      ['e2', 'e3'],
    );
  });

  it('shrink a journal that is mostly outdated at the start', async () => {
    await reopen();
    for (let requests = 1; requests <= 10_001; requests += 1) {
      books.record({ ...entryOf('a', 'captured'), requests }, null);
    }
    books.close();
    await reopen();
    assert.equal((await readFile(file, 'utf8')).split('\n').length, 2);
    assert.equal(books.find('a')?.requests, 10_001);
  });
});
