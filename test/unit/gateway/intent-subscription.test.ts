import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Connection } from '../../../gateway/connection.ts';
import { subscribeToIntent } from '../../../gateway/intent-subscription.ts';
import { DEFAULT_GATEWAY_LIMITS as limits } from '../../../gateway/limits.ts';
import { createTurns } from '../../../http/turns.ts';
import { createFanOut } from '../../../gateway/subscription.ts';
import type { Database } from '../../../prisma/connection/client.ts';

const CONNECTION: Connection = {
  isOpen: true,
  send: () => undefined,
  flushed: () => Promise.resolve(),
  close: () => undefined,
  onClosed: () => undefined,
  checkAlive: () => undefined,
  terminate: () => undefined,
};

describe('a page that subscribes', () => {
  for (const [status, isLimited] of [
    ['processing', false],
    ['succeeded', true],
  ] as const) {
    it(`may ${isLimited ? 'no longer watch for as long as it likes' : 'watch'} a payment that is ${status} by then`, async () => {
      const page = { paymentIntentId: 'pi_1', merchantAccountId: 'mer_1', expiresAtMs: null };
      const state = { status, cursor: null, newest: 1, newestId: 'evt_1' };
      const database = { direct: { row: () => Promise.resolve(state) } } as unknown as Database;
      const tail = { started: Promise.resolve() };
      await subscribeToIntent(
        { database, tail, fanOut: createFanOut(), limits, replays: createTurns(limits.replays) },
        CONNECTION,
        page,
        {},
      );
      assert.equal(page.expiresAtMs !== null, isLimited);
    });
  }
});
