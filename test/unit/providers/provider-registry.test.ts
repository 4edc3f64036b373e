import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createProviderRegistry } from '../../../providers/provider-registry.ts';
import { createSimulators } from '../../../providers/simulator/create-simulators.ts';
import { SIMULATOR_API_KEY, SIMULATOR_WEBHOOK_SECRET } from '../../support/simulator-harness.ts';

const SECRETS = { apiKey: SIMULATOR_API_KEY, webhookSecret: SIMULATOR_WEBHOOK_SECRET };
const settings = {
  simulators: [
    { name: 'alpha', url: 'http://127.0.0.1:4001', ...SECRETS },
    { name: 'beta', url: 'http://127.0.0.1:4002', ...SECRETS },
  ],
  timeoutMs: 1_000,
  allowInProduction: false,
};

describe('provider registry', () => {
  it('finds providers by name', async () => {
    const registry = createProviderRegistry(createSimulators(settings));
    assert.equal((await registry.find('alpha'))?.name, 'alpha');
    assert.equal((await registry.find('beta'))?.name, 'beta');
    assert.equal(await registry.find('gamma'), undefined);
  });

  it('keeps simulators out of production unless they are allowed there', () => {
    const usual = createProviderRegistry(createSimulators(settings));
    assert.deepEqual([...usual.offersFor('sandbox').keys()], ['alpha', 'beta']);
    assert.deepEqual([...usual.offersFor('production').keys()], []);
    const allowed = createProviderRegistry(createSimulators({ ...settings, allowInProduction: true }));
    assert.deepEqual([...allowed.offersFor('production').keys()], ['alpha', 'beta']);
  });

  it('rejects two providers of one name', () => {
    const simulators = createSimulators(settings);
    assert.throws(() => createProviderRegistry([...simulators, ...simulators]), RangeError);
  });
});
