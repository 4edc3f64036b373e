import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { describe, it } from 'mocha';
import { Webhook } from 'standardwebhooks';
import { toApiError } from '../../../http/errors.ts';
import { readBody } from '../../../http/request-body.ts';
import {
  createProviderWebhookHandler,
  type ProviderWebhookDependencies,
  receiveProviderEvent,
} from '../../../api/provider-webhooks.ts';
import { attemptIdOf, strayChargeIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { ProviderEvent, ProviderEventReference, RefundProviderEvent } from '../../../domain/provider-outcome.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { MAXIMUM_EVENTS_OF_SUBJECT } from '../../../prisma/queries/provider-event.ts';
import { createSimulatorProvider } from '../../../providers/simulator/simulator-provider.ts';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertMerchantAccount, insertPaymentAttempt, insertRefund } from '../../support/payment-rows.ts';
import { insertCustomer, saveCard } from '../../support/saved-cards.ts';
import { insertProviderAccount } from '../../support/provider-accounts.ts';
import { UNREACHABLE_URL } from '../../support/simulator-harness.ts';
import { closeServer, listenLocally } from '../../support/local-server.ts';

type Delivery = 'delivered' | 'finished' | 'not_started' | TemporalUnavailableError;

interface RecordedAttempt {
  readonly outcome?: string;
  readonly startedAt?: Date;
  readonly status?: string;
}

/** Serves webhooks below an address of its own. */
async function serve(dependencies: ProviderWebhookDependencies) {
  const app = express();
  const reportStatus: ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(toApiError(error).status).end();
  app.post('/:provider', readBody, createProviderWebhookHandler(dependencies)).use(reportStatus);
  const server = createServer(app);
  return { url: await listenLocally(server), close: () => closeServer(server) };
}

const LONG_AGO = new Date(Date.now() - 60_000);

