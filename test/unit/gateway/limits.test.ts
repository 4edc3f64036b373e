import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { createWakeSignal } from '../../../gateway/event-tail.ts';
import { createConnectionCount } from '../../../http/connection-count.ts';
import { DEFAULT_GATEWAY_LIMITS as limits } from '../../../gateway/limits.ts';
import { createFanOut, type Subscriber } from '../../../gateway/subscription.ts';

const nobody: Subscriber = { deliver: () => undefined };

describe('the limits of sockets', () => {
  it('are those that the documentation promises', () => {
    const text = readFileSync('docs/sockets.md', 'utf8').replaceAll(/\s+/g, ' ');
    const number = (value: number) => value.toLocaleString('en-US');
    for (const promise of [
      `a page sent no frame within ${limits.subscribeWithinMs / 1_000} s`,
      `if it sends no frame within ${limits.subscribeSignedAfterMs / 1_000} s`,
      `It pings every ${limits.pingEveryMs / 1_000} s`,
      `leaves more than ${limits.maximumUnsentBytes / 2 ** 20} MiB unread`,
      `takes ${number(limits.maximumConnections)} connections, ${number(limits.maximumConnectionsPerAddress)} of one address`,
      `${limits.maximumSubscribersPerIntent} subscribers of one payment and ${limits.maximumSubscribersPerAccount} of one account`,
    ])
      assert.ok(text.includes(promise), promise);
  });
});

describe('connection count', () => {
  it('limits connections in all and for each address', () => {
    const count = createConnectionCount(3, 2);
    assert.ok(count.acquire('a'));
    assert.ok(count.acquire('a'));
    assert.equal(count.acquire('a'), null);
    assert.ok(count.acquire('b'));
    assert.equal(count.acquire('c'), null);
  });

  it('releases a slot once, however often it is released', () => {
    const count = createConnectionCount(2, 2);
    const release = count.acquire('a');
    assert.ok(count.acquire('a'));
    release?.();
    release?.();
    assert.ok(count.acquire('a'));
    assert.equal(count.acquire('a'), null);
  });
});

describe('fan-out', () => {
  it('limits the subscribers of an intent and removes those who release', () => {
    const fanOut = createFanOut();
    const another: Subscriber = { deliver: () => undefined };
    assert.ok(fanOut.add('pi_1', nobody, 1));
    assert.ok(!fanOut.add('pi_1', another, 1));
    assert.ok(fanOut.add('pi_2', another, 1));
    assert.equal(fanOut.size, 2);
    fanOut.remove('pi_1', another);
    assert.equal(fanOut.size, 2);
    fanOut.remove('pi_1', nobody);
    fanOut.remove('pi_1', nobody);
    assert.equal(fanOut.size, 1);
    assert.ok(fanOut.add('pi_1', another, 1));
  });
});

describe('wake signal', () => {
  it('ends a wait early, also one that begins after the signal, and then resets', async () => {
    const alarm = createWakeSignal();
    const waiting = alarm.wait(3_600_000);
    alarm.wake();
    await waiting;
    alarm.wake();
    alarm.wake();
    await alarm.wait(3_600_000);
    await alarm.wait(0);
  });
});
