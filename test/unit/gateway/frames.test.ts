import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EVENT_TYPES, SOCKET_EVENT_NAMES } from '../../../domain/events.ts';
import { PAYMENT_STATUSES, isTerminal } from '../../../domain/payment-state.ts';
import type { SocketEvent } from '../../../prisma/queries/event.ts';
import { eventFrame, merchantEventFrame, parseResumeFrame, parseSubscribeFrame } from '../../../gateway/frames.ts';

const ROW: SocketEvent = {
  id: 'evt_1',
  type: 'payment_intent.processing',
  resourceId: 'pi_1',
  paymentIntentId: 'pi_1',
  merchantAccountId: 'mer_1',
  position: 70,
  sequence: 7,
  insertion: 71,
  failure: null,
  status: 'processing',
  nextAction: null,
  refund: {},
  strayCharge: null,
  createdAt: new Date('2026-01-02T03:04:05.006Z'),
};

describe('frames to clients', () => {
  it('contain the failure of the event', () => {
    const failure = {
      code: 'TSP_PAYMENT_FAILED',
      message: 'The provider said no.',
      details: { providerResponse: { reason: 'x' } },
    };
    assert.deepEqual(merchantEventFrame({ ...ROW, type: 'payment_intent.payment_failed', status: 'failed', failure }), {
      event: 'payment-failed',
      id: 'evt_1',
      sequence: 7,
      paymentIntentId: 'pi_1',
      ...failure,
      terminal: true,
      createdAt: '2026-01-02T03:04:05.006Z',
    });
  });

  it('tell a page neither of a suspicion of fraud nor what a provider answered', () => {
    const row = { ...ROW, type: 'payment_intent.payment_failed', status: 'failed' };
    const fraud = eventFrame({ ...row, failure: { code: 'FRAUD_DETECTED', message: 'Stolen.', details: { risk: 9 } } });
    assert.deepEqual(
      [fraud?.code, fraud?.message, fraud?.details],
      ['PAYMENT_DECLINED', 'The payment was declined by the provider. Pay with another payment method.', null],
    );
    const details = { providerResponse: { reason: 'x' }, provider: 'alpha' };
    const failed = eventFrame({ ...row, failure: { code: 'TSP_PAYMENT_FAILED', message: 'Said x.', details } });
    assert.deepEqual([failed?.code, failed?.details], ['TSP_PAYMENT_FAILED', null]);
    assert.doesNotMatch(failed?.message ?? '', /Said x/);
    const limit = { code: 'CHANNEL_LIMIT_MIN_EXCEEDED', message: 'Too little.', details: { minimumAmount: 50 } };
    assert.deepEqual(eventFrame({ ...row, failure: limit })?.details, { minimumAmount: 50 });
  });

  it('present a stuck payment as a failure that is not terminal', () => {
    const failure = { code: 'PAYMENT_STUCK', message: 'Still working.' };
    const frame = eventFrame({ ...ROW, type: 'payment_intent.stuck', failure });
    assert.deepEqual([frame?.event, frame?.code, frame?.terminal], ['payment-failed', 'PAYMENT_STUCK', false]);
  });

  it("contain the customer's next action", () => {
    const nextAction = { type: 'redirect', url: 'https://bank.example/3ds' };
    const row = { ...ROW, status: 'requires_action', nextAction };
    assert.deepEqual(eventFrame({ ...row, type: 'payment_intent.requires_action' })?.details, { nextAction });
    assert.equal(eventFrame({ ...row, type: 'payment_intent.stuck' })?.details, null);
  });

  it('contain the outcome of a refund of an intent that has ended', () => {
    const refund = { id: 're_1', status: 'failed', amountMinor: 600, currency: 'USD' };
    const failure = { code: 'REFUND_FAILED', message: 'No.', details: { providerResponse: {} } };
    const frame = eventFrame({ ...ROW, type: 'refund.failed', status: null, refund, failure });
    assert.deepEqual([frame?.event, frame?.code, frame?.terminal], ['refund-updated', 'REFUND_FAILED', true]);
    assert.deepEqual(frame?.details, { refundId: 're_1', status: 'failed', amount: 600, currency: 'USD' });
    const nothing = { id: null, status: null, amountMinor: null, currency: null };
    assert.equal(eventFrame({ ...ROW, refund: nothing })?.terminal, false);
  });

  it('are terminal exactly in terminal states', () => {
    for (const status of PAYMENT_STATUSES) {
      assert.equal(eventFrame({ ...ROW, status })?.terminal, isTerminal(status), status);
    }
    assert.equal(eventFrame({ ...ROW, status: null })?.terminal, false);
    assert.equal(eventFrame({ ...ROW, status: 'unheard of' })?.terminal, false);
  });

  it('exist exactly for the events that have a name on the socket', () => {
    for (const [type, name] of Object.entries(SOCKET_EVENT_NAMES))
      assert.equal(eventFrame({ ...ROW, type })?.event, name);
    for (const type of ['payment_intent.created', 'transaction.created', 'toString', '']) {
      assert.equal(eventFrame({ ...ROW, type }), null);
    }
    assert.equal(eventFrame({ ...ROW, paymentIntentId: null }), null);
  });

  it("exist for every event on merchants' sockets, and name its resource", () => {
    for (const type of EVENT_TYPES) {
      const frame = merchantEventFrame({ ...ROW, type });
      assert.match(frame?.event ?? '', /^[a-z]+(-[a-z]+)+$/, type);
      if (type in SOCKET_EVENT_NAMES) assert.deepEqual(frame, eventFrame({ ...ROW, type }));
    }
    const transaction = { ...ROW, type: 'transaction.created', resourceId: 'txn_1' };
    assert.deepEqual(merchantEventFrame(transaction)?.details, { transactionId: 'txn_1' });
    const endpoint = { ...ROW, type: 'webhook_endpoint.disabled', resourceId: 'whe_1', paymentIntentId: null };
    const frame = merchantEventFrame(endpoint);
    assert.deepEqual([frame?.details, frame?.paymentIntentId], [{ webhookEndpointId: 'whe_1' }, null]);
    assert.equal(merchantEventFrame({ ...ROW, type: 'toString' }), null);
  });

  it('contain the reversal of a stray charge for merchants, and not for pages', () => {
    const strayCharge = { attemptId: 'att_1', provider: 'alpha', amount: 600, currency: 'USD', reversedBy: 'refund' };
    const row = { ...ROW, type: 'payment_intent.stray_charge_reversed', status: 'canceled', strayCharge };
    const frame = merchantEventFrame(row);
    assert.deepEqual([frame?.event, frame?.code, frame?.details], ['payment-stray-charge-reversed', null, strayCharge]);
    assert.equal(eventFrame(row), null);
  });

  it('can be built from any failure and any action', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (failure, nextAction, status) => {
        const frame = eventFrame({ ...ROW, failure, nextAction, status });
        assert.equal(frame?.id, 'evt_1');
      }),
    );
  });
});

