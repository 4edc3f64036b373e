import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attemptIdOf } from '../../../../domain/ids.ts';
import { newId } from '../../../../domain/new-id.ts';
import type { ListedPayment } from '../../../../domain/reconciliation.ts';
import { SECOND_MS } from '../../../../domain/time.ts';
import { card } from '../../../../sandbox/test-payment-methods.ts';
import { postToSimulator } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';
import { adapterTo } from '../../../support/simulator-harness.ts';

const { signal } = new AbortController();
const BEGAN_AT = new Date();

describe("the simulator's list of payments", () => {
  const simulator = useSimulator();

  async function charge(reference: string, capture = true): Promise<void> {
    const { card: details } = card('approved');
    const body = { reference, paymentIntentId: 'pi_1', amount: 1_999, currency: 'USD', capture, returnUrl: null };
    const method = { ...details, type: 'card' };
    const answer = await postToSimulator(
      simulator.url,
      '/v1/payments',
      { ...body, method },
      { 'idempotency-key': reference },
    );
    assert.equal(answer.status, 201);
  }

  /** All pages. */
  async function list(from = BEGAN_AT, to = new Date()): Promise<readonly ListedPayment[]> {
    const { listPayments } = adapterTo(simulator.url);
    assert.ok(listPayments);
    const listed: ListedPayment[] = [];
    for (let cursor: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof listPayments>> = await listPayments(
        { window: { from, to }, cursor },
        signal,
      );
      listed.push(...page.payments);
      if (page.nextCursor === null) return listed;
      cursor = page.nextCursor;
    }
  }

  const newAttempt = (): string => attemptIdOf(newId('paymentIntent'), 1);

  it('has charges, holds and refunds in our terms, and what is not ours without an id of ours', async () => {
    const [held, captured] = [newAttempt(), newAttempt()];
    await charge(held, false);
    await charge(captured);
    await charge('invoice-7');
    const refundId = newId('refund');
    const refund = { reference: refundId, paymentKey: captured, amount: 500, currency: 'USD' };
    await postToSimulator(simulator.url, '/v1/refunds', refund, { 'idempotency-key': refundId });
    const byAttempt = new Map((await list()).map((payment) => [payment.attemptId, payment]));
    assert.deepEqual([...byAttempt.keys()].sort(), [captured, held, null].sort());
    assert.deepEqual([byAttempt.get(held)?.status, byAttempt.get(held)?.capturedMinor], ['held', 0]);
    const { status, amountMinor, capturedMinor, currency, refunds } = byAttempt.get(captured) ?? assert.fail();
    assert.deepEqual([status, amountMinor, capturedMinor, currency], ['captured', 1_999, 1_999, 'USD']);
    const refunded = refunds.map((each) => [each.refundId, each.amountMinor, each.currency, each.status]);
    assert.deepEqual(refunded, [[refundId, 500, 'USD', 'succeeded']]);
  });

  it('has every payment once over all pages, and those alone that the window has', async () => {
    const ids = Array.from({ length: 205 }, newAttempt);
    for (const id of ids) await charge(id);
    const listed = (await list()).map(({ attemptId }) => attemptId);
    assert.deepEqual([listed.length, listed.toSorted()], [ids.length, ids.toSorted()]);
    assert.deepEqual(await list(new Date(0), new Date(BEGAN_AT.getTime() - 1)), []);
    assert.deepEqual(await list(new Date(Date.now() + SECOND_MS), new Date(Date.now() + 2 * SECOND_MS)), []);
  });
});
