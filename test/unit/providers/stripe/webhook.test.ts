import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'mocha';
import { WebhookVerificationError } from '../../../../providers/provider-errors.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
import { adapterTo, WEBHOOK_SECRET } from '../../../support/stripe-harness.ts';
import { UNREACHABLE_URL } from '../../../support/simulator-harness.ts';

const provider = adapterTo(UNREACHABLE_URL);
const ATTEMPT_ID = `att_${newUnique()}_1`;
const MONEY = { amountMinor: 1234, currency: 'USD' };
const INTENT = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1234,
  amount_capturable: 0,
  amount_received: 1234,
  currency: 'usd',
  status: 'succeeded',
  metadata: { attempt_id: ATTEMPT_ID },
  last_payment_error: null,
  next_action: null,
  latest_charge: 'ch_1',
};
const CHARGE = {
  id: 'ch_1',
  amount: 1234,
  currency: 'usd',
  captured: false,
  status: 'succeeded',
  payment_intent: 'pi_1',
  metadata: { attempt_id: ATTEMPT_ID },
};

function eventOf(type: string, object: object, changes: object = {}): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, data: { object }, ...changes });
}

const REFERENCE = { provider: 'stripe-main', eventId: 'evt_1' };

/** The event that asks about the payment. */
function questionOf(type: string, providerPaymentId: string | null = 'pi_1') {
  const outcome = { kind: 'pending', providerPaymentId };
  return { ...REFERENCE, attemptId: ATTEMPT_ID, outcome, notUnderstood: type };
}

const seconds = (): number => Math.floor(Date.now() / 1000);

function signatureOf(body: string, time: number, secret = WEBHOOK_SECRET): string {
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
}

function read(body: string, header: string) {
  return provider.parseWebhook(Buffer.from(body), { 'stripe-signature': header }).events;
}

function readSigned(body: string) {
  const time = seconds();
  return read(body, `t=${time},v1=${signatureOf(body, time)}`);
}

