import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type AllowedRetries,
  CARD_TRIES,
  cardRetriesOf,
  describeLimit,
  mustAuthenticate,
  reachedLimitOf,
  retryAfterDecline,
  retryThatMade,
} from '../../../domain/decline-retries.ts';
import { attemptOf } from '../../support/attempts.ts';

const SETTING = { enabled: true, maxRetries: 3, issuerDeclines: false };
const NONE = { count: 0, until: null };
const UNTIL = '2026-12-01T00:00:00.000Z';

const declinesOf = (day: number, month: number) => ({
  day: { count: day, until: UNTIL },
  month: { count: month, until: UNTIL },
});

describe('retries after declines', () => {
  it('go elsewhere only where the account allows it, and are none where nobody counts the card', () => {
    const declines = { day: NONE, month: NONE };
    assert.equal(cardRetriesOf(SETTING, null), null);
    for (const setting of [
      { ...SETTING, enabled: false },
      { ...SETTING, maxRetries: 0 },
    ]) {
      assert.deepEqual(cardRetriesOf(setting, declines), { elsewhere: null, declines });
    }
    const elsewhere = { maxRetries: 3, issuerDeclines: false };
    assert.deepEqual(cardRetriesOf(SETTING, declines), { elsewhere, declines });
  });

  it('stay within the limits of the card schemes, of which the one with the longer period is told', () => {
    const { day, month } = CARD_TRIES;
    assert.equal(reachedLimitOf(declinesOf(day - 1, month - 1)), null);
    assert.equal(reachedLimitOf(declinesOf(day - 2, day - 2), 1), null);
    for (const [declines, further, period, count] of [
      [declinesOf(day, day), 0, 'day', day],
      [declinesOf(day - 1, day - 1), 1, 'day', day],
      [declinesOf(0, month), 0, 'month', month],
      [declinesOf(day, month), 0, 'month', month],
    ] as const) {
      assert.deepEqual(reachedLimitOf(declines, further), { period, count, until: UNTIL });
    }
    assert.match(describeLimit({ period: 'month', count: 15 }), /^was declined 15 times .* within 30 days/);
  });

  it('follow technical declines, and those without a reason only where the account says so', () => {
    const retry = (advised: Parameters<typeof retryAfterDecline>[0], issuerDeclines = false) =>
      retryAfterDecline(advised, { elsewhere: { issuerDeclines }, authenticated: false }, true);
    assert.equal(retry({ advice: 'elsewhere' }), 'elsewhere');
    const issuer = { advice: 'elsewhere', isIssuerDecline: true } as const;
    assert.equal(retry(issuer), null);
    assert.equal(retry(issuer, true), 'elsewhere');
    for (const advice of ['never', 'later', 'authenticate', 'correct_data'] as const) {
      assert.equal(retry({ advice }, true), null);
    }
    assert.equal(retry({}, true), null);
  });

  it('follow a demand for authentication, where the provider can ask for it and no attempt before had one', () => {
    const allowed: AllowedRetries = { elsewhere: null, authenticated: true };
    assert.equal(retryAfterDecline({ advice: 'authenticate' }, allowed, true), 'authenticated');
    assert.equal(retryAfterDecline({ advice: 'authenticate' }, allowed, false), null);
    assert.equal(retryAfterDecline({ advice: 'authenticate' }, { ...allowed, authenticated: false }, true), null);
    assert.equal(retryAfterDecline({ advice: 'elsewhere' }, allowed, true), null);
  });

  it('ask for 3-D Secure right after such a demand alone: in the same confirm, at the same provider', () => {
    const first = attemptOf(1, { outcome: 'declined', advice: 'authenticate' });
    const second = attemptOf(2);
    assert.equal(mustAuthenticate([first, second], second), true);
    assert.equal(mustAuthenticate([first, second], first), false);
    assert.equal(mustAuthenticate([{ ...first, advice: 'elsewhere' }, second], second), false);
    assert.equal(mustAuthenticate([first], { ...second, provider: 'other' }), false);
    assert.equal(mustAuthenticate([first], { ...second, operationId: 'confirm_2' }), false);
    assert.equal(mustAuthenticate([first], { ...second, number: 3 }), false);
  });

  it('are told from the attempts: those of a confirm that follow a decline of it', () => {
    const first = attemptOf(1, { outcome: 'declined', advice: 'elsewhere' });
    const second = attemptOf(2, { provider: 'beta' });
    assert.equal(retryThatMade([first, second], second), 'elsewhere');
    assert.equal(retryThatMade([first, second], first), null);
    assert.equal(retryThatMade([{ ...first, outcome: 'not_charged' }, second], second), null);
    assert.equal(retryThatMade([{ ...first, operationId: 'confirm_2' }, second], second), null);
    const soft = attemptOf(1, { outcome: 'declined', advice: 'authenticate' });
    assert.equal(retryThatMade([soft], attemptOf(2)), 'authenticated');
  });
});
