import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createAlarm } from '../../../gateway/alarm.ts';
import { createConnectionCount } from '../../../gateway/connection-count.ts';
import { createFanOut, type Subscriber } from '../../../gateway/fan-out.ts';

const nobody: Subscriber = { deliver: () => undefined };

describe('connection count', () => {
  it('limits connections in all and by address', () => {
    const count = createConnectionCount(3, 2);
    assert.ok(count.enter('a'));
    assert.ok(count.enter('a'));
    assert.equal(count.enter('a'), null);
    assert.ok(count.enter('b'));
    assert.equal(count.enter('c'), null);
  });

  it('gives a place back once, however often it is left', () => {
    const count = createConnectionCount(2, 2);
    const leave = count.enter('a');
    assert.ok(count.enter('a'));
    leave?.();
    leave?.();
    assert.ok(count.enter('a'));
    assert.equal(count.enter('a'), null);
  });
});

describe('fan-out', () => {
  it('limits the subscribers of an intent and forgets those who leave', () => {
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

describe('alarm', () => {
  it('cuts a wait short, also one that begins after it rang, and then rests', async () => {
    const alarm = createAlarm();
    const waiting = alarm.wait(3_600_000);
    alarm.ring();
    await waiting;
    alarm.ring();
    alarm.ring();
    await alarm.wait(3_600_000);
    await alarm.wait(0);
  });
});
