import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settingsOf, warnOfUnneededSecrets } from '../../../config/programs.ts';
import type { Settings } from '../../../config/read-variables.ts';
import { environmentNamesOf, type ProgramName, VARIABLE_NAMES } from '../../../config/variables.ts';

describe('a process that is given the secret of another', () => {
  const warningsOf = (program: ProgramName, settings: Settings) => {
    const warnings: string[] = [];
    warnOfUnneededSecrets(program, (message) => warnings.push(message), settings);
    return warnings;
  };

  it('warns of it by name, and not of what it needs', () => {
    const settings = { DATABASE_URL: 'postgresql://…', SIMULATOR_API_KEYS: 'alpha=secret', TEMPORAL_API_KEY: ' ' };
    assert.deepEqual(warningsOf('gateway', settings), [
      'SIMULATOR_API_KEYS is set, and gateway does not use it: leave it out of the environment of this process.',
    ]);
    assert.deepEqual(warningsOf('api', settings), []);
    assert.deepEqual(warningsOf('worker', { TLS_KEY_FILE: 'key.pem' }).length, 1);
    assert.deepEqual(warningsOf('gateway', { CARD_KEYS_FILE: '/run/keys' }).length, 1);
  });

  it('is not given it by npm start', () => {
    const all = Object.fromEntries(VARIABLE_NAMES.flatMap(environmentNamesOf).map((name) => [name, name]));
    for (const program of ['api', 'gateway', 'worker', 'simulator', 'demo'] as const) {
      const given = settingsOf(program, { ...all, PATH: '/bin' });
      assert.deepEqual(warningsOf(program, given), []);
      assert.equal(given.PATH, '/bin');
    }
    assert.equal(settingsOf('gateway', all).SIMULATOR_API_KEYS, undefined);
    assert.equal(settingsOf('gateway', all).SIMULATOR_API_KEYS_FILE, undefined);
    assert.equal(settingsOf('gateway', all).VAULT_KEYS_FILE, 'VAULT_KEYS_FILE');
  });
});
