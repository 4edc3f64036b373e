import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import { webhookRetryPauseMs, describeReply } from '../../../domain/webhook.ts';

const PAUSES = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

describe('retries of a webhook', () => {
  it('follow the schedule, ten attempts in all', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => webhookRetryPauseMs(index + 1, 0.5));
    assert.deepEqual(pauses, [...PAUSES, null]);
  });

  it('differ from the schedule by a tenth at most, both ways', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: PAUSES.length }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, random) => {
          const about = PAUSES[n - 1] ?? 0;
          const pause = webhookRetryPauseMs(n, random) ?? 0;
          assert.ok(Math.abs(pause - about) <= about * 0.1 + 1);
        },
      ),
    );
    assert.ok((webhookRetryPauseMs(1, 0) ?? 0) < (webhookRetryPauseMs(1, 1) ?? 0));
  });
});

describe('the reply to a delivery', () => {
  it('has a short description', () => {
    assert.equal(describeReply({ statusCode: 500, error: 'status_not_2xx' }), 'status 500');
    assert.equal(describeReply({ statusCode: null, error: 'host_not_found' }), 'host not found');
  });
});
