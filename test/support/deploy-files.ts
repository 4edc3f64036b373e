import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type ProgramName, READ_BY, SECRET_VARIABLES, VARIABLE_NAMES, VARIABLES } from '../../config/variables.ts';
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

function readsOf(program: DeployedProgram): string[] {
  return Object.entries(READ_BY)
    .filter(([, programs]) => programs.includes(program))
    .map(([name]) => name);
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
    (name) => PROGRAMS.some((program) => readsOf(program).includes(name)) && !MADE_BY_CHART.includes(name),
  );
  const isSecret = (name: string) => SECRET_VARIABLES.some((secret) => secret === name);
  const { settings, secrets } = schema.properties;
  const described = names.filter((name) => !isSecret(name) || name.endsWith('_FILE'));
  return {
    ...schema,
    properties: {
      ...schema.properties,
      settings: { ...settings, properties: Object.fromEntries(described.map((name) => [name, describe(name)])) },
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

function describe(name: string): unknown {
  const entry = Object.entries(VARIABLES).find(([one]) => one === name);
  return { type: ['string', 'number', 'boolean'], description: `It must ${entry?.[1].must ?? ''}.` };
}
