import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { backoffMs } from '../../../../sdk/checkout/backoff.ts';
import { type Cursor, type EventStream, openEventStream } from '../../../../sdk/checkout/event-stream.ts';
import { createTestPage, type TestPage } from '../../../support/checkout-page.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ScriptedGateway, startScriptedGateway } from '../../../support/scripted-gateway.ts';

const ready = (status = 'processing', lastEventId: string | null = 'evt_0') => ({ type: 'ready', status, lastEventId });
const frame = (sequence: number, event = 'payment-processing') => ({ event, id: `evt_${sequence}`, sequence });
const CURSOR_TOO_OLD = { type: 'error', code: 'CURSOR_TOO_OLD' };

describe('the event stream of the checkout SDK', () => {
  let gateway: ScriptedGateway;
  let page: TestPage;
  let stream: EventStream;
  let notified: string[];
  let states: string[];

  beforeEach(async () => {
    gateway = await startScriptedGateway();
    page = createTestPage();
    notified = [];
    states = [];
  });
  afterEach(async () => {
    stream.close();
    await gateway.stop();
  });

  function open(cursor: Cursor | null = null): void {
    stream = openEventStream({
      platform: page.platform,
      baseUrl: gateway.baseUrl,
      clientSecret: 'secret',
      cursor,
      onReady: (status, isResumed) => void notified.push(`${status}${isResumed ? ' resumed' : ''}`),
      onEvent: ({ id }) => void notified.push(id),
      onConnection: ({ state, error }) => void states.push(error?.code ?? state),
      onFrame: () => undefined,
    });
  }

  const untilNotified = (...expected: string[]) => eventually(async () => assert.deepEqual(notified, expected));

  it('subscribes and delivers events, skipping unknown frames', async () => {
    open();
    const subscriber = await gateway.next();
    assert.deepEqual(subscriber.subscribe, { type: 'subscribe', clientSecret: 'secret' });
    subscriber.send(ready(), { surprise: true }, [], frame(1), frame(2, 'payment-succeeded'));
    await untilNotified('processing', 'evt_1', 'evt_2');
  });

  it('opens no connection once a listener has closed it', async () => {
    let opened = 0;
    const openSocket: typeof page.platform.openSocket = (url, handlers) => {
      opened += 1;
      return page.platform.openSocket(url, handlers);
    };
    stream = openEventStream({
      platform: { ...page.platform, openSocket },
      baseUrl: gateway.baseUrl,
      clientSecret: 'secret',
      cursor: null,
      onReady: () => undefined,
      onEvent: () => undefined,
      onConnection: ({ state }) => {
        states.push(state);
        if (state === 'connecting') stream.close();
      },
      onFrame: () => undefined,
    });
    await eventually(async () => assert.deepEqual(states, ['connecting', 'closed']));
    assert.equal(opened, 0);
  });

  it('resumes after the last event when the connection is cut, and delivers no event twice', async () => {
    open();
    const first = await gateway.next();
    first.send(ready(), frame(1), frame(2));
    await untilNotified('processing', 'evt_1', 'evt_2');
    first.end();
    const second = await gateway.next();
    assert.equal(second.subscribe.after, 'evt_2');
    second.send(ready(), frame(2), frame(3));
    second.end(1012);
    const third = await gateway.next();
    assert.equal(third.subscribe.after, 'evt_3');
    third.send(ready('succeeded'), frame(4));
    await untilNotified('processing', 'evt_1', 'evt_2', 'processing resumed', 'evt_3', 'succeeded resumed', 'evt_4');
  });

  it('resumes after the event that `ready` names if none has come since', async () => {
    open();
    const first = await gateway.next();
    first.send(ready('requires_payment_method', 'evt_9'));
    await untilNotified('requires_payment_method');
    first.end();
    assert.equal((await gateway.next()).subscribe.after, 'evt_9');
  });

  it('reports that the gateway has purged the events in between', async () => {
    open({ after: 'evt_1', sequence: 1 });
    const subscriber = await gateway.next();
    assert.equal(subscriber.subscribe.after, 'evt_1');
    subscriber.send(CURSOR_TOO_OLD, ready('processing', 'evt_7'));
    await untilNotified('processing');
    subscriber.end();
    assert.equal((await gateway.next()).subscribe.after, 'evt_7');
  });

  it('delivers later events with lower numbers, where the database has lost the event to resume after', async () => {
    open({ after: 'evt_9', sequence: 9 });
    const subscriber = await gateway.next();
    subscriber.send(CURSOR_TOO_OLD, ready('processing', 'evt_3'), frame(4, 'payment-succeeded'));
    await untilNotified('processing', 'evt_4');
  });

  it('reconnects if no reply comes', async () => {
    open();
    await gateway.next();
    (await gateway.next()).send(ready());
    await untilNotified('processing');
  });

  it('drops a connection when the page goes offline, and reconnects as soon as it is online', async () => {
    open();
    const first = await gateway.next();
    first.send(ready(), frame(1));
    await untilNotified('processing', 'evt_1');
    page.goOffline();
    first.send(frame(2));
    page.wake();
    const second = await gateway.next();
    assert.equal(second.subscribe.after, 'evt_1');
    second.send(ready(), frame(2));
    await untilNotified('processing', 'evt_1', 'processing resumed', 'evt_2');
  });

  for (const [code, error] of [
    [4401, 'INVALID_CLIENT_SECRET'],
    [4403, 'FORBIDDEN'],
    [4400, 'SUBSCRIPTION_REFUSED'],
  ] as const) {
    it(`ends with ${error} when the gateway closes with ${code}`, async () => {
      open();
      (await gateway.next()).end(code);
      await eventually(async () => assert.deepEqual(states, ['connecting', error]));
    });
  }

  it('does nothing after it is closed', async () => {
    open();
    const subscriber = await gateway.next();
    subscriber.send(ready());
    await untilNotified('processing');
    stream.close();
    subscriber.send(frame(1));
    stream.close();
    assert.deepEqual(states, ['connecting', 'connected', 'closed']);
    assert.deepEqual(notified, ['processing']);
  });
});

describe('the reconnect pause', () => {
  it('grows, is never short or longer than 15 s, and differs from page to page', () => {
    const longest = Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, () => 1));
    const shortest = Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, () => 0));
    assert.deepEqual(
      longest,
      [...longest].sort((a, b) => a - b),
    );
    assert.equal(longest.at(-1), 15_000);
    shortest.forEach((pauseMs, index) => assert.ok(pauseMs >= 200 && pauseMs < (longest[index] ?? 0)));
  });
});
