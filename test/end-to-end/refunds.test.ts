import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'mocha';
import { newId } from '../../domain/new-id.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { assertRefused, timelineOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, setFaults, settleRefund } from '../support/ledger.ts';
import { createMerchant } from '../support/merchants.ts';
import {
  getRefund,
  listEvents,
  listRefunds,
  listTransactions,
  postRefund,
  refundInFailure,
  refundOf,
} from '../support/money.ts';
import { createPayment, INTENTS, type Payment, PREFER_ASYNC } from '../support/payments.ts';
import { card, type CardName } from '../../sandbox/test-payment-methods.ts';
import { request } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { watch } from '../support/socket-watch.ts';

describe('refunds', function () {
  this.timeout(2 * MINUTE_MS);

  afterEach(() => setFaults('alpha', {}));

  async function pay(number: CardName = 'approved', terms: object = {}): Promise<Payment> {
    const payment = await createPayment({ amount: 2_000, ...terms });
    await payment.confirm(card(number));
    await payment.reach('succeeded');
    return payment;
  }

  const refundsInLedger = async (id: string): Promise<readonly string[]> =>
    (await chargesOf(id)).filter((line) => line.includes(' refund '));

  it('refund a part, then the rest, with ledger entries, events and webhooks', async () => {
    const payment = await pay();
    const page = await watch(payment.created.clientSecret);
    const first = refundOf(
      await postRefund({ paymentIntentId: payment.id, amount: 600, reason: 'duplicate', metadata: { order: '7' } }),
    );
    assertContains(first, { status: 'succeeded', amount: 600, reason: 'duplicate', failure: null, provider: 'alpha' });
    assert.deepEqual(await getRefund(first.id), first);
    assert.equal((await payment.read()).amountRefunded, 600);

    const [capture] = await listTransactions(`paymentIntentId=${payment.id}&type=capture`);
    assertContains(capture, { amount: 2_000, amountRefunded: 600, amountRefundable: 1_400 });
    const rest = refundOf(await postRefund({ transactionId: capture?.id }));
    assertContains(rest, { status: 'succeeded', amount: 1_400, transactionId: capture?.id });
    assert.equal((await payment.read()).amountRefunded, 2_000);
    assert.deepEqual(await refundsInLedger(payment.id), ['alpha refund 600', 'alpha refund 1400']);

    const moved = await listTransactions(`paymentIntentId=${payment.id}&type=refund`);
    assert.deepEqual(
      moved.map(({ refundId, amount }) => [refundId, amount]),
      [
        [rest.id, 1_400],
        [first.id, 600],
      ],
    );
    const frames = await page.take(4);
    assert.ok(frames.every(({ event, terminal }) => event === 'refund-updated' && terminal));
    assert.deepEqual(
      frames.map(({ details }) => [details?.['refundId'], details?.['status'], details?.['amount']]),
      [
        [first.id, 'pending', 600],
        [first.id, 'succeeded', 600],
        [rest.id, 'pending', 1_400],
        [rest.id, 'succeeded', 1_400],
      ],
    );
    await page.end();

    const delivered = await eventually(async () => {
      const events = await listEvents(`resourceId=${first.id}`);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['refund.succeeded', 'refund.created'],
      );
      return events;
    });
    assert.deepEqual(delivered[0]?.data, first);
    assertContains(delivered[1]?.data, { id: first.id, status: 'pending' });
    const lines = timelineOf(await request({ method: 'GET', path: `${INTENTS}/${payment.id}/timeline` }));
    const summaries = lines.map(({ summary }) => summary);
    assert.ok(summaries.includes('Refund of USD 6.00 begun'), summaries.join(', '));
    assert.ok(summaries.includes('Refund of USD 6.00 given back'), summaries.join(', '));
    assert.deepEqual(
      (await listRefunds(`paymentIntentId=${payment.id}&status=succeeded`)).map(({ id }) => id),
      [rest.id, first.id],
    );
  });

  it('of 30 % each succeed exactly three times of twenty concurrent ones', async () => {
    const payment = await pay();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postRefund({ paymentIntentId: payment.id, amount: 600 })),
    );
    const good = answers.filter(({ status }) => status === 201);
    assert.equal(good.length, 3);
    for (const answer of good) assert.equal(refundOf(answer).status, 'succeeded');
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      const { details } = assertRefused(answer, 422, 'REFUND_AMOUNT_EXCEEDED');
      assertContains(details, { amount: 600, refundableAmount: 200 });
    }
    assert.deepEqual(
      await refundsInLedger(payment.id),
      Array.from({ length: 3 }, () => 'alpha refund 600'),
    );
    assert.equal((await payment.read()).amountRefunded, 1_800);
  });

  it('that the provider refuses fail, and release the reserved amount', async () => {
    const payment = await pay('refundRefused');
    const answer = await postRefund({ paymentIntentId: payment.id });
    assertRefused(answer, 400, 'REFUND_FAILED');
    assertContains(refundInFailure(answer), { status: 'failed', amount: 2_000, failure: { code: 'REFUND_FAILED' } });
    assert.equal((await payment.read()).amountRefunded, 0);
    const [capture] = await listTransactions(`paymentIntentId=${payment.id}&type=capture`);
    assertContains(capture, { amountRefunded: 0, amountRefundable: 2_000 });
    assert.deepEqual(await refundsInLedger(payment.id), []);
  });

  it('whose reply is lost are repeated under their key, and made once', async () => {
    const payment = await pay('refundReplyLost');
    const { id } = refundOf(await postRefund({ paymentIntentId: payment.id, amount: 500 }));
    await eventually(async () => assert.equal((await getRefund(id)).status, 'succeeded'));
    assert.deepEqual(await refundsInLedger(payment.id), ['alpha refund 500']);
  });

  it('stay pending until the provider has settled them', async () => {
    const payment = await pay('refundSilent');
    const refund = refundOf(await postRefund({ paymentIntentId: payment.id, amount: 700 }, { headers: PREFER_ASYNC }));
    assert.equal(refund.status, 'pending');
    await eventually(() => settleRefund('alpha', refund.id, 'approved'));
    await eventually(async () => assert.equal((await getRefund(refund.id)).status, 'succeeded'));
    assert.equal((await payment.read()).amountRefunded, 700);
  });

  it('are made once for one idempotency key', async () => {
    const payment = await pay();
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const body = { paymentIntentId: payment.id, amount: 300 };
    const first = await postRefund(body, { headers });
    const second = await postRefund(body, { headers });
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(await refundsInLedger(payment.id), ['alpha refund 300']);
    assertRefused(await postRefund({ ...body, amount: 301 }, { headers }), 409, 'DUPLICATE_REQUEST');
  });

  it('continue with the row of an interrupted execution', async () => {
    const payment = await pay();
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const body = { paymentIntentId: payment.id, amount: 400 };
    const first = refundOf(await postRefund(body, { headers }));
    await queryStack(
      `UPDATE idempotency_record SET response_status = NULL, response_key_id = NULL, response_body = NULL WHERE key = $1`,
      [headers['X-Idempotency-Key']],
    );
    assert.deepEqual(refundOf(await postRefund(body, { headers })), first);
    assert.deepEqual(await refundsInLedger(payment.id), ['alpha refund 400']);
  });

  it('are rejected after the refund window', async () => {
    const payment = await pay();
    await queryStack(
      `UPDATE transaction SET created_at = created_at - interval '181 days' WHERE payment_intent_id = $1`,
      [payment.id],
    );
    const { details } = assertRefused(await postRefund({ paymentIntentId: payment.id }), 409, 'REFUND_WINDOW_CLOSED');
    assertContains(details, { refundWindowDays: 180 });
  });

  it('become failed, and their money refundable, if the provider reports a failure after the success', async () => {
    const payment = await pay();
    const refund = refundOf(await postRefund({ paymentIntentId: payment.id, amount: 600 }));
    assert.equal(refund.status, 'succeeded');
    await queryStack(
      `INSERT INTO provider_event (provider, event_id, payment_intent_id, refund_id, event)
       VALUES ('alpha', $1, $2, $1, jsonb_build_object('provider', 'alpha', 'eventId', $1::text, 'refundId', $1::text,
         'refundOutcome', '{"kind": "refused", "providerRefundId": "simre_late"}'::jsonb))`,
      [refund.id, payment.id],
    );
    const failed = await eventually(async () => {
      const read = await getRefund(refund.id);
      assert.equal(read.status, 'failed');
      return read;
    });
    assertContains(failed, { failure: { code: 'REFUND_FAILED', details: { provider: 'alpha' } } });
    assert.equal((await payment.read()).amountRefunded, 0);
    const [back] = await listTransactions(`paymentIntentId=${payment.id}&type=void`);
    assertContains(back, { amount: 600, refundId: refund.id });
    await eventually(async () => {
      const types = (await listEvents(`resourceId=${refund.id}`)).map(({ type }) => type);
      assert.deepEqual(types.sort(), ['refund.created', 'refund.failed', 'refund.succeeded']);
    });
    const [capture] = await listTransactions(`paymentIntentId=${payment.id}&type=capture`);
    assertContains(capture, { amountRefunded: 0, amountRefundable: 2_000 });
  });

  it('are rejected if nothing was captured', async () => {
    const open = await createPayment();
    assertRefused(await postRefund({ paymentIntentId: open.id }), 409, 'REFUND_NOT_ALLOWED');
    const held = await createPayment({ captureMethod: 'manual' });
    await held.confirm(card('approved'));
    await held.reach('requires_capture');
    const [authorization] = await listTransactions(`paymentIntentId=${held.id}`);
    assert.equal(authorization?.type, 'authorization');
    assertRefused(await postRefund({ transactionId: authorization?.id }), 409, 'REFUND_NOT_ALLOWED');
  });

  it('are not found if they do not exist or belong to others', async () => {
    const { credentials } = await createMerchant();
    const payment = await pay();
    const [capture] = await listTransactions(`paymentIntentId=${payment.id}&type=capture`);
    for (const id of [newId('transaction'), 'txn_', '%00']) {
      assertRefused(await postRefund({ transactionId: id }), 404, 'TRANSACTION_NOT_FOUND');
      assertRefused(await request({ method: 'GET', path: `/api/v1/refunds/${id}` }), 404, 'REFUND_NOT_FOUND');
    }
    assertRefused(await postRefund({ paymentIntentId: newId('paymentIntent') }), 404, 'PAYMENT_INTENT_NOT_FOUND');
    const foreign = await postRefund({ transactionId: capture?.id }, { credentials });
    assertRefused(foreign, 404, 'TRANSACTION_NOT_FOUND');
    const foreignIntent = await postRefund({ paymentIntentId: payment.id }, { credentials });
    assertRefused(foreignIntent, 404, 'PAYMENT_INTENT_NOT_FOUND');
  });
});
