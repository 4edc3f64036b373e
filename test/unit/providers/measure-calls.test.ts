import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { measureCalls, type ProviderCall } from '../../../providers/measure-calls.ts';
import { cardOf, requestWith } from '../../support/provider-contract.ts';
import { type ProviderScript, scriptedProvider } from '../../support/scripted-provider.ts';

const REQUEST = requestWith(cardOf('4242424242424242'));

describe('measured calls to a provider', () => {
  const resultsOf = async (
    script: ProviderScript,
    signal = new AbortController().signal,
  ): Promise<readonly string[]> => {
    const calls: ProviderCall[] = [];
    const provider = measureCalls(
      scriptedProvider('alpha', script, () => undefined),
      (call) => calls.push(call),
    );
    const outcome = await provider.inquire(REQUEST, signal).catch((error: unknown) => error);
    assert.ok(outcome !== undefined);
    assert.ok(calls.every(({ durationMs }) => durationMs >= 0));
    return calls.map((call) => `${call.provider} ${call.operation} ${call.result}`);
  };

  it('are reported with the result of each try, failed ones included', async () => {
    assert.deepEqual(await resultsOf({ inquire: [{ kind: 'not_charged' }] }), ['alpha inquire answered']);
    const outage = { kind: 'outage', code: 'TSP_TIMEOUT' } as const;
    assert.deepEqual(await resultsOf({ inquire: [outage] }), ['alpha inquire TSP_TIMEOUT']);
    assert.deepEqual(await resultsOf({ inquire: [{ kind: 'broken' }] }), ['alpha inquire error']);
    assert.deepEqual(await resultsOf({ inquire: [{ kind: 'hang' }] }, AbortSignal.abort()), ['alpha inquire canceled']);
  });

  it('fail with the error of the provider', async () => {
    const outage = { kind: 'outage', code: 'TSP_ERROR' } as const;
    const provider = measureCalls(
      scriptedProvider('alpha', { inquire: [outage] }, () => undefined),
      () => undefined,
    );
    await assert.rejects(provider.inquire(REQUEST, new AbortController().signal), { code: 'TSP_ERROR' });
  });
});
