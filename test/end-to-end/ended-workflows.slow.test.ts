import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createdIntentOf, intentOf, timelineOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, readLedger, setFaults, settle, settleRefund } from '../support/ledger.ts';
import { createMerchant } from '../support/merchants.ts';
import { getRefund, postRefund, refundOf } from '../support/money.ts';
import { createPayment, INTENTS, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { card, type CardName } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';

const NAMESPACE = 'default';

describe('a payment or refund whose workflow was ended by hand', function () {
  this.timeout(2 * MINUTE_MS);

  const terminate = (workflowId: string): Promise<void> =>
    withTemporal(async (client) => {
      await client.workflow.getHandle(workflowId).terminate('by hand');
    });

  const cancelByHand = (workflowId: string): Promise<void> =>
    withTemporal(async (client) => void (await client.workflow.getHandle(workflowId).cancel()));

  /** The id of a merchant's payment in `processing`. */
  const idOfProcessing = async (credentials: Credentials): Promise<string> => {
    const answer = await request({ method: 'GET', path: `${INTENTS}?status=processing` }, credentials);
    const [intent] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(answer.body).data;
    assert.ok(intent !== undefined);
    return intent.id;
  };

  /** Waits until the latest run has completed, and its search attributes match the row. */
  const agreesWithTemporal = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      const query = `WorkflowId = "${id}" AND ExecutionStatus = "Completed" AND PaymentStatus = "${status}"`;
      assert.deepEqual(await withTemporal((client) => findWorkflows(client, query)), [id]);
    });

  /** Resets the workflow to its first task, so that it repeats its work. */
  const reset = (workflowId: string): Promise<void> =>
    withTemporal(async (client) => {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
      await client.workflowService.resetWorkflowExecution({
        namespace: NAMESPACE,
        workflowExecution: { workflowId },
        reason: 'by hand',
        requestId: randomUUID(),
        workflowTaskFinishEventId: first?.eventId ?? null,
      });
    });

  const summariesOf = async (id: string): Promise<string[]> =>
    timelineOf(await request({ method: 'GET', path: `${INTENTS}/${id}/timeline` })).map(({ summary }) => summary);

  /** Waits until the timeline says that another run has taken over. */
  const waitForTakeover = (id: string, endedAs = 'terminated'): Promise<void> =>
    eventually(async () => {
      const summaries = (await summariesOf(id)).join('\n');
      assert.match(summaries, new RegExp(`workflow (of a refund )?had ended \\(${endedAs}\\)`));
    });

  /** Waits until the provider has the refund: its workflow waits for the end then. */
  const assertAsked = (refundId: string): Promise<void> =>
    withTemporal(async (client) => {
      const { events } = await client.workflow.getHandle(refundId).fetchHistory();
      assert.ok(events?.some((event) => event.activityTaskCompletedEventAttributes));
    });

  async function begin(number: CardName, status: 'processing' | 'requires_action'): Promise<Payment> {
    const payment = await createPayment();
    await payment.confirm(card(number), PREFER_ASYNC);
    await payment.reach(status);
    await eventually(async () =>
      assert.match((await summariesOf(payment.id)).join(), /has accepted|asks the customer/),
    );
    return payment;
  }

  describe('that the sweeper finds', () => {
    let processing: Payment;
    let waiting: Payment;
    let held: Payment;
    let wasReset: Payment;
    let refunded: Payment;
    let refundId: string;

    // All at once: the sweeper takes longer to find one than all of this.
    before('end five workflows', async () => {
      const endedAt = async (number: CardName, status: 'processing' | 'requires_action', end = terminate) => {
        const payment = await begin(number, status);
        await end(payment.id);
        return payment;
      };
      const endHold = async () => {
        const payment = await createPayment({ captureMethod: 'manual' });
        await payment.confirm(card('approved'));
        await terminate(payment.id);
        return payment;
      };
      const endRefund = async () => {
        const payment = await createPayment();
        await payment.confirm(card('refundSilent'));
        const { id } = refundOf(await postRefund({ paymentIntentId: payment.id }, { headers: PREFER_ASYNC }));
        await eventually(() => assertAsked(id));
        await terminate(id);
        refundId = id;
        return payment;
      };
      [processing, waiting, held, wasReset, refunded] = await Promise.all([
        endedAt('silent', 'processing'),
        endedAt('threeDSecure', 'requires_action'),
        endHold(),
        endedAt('silent', 'processing', reset),
        endRefund(),
      ]);
      await settle('alpha', processing.id, 'approved');
    });

    it("continues in processing with the provider's outcome", async () => {
      await processing.reach('succeeded');
      assert.deepEqual(await chargesOf(processing.id), ['alpha capture 1999']);
      await waitForTakeover(processing.id);
    });

    it('keeps waiting for the customer, after an inquiry', async () => {
      await waitForTakeover(waiting.id);
      assert.equal((await waiting.read()).status, 'requires_action');
      await settle('alpha', waiting.id, 'approved');
      await waiting.reach('succeeded');
      assert.deepEqual(await chargesOf(waiting.id), ['alpha capture 1999']);
    });

    it('keeps the hold, which can be captured', async () => {
      await waitForTakeover(held.id);
      assert.equal((await held.read()).status, 'requires_capture');
      const path = `${INTENTS}/${held.id}/capture`;
      assert.equal(intentOf(await request({ method: 'POST', path, body: {} })).status, 'succeeded');
      assert.deepEqual(await chargesOf(held.id), ['alpha authorization 1999', 'alpha capture 1999']);
    });

    it('charges once although a workflow was reset', async () => {
      await waitForTakeover(wasReset.id, 'reset');
      await settle('alpha', wasReset.id, 'approved');
      await wasReset.reach('succeeded');
      assert.deepEqual(await chargesOf(wasReset.id), ['alpha capture 1999']);
    });

    it('refunds once although the workflow of the refund was ended', async () => {
      await waitForTakeover(refunded.id);
      await settleRefund('alpha', refundId, 'approved');
      await eventually(async () => assert.equal((await getRefund(refundId)).status, 'succeeded'));
      assert.deepEqual(await chargesOf(refunded.id), ['alpha capture 1999', 'alpha refund 1999']);
    });
  });

  it('accepts a confirm at once: another run takes the payment over', async () => {
    const payment = await createPayment();
    await terminate(payment.id);
    assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'succeeded');
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  describe('during a call to the provider', () => {
    before('when the provider is slow', () => setFaults('alpha', { latencyMs: 700, operations: ['payments'] }));
    after('when the provider answers at once again', () => setFaults('alpha', {}));

    /** The slow call charges, unless the run that took over asked alpha before: then alpha refuses it, and beta has charged. */
    async function assertChargedOnce(id: string): Promise<void> {
      await eventually(async () => assert.equal((await readLedger('alpha', id)).length, 1));
      const charges = await chargesOf(id);
      assert.equal(charges.length, 1, charges.join());
      assert.match(charges.join(), /^(alpha|beta) capture 1999$/);
    }

    for (const [words, endByHand] of [
      ['terminated', terminate],
      ['canceled', cancelByHand],
    ] as const) {
      it(`returns the payment to a repeat under the same key, though its workflow was ${words}`, async () => {
        // On a busy machine a workflow may be faster than whoever ends it: then another payment is made.
        const { payment, key } = await eventually(async () => {
          const payment = await createPayment();
          const key = { 'X-Idempotency-Key': randomUUID() };
          const first = payment.confirm(card('approved'), key);
          await eventually(async () => assert.notEqual((await payment.read()).status, 'requires_payment_method'));
          const [ended] = await Promise.allSettled([endByHand(payment.id), first]);
          if (ended.status === 'rejected') throw ended.reason;
          return { payment, key };
        });
        await eventually(async () => {
          const repeated = await payment.confirm(card('approved'), key);
          assert.ok([200, 503].includes(repeated.status), JSON.stringify(repeated.body));
          assert.equal(intentOf(repeated).status, 'succeeded');
        });
        await assertChargedOnce(payment.id);
        await agreesWithTemporal(payment.id, 'succeeded');
      });
    }

    it('returns the payment to a repeat of a creation that confirms at once', async () => {
      const body = { amount: 1_999, currency: 'USD', confirm: true, paymentMethod: card('approved') };
      const { id, create } = await eventually(async () => {
        // Other tests leave payments of the sandbox's merchant in processing.
        const { credentials } = await createMerchant();
        const headers = { 'X-Idempotency-Key': randomUUID() };
        const create = () => request({ method: 'POST', path: INTENTS, body, headers }, credentials);
        const first = create();
        const terminated = eventually(() => idOfProcessing(credentials), 5 * SECOND_MS).then(async (id) => {
          await terminate(id);
          return id;
        });
        const [ended] = await Promise.allSettled([terminated, first]);
        if (ended.status === 'rejected') throw ended.reason;
        return { id: ended.value, create };
      });
      await eventually(async () => assert.equal(createdIntentOf(await create()).status, 'succeeded'));
      await agreesWithTemporal(id, 'succeeded');
      await assertChargedOnce(id);
    });
  });
});
