import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { UPI_LINK } from '../../../../domain/payment.ts';
import { CASHFREE } from '../../../../providers/cashfree/cashfree-provider.ts';
import { disputeReportOf } from '../../../../providers/cashfree/disputes.ts';
import { disputeSchema } from '../../../../providers/cashfree/messages.ts';
import type {
  AuthorizationRequest,
  InquiryRequest,
  PaymentMethodDetails,
  PaymentProvider,
} from '../../../../providers/payment-provider.ts';
import { WebhookVerificationError } from '../../../../providers/provider-errors.ts';
import { type FakeCashfree, startFakeCashfree } from '../../../../sandbox/fakes/cashfree/fake-cashfree.ts';
import { signWebhook } from '../../../../sandbox/fakes/cashfree/webhooks.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
import { startScriptedServer, UNREACHABLE_URL } from '../../../support/simulator-harness.ts';
import { adapterTo, CLIENT_ID, CLIENT_SECRET, settingsFor } from './harness.ts';

const UPI: PaymentMethodDetails = { type: 'upi', vpa: null };
const NOT_CHARGED = { kind: 'not_charged' } as const;

type Attempt = AuthorizationRequest & InquiryRequest;

function upiAttempt(changes: Partial<Attempt> = {}): Attempt {
  const attempt = { ...requestWith(UPI), currency: 'INR', ...changes };
  return { ...attempt, loadAuthorization: () => Promise.resolve(attempt) };
}

