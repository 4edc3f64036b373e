import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { VARIABLE_NAMES, variableOf } from '../../../config/variables.ts';
import {
  ENVIRONMENT_EXAMPLE,
  environmentExample,
  SETTINGS_REFERENCE,
  settingsReference,
} from '../../support/settings-documents.ts';

const WRITTEN_BY = 'Run npm run generate.';

describe('the settings', () => {
  it('are what .env.example and the page of settings show', () => {
    assert.equal(readFileSync(ENVIRONMENT_EXAMPLE, 'utf8'), environmentExample(), WRITTEN_BY);
    assert.equal(readFileSync(SETTINGS_REFERENCE, 'utf8'), settingsReference(), WRITTEN_BY);
  });

  it('are each described in sentences, and read by a program', () => {
    for (const name of VARIABLE_NAMES) {
      const { description, must, readBy } = variableOf(name);
      assert.match(description, /^[A-Z1-9].*\.$/, name);
      assert.match(must, /^be .*[^.]$/, name);
      assert.ok(readBy.length > 0, name);
    }
  });

  it('are each used where the configuration of a process is made', () => {
    const readers = readdirSync('config').filter((file) => file.endsWith('.ts') && file !== 'variables.ts');
    const text = readers.map((file) => readFileSync(`config/${file}`, 'utf8')).join('\n');
    const unused = VARIABLE_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    assert.deepEqual(
      unused,
      BY_THE_SDK_OF_OPENTELEMETRY,
      'Put each into the configuration of a process, in a file of config.',
    );
  });
});

/** The SDK of OpenTelemetry reads these itself; the engine only checks them. */
const BY_THE_SDK_OF_OPENTELEMETRY = [
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];
