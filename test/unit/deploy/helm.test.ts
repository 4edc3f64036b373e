import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Settings } from '../../../config/read-variables.ts';
import { ENTRY_POINTS } from '../../../scripts/package/entry-points.ts';
import { CONFIG_READERS } from '../../support/config-readers.ts';
import { CHART, type DeployedProgram, helmProcesses, helmValuesSchema } from '../../support/deploy-files.ts';

const MADE_BY = 'Run npm run generate.';
const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const SECRETS: Settings = {
  DATABASE_URL: 'postgresql://user:secret@db.example:5432/payments?sslmode=verify-full',
  VAULT_KEYS: KEY,
  CARD_KEYS: KEY,
  CARD_PUBLIC_KEY: `k1:${Buffer.alloc(64, 7).toString('base64')}`,
  DASHBOARD_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtps://mail.example',
  REDIS_URL: 'rediss://redis.example',
  TEMPORAL_API_KEY: 'key',
};

const valuesSchema = z.looseObject({
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  secrets: z.looseObject({ keys: z.array(z.string()) }),
  temporalTls: z.looseObject({ secret: z.string() }),
  dashboard: z.looseObject({ enabled: z.boolean() }),
});
const processesSchema = z.record(
  z.string(),
  z.object({
    program: z.string(),
    port: z.number(),
    settings: z.record(z.string(), z.string()),
    reads: z.array(z.string()),
  }),
);

describe('the Helm chart', () => {
  const defaults: unknown = parse(readChart('values.yaml'));
  const examples = readdirSync(path.join(CHART, 'examples'));
  const schema = z.looseObject({}).parse(JSON.parse(readChart('values.schema.json')));
  const isValid = new Ajv({ strict: false }).compile(schema);
  const processes = processesSchema.parse(JSON.parse(readChart('files/processes.json')));

  it('knows the settings of each process as they are now', () => {
    assert.deepEqual(JSON.parse(readChart('files/processes.json')), helmProcesses(), MADE_BY);
    assert.deepEqual(schema, helmValuesSchema(), MADE_BY);
    for (const { program } of Object.values(processes)) assert.ok(ENTRY_POINTS.includes(program.slice(5, -3)), program);
  });

  it('accepts its own values and the examples, and refuses a setting that does not exist or is a secret', () => {
    for (const example of [undefined, ...examples]) {
      assert.ok(isValid(valuesOf(example)), JSON.stringify(isValid.errors));
    }
    for (const settings of [{ TEMPORAL_ADRESS: 'temporal:7233' }, { VAULT_KEYS: KEY }]) {
      assert.ok(!isValid(merged(defaults, { settings })), JSON.stringify(settings));
    }
    assert.ok(!isValid(merged(defaults, { worker: { replica: 3 } })));
  });

  for (const example of examples) {
    it(`gives each process every setting that it needs, with ${example}`, () => {
      const { settings, secrets, temporalTls, dashboard } = valuesSchema.parse(valuesOf(example));
      for (const program of [
        'api',
        'gateway',
        'worker',
        'dashboard',
        'migrate',
      ] as const satisfies readonly DeployedProgram[]) {
        const { reads = [], settings: fixed = {} } = processes[program] ?? {};
        if (program === 'dashboard' && !dashboard.enabled) continue;
        const given = Object.entries(settings).filter(([name]) => reads.includes(name));
        CONFIG_READERS[program]({
          ...fixed,
          ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
          ...Object.fromEntries(
            secrets.keys.filter((name) => reads.includes(name)).map((name) => [name, SECRETS[name]]),
          ),
          DATABASE_URL: SECRETS.DATABASE_URL,
          ...(temporalTls.secret === '' ? {} : { TEMPORAL_TLS: 'true' }),
          ...(program === 'dashboard' ? { DASHBOARD_API_URL: 'http://api:3000' } : {}),
        });
      }
    });
  }

  function valuesOf(example: string | undefined): unknown {
    return example === undefined ? defaults : merged(defaults, parse(readChart(`examples/${example}`)));
  }
});

function readChart(file: string): string {
  return readFileSync(path.join(CHART, file), 'utf8');
}

const objectSchema = z.record(z.string(), z.unknown());

/** As Helm merges values: objects member by member, everything else whole. */
function merged(base: unknown, over: unknown): unknown {
  const [under, upper] = [objectSchema.safeParse(base), objectSchema.safeParse(over)];
  if (!under.success || !upper.success) return over;
  const changed = Object.entries(upper.data).map(([name, value]) => [name, merged(under.data[name], value)]);
  return { ...under.data, ...Object.fromEntries(changed) };
}