describe('Stripe: webhooks', () => {
  const body = eventOf('payment_intent.succeeded', INTENT);

  it('accepts one right signature of several, as while a secret is replaced', () => {
    const time = seconds();
    const old = signatureOf(body, time, 'whsec_old_old_old_old');
    assert.equal(read(body, `t=${time},v1=${old},v1=${signatureOf(body, time)},v0=00`).length, 1);
    assert.throws(() => read(body, `t=${time},v1=${old}`), WebhookVerificationError);
  });

  const broken: readonly (readonly [string, (time: number) => string])[] = [
    ['of another scheme', (time) => `t=${time},v0=${signatureOf(body, time)}`],
    ['without a time', (time) => `v1=${signatureOf(body, time)}`],
    ['with a time that is no number', (time) => `t=soon,v1=${signatureOf(body, time)}`],
    ['of another time', (time) => `t=${time + 1},v1=${signatureOf(body, time)}`],
    ['that is cut off', (time) => `t=${time},v1=${signatureOf(body, time).slice(0, 32)}`],
    ['that is empty', (time) => `t=${time},v1=`],
    ['that says nothing', () => ''],
  ];
  for (const [what, headerAt] of broken) {
    it(`refuses a signature ${what}`, () => {
      assert.throws(() => read(body, headerAt(seconds())), WebhookVerificationError);
    });
  }

  const approved = { kind: 'approved', providerPaymentId: 'pi_1', ...MONEY };
  const outcomes: readonly (readonly [string, object, object])[] = [
    ['payment_intent.succeeded', {}, { ...approved, captured: true }],
    ['payment_intent.succeeded', { amount_received: 1000 }, { ...approved, captured: true, capturedMinor: 1000 }],
    [
      'payment_intent.amount_capturable_updated',
      { status: 'requires_capture', amount_capturable: 1234, amount_received: 0 },
      { ...approved, captured: false },
    ],
    [
      'payment_intent.requires_action',
      {
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://hooks.stripe.com/1' } },
      },
      {
        kind: 'requires_action',
        providerPaymentId: 'pi_1',
        nextAction: { type: 'redirect', url: 'https://hooks.stripe.com/1' },
      },
    ],
    ['payment_intent.processing', { status: 'processing' }, { kind: 'pending', providerPaymentId: 'pi_1' }],
    [
      'payment_intent.payment_failed',
      {
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
      },
      { kind: 'declined', providerPaymentId: 'pi_1', code: 'INSUFFICIENT_FUNDS', advice: 'later' },
    ],
    ['payment_intent.processing', { status: 'new_at_stripe' }, { kind: 'pending', providerPaymentId: 'pi_1' }],
    ['payment_intent.canceled', { status: 'canceled', latest_charge: null }, { kind: 'not_charged' }],
  ];
  for (const [type, changes, outcome] of outcomes) {
    it(`reads ${type} with ${JSON.stringify(changes)} as ${JSON.stringify(outcome)}`, () => {
      const event = { provider: 'stripe-main', eventId: 'evt_1', attemptId: ATTEMPT_ID, outcome };
      assert.deepEqual(readSigned(eventOf(type, { ...INTENT, ...changes })), [event]);
    });
  }

  it('reads events of an endpoint whose API version is older, and which name no charge', () => {
    const { latest_charge: _, ...older } = INTENT;
    const outcome = { kind: 'approved', providerPaymentId: 'pi_1', ...MONEY, captured: true };
    const event = { provider: 'stripe-main', eventId: 'evt_1', attemptId: ATTEMPT_ID, outcome };
    assert.deepEqual(readSigned(eventOf('payment_intent.succeeded', { ...older, charges: { data: [] } })), [event]);
    // Whether a hold was voided is not known.
    assert.deepEqual(readSigned(eventOf('payment_intent.canceled', { ...older, status: 'canceled' })), [
      questionOf('payment_intent.canceled'),
    ]);
  });

  it('reads a hold that ran out as voided', () => {
    const outcome = { kind: 'not_charged', voided: { providerPaymentId: 'pi_1', ...MONEY } };
    const event = { provider: 'stripe-main', eventId: 'evt_1', attemptId: ATTEMPT_ID, outcome };
    assert.deepEqual(readSigned(eventOf('charge.expired', CHARGE)), [event]);
  });

  it('reads refunds under their ids, also the reversal of a stray charge', () => {
    for (const refundId of [`re_${newUnique()}`, `stray_${newUnique()}_1`]) {
      const object = {
        id: 're_1',
        amount: 500,
        currency: 'usd',
        created: 1_795_000_000,
        metadata: { refund_id: refundId },
      };
      const reference = { provider: 'stripe-main', eventId: 'evt_1', refundId };
      const refunded = { kind: 'refunded', providerRefundId: 're_1', amountMinor: 500, currency: 'USD' };
      for (const type of ['refund.created', 'refund.updated', 'charge.refund.updated']) {
        const event = eventOf(type, { ...object, status: 'succeeded' });
        assert.deepEqual(readSigned(event), [{ ...reference, refundOutcome: refunded }]);
      }
      const failed = eventOf('refund.failed', { ...object, status: 'failed', failure_reason: 'unknown' });
      assert.ok(readSigned(failed).some((event) => 'refundOutcome' in event && event.refundOutcome.kind === 'refused'));
    }
  });

  it('ignores what reports nothing new, or nothing of this engine', () => {
    const ignored = [
      eventOf('payment_intent.created', { ...INTENT, status: 'requires_confirmation' }),
      eventOf('payment_intent.succeeded', { ...INTENT, metadata: {} }),
      eventOf('payment_intent.succeeded', { ...INTENT, metadata: { attempt_id: 'order-17' } }),
      eventOf('payment_intent.succeeded', { object: 'payment_intent' }),
      eventOf('refund.updated', { id: 're_1', metadata: null }),
      eventOf('account.updated', {}),
      eventOf('payment_intent.succeeded', INTENT, { livemode: true }),
    ];
    for (const event of ignored) assert.deepEqual(readSigned(event), [], event);
  });

  it('names the customer whose cards have changed, and never their tokens', () => {
    const card = { id: 'pm_secret', object: 'payment_method', customer: 'cus_at_stripe' };
    const changed = [{ ...REFERENCE, credentials: { providerCustomerId: 'cus_at_stripe' } }];
    const detached = { object: { ...card, customer: null }, previous_attributes: { customer: 'cus_at_stripe' } };
    assert.deepEqual(readSigned(eventOf('payment_method.automatically_updated', card)), changed);
    assert.deepEqual(readSigned(eventOf('payment_method.detached', {}, { data: detached })), changed);
    assert.deepEqual(readSigned(eventOf('payment_method.detached', { ...card, customer: null })), []);
    assert.deepEqual(readSigned(eventOf('payment_method.attached', card)), []);
  });

  it('asks about a payment of its own in a form that it does not know', () => {
    for (const changes of [{ amount: -1 }, { amount: 'all' }, { currency: '' }]) {
      const event = eventOf('payment_intent.succeeded', { ...INTENT, ...changes });
      assert.deepEqual(readSigned(event), [questionOf('payment_intent.succeeded')]);
    }
    assert.throws(() => readSigned('no JSON'), WebhookVerificationError);
  });

  it('asks about a hold that was canceled in the dashboard, because the event does not say that it was a hold', () => {
    const canceled = { ...INTENT, status: 'canceled' };
    assert.deepEqual(readSigned(eventOf('payment_intent.canceled', canceled)), [questionOf('payment_intent.canceled')]);
  });

  it('asks about the payment that a thin event, a charge or a review names by its id', () => {
    const byId = (type: string) => {
      return [{ ...REFERENCE, providerPaymentId: 'pi_1', report: { notUnderstood: type } }];
    };
    const thin = { object: 'v2.core.event', data: undefined, related_object: { id: 'pi_1', type: 'payment_intent' } };
    assert.deepEqual(readSigned(eventOf('v1.payment_intent.canceled', {}, thin)), byId('v1.payment_intent.canceled'));
    const refunded = { ...CHARGE, metadata: {} };
    assert.deepEqual(readSigned(eventOf('charge.refunded', refunded)), byId('charge.refunded'));
    assert.deepEqual(
      readSigned(eventOf('review.closed', { id: 'prv_1', payment_intent: 'pi_1' })),
      byId('review.closed'),
    );
  });

  it('asks about what an old delivery names, instead of believing it', () => {
    const time = seconds() - 6 * 60;
    const old = eventOf('payment_intent.succeeded', INTENT);
    assert.deepEqual(read(old, `t=${time},v1=${signatureOf(old, time)}`), [questionOf('payment_intent.succeeded')]);
  });

  it('reports a refund that was made in the dashboard by the id of its payment', () => {
    const refund = {
      id: 're_9',
      amount: 500,
      currency: 'usd',
      created: 1_795_000_000,
      metadata: {},
      payment_intent: 'pi_1',
    };
    for (const [status, reported] of [
      ['succeeded', 'succeeded'],
      ['pending', 'succeeded'],
      ['failed', 'failed'],
    ] as const) {
      const unknownRefund = { providerRefundId: 're_9', status: reported, amountMinor: 500, currency: 'USD' };
      const found = readSigned(eventOf('refund.updated', { ...refund, status }));
      assert.deepEqual(found, [{ ...REFERENCE, providerPaymentId: 'pi_1', report: { unknownRefund } }]);
    }
  });

  it('reports disputes and early fraud warnings by the id of their payment', () => {
    const dispute = {
      id: 'dp_1',
      amount: 1234,
      currency: 'usd',
      payment_intent: 'pi_1',
      reason: 'product_not_received',
      evidence_details: { due_by: 1_800_000_000 },
      payment_method_details: { card: { network_reason_code: '13.1' } },
    };
    for (const [type, said, stage, status, funds] of [
      ['charge.dispute.created', 'needs_response', 'chargeback', 'needs_response', null],
      ['charge.dispute.created', 'warning_needs_response', 'inquiry', 'needs_response', null],
      ['charge.dispute.funds_withdrawn', 'needs_response', 'chargeback', 'needs_response', 'withdrawn'],
      ['charge.dispute.closed', 'won', 'chargeback', 'won', null],
      ['charge.dispute.funds_reinstated', 'won', 'chargeback', 'won', 'reinstated'],
      ['charge.dispute.closed', 'lost', 'chargeback', 'lost', null],
      ['charge.dispute.closed', 'warning_closed', 'inquiry', 'closed', null],
      ['charge.dispute.closed', 'prevented', 'chargeback', 'closed', null],
      ['charge.dispute.updated', 'escalated', 'chargeback', null, null],
    ] as const) {
      const [found, ...others] = readSigned(eventOf(type, { ...dispute, status: said }, { created: 1_700_000_000 }));
      assert.ok(found !== undefined && 'report' in found && 'dispute' in found.report && others.length === 0);
      assert.deepEqual([found.provider, found.eventId, found.providerPaymentId], [...Object.values(REFERENCE), 'pi_1']);
      assert.deepEqual(found.report.dispute, {
        providerReference: 'dp_1',
        providerEvent: type,
        stage,
        status,
        unknownStatus: status === null ? 'escalated' : null,
        reason: 'product_not_received',
        networkReasonCode: '13.1',
        ...MONEY,
        respondBy: '2027-01-15T08:00:00.000Z',
        isDefendable: null,
        funds,
        occurredAt: '2023-11-14T22:13:20.000Z',
      });
    }
    const [warning] = readSigned(
      eventOf('radar.early_fraud_warning.created', { id: 'issfr_1', payment_intent: 'pi_1' }),
    );
    const fraudWarning = { providerEvent: 'radar.early_fraud_warning.created', providerReference: 'issfr_1' };
    assert.deepEqual(warning, { ...REFERENCE, providerPaymentId: 'pi_1', report: { fraudWarning } });
  });
});