describe('frames from clients', () => {
  const subscription = { type: 'subscribe', clientSecret: 'secret', after: 'evt_1' };

  it('subscribe with a client secret and, optionally, a cursor', () => {
    assert.deepEqual(parseSubscribeFrame(JSON.stringify(subscription)), subscription);
    const { after, ...fresh } = subscription;
    assert.equal(after, 'evt_1');
    assert.deepEqual(parseSubscribeFrame(JSON.stringify(fresh)), fresh);
  });

  it('subscribe without a secret if the request was signed', () => {
    const { clientSecret, ...resume } = subscription;
    assert.deepEqual(parseResumeFrame(JSON.stringify(resume)), resume);
    assert.deepEqual(parseResumeFrame(JSON.stringify({ type: 'subscribe' })), { type: 'subscribe' });
    for (const bad of [{ ...resume, clientSecret }, { type: 'publish' }, { ...resume, after: 1 }, null]) {
      assert.equal(parseResumeFrame(JSON.stringify(bad)), null);
    }
  });

  const BAD: Readonly<Record<string, unknown>> = {
    'no secret': { ...subscription, clientSecret: undefined },
    'an empty secret': { ...subscription, clientSecret: '' },
    'a long secret': { ...subscription, clientSecret: 'x'.repeat(256) },
    'a secret that is no string': { ...subscription, clientSecret: 1 },
    'a cursor with a null character': { ...subscription, after: 'evt_\u0000' },
    'an empty cursor': { ...subscription, after: '' },
    'a cursor of null': { ...subscription, after: null },
    'another type': { ...subscription, type: 'unsubscribe' },
    'an unknown field': { ...subscription, more: true },
    'a list': [subscription],
    nothing: null,
  };
  for (const [name, frame] of Object.entries(BAD)) {
    it(`are rejected with ${name}`, () => {
      assert.equal(parseSubscribeFrame(JSON.stringify(frame)), null);
    });
  }

  it('never make the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(parseSubscribeFrame(text), null);
      }),
    );
    assert.equal(parseSubscribeFrame('['.repeat(4_000)), null);
  });
});
