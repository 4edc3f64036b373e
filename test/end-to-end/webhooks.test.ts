import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Webhook as SvixWebhook } from 'svix';
import { webhookDeliveryResource, webhookRedeliveryResource } from '../../contract/schemas/webhook-delivery.ts';
import { webhookEndpointResource, webhookTestResource } from '../../contract/schemas/webhook-endpoint.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { readCurrentDetails } from '../support/current-details.ts';
import { eventually } from '../support/eventually.ts';
import { useMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { resourceOf, resourcePageOf } from '../support/resources.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { queryStack } from '../support/stack-database.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';
import { isSignedBy, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { endpointWithSecret } from '../support/responses-with-secrets.ts';

/** The events of a payment that succeeds at once, in order. */
const EVENT_TYPES = [
  'payment_intent.created',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'transaction.created',
];

describe('webhooks', function () {
  this.timeout(3 * MINUTE_MS);
  const receivers: WebhookReceiver[] = [];
  const { merchant, send } = useMerchant();
  afterEach(async () => {
    const { data } = resourcePageOf(await send('GET', '/webhook-endpoints'), webhookEndpointResource);
    for (const { id } of data) await send('DELETE', `/webhook-endpoints/${id}`, {});
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  const listen = async (): Promise<WebhookReceiver> => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    return receiver;
  };
  const register = async (url: string, fields: object = {}) =>
    resourceOf(await send('POST', '/webhook-endpoints', { url, ...fields }), endpointWithSecret, 201);
  const pay = async (): Promise<string> => {
    const payment = await createPayment({}, merchant.credentials);
    await payment.confirm(card('approved'));
    return payment.id;
  };
  const deliveriesOf = async (eventId: string) =>
    resourcePageOf(await send('GET', `/events/${eventId}/deliveries`), webhookDeliveryResource).data;
  const isAbout =
    (paymentIntentId: string, type?: string) =>
    ({ event }: WebhookReceiver['received'][number]): boolean => {
      const { data } = event;
      const subject = 'paymentIntentId' in data ? data.paymentIntentId : data.id;
      return subject === paymentIntentId && (type === undefined || event.type === type);
    };

  it('deliver all events of a payment in order, equal to those of REST, signed', async () => {
    const receiver = await listen();
    const { secret } = await register(receiver.url);
    const paid = await pay();
    await eventually(async () => assert.equal(receiver.received.filter(isAbout(paid)).length, EVENT_TYPES.length));
    const webhooks = receiver.received.filter(isAbout(paid));
    const sequences = webhooks.map(({ event }) => event.sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((left, right) => left - right),
    );
    assert.deepEqual(webhooks.map(({ event }) => event.type).sort(), EVENT_TYPES.toSorted());
    for (const webhook of webhooks) {
      const { headers, body, event } = webhook;
      assert.equal(headers['webhook-id'], event.id);
      assert.equal(headers['content-type'], 'application/json');
      assert.ok(isSignedBy(secret, webhook));
      const strings = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      assert.doesNotThrow(() => new SvixWebhook(secret).verify(body, strings));
      const { body: shown } = await send('GET', `/events/${event.id}`);
      assert.deepEqual(shown, { success: true, data: JSON.parse(body) });
    }
  });

  it('are delivered to a healthy endpoint without waiting for a dead and a slow one', async () => {
    const fine = await listen();
    const slow = await listen();
    slow.answerWith(() => ({ status: 200, delayMs: 10 * SECOND_MS }));
    const dead = await listen();
    const [{ id: fineId }] = [await register(fine.url), await register(slow.url), await register(dead.url)];
    await dead.close();
    const paid = await Promise.all(Array.from({ length: 5 }, pay));
    for (const id of paid) {
      const { atMs } = await fine.find(isAbout(id, 'payment_intent.succeeded'));
      const late = slow.received.find(isAbout(id, 'payment_intent.succeeded'));
      assert.ok(late === undefined || late.atMs > atMs, 'the slow one cannot be through yet');
    }
    for (const { event } of fine.received) {
      await eventually(async () => {
        const delivery = (await deliveriesOf(event.id)).find(({ webhookEndpointId }) => webhookEndpointId === fineId);
        assert.deepEqual([delivery?.status, delivery?.attempts.length], ['delivered', 1]);
      });
    }
  });

  it('are retried after a failure, in order, with every attempt in the API', async () => {
    const receiver = await listen();
    receiver.answerWith((count) => (count === 1 ? { status: 503, body: 'back soon' } : { status: 200, body: 'ok' }));
    await register(receiver.url);
    const paid = await pay();
    const last = await receiver.find(isAbout(paid, 'payment_intent.succeeded'));
    const [failed, ...others] = receiver.received;
    assert.ok(failed);
    assert.deepEqual(
      others.map(({ event }) => event.sequence),
      others.map(({ event }) => event.sequence).toSorted((left, right) => left - right),
    );
    assert.equal(others[0]?.event.id, failed.event.id);
    assert.notEqual(last.event.id, failed.event.id);
    await eventually(async () => {
      const [delivery] = await deliveriesOf(failed.event.id);
      assert.deepEqual(
        delivery?.attempts.map(({ number, statusCode, error, responseBody }) => [
          number,
          statusCode,
          error,
          responseBody,
        ]),
        [
          [1, 503, 'status_not_2xx', 'back soon'],
          [2, 200, null, 'ok'],
        ],
      );
      assert.deepEqual([delivery.status, delivery.nextAttemptAt], ['delivered', null]);
    });
  });

  it('have two signatures during a rotation', async () => {
    const receiver = await listen();
    const { id, secret: older } = await register(receiver.url);
    const rotate = async (overlapSeconds: number) => {
      const answer = await send('POST', `/webhook-endpoints/${id}/rotate-secret`, { overlapSeconds });
      return resourceOf(answer, endpointWithSecret).secret;
    };
    const newer = await rotate(3_600);
    const both = await receiver.find(isAbout(await pay()));
    assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2);
    assert.deepEqual([isSignedBy(newer, both), isSignedBy(older, both)], [true, true]);
    const newest = await rotate(0);
    const one = await receiver.find(isAbout(await pay()));
    assert.deepEqual([isSignedBy(newest, one), isSignedBy(newer, one)], [true, false]);
  });

  it('can be tested with a test event, which is delivered to that endpoint only', async () => {
    const [tested, other] = [await listen(), await listen()];
    const { id } = await register(tested.url, { enabledEvents: ['refund.failed'] });
    await register(other.url);
    const answer = resourceOf(await send('POST', `/webhook-endpoints/${id}/test`, {}), webhookTestResource);
    const { event } = await tested.find(({ headers }) => headers['webhook-id'] === answer.eventId);
    assert.equal(event.type, 'webhook_endpoint.test');
    assert.deepEqual([event.data.object, event.data.id], ['webhook_endpoint', id]);
    assert.ok(!JSON.stringify(event).includes('whsec_'));
    const tests = other.received.filter(({ event: { type } }) => type === 'webhook_endpoint.test');
    assert.deepEqual(tests, []);
  });

  it('are redelivered on request, to one endpoint or to all', async () => {
    const [first, second] = [await listen(), await listen()];
    const { id } = await register(first.url, { enabledEvents: ['payment_intent.created'] });
    await register(second.url, { enabledEvents: ['payment_intent.created'] });
    const { event } = await first.find(isAbout(await pay()));
    await second.find(({ event: { id: eventId } }) => eventId === event.id);
    await eventually(async () => {
      const statuses = (await deliveriesOf(event.id)).map(({ status }) => status);
      assert.deepEqual(statuses, ['delivered', 'delivered']);
    });
    const redeliver = async (body: object) =>
      resourceOf(await send('POST', `/events/${event.id}/redeliver`, body), webhookRedeliveryResource).deliveries;
    const [once, ...none] = await redeliver({ webhookEndpointId: id });
    assert.deepEqual([once?.webhookEndpointId, none.length], [id, 0]);
    await eventually(async () => assert.deepEqual([first.received.length, second.received.length], [2, 1]));
    await eventually(async () => {
      const statuses = (await deliveriesOf(event.id)).map(({ status }) => status);
      assert.deepEqual(statuses, ['delivered', 'delivered', 'delivered']);
    });
    assert.equal((await redeliver({})).length, 2);
    await eventually(async () => assert.deepEqual([first.received.length, second.received.length], [3, 2]));
    assert.equal((await deliveriesOf(event.id)).length, 5);
  });

  it('make their next attempt at once on request', async () => {
    const receiver = await listen();
    receiver.answerWith((count) => ({ status: count < 3 ? 500 : 200 }));
    await register(receiver.url, { enabledEvents: ['payment_intent.created'] });
    await pay();
    await eventually(async () => assert.equal(receiver.received.length, 2));
    const eventId = receiver.received[0]?.event.id ?? '';
    await eventually(async () => assert.equal((await deliveriesOf(eventId))[0]?.attempts.length, 2));
    await send('POST', `/events/${eventId}/redeliver`, {});
    // The check gives up before the pause of five minutes after the second attempt ends.
    await eventually(async () => assert.equal((await deliveriesOf(eventId))[0]?.status, 'delivered'));
  });

  it('continue after support staff have ended their workflow, by the sweeper or on request', async () => {
    const receiver = await listen();
    receiver.answerWith(() => ({ status: 500 }));
    await register(receiver.url, { enabledEvents: ['payment_intent.created'] });
    await Promise.all([pay(), pay()]);
    const eventIds = await eventually(async () => {
      const ids = [...new Set(receiver.received.map(({ event }) => event.id))];
      assert.equal(ids.length, 2);
      return ids;
    });
    for (const eventId of eventIds) {
      // The pause after the second attempt leaves enough time to terminate the workflow.
      const delivery = await eventually(async () => {
        const [found] = await deliveriesOf(eventId);
        assert.equal(found?.attempts.length, 2);
        return found;
      });
      await withTemporal((client) => client.workflow.getHandle(delivery.id).terminate('by hand'));
    }
    receiver.answerWith(() => ({ status: 200 }));
    const [overdue = '', askedFor = ''] = eventIds;
    await queryStack(
      `UPDATE webhook_delivery SET next_attempt_at = now() - interval '1 minute', claimed_at = NULL WHERE event_id = $1`,
      [overdue],
    );
    await send('POST', `/events/${askedFor}/redeliver`, {});
    for (const eventId of eventIds) {
      await eventually(async () => {
        const [delivery, ...others] = await deliveriesOf(eventId);
        const attempts = delivery?.attempts.map(({ statusCode }) => statusCode);
        assert.deepEqual([delivery?.status, attempts, others.length], ['delivered', [500, 500, 200], 0]);
      });
    }
  });

  it('disable an endpoint that answers 410, and notify the others', async () => {
    const [gone, other] = [await listen(), await listen()];
    gone.answerWith(() => ({ status: 410 }));
    const { id } = await register(gone.url);
    await register(other.url, { enabledEvents: ['webhook_endpoint.disabled'] });
    await pay();
    const { event } = await other.find(({ event: { type } }) => type === 'webhook_endpoint.disabled');
    assert.ok(event.data.object === 'webhook_endpoint');
    assert.deepEqual([event.data.id, event.data.status, event.data.disabledReason], [id, 'disabled', 'gone']);
    const shown = resourceOf(await send('GET', `/webhook-endpoints/${id}`), webhookEndpointResource);
    assert.deepEqual([shown.status, shown.disabledReason, shown.lastFailure], ['disabled', 'gone', 'status 410']);
    assert.equal(gone.received.length, 1);
  });

  it('can be found by support staff, with their attempts and without secrets', async () => {
    const receiver = await listen();
    receiver.answerWith((count) => ({ status: count === 1 ? 500 : 200, body: 'private words' }));
    const { id, secret } = await register(receiver.url, { enabledEvents: ['payment_intent.created'] });
    const paid = await pay();
    await eventually(async () => assert.equal(receiver.received.length, 2));
    await withTemporal(async (client) => {
      const query = `WebhookEndpoint = "${id}" AND PaymentIntent = "${paid}" AND PaymentStatus = "delivered"`;
      const [workflowId = ''] = await eventually(async () => {
        const found = await findWorkflows(client, query);
        assert.equal(found.length, 1);
        return found;
      });
      const handle = client.workflow.getHandle(workflowId);
      assert.equal(await (await handle.describe()).staticSummary(), `Webhook payment_intent.created to ${id}`);
      const currentDetails = await readCurrentDetails(handle);
      assert.match(currentDetails, /^- Attempt 1, ended \S+: failed, status 500\.$/m);
      assert.match(currentDetails, /^- Attempt 2, ended \S+: delivered, status 200\.$/m);
      const history = JSON.stringify(await handle.fetchHistory());
      for (const text of [secret, receiver.url, 'private words']) {
        assert.ok(
          !history.includes(text) && !history.includes(Buffer.from(text).toString('base64').slice(0, 12)),
          text,
        );
      }
    });
  });
});
