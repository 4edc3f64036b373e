import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CALLS_AT_ONCE, createCallLimits, limitCalls } from '../../../providers/limit-calls.ts';
import { cardOf, requestWith } from '../../support/provider-contract.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';

const REQUEST = requestWith(cardOf('4242424242424242'));

describe('the limit of calls to a provider', () => {
  it('leaves the calls to others alone while one hangs, and ends with its calls', async () => {
    const limits = createCallLimits();
    const calls = new AbortController();
    const hanging = limitCalls(
      scriptedProvider('alpha', { inquire: [{ kind: 'hang' }] }, () => undefined),
      limits,
    );
    const healthy = limitCalls(
      scriptedProvider('beta', { inquire: [{ kind: 'not_charged' }] }, () => undefined),
      limits,
    );
    const open = Array.from({ length: CALLS_AT_ONCE.ofProvider / 2 }, () => hanging.inquire(REQUEST, calls.signal));
    await assert.rejects(hanging.inquire(REQUEST, calls.signal), { code: 'TSP_UNAVAILABLE' });
    assert.equal((await healthy.inquire(REQUEST, calls.signal)).kind, 'not_charged');
    calls.abort();
    await Promise.allSettled(open);
    assert.notEqual(limits.begin('alpha', 'inquire'), undefined);
  });

  it('keeps half of the calls for those that a customer waits for', () => {
    const limits = createCallLimits();
    const begin = (operation: 'authorize' | 'refund') => limits.begin('alpha', operation) !== undefined;
    const begun = Array.from({ length: CALLS_AT_ONCE.ofProvider }, () => begin('refund'));
    assert.equal(begun.filter(Boolean).length, CALLS_AT_ONCE.ofProvider / 2);
    assert.ok(begin('authorize'));
  });

  it('holds for all accounts of a kind together, too', () => {
    const counts: number[] = [];
    const limits = createCallLimits((kind, inFlight) => void (kind === 'stripe' && counts.push(inFlight)));
    const begun = Array.from({ length: 2 * CALLS_AT_ONCE.ofKind }, (_, index) =>
      limits.begin(`pa_stripe_${index % 10}`, 'authorize'),
    );
    assert.ok(begun.filter((end) => end !== undefined).length <= 2 * CALLS_AT_ONCE.ofKind);
    for (const end of begun) end?.();
    assert.notEqual(limits.begin('pa_stripe_1', 'authorize'), undefined);
  });
});