describe('provider webhooks', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** The dependencies with scripted workflows; `delivery` is the result of each signal. */
  function engine(delivery: Delivery) {
    const delivered: string[] = [];
    const warnings: string[] = [];
    const skipped: object[] = [];
    const deliver = (id: string) => {
      delivered.push(id);
      return delivery instanceof Error ? Promise.reject(delivery) : Promise.resolve(delivery);
    };
    const dependencies = {
      database: test.database,
      workflows: { deliverProviderEvent: deliver },
      refundWorkflows: { deliverRefundEvent: deliver },
      logger: {
        info: (fields: object) => void skipped.push(fields),
        warn: (_fields: object, message: string) => void warnings.push(message),
      },
    };
    return { take: receiveProviderEvent.bind(null, dependencies), dependencies, delivered, warnings, skipped };
  }

  const approvalOf = (attemptId: string): ProviderEvent => ({
    provider: 'alpha',
    eventId: newId('event'),
    attemptId,
    outcome: { kind: 'approved', providerPaymentId: 'sim_1', captured: true, amountMinor: 1_000, currency: 'USD' },
  });

  /** Inserts an intent with one attempt. @returns also the event of the attempt's approval */
  async function insertAttempt({ outcome, startedAt = LONG_AGO, status = 'requires_action' }: RecordedAttempt = {}) {
    const paymentIntentId = await test.insertIntent({ status });
    const attempt = { outcome: outcome ?? null, startedAt };
    const id = await insertPaymentAttempt(test.database, paymentIntentId, attempt);
    return { paymentIntentId, event: approvalOf(id) };
  }

  async function refunding(overrides: Parameters<typeof insertRefund>[2] = {}) {
    const paymentIntentId = await test.insertIntent({ status: 'succeeded' });
    const row = { createdAt: LONG_AGO, provider: 'alpha', ...overrides };
    return { paymentIntentId, event: newsOf(await insertRefund(test.database, paymentIntentId, row)) };
  }

  const REFUSED = { kind: 'refused', providerRefundId: 'simre_1' } as const;

  const newsOf = (refundId: string): RefundProviderEvent => ({
    provider: 'alpha',
    eventId: newId('event'),
    refundId,
    refundOutcome: { kind: 'refunded', providerRefundId: 'simre_1', amountMinor: 300, currency: 'USD' },
  });

  const keptOf = ({ provider, eventId }: ProviderEventReference) =>
    test.database.providerEvent.findUnique({ where: { provider_eventId: { provider, eventId } } });

  for (const delivery of ['delivered', 'finished'] as const) {
    const words =
      delivery === 'finished'
        ? 'leave an event to the sweeper when the workflow has ended'
        : 'note an event as done when the workflow has it';
    it(words, async () => {
      const { take, delivered } = engine(delivery);
      const { paymentIntentId, event: approval } = await insertAttempt();
      const event = { ...approval, outcome: { kind: 'pending', providerPaymentId: 'sim_1' } } as const;
      await take(event);
      assert.deepEqual(delivered, [paymentIntentId]);
      const kept = await keptOf(event);
      assert.equal(kept?.deliveredAt !== null, delivery === 'delivered');
      assert.deepEqual(kept?.event, event);
    });
  }

  it('leave the report of a charge to the sweeper even where the workflow has the signal', async () => {
    const { take, delivered } = engine('delivered');
    const { paymentIntentId, event } = await insertAttempt();
    await take(event);
    assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[paymentIntentId], null]);
  });

  for (const [what, delivery] of [
    ['that arrives before its workflow starts', 'not_started'],
    ['while Temporal is unavailable', new TemporalUnavailableError('away')],
  ] as const) {
    it(`store an event ${what}, for later delivery`, async () => {
      const { paymentIntentId, event } = await insertAttempt();
      await engine(delivery).take(event);
      const kept = await keptOf(event);
      assert.deepEqual([kept?.paymentIntentId, kept?.deliveredAt], [paymentIntentId, null]);
    });
  }

  it('deliver an event once, however often it is sent', async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt();
    await Promise.all([take(event), take(event), take(event)]);
    await take(event);
    assert.equal(delivered.length, 1);
  });

  for (const [what, attempt] of [
    ['an attempt whose end is recorded', { outcome: 'approved' }],
    [
      'an attempt whose reply is likely on its way',
      { status: 'processing', startedAt: new Date(Date.now() + HOUR_MS) },
    ],
  ] as const) {
    it(`leave an event about ${what} to the sweeper`, async () => {
      const { take, delivered } = engine('delivered');
      const { event } = await insertAttempt(attempt);
      await take(event);
      assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
    });
  }

  it('leave an event to the sweeper if its attempt ended while the workflow received it', async () => {
    const { dependencies } = engine('delivered');
    const { event: approval } = await insertAttempt();
    const event = { ...approval, outcome: { kind: 'not_charged' } } as const;
    const deliverProviderEvent = async () => {
      await test.database.paymentAttempt.update({ where: { id: event.attemptId }, data: { outcome: 'approved' } });
      return 'delivered' as const;
    };
    await receiveProviderEvent({ ...dependencies, workflows: { deliverProviderEvent } }, event);
    assert.equal((await keptOf(event))?.deliveredAt, null);
  });

  it('leave an event about an attempt that is not recorded to the sweeper', async () => {
    const { take, delivered } = engine('delivered');
    const event = approvalOf(attemptIdOf(newId('paymentIntent'), 1));
    await take(event);
    assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
  });

  it('deliver at once an event about an attempt that has waited long for its reply', async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt({ status: 'processing' });
    await take(event);
    assert.equal(delivered.length, 1);
  });

  it('store no event about an attempt that does not exist', async () => {
    const { take, warnings } = engine('delivered');
    const event = approvalOf('order-42');
    await take(event);
    assert.deepEqual([await keptOf(event), warnings.length], [null, 1]);
  });

  it('deliver an event about a refund to the workflow of the refund', async () => {
    const { take, delivered } = engine('delivered');
    const { paymentIntentId, event } = await refunding();
    await take(event);
    await take(event);
    assert.deepEqual(delivered, [event.refundId]);
    assert.equal((await keptOf(event))?.paymentIntentId, paymentIntentId);
  });

  for (const [what, row] of [
    ['that has ended', { status: 'succeeded' }],
    ['whose reply is likely on its way', { createdAt: new Date(Date.now() + HOUR_MS) }],
  ] as const) {
    it(`leave an event about a refund ${what} to the sweeper`, async () => {
      const { take, delivered } = engine('delivered');
      const { event } = await refunding(row);
      await take(event);
      assert.deepEqual([delivered, (await keptOf(event))?.deliveredAt], [[], null]);
    });
  }

  it("store no event of an account at a provider about another merchant account's payment", async () => {
    const { take, delivered } = engine('delivered');
    const { event } = await insertAttempt();
    const { event: ofRefund } = await refunding();
    const foreign = await insertProviderAccount(test.database, await insertMerchantAccount(test.database));
    const unknown = approvalOf(attemptIdOf(newId('paymentIntent'), 1));
    for (const each of [event, unknown, { ...ofRefund, refundId: strayChargeIdOf(event.attemptId) }]) {
      const forged = { ...each, provider: foreign };
      await take(forged);
      assert.equal(await keptOf(forged), null);
    }
    assert.deepEqual(delivered, []);
    const own = { ...event, provider: await insertProviderAccount(test.database, test.account) };
    await take(own);
    assert.equal(delivered.length, 1);
  });

  it('that a merchant can sign itself are stored up to a number for each payment, and those of other providers all', async () => {
    const { take } = engine('delivered');
    const provider = await insertProviderAccount(test.database, test.account);
    const { paymentIntentId, event } = await insertAttempt();
    const refundId = await insertRefund(test.database, paymentIntentId, { createdAt: LONG_AGO, provider });
    const rows = Array.from({ length: MAXIMUM_EVENTS_OF_SUBJECT - 1 }, (_, index) => ({
      provider,
      eventId: `earlier-${index}`,
      paymentIntentId,
      event: {},
    }));
    await test.database.providerEvent.createMany({ data: rows });
    const [last, beyond] = [1, 2].map(() => ({ ...event, provider, eventId: newId('event') }));
    const ofAnother = { ...(await insertAttempt()).event, provider };
    const ofRefund = { ...newsOf(refundId), provider };
    const events = [last, beyond, ofAnother, event, ofRefund].map((each) => each ?? event);
    for (const each of events) await take(each);
    const kept = await Promise.all(events.map(keptOf));
    assert.deepEqual(
      kept.map((row) => row !== null),
      [true, false, true, true, true],
    );
  });

  it('that a merchant can sign itself are limited in a minute, and those of the installation are not', async () => {
    const { dependencies } = engine('delivered');
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const settings = { url: UNREACHABLE_URL, apiKey: 'key', webhookSecret: secret, timeoutMs: 1_000 };
    const { url, close } = await serve({
      ...dependencies,
      findProvider: (name) => Promise.resolve(createSimulatorProvider({ ...settings, name })),
      webhooksOfAccountPerMinute: 2,
    });
    const post = async (provider: string) => {
      const [id, body] = [newId('event'), JSON.stringify({ id: 'simevt_1', type: 'other', data: {} })];
      const at = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      };
      return (await fetch(`${url}/${provider}`, { method: 'POST', headers, body })).status;
    };
    const [own, another] = ['a', 'b'].map((digit) => `simulator_${digit.repeat(32)}`);
    const statuses: number[] = [];
    for (const provider of [own, own, own, another, 'alpha', 'alpha', 'alpha'])
      statuses.push(await post(provider ?? ''));
    await close();
    assert.deepEqual(statuses, [200, 200, 429, 200, 200, 200, 200]);
  });

  it('are acknowledged and skipped where they have text that the database cannot store', async () => {
    const { dependencies, skipped } = engine('delivered');
    const { event } = await insertAttempt();
    const texts = ['a\0', 'a\ud83d', '\udf00a', 'a\\\0', 'a\\u0000', 'a\u{1f600}'];
    const settings = { name: 'alpha', url: UNREACHABLE_URL, apiKey: 'key', timeoutMs: 1_000 };
    const simulator = createSimulatorProvider({
      ...settings,
      webhookSecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    });
    const statuses: number[] = [];
    for (const text of texts) {
      const parseWebhook = () => ({ events: [{ ...event, eventId: `${newId('event')} ${text}` }], skipped: [] });
      const { url, close } = await serve({
        ...dependencies,
        findProvider: () => Promise.resolve({ ...simulator, parseWebhook }),
      });
      statuses.push((await fetch(`${url}/alpha`, { method: 'POST', body: '{}' })).status);
      await close();
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200]);
    assert.equal(skipped.length, 4);
  });

  it('store no event about an unknown refund, or a refund at another provider', async () => {
    const { take, warnings } = engine('delivered');
    const elsewhere = (await refunding({ provider: 'beta' })).event;
    const unknown = newsOf(newId('refund'));
    await take(elsewhere);
    await take(unknown);
    assert.deepEqual([await keptOf(elsewhere), await keptOf(unknown), warnings.length], [null, null, 2]);
  });

  it('keep an event about the refund of a stray charge for its workflow to read', async () => {
    const { take, delivered, warnings } = engine('delivered');
    const { paymentIntentId } = await insertAttempt();
    const attemptId = attemptIdOf(paymentIntentId, 1);
    const charge = { attemptId, paymentIntentId, merchantAccountId: test.account, environment: 'sandbox' };
    await test.database.strayCharge.create({ data: { ...charge, provider: 'alpha' } });
    const ofReversal = newsOf(strayChargeIdOf(attemptId));
    const elsewhere = { ...newsOf(strayChargeIdOf(attemptId)), provider: 'beta' };
    await take(ofReversal);
    await take(elsewhere);
    assert.ok((await keptOf(ofReversal))?.deliveredAt);
    assert.deepEqual([await keptOf(elsewhere), delivered, warnings.length], [null, [], 1]);
    const refusal = { ...ofReversal, eventId: newId('event'), refundOutcome: REFUSED };
    await take(refusal);
    assert.deepEqual([(await keptOf(refusal))?.deliveredAt, delivered], [null, []], 'it may come after a success');
  });

  describe("that name a payment only by the provider's id", () => {
    const insertCharged = async () => {
      const { paymentIntentId } = await insertAttempt({ outcome: 'approved', status: 'requires_capture' });
      const [id, providerPaymentId] = [attemptIdOf(paymentIntentId, 1), newId('event')];
      await test.database.paymentAttempt.update({ where: { id }, data: { providerPaymentId } });
      return { attemptId: id, paymentIntentId, providerPaymentId };
    };
    const money = { amountMinor: 300, currency: 'USD' };
    const unknownRefund = { providerRefundId: 'PSP2', status: 'succeeded', ...money } as const;

    it('are stored for its attempt: a cancellation for its workflow, a refund for the sweeper', async () => {
      const { take, delivered } = engine('delivered');
      const { attemptId, paymentIntentId, providerPaymentId } = await insertCharged();
      const outcome = { kind: 'not_charged', voided: { providerPaymentId, ...money } } as const;
      for (const [report, identified] of [
        [{ outcome }, { attemptId, outcome }],
        [{ unknownRefund }, { unknownRefund: { attemptId, ...unknownRefund } }],
      ] as const) {
        const reference = { provider: 'alpha', eventId: newId('event') };
        await take({ ...reference, providerPaymentId, report });
        const kept = await keptOf(reference);
        assert.deepEqual(kept?.event, { ...reference, ...identified });
        assert.deepEqual([kept.paymentIntentId, kept.deliveredAt], [paymentIntentId, null]);
      }
      assert.deepEqual(delivered, []);
    });

    it('are not stored if the payment belongs to another system, or is at another provider', async () => {
      const { take, warnings } = engine('delivered');
      const { providerPaymentId } = await insertCharged();
      for (const [provider, id] of [
        ['alpha', 'PSP9'],
        ['beta', providerPaymentId],
      ] as const) {
        const reference = { provider, eventId: newId('event') };
        await take({ ...reference, providerPaymentId: id, report: { unknownRefund } });
        assert.equal(await keptOf(reference), null);
      }
      assert.deepEqual(warnings, []);
    });
  });

  it('keep the refusal of a capture for the activity that repeats the capture to read', async () => {
    const { take, delivered } = engine('delivered');
    const { paymentIntentId } = await insertAttempt();
    const attemptId = attemptIdOf(paymentIntentId, 1);
    const refusal = {
      provider: 'alpha',
      eventId: newId('event'),
      captureRefusal: { attemptId, captureReference: 'PSP2', providerResponse: {} },
    };
    await take(refusal);
    assert.ok((await keptOf(refusal))?.deliveredAt);
    assert.deepEqual(delivered, []);
  });

  it('about saved cards have the provider asked about its tokens, and store nothing', async () => {
    const customerId = await insertCustomer(test.database, test.account);
    const { id: paymentIntentId } = await saveCard(test.database, test.account, { customerId });
    const { id } = await test.database.savedPaymentMethod.findFirstOrThrow({ where: { customerId } });
    const { dependencies } = engine('delivered');
    const credentialsOf = (status: string) => ({ where: { savedPaymentMethodId: id }, data: { status } });
    const dueAfter = async (provider: string): Promise<boolean> => {
      await test.database.savedPaymentMethodCredential.updateMany(credentialsOf('active'));
      await test.database.savedPaymentMethod.update({ where: { id }, data: { nextDueAt: null } });
      const credentials = { attemptId: attemptIdOf(paymentIntentId, 1) };
      await receiveProviderEvent(dependencies, { provider, eventId: newId('event'), credentials });
      const { nextDueAt, credentials: known } = await test.database.savedPaymentMethod.findUniqueOrThrow({
        where: { id },
        include: { credentials: true },
      });
      return nextDueAt !== null && known.every(({ status }) => status === 'pending');
    };
    assert.deepEqual([await dueAfter('alpha'), await dueAfter('beta')], [true, false]);
    assert.equal(await test.database.providerEvent.count({ where: { paymentIntentId } }), 0);
  });

  it('leave the refusal of a refund to the sweeper even where its workflow has the signal', async () => {
    const { take, delivered } = engine('delivered');
    const refusal = { ...(await refunding()).event, refundOutcome: REFUSED };
    await take(refusal);
    assert.deepEqual([(await keptOf(refusal))?.deliveredAt, delivered], [null, [refusal.refundId]]);
  });
});
