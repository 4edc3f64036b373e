import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LedgerFullError, openLedger, type Ledger } from '../../../../sandbox/simulator/ledger.ts';
import type { LedgerEntry, Payment, RefundEntry } from '../../../../sandbox/simulator/records.ts';
import { makeTemporaryFolder } from '../../../support/simulator-harness.ts';

function entryOf(key: string, status: Payment['status'] | null): LedgerEntry {
  const payment = (known: Payment['status']): Payment => ({
    id: `sim_${key}`,
    reference: key,
    merchantReference: null,
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
    record:
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
            refundScenario: 'accepted',
            misreport: null,
            disputePlan: null,
            concealed: false,
            lateChargeDelayMs: null,
            storedCard: null,
            credentialUse: null,
            settlesAt: null,
          },
  };
}

function refundOf(key: string, paymentKey: string, status: 'pending' | 'succeeded'): RefundEntry {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const names = { id: `simre_${key}`, reference: key, merchantReference: null };
  const refund = { ...names, status, amount: 1, currency: 'USD', createdAt };
  return { key, paymentKey, requests: 1, closed: false, refund };
}

const eventOf = (id: string) => ({ id, body: '{}', createdAt: '2026-01-01T00:00:00.000Z' });
const keysOf = (ledger: Ledger) => ledger.entries().map(({ key }) => key);

describe('ledger of the simulator', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  let ledger: Ledger;
  const reopen = async (maximumEntries = 100, maximumEvents = 100) => {
    ledger = await openLedger(file, { maximumEntries, maximumEvents });
  };
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    file = path.join(temporary.folder, 'journal.jsonl');
  });
  afterEach(async () => {
    ledger.close();
    await temporary.remove();
  });

  it('is the same after a restart', async () => {
    await reopen();
    ledger.save(entryOf('a', 'pending'), null);
    ledger.save(entryOf('b', 'captured'), eventOf('e1'));
    ledger.save(entryOf('a', 'captured'), eventOf('e2'));
    ledger.save(entryOf('c', null), null);
    ledger.saveRefund(refundOf('r', 'a', 'pending'), null, null);
    ledger.saveRefund(refundOf('r', 'a', 'succeeded'), entryOf('b', 'voided'), null);
    ledger.finishEvent('e1');
    const entries = ledger.entries();
    ledger.close();
    await reopen();
    assert.deepEqual(ledger.entries(), entries);
    assert.equal(ledger.find('b')?.record?.payment.status, 'voided');
    assert.deepEqual(ledger.refundsOfPayment('a'), [refundOf('r', 'a', 'succeeded')]);
    assert.deepEqual(ledger.findRefund('r'), ledger.refundsOfReference('r')[0]);
    assert.deepEqual(ledger.waitingEvents(), [eventOf('e2')]);
    assert.equal(ledger.findPayment('sim_a')?.key, 'a');
    assert.deepEqual(
      ledger.ofPaymentIntent('pi_1').map(({ key }) => key),
      ['a', 'b', 'c'],
    );
  });

  it('evicts the oldest final entries, never an open one', async () => {
    await reopen(3);
    ledger.save(entryOf('waits', 'pending'), null);
    ledger.save(entryOf('held', 'authorized'), null);
    ledger.save(entryOf('old', 'captured'), null);
    ledger.save(entryOf('new', 'captured'), null);
    assert.deepEqual(keysOf(ledger), ['waits', 'held', 'new']);
    assert.equal(ledger.findPayment('sim_old'), undefined);
    assert.deepEqual(ledger.ofReference('old'), []);
  });

  it('keeps a payment as long as one of its refunds is pending', async () => {
    await reopen(2);
    ledger.save(entryOf('waits', 'captured'), null);
    ledger.save(entryOf('done', 'captured'), null);
    ledger.saveRefund(refundOf('r1', 'waits', 'pending'), null, null);
    ledger.saveRefund(refundOf('r2', 'done', 'succeeded'), null, null);
    ledger.save(entryOf('new', 'captured'), null);
    assert.deepEqual(keysOf(ledger), ['waits', 'new']);
    ledger.saveRefund(refundOf('r3', 'new', 'succeeded'), null, null);
    assert.deepEqual(
      ledger.refundEntries().map(({ key }) => key),
      ['r1', 'r3'],
    );
  });

  it('rejects new entries when none can be evicted, but still changes existing ones', async () => {
    await reopen(2);
    ledger.save(entryOf('a', 'pending'), null);
    ledger.save(entryOf('b', 'pending'), null);
    assert.throws(() => {
      ledger.save(entryOf('c', 'pending'), null);
    }, LedgerFullError);
    ledger.save(entryOf('a', 'captured'), null);
    ledger.save(entryOf('c', 'pending'), null);
    assert.deepEqual(keysOf(ledger), ['b', 'c']);
  });

  it('drops the oldest events above the limit', async () => {
    await reopen(100, 2);
    for (const id of ['e1', 'e2', 'e3']) ledger.save(entryOf('a', 'captured'), eventOf(id));
    assert.deepEqual(
      ledger.waitingEvents().map(({ id }) => id),
      ['e2', 'e3'],
    );
  });

  it('compacts a journal that is mostly outdated at the start', async () => {
    await reopen();
    for (let requests = 1; requests <= 10_001; requests += 1) {
      ledger.save({ ...entryOf('a', 'captured'), requests }, null);
    }
    ledger.close();
    await reopen();
    assert.equal((await readFile(file, 'utf8')).split('\n').length, 2);
    assert.equal(ledger.find('a')?.requests, 10_001);
  });
});
