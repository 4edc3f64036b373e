import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { SocketEvent } from '../../../prisma/queries/event.ts';
import { createSubscription, type Subscription } from '../../../gateway/subscription.ts';

/** The n-th event of an intent; other intents' events lie between them. */
function eventNumber(n: number): SocketEvent {
  return {
    id: `evt_${n}`,
    type: 'payment_intent.processing',
    resourceId: 'pi_1',
    paymentIntentId: 'pi_1',
    merchantAccountId: 'mer_1',
    position: n * 3,
    sequence: n * 2,
    insertion: n * 5,
    failure: null,
    status: 'processing',
    nextAction: null,
    refund: {},
    strayCharge: null,
    createdAt: new Date(0),
  };
}

function recordingSubscription(maximumWaitingEvents = 100): {
  subscription: Subscription;
  sent: string[];
  overflows: () => number;
} {
  const sent: string[] = [];
  let overflows = 0;
  const subscription = createSubscription({
    send: ({ id }) => void sent.push(id),
    overflow: () => {
      overflows += 1;
    },
    maximumWaitingEvents,
  });
  return { subscription, sent, overflows: () => overflows };
}

describe('subscription', () => {
  it('buffers live events until the replay has ended', () => {
    const { subscription, sent } = recordingSubscription();
    subscription.deliver(eventNumber(2));
    subscription.replay(eventNumber(1));
    assert.deepEqual(sent, ['evt_1']);
    subscription.goLive();
    subscription.deliver(eventNumber(3));
    assert.deepEqual(sent, ['evt_1', 'evt_2', 'evt_3']);
  });

  it('sends each event after the cursor once, even if replayed and live events overlap', () => {
    const total = 12;
    const index = fc.integer({ min: 0, max: total });
    fc.assert(
      fc.property(index, index, index, (cursor, liveFrom, replayedTo) => {
        const first = Math.min(liveFrom, replayedTo);
        const { subscription, sent } = recordingSubscription();
        const live = (from: number, to: number): void => {
          for (let n = from; n <= to; n += 1) subscription.deliver(eventNumber(n));
        };
        const behindFirst = Math.min(total, replayedTo + 2);
        live(first + 1, behindFirst);
        subscription.skip(({ insertion }) => insertion <= eventNumber(cursor).insertion);
        for (let n = cursor + 1; n <= replayedTo; n += 1) subscription.replay(eventNumber(n));
        subscription.goLive();
        live(behindFirst + 1, total);
        const expectedFrom = Math.max(cursor, 0) + 1;
        assert.deepEqual(
          sent,
          Array.from({ length: total - expectedFrom + 1 }, (_, offset) => `evt_${expectedFrom + offset}`),
        );
      }),
    );
  });

  it('reports an overflow once', () => {
    const { subscription, overflows } = recordingSubscription(2);
    for (let n = 1; n <= 2; n += 1) subscription.deliver(eventNumber(n));
    assert.equal(overflows(), 0);
    for (let n = 3; n <= 9; n += 1) subscription.deliver(eventNumber(n));
    assert.equal(overflows(), 1);
  });
});
