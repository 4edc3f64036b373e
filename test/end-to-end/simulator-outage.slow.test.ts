import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { assertContains } from '../support/assert-contains.ts';
import { intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { chargesOf, setFaults } from '../support/ledger.ts';
import { getRefund, postRefund, refundOf } from '../support/money.ts';
import { createPayment, PREFER_ASYNC } from '../support/payments.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { getStack } from '../support/stack.ts';
import { pendingActivitiesOf } from '../support/temporal-view.ts';
import { describeFrame, watch } from '../support/socket-watch.ts';

const BOTH = ['alpha', 'beta'] as const;
/** Slow enough that a call is still under way when the simulator is killed. */
const SLOW = { latencyMs: 700 };

describe('a payment whose provider', function () {
  this.timeout(3 * MINUTE_MS);

  afterEach('turn off the faults of the simulators', async () => {
    await Promise.all(BOTH.map((name) => setFaults(name, {})));
  });

  it('is killed during a call continues when the provider is back, and is charged once', async () => {
    await setFaults('alpha', SLOW);
    const payment = await createPayment();
    const page = await watch(payment.created.clientSecret);
    assert.equal(intentOf(await payment.confirm(card('approved'), PREFER_ASYNC)).status, 'processing');
    await page.take(1);
    await getStack().kill('simulator-alpha', 'SIGKILL');
    await getStack().whenReady('simulator-alpha');
    assert.deepEqual((await page.take(1)).map(describeFrame), ['payment-succeeded, terminal']);
    await page.end();
    assertContains(await payment.reach('succeeded'), { provider: 'alpha', amountCaptured: 1_999 });
    assert.deepEqual(await chargesOf(payment.id), ['alpha capture 1999']);
  });

  it('is killed after it has authorized the payment keeps its ledger, and voids the hold', async () => {
    const payment = await createPayment({ captureMethod: 'manual' });
    assert.equal(intentOf(await payment.confirm(card('approved'))).status, 'requires_capture');
    await getStack().kill('simulator-alpha', 'SIGKILL');
    const key = { 'X-Idempotency-Key': randomUUID() };
    // The simulator's start may take longer than the request waits.
    await eventually(async () => assert.equal(intentOf(await payment.cancel(key)).status, 'canceled'));
    assert.deepEqual(await chargesOf(payment.id), ['alpha authorization 1999', 'alpha void 1999']);
  });

  it('answers only with errors is asked again until it says that nothing was charged, before the failover', async () => {
    await Promise.all(BOTH.map((name) => setFaults(name, { errorRate: 1 })));
    const payment = await createPayment();
    assert.equal(intentOf(await payment.confirm(card('approved'), PREFER_ASYNC)).status, 'processing');
    await eventually(async () => assert.deepEqual(await pendingActivitiesOf(payment.id), ['inquirePayment']));
    assertContains(await payment.read(), {
      status: 'processing',
      attempts: { 0: { provider: 'alpha', outcome: null } },
    });
    await Promise.all(BOTH.map((name) => setFaults(name, {})));
    assertContains(await payment.reach('succeeded'), {
      attempts: {
        0: { provider: 'alpha', tries: 4, outcome: 'not_charged' },
        1: { provider: 'beta', outcome: 'approved' },
      },
    });
    assert.deepEqual(await chargesOf(payment.id), ['beta capture 1999']);
  });
});

describe('a refund whose provider', function () {
  this.timeout(2 * MINUTE_MS);

  afterEach(() => setFaults('alpha', {}));

  it('is down stays pending, and is made once when the provider is back', async () => {
    const payment = await createPayment();
    await payment.confirm(card('approved'));
    await payment.reach('succeeded');
    const headers = { 'X-Idempotency-Key': randomUUID() };
    const body = { paymentIntentId: payment.id, amount: 300 };
    await setFaults('alpha', { errorRate: 1, errorStatus: 503, operations: ['refunds'] });
    const pending = refundOf(await postRefund(body, { headers }));
    assert.equal(pending.status, 'pending');
    await setFaults('alpha', {});
    await eventually(async () => assert.equal((await getRefund(pending.id)).status, 'succeeded'));
    assert.equal(refundOf(await postRefund(body, { headers })).id, pending.id);
    const refunds = (await chargesOf(payment.id)).filter((line) => line.includes(' refund '));
    assert.deepEqual(refunds, ['alpha refund 300']);
  });
});
