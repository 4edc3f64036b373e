import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { settlementEntryResource, settlementResource } from '../../contract/schemas/settlement.ts';
import { transactionResource } from '../../contract/schemas/transaction.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { assertContains } from '../support/assert-contains.ts';
import { eventually } from '../support/eventually.ts';
import { importSettlementsNow, simulateSettlements } from '../support/import-settlements-now.ts';
import { createMerchant, type TestMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { clientOf } from '../support/resources.ts';
import { getStack } from '../support/stack.ts';

const ledgerPage = z.looseObject({
  data: z.array(z.looseObject({ charges: z.array(z.looseObject({ type: z.string(), amount: z.int() })) })),
});

describe('settlements', function () {
  this.timeout(2 * MINUTE_MS);
  let merchant: TestMerchant;
  let send: ReturnType<typeof clientOf>;

  before(async () => {
    merchant = await createMerchant();
    send = clientOf(merchant.credentials);
  });

  const listed = async <Item extends z.ZodType>(path: string, item: Item): Promise<readonly z.output<Item>[]> => {
    const answer = await send('GET', path);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return z.looseObject({ data: z.array(item) }).parse(answer.body).data;
  };
  const entriesOf = async (paymentIntentId: string) =>
    (await listed('/settlement-entries?limit=100', settlementEntryResource)).filter(
      (entry) => entry.paymentIntentId === paymentIntentId,
    );
  const pay = async (): Promise<{ readonly id: string; readonly provider: string }> => {
    const payment = await createPayment({ amount: 2_000 }, merchant.credentials);
    await payment.confirm(card('approved'));
    const { provider } = await payment.reach('succeeded');
    return { id: payment.id, provider: provider ?? assert.fail('no provider') };
  };
  const refundOf = async (paymentIntentId: string): Promise<void> => {
    const refunded = await send('POST', '/refunds', { paymentIntentId, amount: 500 });
    assert.equal(refunded.status, 201);
    await eventually(async () => {
      const [refund] = await listed(
        `/transactions?paymentIntentId=${paymentIntentId}&type=refund`,
        transactionResource,
      );
      assert.ok(refund !== undefined);
    });
  };
  /** Settles payments by their providers, and imports what was settled. */
  const settle = async (payments: readonly { id: string; provider: string }[], more: object = {}): Promise<void> => {
    const until = new Date(Date.now() + 30 * DAY_MS).toISOString();
    for (const { id, provider } of payments) {
      await simulateSettlements(provider, { until, paymentIntentId: id, ...more });
    }
    for (const provider of new Set(payments.map((payment) => payment.provider))) {
      assertContains(await importSettlementsNow(provider), { status: 'completed' });
    }
  };

  it('have each capture and refund of the ledgers in exactly one entry, 30 days later', async () => {
    const payments = [await pay(), await pay(), await pay()];
    await refundOf(payments[0]?.id ?? '');
    assert.equal((await send('POST', '/test-clock/advance', { seconds: (30 * DAY_MS) / 1_000 })).status, 200);
    await settle(payments);
    await settle(payments);
    for (const { id, provider } of payments) {
      const simulator = getStack().sandbox.simulators.find(({ name }) => name === provider);
      const answer = await fetch(`${simulator?.url}/ledger?paymentIntentId=${id}`);
      const charges = ledgerPage
        .parse(await answer.json())
        .data.flatMap((entry) => entry.charges)
        .filter(({ type }) => type === 'capture' || type === 'refund')
        .map(({ type, amount }) => (type === 'capture' ? `payment ${amount}` : `refund ${-amount}`));
      const entries = await entriesOf(id);
      assert.deepEqual(entries.map(({ type, amount }) => `${type} ${amount}`).toSorted(), charges.toSorted());
      assert.ok(entries.every(({ match }) => match === 'matched'));
      const [capture] = await listed(`/transactions?paymentIntentId=${id}&type=capture`, transactionResource);
      assertContains(capture, { fee: 88, net: 1_912, settlementCurrency: 'USD' });
      assert.ok(capture?.settledAt !== null);
    }
    const [settlement = assert.fail('no settlement')] = await listed('/settlements', settlementResource);
    assertContains(settlement, { status: 'paid', unexplainedAmount: 0, entries: { exceptions: 0 } });
    const path = `/settlements/${settlement.id}/bank-confirmation`;
    const bank = { amount: settlement.netAmount, currency: 'USD', valueDate: '2026-12-30' };
    assert.equal((await send('POST', path, bank)).status, 200);
    assert.equal((await send('POST', path, bank)).status, 409);
  });

  it('show what differs with both sides, until somebody ends it', async () => {
    const payment = await pay();
    await settle([payment], { misreport: 'wrong_amount' });
    const [entry = assert.fail('no entry')] = await entriesOf(payment.id);
    assertContains(entry, {
      match: 'amount_differs',
      details: { ours: { amount: 2_000, currency: 'USD' }, theirs: { amount: 2_001, currency: 'USD' } },
    });
    const path = `/settlement-entries/${entry.id}`;
    const resolved = await send('PATCH', path, { resolution: 'written_off', note: 'One cent' });
    assert.equal(resolved.status, 200);
    assertContains((await send('GET', `/settlements/${entry.settlementId}`)).body, {
      data: { entries: { exceptions: 0 } },
    });
    const [paid = assert.fail('no payment')] = [await pay()];
    await settle([paid]);
    const [matched = assert.fail('no entry')] = await entriesOf(paid.id);
    assert.equal((await send('PATCH', `/settlement-entries/${matched.id}`, { resolution: 'accepted' })).status, 409);
  });
});