describe('the Cashfree adapter by itself', () => {
  let fake: FakeCashfree;
  let provider: PaymentProvider;
  before(async () => {
    fake = await startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
    provider = adapterTo(fake.url);
  });
  after(() => fake.close());

  const authorize = (attempt: Attempt) => provider.authorize(attempt, newSignal());
  const inquire = (attempt: Attempt) => provider.inquire(attempt, newSignal());
  const close = (attempt: Attempt) => provider.close(attempt, newSignal());
  const statusOf = ({ attemptId }: Attempt) => fake.ledger.get(attemptId).order_status;
  const lastOf = (path: string) => fake.exchanges.findLast((exchange) => exchange.path === path);

  it('has the customer pay by a UPI link, also where an address was typed', async () => {
    const attempt = upiAttempt({ method: { type: 'upi', vpa: 'somebody@upi' } });
    const outcome = await authorize(attempt);
    assert.ok(outcome.kind === 'requires_action' && outcome.nextAction.type === 'approve_in_app');
    assert.match(outcome.nextAction.link ?? '', UPI_LINK);
    const sent = JSON.stringify(lastOf('/orders/sessions')?.request);
    assert.ok(sent.includes('"upi":{"channel":"link"}'));
    assert.ok(!sent.includes('somebody'));
  });

  it('redirects the customer to the page for a card', async () => {
    const outcome = await authorize(upiAttempt({ method: cardOf('4111111111111111') }));
    assert.ok(outcome.kind === 'requires_action' && outcome.nextAction.type === 'redirect');
    assert.equal(new URL(outcome.nextAction.url).protocol, 'https:');
  });

  it('finds a payment with its refunds, and changes nothing', async () => {
    const find = async (attempt: Attempt) => provider.findPayment?.(attempt, newSignal());
    assert.equal(await find(upiAttempt()), null);
    const open = upiAttempt();
    await authorize(open);
    const { status, amountMinor, capturedMinor, currency } = (await find(open)) ?? assert.fail();
    assert.deepEqual([status, amountMinor, capturedMinor, currency], ['open', open.amountMinor, 0, 'INR']);
    assert.equal(statusOf(open), 'ACTIVE');

    const paid = upiAttempt();
    await authorize(paid);
    fake.ledger.decide(paid.attemptId, 'SUCCESS');
    const refundId = `re_${paid.attemptId.slice(4, 36)}`;
    await provider.refund({ ...paid, refundId, providerPaymentId: '1', amountMinor: 100 }, newSignal());
    fake.ledger.refund(paid.attemptId, { refund_id: 'by-hand', refund_amount: 2 });
    fake.ledger.payTwice(paid.attemptId);
    const found = (await find(paid)) ?? assert.fail();
    assert.deepEqual(
      [found.status, found.capturedMinor, found.attemptId],
      ['captured', paid.amountMinor, paid.attemptId],
    );
    assert.deepEqual(
      found.refunds.map((refund) => [refund.refundId, refund.amountMinor, refund.currency, refund.status]),
      [
        [refundId, 100, 'INR', 'succeeded'],
        [null, 200, 'INR', 'succeeded'],
        [null, paid.amountMinor, 'INR', 'succeeded'],
      ],
    );
    assert.ok(found.createdAt <= found.updatedAt && Date.parse(found.updatedAt) <= Date.now());

    const refused = upiAttempt();
    await authorize(refused);
    fake.ledger.decide(refused.attemptId, 'FAILED');
    fake.ledger.expire(refused.attemptId);
    assert.equal((await find(refused))?.status, 'declined');
  });

  it("sends the customer's phone number from the metadata, and the account's own where there is none", async () => {
    for (const [phone, sent] of [
      ['9876543210', '9876543210'],
      ['+919876543210', '9876543210'],
      ['+91 98765-43210', '9876543210'],
      ['00919876543210', '9876543210'],
      ['09876543210', '9876543210'],
      ['+14155550123', '9999999999'],
      ['98765', '9999999999'],
      [undefined, '9999999999'],
    ] as const) {
      await authorize(upiAttempt({ metadata: phone === undefined ? {} : { customer_phone: phone } }));
      assert.ok(JSON.stringify(lastOf('/orders')?.request).includes(`"customer_phone":"${sent}"`));
    }
  });

  it('sends a reference and an address to return to only where Cashfree takes them', async () => {
    const returnUrl = 'https://shop.example/return';
    for (const [changes, reference, returns] of [
      [{ reference: 'ORDER-7', returnUrl }, true, true],
      [{ reference: 'A1', returnUrl: 'http://shop.example/return' }, false, false],
      [{ reference: null, returnUrl: `${returnUrl}?${'x'.repeat(250)}` }, false, false],
      [{ reference: 'x'.repeat(201), returnUrl: null }, false, false],
    ] as const satisfies readonly (readonly [Partial<Attempt>, boolean, boolean])[]) {
      assert.equal((await authorize(upiAttempt(changes))).kind, 'requires_action');
      const sent = JSON.stringify(lastOf('/orders')?.request);
      assert.equal(sent.includes('order_note'), reference);
      assert.equal(sent.includes('return_url'), returns);
    }
  });

  it('stores the id of the order before the payment begins', async () => {
    const stored: string[] = [];
    const attempt = upiAttempt();
    const storePaymentId = (id: string): Promise<void> => {
      assert.equal(fake.ledger.payments(attempt.attemptId).length, 0);
      stored.push(id);
      return Promise.resolve();
    };
    await authorize({ ...attempt, storePaymentId });
    assert.deepEqual(stored, [fake.ledger.get(attempt.attemptId).cf_order_id]);
  });

  it('declines what the account cannot take, without a call', async () => {
    const before = fake.exchanges.length;
    for (const [changes, code] of [
      [{ currency: 'USD' }, 'UNSUPPORTED_CURRENCY_PAIR'],
      [{ amountMinor: 99 }, 'LIMIT_EXCEEDED'],
      [{ captureMethod: 'manual' }, 'PAYMENT_DECLINED'],
      [{ method: { type: 'crypto', asset: 'USDC', network: 'ethereum' } }, 'PAYMENT_DECLINED'],
    ] as const satisfies readonly (readonly [Partial<Attempt>, string])[]) {
      assert.deepEqual(await authorize(upiAttempt(changes)), {
        kind: 'declined',
        providerPaymentId: null,
        code,
        advice: 'elsewhere',
      });
    }
    assert.equal(fake.exchanges.length, before);
  });

  it('closes an attempt that Cashfree does not know, so that a late request cannot charge', async () => {
    for (const ask of [inquire, close]) {
      const attempt = upiAttempt();
      assert.deepEqual(await ask(attempt), NOT_CHARGED);
      assert.equal(statusOf(attempt), 'TERMINATED');
      await assert.rejects(authorize(attempt), { code: 'TSP_ERROR' });
      assert.deepEqual(await ask(attempt), NOT_CHARGED);
    }
  });

  it('keeps an attempt unknown if the order that it created is gone', async () => {
    const attempt = upiAttempt();
    const stored: string[] = [];
    const storePaymentId = (id: string): Promise<void> => Promise.resolve(void stored.push(id));
    await authorize({ ...attempt, storePaymentId });
    const [providerPaymentId = null] = stored;
    // The account's new credentials are those of another account.
    const elsewhere = await startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
    const adapter = adapterTo(elsewhere.url);
    for (const ask of [adapter.inquire, adapter.close]) {
      await assert.rejects(ask({ ...attempt, providerPaymentId }, newSignal()), { code: 'TSP_ERROR' });
    }
    await elsewhere.close();
    fake.ledger.decide(attempt.attemptId, 'SUCCESS');
    assert.equal((await inquire({ ...attempt, providerPaymentId })).kind, 'approved');
  });

  it('keeps a refund unknown if its paid order is gone', async () => {
    const attempt = upiAttempt();
    await authorize(attempt);
    fake.ledger.decide(attempt.attemptId, 'SUCCESS');
    const { attemptId, environment, amountMinor, currency } = attempt;
    const refundId = `re_${newUnique()}`;
    const refund = { refundId, attemptId, environment, amountMinor, currency, providerPaymentId: '1' };
    assert.equal((await provider.refund(refund, newSignal())).kind, 'refunded');
    // The account's new credentials are those of another account.
    const elsewhere = await startFakeCashfree({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
    const adapter = adapterTo(elsewhere.url);
    const loadReported = () => Promise.resolve(null);
    assert.equal((await adapter.refund(refund, newSignal())).kind, 'unrecognised');
    await assert.rejects(adapter.inquireRefund({ ...refund, loadReported }, newSignal()), { code: 'TSP_ERROR' });
    await elsewhere.close();
    assert.equal((await provider.inquireRefund({ ...refund, loadReported }, newSignal())).kind, 'refunded');
  });

  it('terminates an order whose payment was never begun', async () => {
    const attempt = upiAttempt();
    const isOver = new Error('the attempt has ended');
    await assert.rejects(authorize({ ...attempt, storePaymentId: () => Promise.reject(isOver) }), isOver);
    assert.equal(statusOf(attempt), 'ACTIVE');
    assert.deepEqual(await inquire(attempt), NOT_CHARGED);
    assert.equal(statusOf(attempt), 'TERMINATED');
  });

  it('leaves an order open while the customer acts, and names the same link again', async () => {
    for (const waitsAs of ['NOT_ATTEMPTED', 'PENDING'] as const) {
      const attempt = upiAttempt();
      fake.ledger.treat(attempt.attemptId, { waitsAs });
      const waiting = await authorize(attempt);
      assert.ok(waiting.kind === 'requires_action');
      const { nextAction, providerPaymentId } = waiting;
      const sent = fake.exchanges.length;
      assert.deepEqual(await inquire({ ...attempt, nextAction, providerPaymentId }), waiting);
      assert.ok(fake.exchanges.slice(sent).every(({ path }) => path !== '/orders/sessions'));
      // Its answer was lost, so that the link was never recorded.
      assert.deepEqual(await inquire(attempt), waiting);
      assert.equal(statusOf(attempt), 'ACTIVE');
      assert.equal(fake.ledger.payments(attempt.attemptId).length, 1);
    }
  });

  it('waits for the customer even if the payment method is erased, unless the link was never recorded', async () => {
    const attempt = upiAttempt();
    const waiting = await authorize(attempt);
    assert.ok(waiting.kind === 'requires_action');
    const erased = { ...attempt, loadAuthorization: () => Promise.reject(new Error('the method is erased')) };
    const { nextAction } = waiting;
    assert.equal((await inquire({ ...erased, nextAction })).kind, 'requires_action');
    assert.equal((await inquire(erased)).kind, 'pending');
    assert.equal(statusOf(attempt), 'ACTIVE');
  });

  it('reports a requested termination as pending, and the charge that came before its end', async () => {
    const attempt = upiAttempt();
    fake.ledger.treat(attempt.attemptId, { termination: 'late' });
    await authorize(attempt);
    for (const ask of [close, inquire, close]) assert.equal((await ask(attempt)).kind, 'pending');
    fake.ledger.decide(attempt.attemptId, 'SUCCESS');
    for (const ask of [close, inquire]) {
      const outcome = await ask(attempt);
      assert.ok(outcome.kind === 'approved' && outcome.captured);
    }
    assert.equal(fake.ledger.countCharges(attempt.attemptId), 1);
  });

  it('keeps an expired order open while a payment is at the bank', async () => {
    for (const [waitsAs, kind] of [
      ['PENDING', 'pending'],
      ['NOT_ATTEMPTED', 'not_charged'],
    ] as const) {
      const attempt = upiAttempt();
      fake.ledger.treat(attempt.attemptId, { waitsAs });
      await authorize(attempt);
      fake.ledger.expire(attempt.attemptId);
      assert.equal((await inquire(attempt)).kind, kind);
    }
  });

  it('ends an attempt that failed, or that the customer left, once the order is terminated', async () => {
    for (const status of ['FAILED', 'USER_DROPPED'] as const) {
      const attempt = upiAttempt();
      await authorize(attempt);
      fake.ledger.decide(attempt.attemptId, status);
      const webhook = fake.webhooks.at(-1);
      assert.ok(webhook !== undefined);
      const [event] = provider.parseWebhook(webhook.body, webhook.headers).events;
      assert.ok(event !== undefined && 'outcome' in event && event.outcome.kind === 'pending', status);
      const outcome = await inquire(attempt);
      assert.ok(outcome.kind === 'declined' && outcome.code === 'PAYMENT_DECLINED');
      assert.equal(statusOf(attempt), 'TERMINATED');
    }
  });

  it('says why a payment failed', async () => {
    const attempt = upiAttempt();
    await authorize(attempt);
    const failure = {
      error_code: 'TRANSACTION_DECLINED',
      error_reason: 'insufficient_funds',
      error_source: 'customer',
    };
    fake.ledger.decide(attempt.attemptId, 'FAILED', failure);
    const outcome = await inquire(attempt);
    assert.ok(outcome.kind === 'declined' && outcome.code === 'INSUFFICIENT_FUNDS');
  });

  it('reverses a stray charge, whose id is too long for Cashfree', async () => {
    const attempt = upiAttempt();
    await authorize(attempt);
    fake.ledger.decide(attempt.attemptId, 'SUCCESS');
    const refundId = `${attempt.attemptId.replace('att', 'stray')}234`;
    const { attemptId, environment, amountMinor, currency } = attempt;
    const refund = { refundId, attemptId, environment, amountMinor, currency, providerPaymentId: '1' };
    assert.equal((await provider.refund(refund, newSignal())).kind, 'refunded');
    assert.equal(fake.ledger.keptMinor(attemptId), 0);
    const webhook = fake.webhooks.at(-1);
    assert.ok(webhook !== undefined);
    const [event] = provider.parseWebhook(webhook.body, webhook.headers).events;
    assert.ok(event !== undefined && 'refundId' in event && event.refundId === refundId);
  });

  it('reads a webhook that is sent again as the same event', async () => {
    const receiver = await startScriptedServer(() => ({ status: 200 }));
    const secrets = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
    const sender = await startFakeCashfree({ ...secrets, webhookUrl: receiver.url });
    const attempt = upiAttempt();
    await adapterTo(sender.url).authorize(attempt, newSignal());
    sender.holdWebhooks();
    sender.ledger.decide(attempt.attemptId, 'SUCCESS');
    assert.equal(receiver.received.length, 0);
    await sender.resendWebhooks();
    await sender.resendWebhooks();
    const events = receiver.received.flatMap(({ body, headers }) => provider.parseWebhook(body, headers).events);
    assert.equal(events.length, 2);
    assert.deepEqual(events[0], events[1]);
    assert.ok(events[0] !== undefined && 'attemptId' in events[0] && events[0].attemptId === attempt.attemptId);
    await sender.close();
    await receiver.close();
  });

  const readSigned = (event: object, at?: number) => {
    const { body, headers } = signedAt(event, at);
    return provider.parseWebhook(body, headers).events;
  };

  /** @param at the time in the header, in the form that it is given; now in milliseconds by default */
  const signedAt = (event: object, at = Date.now()) => {
    const body = Buffer.from(JSON.stringify(event));
    const signature = createHmac('sha256', CLIENT_SECRET).update(String(at)).update(body).digest('base64');
    return { body, headers: { 'x-webhook-timestamp': String(at), 'x-webhook-signature': signature } };
  };

  it('ignores events about other orders, and refuses what is no event', () => {
    const read = readSigned;
    const refund = { cf_refund_id: 11, refund_id: 'REF-123', refund_amount: 2, refund_currency: 'INR' };
    for (const event of [
      { type: 'WEBHOOK', data: { test_object: { test_key: 'test_value' } } },
      { type: 'AUTO_REFUND_STATUS_WEBHOOK', data: { auto_refund: { cf_refund_id: 1 } } },
      { type: 'SETTLEMENT_SUCCESS', data: {} },
      { type: 'REFUND_STATUS_WEBHOOK', data: { refund: { ...refund, refund_status: 'SUCCESS' } } },
    ]) {
      assert.deepEqual(read(event), []);
    }
    for (const event of [
      { type: 'PAYMENT_SUCCESS_WEBHOOK', data: {} },
      { type: 'REFUND_STATUS_WEBHOOK', data: { refund: {} } },
    ]) {
      assert.deepEqual(read(event), []);
    }
    assert.throws(() => read({}), WebhookVerificationError);
  });

  describe('events about its own orders', () => {
    const { attemptId } = upiAttempt();
    const order = { order_id: attemptId };
    const paid = { cf_payment_id: 1, payment_status: 'SUCCESS', payment_currency: 'INR', payment_amount: 12.34 };
    const madeRefund = {
      cf_refund_id: 11,
      cf_payment_id: 789,
      order_id: attemptId,
      refund_amount: 2,
      refund_currency: 'INR',
      refund_status: 'SUCCESS',
    };

    const own = { refund_id: `re${'0a'.repeat(16)}` };

    it('count the amount of the order as paid where an offer of Cashfree has reduced what the customer paid', () => {
      const amountOf = (payment: object, offered: object = {}) => {
        const [found] = readSigned({ type: 'PAYMENT_SUCCESS_WEBHOOK', data: { order, payment, ...offered } });
        return found !== undefined && 'outcome' in found && found.outcome.kind === 'approved'
          ? found.outcome.amountMinor
          : null;
      };
      assert.equal(amountOf({ ...paid, order_amount: 12.34, payment_amount: 11.1 }), 1234);
      const orderedOnly = { order: { ...order, order_amount: 12.34 } };
      assert.equal(amountOf({ ...paid, payment_amount: 11.1 }, orderedOnly), 1234);
      // A fee for the customer: another amount than the requested one.
      assert.equal(amountOf({ ...paid, order_amount: 12.34, payment_amount: 13 }), 1300);
    });

    it('leave a refund of the engine open in a state that is new at Cashfree', () => {
      const refund = { ...madeRefund, ...own, refund_status: 'NEW_STATUS' };
      const [found] = readSigned({ type: 'REFUND_STATUS_WEBHOOK', data: { refund } });
      assert.ok(found !== undefined && 'refundOutcome' in found);
      assert.equal(found.refundOutcome.kind, 'pending');
    });

    it('ask about what is not understood, or new at Cashfree', () => {
      for (const event of [
        { type: 'PAYMENT_SUCCESS_WEBHOOK', data: { order, payment: { ...paid, payment_amount: 10.005 } } },
        { type: 'PAYMENT_SUCCESS_WEBHOOK', data: { order, payment: { ...paid, payment_status: 'NEW_STATUS' } } },
        { type: 'PAYMENT_NEW_WEBHOOK', data: { order, payment: paid } },
        { type: 'REFUND_STATUS_WEBHOOK', data: { refund: { order_id: attemptId } } },
      ]) {
        const [found] = readSigned(event);
        assert.ok(found !== undefined && 'attemptId' in found && found.attemptId === attemptId, event.type);
        assert.deepEqual([found.outcome.kind, found.notUnderstood], ['pending', event.type]);
      }
    });

    it('are understood with a time in seconds, and only asked about where they are old', () => {
      const event = { type: 'PAYMENT_SUCCESS_WEBHOOK', data: { order, payment: paid } };
      const seconds = Math.floor(Date.now() / 1_000);
      const kinds = [seconds, seconds - 600, Date.now() - 600_000].map((at) => {
        const [found] = readSigned(event, at);
        return found !== undefined && 'outcome' in found ? found.outcome.kind : null;
      });
      assert.deepEqual(kinds, ['approved', 'pending', 'pending']);
    });

    it('report refunds that nobody requested here: of the dashboard, and of what a customer paid twice', () => {
      const unknownRefund = {
        attemptId,
        providerRefundId: '11',
        status: 'succeeded',
        amountMinor: 200,
        currency: 'INR',
      };
      const byHand = { type: 'REFUND_STATUS_WEBHOOK', data: { refund: { ...madeRefund, refund_id: 'REF-123' } } };
      const byCashfree = { type: 'AUTO_REFUND_STATUS_WEBHOOK', data: { auto_refund: madeRefund } };
      for (const [event, of] of [
        [byHand, {}],
        [byCashfree, { providerPaymentId: '789' }],
      ] as const) {
        const [found] = readSigned(event);
        assert.ok(found !== undefined && 'unknownRefund' in found, event.type);
        assert.deepEqual(found.unknownRefund, { ...unknownRefund, ...of });
      }
    });

    it('report disputes at times of India, and none of the year 9999', () => {
      const dispute = {
        dispute_id: 433475258,
        dispute_type: 'CHARGEBACK',
        dispute_status: 'CHARGEBACK_CREATED',
        respond_by: '2026-01-19T00:00:00',
        updated_at: '2026-01-18T11:26:58',
        resolved_at: '9999-09-09T00:00:00',
      };
      const { occurredAt, respondBy } = disputeReportOf(disputeSchema.parse(dispute), 'DISPUTE_CREATED');
      assert.deepEqual([occurredAt, respondBy], ['2026-01-18T05:56:58.000Z', '2026-01-18T18:30:00.000Z']);
    });

    it('report disputes', () => {
      const dispute = {
        dispute_id: '433475258',
        dispute_type: 'DISPUTE',
        dispute_amount: 3,
        dispute_status: 'DISPUTE_CREATED',
      };
      for (const [type, change, stage, status] of [
        ['DISPUTE_CREATED', {}, 'chargeback', 'needs_response'],
        [
          'DISPUTE_CREATED',
          { dispute_type: 'RETRIEVAL', dispute_status: 'RETRIEVAL_CREATED' },
          'inquiry',
          'needs_response',
        ],
        ['DISPUTE_UPDATED', { dispute_status: 'DISPUTE_UNDER_REVIEW' }, 'chargeback', 'under_review'],
        ['DISPUTE_CLOSED', { dispute_status: 'DISPUTE_MERCHANT_WON' }, 'chargeback', 'won'],
        ['DISPUTE_CLOSED', { dispute_status: 'DISPUTE_MERCHANT_LOST' }, 'chargeback', 'lost'],
        ['DISPUTE_UPDATED', { dispute_status: 'DISPUTE_ESCALATED' }, 'chargeback', null],
      ] as const) {
        const data = {
          dispute: { ...dispute, ...change, updated_at: '2023-06-15T21:17:51+05:30' },
          order_details: order,
        };
        const [found] = readSigned({ type, data });
        assert.ok(found !== undefined && 'dispute' in found, type);
        assert.deepEqual(found.dispute, {
          attemptId,
          stage,
          status,
          unknownStatus: status === null ? 'DISPUTE_ESCALATED' : null,
          providerEvent: type,
          providerReference: '433475258',
          reason: null,
          networkReasonCode: null,
          amountMinor: 300,
          currency: 'INR',
          respondBy: null,
          isDefendable: null,
          funds: null,
          occurredAt: '2023-06-15T15:47:51.000Z',
        });
      }
    });
  });

  it('leaves it to the inquiry what a reported hold is to become', async () => {
    const preauthorized = adapterTo(fake.url, { preauthorization: true });
    const data = {
      order: { order_id: upiAttempt().attemptId },
      payment: { cf_payment_id: 7, payment_status: 'SUCCESS', payment_currency: 'INR', payment_amount: 12.34 },
    };
    const { body, headers } = signWebhook(
      Buffer.from(JSON.stringify({ type: 'PAYMENT_SUCCESS_WEBHOOK', data })),
      CLIENT_SECRET,
    );
    for (const [adapter, kind] of [
      [preauthorized, 'pending'],
      [provider, 'approved'],
    ] as const) {
      const [event] = adapter.parseWebhook(body, headers).events;
      assert.ok(event !== undefined && 'outcome' in event && event.outcome.kind === kind);
    }
  });

  it('checks credentials without creating anything', async () => {
    const settings = settingsFor(fake.url);
    assert.equal(await CASHFREE.check(settings, newSignal()), null);
    const credentials = { ...settings.credentials, clientSecret: 'wrong' };
    const problem = await CASHFREE.check({ ...settings, credentials }, newSignal());
    assert.ok(problem !== null && !problem.includes('wrong'));
    await assert.rejects(CASHFREE.check(settingsFor(UNREACHABLE_URL), newSignal()), { code: 'TSP_UNAVAILABLE' });
  });

  it('offers holds only to accounts with preauthorization', () => {
    assert.deepEqual(provider.capabilities.captureMethods, ['automatic']);
    const { capabilities } = adapterTo(fake.url, { preauthorization: true });
    assert.deepEqual(capabilities.captureMethods, ['automatic', 'manual']);
  });
});
