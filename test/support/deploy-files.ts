import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  environmentNamesOf,
  type ProgramName,
  SECRET_VARIABLES,
  VARIABLE_NAMES,
  type VariableName,
  variableOf,
  variablesOf,
} from '../../config/variables.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';

export const CHART = path.join(PROJECT_ROOT, 'deploy', 'helm', 'payment-engine');
const PROGRAMS = ['api', 'gateway', 'worker', 'dashboard', 'migrate'] as const satisfies readonly ProgramName[];
export type DeployedProgram = (typeof PROGRAMS)[number];

/** Where a pod listens; in a pod, that is its own address. */
const HOST = '0.0.0.0';

/** What the chart fixes for each process. */
const FIXED: Readonly<Record<DeployedProgram, { program: string; port: number; settings: Record<string, string> }>> = {
  api: { program: 'dist/api/main.js', port: 3_000, settings: { HOST, PORT: '3000' } },
  gateway: { program: 'dist/gateway/main.js', port: 3_001, settings: { HOST, GATEWAY_PORT: '3001' } },
  worker: { program: 'dist/worker/main.js', port: 3_002, settings: { HOST, WORKER_PORT: '3002' } },
  dashboard: { program: 'dist/dashboard/main.js', port: 3_003, settings: { HOST, DASHBOARD_PORT: '3003' } },
  migrate: { program: 'dist/scripts/migrate.js', port: 0, settings: {} },
};

/** Set by the chart itself, from other values. */
const MADE_BY_CHART: readonly string[] = [
  'DATABASE_URL',
  'GATEWAY_IN_API',
  'DASHBOARD_API_URL',
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  ...Object.values(FIXED).flatMap(({ settings }) => Object.keys(settings)),
];

/** What the chart knows of each process: its program, its port, what is fixed, and the settings that it reads. */
export function helmProcesses(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    PROGRAMS.map((name) => [
      name,
      { ...FIXED[name], reads: readsOf(name).filter((variable) => !(variable in FIXED[name].settings)) },
    ]),
  );
}

/** The names of the variables that a process reads; a secret one may stand in a file, whose path is a setting. */
function readsOf(program: DeployedProgram): string[] {
  return variablesOf(program).flatMap(environmentNamesOf);
}

const schemaFileSchema = z.looseObject({
  properties: z.looseObject({
    settings: z.looseObject({}),
    secrets: z.looseObject({ properties: z.looseObject({ keys: z.looseObject({}) }) }),
  }),
});

/** The schema of the values with the settings and secrets that exist now. */
export function helmValuesSchema(): unknown {
  const schema = schemaFileSchema.parse(JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8')));
  const names = VARIABLE_NAMES.filter(
    (name) => PROGRAMS.some((program) => variableOf(name).readBy.includes(program)) && !MADE_BY_CHART.includes(name),
  );
  const { settings, secrets } = schema.properties;
  const plain = names.filter((name) => !SECRET_VARIABLES.includes(name) || name.endsWith('_FILE'));
  const kept = names.filter((name) => !plain.includes(name));
  return {
    ...schema,
    properties: {
      ...schema.properties,
      settings: { ...settings, properties: { ...describe(plain), ...describeFiles(kept) } },
      secrets: {
        ...secrets,
        properties: {
          ...secrets.properties,
          keys: {
            ...secrets.properties.keys,
            items: { enum: names.filter((name) => !name.endsWith('_FILE')) },
          },
        },
      },
    },
  };
}

function describe(names: readonly VariableName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      { type: ['string', 'number', 'boolean'], description: `It must ${variableOf(name).must}.` },
    ]),
  );
}

function describeFiles(names: readonly VariableName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [`${name}_FILE`, { type: 'string', description: `The path of a file with ${name}.` }]),
  );
}
