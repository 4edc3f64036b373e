import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { settingsOf, warnOfUnneededSecrets } from '../../../config/programs.ts';
import { ConfigError, type Settings } from '../../../config/read-variables.ts';
import { type ProgramName, READ_BY, VARIABLE_NAMES } from '../../../config/variables.ts';
import { CONFIG_READERS } from '../../support/config-readers.ts';

/** The variables of ours that a function reads. */
function variablesReadBy(read: (settings: Settings) => unknown): string[] {
  const names = new Set<string>();
  const settings = new Proxy<Settings>({}, { get: (_target, name) => void names.add(String(name)) });
  try {
    read(settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return [...names].filter((name) => VARIABLE_NAMES.includes(name)).sort();
}

describe('the table of variables and the programs that read them', () => {
  for (const [program, read] of Object.entries(CONFIG_READERS)) {
    it(`has what ${program} reads, and no more`, () => {
      const inTable = Object.entries(READ_BY).filter(([, programs]) => programs.some((one) => one === program));
      assert.deepEqual(inTable.map(([name]) => name).sort(), variablesReadBy(read));
    });
  }

  it('is what docs/operations/settings.md shows of the processes of the engine', () => {
    const text = readFileSync('docs/operations/settings.md', 'utf8');
    const [, section = ''] = text.split('## Which process needs what');
    const programs = ['api', 'gateway', 'worker', 'migrate'] as const;
    const rows = [...section.matchAll(/^\| ((?:`[A-Z_0-9]+`(?:, )?)+) +\|(.*)\|$/gm)].flatMap(
      ([, names = '', cells = '']) => {
        const marks = cells.split('|').map((cell) => cell.trim() === 'yes');
        return [...names.matchAll(/[A-Z_0-9]+/g)].map(([name]) => [name, programs.filter((_, index) => marks[index])]);
      },
    );
    const ofEngine = Object.entries(READ_BY)
      .map(([name, readers]) => [name, programs.filter((program) => readers.includes(program))] as const)
      .filter(([, readers]) => readers.length > 0);
    assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(ofEngine));
  });
});

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
  });

  it('is not given it by npm start', () => {
    const all = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, name]));
    for (const program of ['api', 'gateway', 'worker', 'simulator', 'demo'] as const) {
      const given = settingsOf(program, { ...all, PATH: '/bin' });
      assert.deepEqual(warningsOf(program, given), []);
      assert.equal(given.PATH, '/bin');
    }
    assert.equal(settingsOf('gateway', all).SIMULATOR_API_KEYS, undefined);
  });
});
