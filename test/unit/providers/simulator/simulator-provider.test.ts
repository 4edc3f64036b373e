import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterEach, describe, it } from 'mocha';
import { Webhook } from 'standardwebhooks';
import type { JsonObject } from '../../../../domain/json.ts';
import { CredentialsRefusedError, WebhookVerificationError } from '../../../../providers/provider-errors.ts';
import { closeServer, listenLocally } from '../../../support/local-server.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { ISSUER_DECLINE } from '../../../../providers/network-advice.ts';
import {
  adapterTo,
  SIMULATOR_API_KEY,
  SIMULATOR_WEBHOOK_SECRET,
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
} from '../../../support/simulator-harness.ts';

const request = requestWith(cardOf('4242424242424242'));
const PAYMENT_ID = 'sim_1';
const MONEY = { amountMinor: 1234, currency: 'USD' };

function paymentOf(changes: JsonObject): JsonObject {
  const amountCaptured = changes.status === 'captured' ? 1234 : 0;
  const base = { id: PAYMENT_ID, reference: request.attemptId, amount: 1234, currency: 'USD', amountCaptured };
  return { ...base, createdAt: '2026-01-01T00:00:00.000Z', ...changes };
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 20).trim()}…` : text;
}

describe('simulator adapter: answers', () => {
  let server: ScriptedServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function authorizeAgainst(answer: ScriptedAnswer | undefined, timeoutMs?: number) {
    server = await startScriptedServer(() => answer);
    return adapterTo(server.url, timeoutMs).authorize(request, newSignal());
  }

  const outcomes: readonly { readonly answer: JsonObject; readonly outcome: object }[] = [
    { answer: { status: 'captured' }, outcome: { kind: 'approved', ...MONEY, captured: true } },
    { answer: { status: 'authorized' }, outcome: { kind: 'approved', ...MONEY, captured: false } },
    {
      answer: { status: 'captured', amountCaptured: 1000 },
      outcome: { kind: 'approved', ...MONEY, captured: true, capturedMinor: 1000 },
    },
    {
      answer: { status: 'captured', amountCaptured: 1235 },
      outcome: { kind: 'approved', ...MONEY, captured: true, capturedMinor: 1235 },
    },
    {
      answer: { status: 'captured', amount: 1235, amountCaptured: 1235 },
      outcome: { kind: 'approved', ...MONEY, amountMinor: 1235, captured: true },
    },
    {
      answer: { status: 'authorized', amount: 1 },
      outcome: { kind: 'approved', ...MONEY, amountMinor: 1, captured: false },
    },
    ...['EUR', 'usd', 'US$', '840', 'US Dollar'].map((currency) => ({
      answer: { status: 'captured', currency },
      outcome: { kind: 'approved', ...MONEY, currency, captured: true },
    })),
    { answer: { status: 'pending' }, outcome: { kind: 'pending' } },
    {
      answer: { status: 'declined', declineCode: 'card_declined', networkCode: '05' },
      outcome: { kind: 'declined', code: 'CARD_DECLINED', ...ISSUER_DECLINE, networkCode: '05' },
    },
    {
      answer: { status: 'declined', declineCode: 'insufficient_funds' },
      outcome: { kind: 'declined', code: 'INSUFFICIENT_FUNDS', advice: 'later' },
    },
    {
      answer: { status: 'declined', declineCode: 'do_not_honor', merchantAdviceCode: '25' },
      outcome: { kind: 'declined', code: 'PAYMENT_DECLINED', advice: 'later', retryAfterSeconds: 86_400 },
    },
    {
      answer: { status: 'declined', declineCode: 'limit_exceeded' },
      outcome: { kind: 'declined', code: 'LIMIT_EXCEEDED', advice: 'later' },
    },
    {
      answer: { status: 'declined', declineCode: 'constructor' },
      outcome: { kind: 'declined', code: 'PAYMENT_DECLINED' },
    },
    {
      answer: { status: 'failed', failureReason: 'fraud_suspected' },
      outcome: { kind: 'failed', code: 'FRAUD_DETECTED', advice: 'never' },
    },
    {
      answer: { status: 'failed', failureReason: 'card 4242 4242 4242 4242 is broken' },
      outcome: {
        kind: 'failed',
        code: 'TSP_PAYMENT_FAILED',
        details: { providerResponse: { status: 'failed', failureReason: 'card [redacted] is broken' } },
      },
    },
    {
      answer: { status: 'declined', declineCode: 'expired_card' },
      outcome: { kind: 'declined', code: 'CARD_DECLINED', details: { reason: 'expired_card' }, advice: 'correct_data' },
    },
    {
      answer: { status: 'requires_action', action: { type: 'approve_in_app', app: 'upi' } },
      outcome: { kind: 'requires_action', nextAction: { type: 'approve_in_app', app: 'upi' } },
    },
    {
      answer: { status: 'requires_action', action: { type: 'approve_in_app', app: 'upi', link: 'upi://pay?pa=a@b' } },
      outcome: {
        kind: 'requires_action',
        nextAction: { type: 'approve_in_app', app: 'upi', link: 'upi://pay?pa=a@b' },
      },
    },
    {
      answer: {
        status: 'requires_action',
        action: { type: 'approve_in_app', app: 'upi', link: 'https://app.example' },
      },
      outcome: { kind: 'requires_action', nextAction: { type: 'approve_in_app', app: 'upi', link: undefined } },
    },
    {
      answer: { status: 'requires_action', action: { type: 'redirect', url: 'https://bank.example/3ds' } },
      outcome: { kind: 'requires_action', nextAction: { type: 'redirect', url: 'https://bank.example/3ds' } },
    },
  ];
  for (const { answer, outcome: expected } of outcomes) {
    it(`translates ${JSON.stringify(answer)} to ${JSON.stringify(expected)}`, async () => {
      const outcome = await authorizeAgainst({ status: 201, body: JSON.stringify(paymentOf(answer)) });
      assert.deepEqual(outcome, { providerPaymentId: PAYMENT_ID, ...expected });
    });
  }

  const outages: readonly { readonly answer: ScriptedAnswer; readonly code: string }[] = [
    { answer: { status: 500 }, code: 'TSP_ERROR' },
    { answer: { status: 502, body: '<html>' }, code: 'TSP_ERROR' },
    { answer: { status: 503 }, code: 'TSP_UNAVAILABLE' },
    { answer: { status: 429 }, code: 'TSP_UNAVAILABLE' },
    { answer: { status: 425 }, code: 'TSP_UNAVAILABLE' },
    { answer: { status: 408 }, code: 'TSP_TIMEOUT' },
    { answer: { status: 409, body: '{"error":{"code":"key_closed"}}' }, code: 'TSP_ERROR' },
    { answer: { status: 302 }, code: 'TSP_ERROR' },
    { answer: { status: 201, body: 'not json' }, code: 'TSP_ERROR' },
    { answer: { status: 201, body: '{}' }, code: 'TSP_ERROR' },
    { answer: { status: 201, body: JSON.stringify(paymentOf({ status: 'voided' })) }, code: 'TSP_ERROR' },
    ...[{ amount: 12.34 }, { amount: -1 }, { amount: '1234' }, { amount: null }, { currency: '' }, { currency: 7 }].map(
      (changes) => ({
        answer: { status: 201, body: JSON.stringify(paymentOf({ ...changes, status: 'captured' })) },
        code: 'TSP_ERROR',
      }),
    ),
    {
      answer: { status: 201, body: JSON.stringify(paymentOf({ status: 'captured', reference: 'att_other' })) },
      code: 'TSP_ERROR',
    },
    { answer: { status: 201, body: ' '.repeat(9 * 1024 * 1024) }, code: 'TSP_ERROR' },
    {
      answer: {
        status: 201,
        body: JSON.stringify(
          paymentOf({ status: 'requires_action', action: { type: 'redirect', url: 'javascript:alert(1)' } }),
        ),
      },
      code: 'TSP_ERROR',
    },
  ];
  for (const { answer, code } of outages) {
    const shown = `${answer.status} ${shortened(answer.body ?? '')}`;
    it(`treats ${shown} as an unknown outcome, ${code}`, async () => {
      await assert.rejects(authorizeAgainst(answer), { name: 'ProviderOutageError', code });
    });
  }

  it('treats a missing answer as a timeout', async () => {
    await assert.rejects(authorizeAgainst(undefined, 50), { code: 'TSP_TIMEOUT' });
  });

  it('treats an incomplete answer as an unknown outcome', async () => {
    const broken = createServer((_request, response) => {
      response.writeHead(201, { 'content-length': 100 });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    });
    const waiting = adapterTo(await listenLocally(broken)).authorize(request, newSignal());
    await assert.rejects(waiting, { code: 'TSP_UNAVAILABLE' });
    broken.close();
  });

  it('stops reading an endless answer', async () => {
    const slow = createServer((_request, response) => {
      response.writeHead(201).write('{');
    });
    const waiting = adapterTo(await listenLocally(slow), 50).authorize(request, newSignal());
    await assert.rejects(waiting, { code: 'TSP_TIMEOUT' });
    await closeServer(slow);
  });

  it('returns a refusal of unknown shape, redacted', async () => {
    const body = JSON.stringify({ fault: { kind: 'E-1', text: 'card 4242-4242-4242-4242', cvc: '123' } });
    assert.deepEqual(await authorizeAgainst({ status: 422, body }), {
      kind: 'unrecognised',
      providerResponse: { status: 422, body: { fault: { kind: 'E-1', text: 'card [redacted]', cvc: '[redacted]' } } },
    });
    await server?.close();
    assert.deepEqual(await authorizeAgainst({ status: 400, body: 'no 4242424242424242' }), {
      kind: 'unrecognised',
      providerResponse: { status: 400, body: 'no [redacted]' },
    });
  });

  it('reports a captured amount and currency that differ from the request', async () => {
    const payment = paymentOf({ status: 'captured', amountCaptured: 1001, currency: 'EUR' });
    server = await startScriptedServer(() => ({ status: 200, body: JSON.stringify(payment) }));
    const outcome = await adapterTo(server.url).capture({ ...request, amountMinor: 1000 }, newSignal());
    assert.deepEqual(outcome, {
      kind: 'captured',
      providerPaymentId: PAYMENT_ID,
      capturedMinor: 1001,
      currency: 'EUR',
    });
  });

  const refundRequest = {
    ...request,
    refundId: 're_1',
    providerPaymentId: PAYMENT_ID,
    amountMinor: 300,
    currency: 'USD',
  };
  const refundAnswers = [
    { status: 'succeeded', kind: 'refunded' },
    { status: 'pending', kind: 'pending' },
  ];
  for (const { status, kind } of refundAnswers) {
    it(`reports the amount and currency of a refund that is ${status}, also if they differ from the request`, async () => {
      const refund = { id: 'simre_1', reference: 're_1', status, amount: 301, currency: 'usd' };
      server = await startScriptedServer(({ path }) => ({
        status: 200,
        body: JSON.stringify(path === '/v1/refunds' ? refund : { result: 'found', refund }),
      }));
      const adapter = adapterTo(server.url);
      const reported = { kind, providerRefundId: 'simre_1', amountMinor: 301, currency: 'usd' };
      assert.deepEqual(await adapter.refund(refundRequest, newSignal()), reported);
      assert.deepEqual(
        await adapter.inquireRefund({ ...refundRequest, loadReported: () => Promise.resolve(null) }, newSignal()),
        reported,
      );
    });
  }

  it('returns a closed refund key as an answer, and treats the key of another request as an outage', async () => {
    const refusedWith = async (code: string) => {
      server = await startScriptedServer(() => ({ status: 409, body: JSON.stringify({ error: { code } }) }));
      return adapterTo(server.url).refund(refundRequest, newSignal());
    };
    assert.deepEqual(await refusedWith('key_closed'), {
      kind: 'unrecognised',
      providerResponse: { status: 409, body: { error: { code: 'key_closed' } } },
    });
    await server?.close();
    await assert.rejects(refusedWith('idempotency_conflict'), { code: 'TSP_ERROR' });
  });

  it('never treats a refused inquiry as an answer', async () => {
    server = await startScriptedServer(() => ({ status: 401, body: '{}' }));
    await assert.rejects(adapterTo(server.url).inquire(request, newSignal()), CredentialsRefusedError);
  });

  it('leaves open what has a status that is new', async () => {
    const outcome = await authorizeAgainst({ status: 201, body: JSON.stringify(paymentOf({ status: 'teleported' })) });
    assert.deepEqual(outcome, { kind: 'pending', providerPaymentId: PAYMENT_ID });
  });

  it("sends the attempt's id as idempotency key, and authenticates", async () => {
    await authorizeAgainst({ status: 201, body: JSON.stringify(paymentOf({ status: 'captured' })) });
    const [received] = server?.received ?? [];
    assert.equal(received?.headers['idempotency-key'], request.attemptId);
    assert.equal(received?.headers.authorization, `Bearer ${SIMULATOR_API_KEY}`);
    assert.equal(received?.path, '/v1/payments');
  });
});

describe('simulator adapter: webhooks', () => {
  const adapter = adapterTo('http://127.0.0.1');
  const captured = paymentOf({ status: 'captured' });

  function signed(body: JsonObject, { at = new Date(), secret = SIMULATOR_WEBHOOK_SECRET } = {}) {
    const rawBody = Buffer.from(JSON.stringify(body));
    const headers = {
      'webhook-id': 'simevt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('simevt_1', at, rawBody),
    };
    return { rawBody, headers };
  }

  it('translates an event with a valid signature', () => {
    const { rawBody, headers } = signed({ id: 'simevt_1', type: 'payment.updated', data: captured });
    assert.deepEqual(adapter.parseWebhook(rawBody, headers).events[0], {
      provider: 'beta',
      eventId: 'simevt_1',
      attemptId: request.attemptId,
      outcome: { kind: 'approved', providerPaymentId: PAYMENT_ID, ...MONEY, captured: true },
    });
  });

  const outcomeIn = (data: JsonObject) => {
    const { rawBody, headers } = signed({ id: 'simevt_1', type: 'payment.updated', data });
    const [translated] = adapter.parseWebhook(rawBody, headers).events;
    assert.ok(translated !== undefined && 'outcome' in translated);
    return translated.outcome;
  };

  it('translates a voided payment to not charged, with the voided hold', () => {
    assert.deepEqual(outcomeIn(paymentOf({ status: 'voided' })), { kind: 'not_charged' });
    assert.deepEqual(outcomeIn(paymentOf({ status: 'voided', amountVoided: 0 })), { kind: 'not_charged' });
    assert.deepEqual(outcomeIn(paymentOf({ status: 'voided', amountVoided: 1235, currency: 'EUR' })), {
      kind: 'not_charged',
      voided: { providerPaymentId: PAYMENT_ID, amountMinor: 1235, currency: 'EUR' },
    });
  });

  it('reports the amount and currency of the event, whatever was requested', () => {
    assert.deepEqual(outcomeIn(paymentOf({ status: 'captured', amount: 1, amountCaptured: 1, currency: 'usd' })), {
      kind: 'approved',
      providerPaymentId: PAYMENT_ID,
      amountMinor: 1,
      currency: 'usd',
      captured: true,
    });
  });

  it('reports a dispute, of which it keeps a status that it does not know, and a warning of fraud', () => {
    const data = {
      id: 'simdp_1',
      reference: request.attemptId,
      stage: 'chargeback',
      status: 'needs_response',
      step: 'opened',
      reason: 'duplicate',
      amount: 301,
      currency: 'usd',
      funds: 'withdrawn',
      respondBy: '2026-02-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const eventIn = (type: string, content: JsonObject) => {
      const { rawBody, headers } = signed({ id: 'simevt_1', type, data: content });
      return adapter.parseWebhook(rawBody, headers).events[0];
    };
    const dispute = {
      attemptId: request.attemptId,
      providerReference: 'simdp_1',
      providerEvent: 'dispute.opened',
      stage: 'chargeback',
      status: 'needs_response',
      unknownStatus: null,
      reason: 'duplicate',
      networkReasonCode: null,
      amountMinor: 301,
      currency: 'usd',
      respondBy: '2026-02-01T00:00:00.000Z',
      isDefendable: true,
      funds: 'withdrawn',
      occurredAt: '2026-01-01T00:00:00.000Z',
    };
    const reference = { provider: 'beta', eventId: 'simevt_1' };
    assert.deepEqual(eventIn('dispute.updated', data), { ...reference, dispute });
    const escalated = { ...dispute, status: null, unknownStatus: 'escalated' };
    assert.deepEqual(eventIn('dispute.updated', { ...data, status: 'escalated' }), {
      ...reference,
      dispute: escalated,
    });
    const { attemptId } = request;
    const fraudWarning = { attemptId, providerEvent: 'payment.fraud_warning', providerReference: 'simfw_1' };
    const warning = eventIn('payment.fraud_warning', { id: 'simfw_1', reference: attemptId });
    assert.deepEqual(warning, { ...reference, fraudWarning });
  });

  it('reports the amount and currency of a refund', () => {
    const data = { id: 'simre_1', reference: 're_1', status: 'succeeded', amount: 301, currency: 'usd' };
    const { rawBody, headers } = signed({ id: 'simevt_1', type: 'refund.updated', data });
    assert.deepEqual(adapter.parseWebhook(rawBody, headers).events[0], {
      provider: 'beta',
      eventId: 'simevt_1',
      refundId: 're_1',
      refundOutcome: { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 301, currency: 'usd' },
    });
  });

  it('ignores other kinds of events', () => {
    const { rawBody, headers } = signed({ id: 'simevt_1', type: 'account.updated', data: {} });
    assert.deepEqual(adapter.parseWebhook(rawBody, headers).events, []);
  });

  const event = { id: 'simevt_1', type: 'payment.updated', data: captured };
  const signedWith = (signature: string | string[] | undefined) => {
    const { rawBody, headers } = signed(event);
    return { rawBody, headers: { ...headers, 'webhook-signature': signature } };
  };
  const tampered = Buffer.from(JSON.stringify(event).replace('captured', 'declined'));
  // Signed during each test, because signatures expire.
  const refused = {
    'a changed body': () => ({ ...signed(event), rawBody: tampered }),
    'another secret': () => signed(event, { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }),
    'an old time': () => signed(event, { at: new Date(Date.now() - 6 * 60_000) }),
    'a time to come': () => signed(event, { at: new Date(Date.now() + 6 * 60_000) }),
    'no signature': () => signedWith(undefined),
    'two signature headers': () => signedWith(['v1,a', 'v1,b']),
    'a signature without a value': () => signedWith('v1'),
    'an event in no known form': () => signed({ hello: 'world' }),
    'a payment in no known form': () => signed({ id: 'simevt_1', type: 'payment.updated', data: {} }),
  };
  for (const [what, make] of Object.entries(refused)) {
    it(`rejects ${what}`, () => {
      const { rawBody, headers } = make();
      assert.throws(() => adapter.parseWebhook(rawBody, headers).events, WebhookVerificationError);
    });
  }
});
